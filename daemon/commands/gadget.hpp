#pragma once
// A USB device made of this machine, by the kernel's configfs: one configuration with one
// FunctionFS function. Plugging it in and pulling it out again is binding it to the machine's USB
// device controller. Made by the board simulator's main thread; wants root.
#include <filesystem>
#include <string>

namespace xq::boardsim {

struct GadgetOptions {
    std::string serial;      ///< letters, digits and hyphens; tells gadgets of one machine apart
    std::string controller;  ///< as in /sys/class/udc; empty: the first one
};

class Gadget {
public:
    /// Makes the device, not yet plugged in. What a killed simulator left is cleared away first.
    /// Throws std::runtime_error with a sentence that says what to do.
    explicit Gadget(const GadgetOptions& options);
    Gadget(const Gadget&) = delete;
    Gadget& operator=(const Gadget&) = delete;
    /// Pulls it out and removes it. Its FunctionFS must be closed by then.
    ~Gadget();

    /// Where FunctionFS is mounted: `ep0` wants its descriptors before the first `plug`.
    const std::filesystem::path& functions() const { return mount_; }
    const std::string& controller() const { return controller_; }
    void plug();
    void unplug() noexcept;

private:
    void build(const GadgetOptions& options);
    void remove() noexcept;

    std::string name_;
    std::string controller_;
    std::filesystem::path path_;   ///< in configfs
    std::filesystem::path mount_;  ///< of FunctionFS
};

}  // namespace xq::boardsim
