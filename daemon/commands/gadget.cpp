#include "daemon/commands/gadget.hpp"

#include <sys/mount.h>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <system_error>

namespace xq::boardsim {

namespace fs = std::filesystem;

namespace {

const fs::path gadgets = "/sys/kernel/config/usb_gadget";
const fs::path controllers = "/sys/class/udc";

void write(const fs::path& file, const std::string& text) {
    std::ofstream out(file);
    out << text << '\n';
    out.close();
    if (!out) throw std::runtime_error(file.string() + ": " + std::strerror(errno));
}

std::string first_controller() {
    std::error_code none;
    const fs::directory_iterator found(controllers, none);
    if (none || found == fs::directory_iterator()) {
        throw std::runtime_error(
            "this machine has no USB device controller: on a Raspberry Pi Zero add "
            "\"dtoverlay=dwc2\" to config.txt, on a PC load the kernel module dummy_hcd");
    }
    return found->path().filename();
}

}  // namespace

Gadget::Gadget(const GadgetOptions& options)
    : name_("xiangqi-" + options.serial),
      controller_(options.controller.empty() ? first_controller() : options.controller),
      path_(gadgets / name_),
      mount_(fs::path("/run/xiangqi-boardsim") / options.serial) {
    if (!fs::exists(gadgets)) {
        throw std::runtime_error(gadgets.string() +
                                 " is missing: load the kernel module libcomposite");
    }
    if (umount(mount_.c_str()) != 0 && errno == EBUSY) {
        throw std::runtime_error("a board simulator with the serial number " + options.serial +
                                 " runs already");
    }
    remove();
    try {
        build(options);
    } catch (...) {
        remove();
        throw;
    }
}

Gadget::~Gadget() {
    remove();
}

void Gadget::build(const GadgetOptions& options) {
    const fs::path texts = path_ / "strings/0x409";
    const fs::path configuration = path_ / "configs/c.1";
    const fs::path function = path_ / ("functions/ffs." + name_);
    for (const auto& directory : {path_, texts, configuration, function}) {
        fs::create_directory(directory);
    }
    write(path_ / "idVendor", "0x1209");  // pid.codes' number for tests
    write(path_ / "idProduct", "0x0001");
    write(texts / "manufacturer", "xiangqid");
    write(texts / "product", "simulated xiangqi board");
    write(texts / "serialnumber", options.serial);
    fs::create_directory_symlink(function, configuration / function.filename());
    fs::create_directories(mount_);
    if (mount(name_.c_str(), mount_.c_str(), "functionfs", 0, nullptr) != 0) {
        throw std::runtime_error("FunctionFS cannot be mounted at " + mount_.string() + ": " +
                                 std::strerror(errno));
    }
}

/// In the reverse order; what is not there is no trouble.
void Gadget::remove() noexcept {
    unplug();
    umount(mount_.c_str());
    const std::string function = "ffs." + name_;
    std::error_code ignored;
    for (const auto& part :
         {path_ / "configs/c.1" / function, path_ / "configs/c.1", path_ / "functions" / function,
          path_ / "strings/0x409", path_, mount_}) {
        fs::remove(part, ignored);
    }
}

void Gadget::plug() {
    write(path_ / "UDC", controller_);
}

void Gadget::unplug() noexcept {
    // Refused where it is not plugged in.
    std::ofstream(path_ / "UDC") << '\n';
}

}  // namespace xq::boardsim
