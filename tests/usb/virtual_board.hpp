#pragma once
// A virtual sensor board: a USB device of umockdev's that unmodified libusb opens, claims and reads
// in any process started below the test. Its firmware is hal::BoardModel. The test's thread makes
// things happen on it; umockdev's thread serves the system calls; one mutex keeps them apart.
#include "hal/board_model.hpp"

#include <umockdev-1.0/umockdev.h>

#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <variant>
#include <vector>

namespace xq::test {

/// The world in which virtual boards live; there is one in a process, and it must exist before
/// libusb is used. The test must run under umockdev-wrapper.
class Testbed {
public:
    Testbed();
    ~Testbed();
    Testbed(const Testbed&) = delete;
    Testbed& operator=(const Testbed&) = delete;
    UMockdevTestbed* get() const { return testbed_; }
    std::string root() const;

private:
    UMockdevTestbed* testbed_;
};

/// What the device is besides what its HELLO says.
struct DeviceOptions {
    std::string port = "1-1";  ///< where it is plugged in
    std::string usb_serial{};  ///< empty: it has no serial string
    std::string vendor = "1209";
    std::string product = "0001";
    int interface_protocol = 1;  ///< another one is no board
    protocol::Millis board_every = 5000;
};

/// What a board does with its host.
enum class Mood {
    Well,
    Silent,     ///< takes commands, says nothing, until it is cured
    Busy,       ///< another program has claimed it
    Forbidden,  ///< may not be opened
};
/// A system call that a host makes to mend things.
enum class Call { Claim, Release, ClearHalt, Reset, Discard };

class VirtualBoard {
public:
    VirtualBoard(Testbed& testbed, protocol::wire::Hello hello, DeviceOptions options = {});
    ~VirtualBoard();
    VirtualBoard(const VirtualBoard&) = delete;
    VirtualBoard& operator=(const VirtualBoard&) = delete;

    void plug(int device_number);
    void unplug();

    /// Something happens on the board, now.
    void happen(protocol::Event e);
    /// It happens, but what the board sends of it is lost.
    void lose(protocol::Event e);
    /// The next packet is this, whatever it is.
    void send_raw(protocol::wire::Bytes packet);
    /// The next IN transfer ends with this status: -EPIPE, -EOVERFLOW, -EPROTO ...
    void fail_next(int status);
    /// `cure`: the call that brings a silent board back, if any does.
    void set_mood(Mood mood, std::optional<Call> cure = {});

    /// Commands received so far, in order; those that cannot be decoded are missing.
    std::vector<protocol::wire::Command> commands() const;
    std::size_t undecoded() const;
    std::vector<Call> calls() const;
    void forget();  ///< what was received and called so far
    int flying() const;
    bool streaming() const;
    protocol::Millis now() const;

    /// Waits until `condition(*this)` holds; false after `limit`.
    template <class Condition>
    bool wait(Condition condition,
              std::chrono::milliseconds limit = std::chrono::seconds(10)) const {
        const auto end = std::chrono::steady_clock::now() + limit;
        while (!condition(*this)) {
            if (std::chrono::steady_clock::now() > end) return false;
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        return true;
    }

private:
    struct Urb;
    using Outgoing = std::variant<protocol::wire::Bytes, int>;  ///< a packet, or a failure's status

    static gboolean handle(UMockdevIoctlBase*, UMockdevIoctlClient* client, void* self);
    static void vanished(UMockdevIoctlBase*, UMockdevIoctlClient* client, void* self);
    void serve(UMockdevIoctlClient* client);
    int submit(UMockdevIoctlData* arg);
    int control(Urb& urb) const;
    int discard(UMockdevIoctlData* arg);
    int reap(UMockdevIoctlData* arg);
    int mended(Call call);
    void finish(std::unique_ptr<Urb> urb, int status, std::size_t length);
    void pair();
    void queue(const hal::BoardModel::Packets& packets);
    void make_node();
    void fill_node() const;
    void beat(const std::stop_token& stop);
    std::string node() const;
    std::string description() const;

    Testbed& testbed_;
    DeviceOptions options_;
    std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
    UMockdevIoctlBase* handler_;

    mutable std::mutex mutex_;
    std::condition_variable_any beat_now_;
    hal::BoardModel model_;
    std::deque<std::unique_ptr<Urb>> flying_;    ///< IN transfers that wait for a packet
    std::deque<std::unique_ptr<Urb>> finished_;  ///< wait to be handed back
    std::deque<Outgoing> outgoing_;
    std::vector<protocol::wire::Command> commands_;
    std::size_t undecoded_ = 0;
    std::vector<Call> calls_;
    Mood mood_ = Mood::Well;
    std::optional<Call> cure_;
    bool halted_ = false;
    bool plugged_ = false;
    int device_ = 0;
    int fifo_ = -1;
    std::string syspath_;
    std::jthread heart_;
};

}  // namespace xq::test
