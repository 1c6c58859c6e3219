#pragma once
// The USB side of a board: a thread of its own that owns every libusb object, finds the board,
// opens it, keeps its transfers going, and hands values to whoever listens. No libusb type crosses
// this header. One context lives as long as the port: a board that comes and goes never ends it.
#include "hal/sources.hpp"
#include "protocol/board_wire.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace xq::hal {

struct UsbId {
    std::uint16_t vendor = 0;
    std::uint16_t product = 0;
    bool operator==(const UsbId&) const = default;
};
/// "1209:0001", hexadecimal.
std::optional<UsbId> read_usb_id(std::string_view text);

struct UsbFilter {
    std::vector<UsbId> ids;  ///< empty: any device with a board's interface
    std::string serial;      ///< empty: the first board found
};

namespace usb {

/// A device is open and its transfers run. `generation` rises by one each time.
struct Opened {
    std::uint32_t generation = 0;
    std::string name;      ///< for people: "1209:0001 at bus 1 device 7"
    bool serial_unproven;  ///< the device does not tell its serial over USB; its HELLO must
};
struct Packet {
    protocol::wire::Bytes bytes;
    protocol::Millis arrived = 0;
};
/// The open device is closed, either because it `left` or because we gave it up for now.
struct Closed {
    bool left = false;
};
enum class Obstacle : std::uint8_t { Permission, Busy, Failing, OtherSerial, NoUsb };
/// A device is there but cannot be used; told once for each device and obstacle.
struct Obstructed {
    Obstacle why = Obstacle::Failing;
    std::string name;
    std::string detail;
};
using Report = std::variant<Opened, Packet, Closed, Obstructed>;

/// What the listener may ask to be done to the open device.
enum class Measure : std::uint8_t {
    Resubmit,
    ClearHalt,
    Reopen,
    Reset,
    Shun,  ///< close it, and leave it alone until it has been unplugged
};

}  // namespace usb

class UsbPort {
public:
    /// Called on the port's thread.
    using Listener = std::function<void(usb::Report)>;

    UsbPort(UsbFilter filter, Now now, Listener listener);
    UsbPort(const UsbPort&) = delete;
    UsbPort& operator=(const UsbPort&) = delete;
    ~UsbPort();

    void start();
    /// Queues bytes for the OUT endpoint, or a measure; a stale generation is ignored. Any thread.
    void send(std::uint32_t generation, protocol::wire::Bytes bytes);
    void take(std::uint32_t generation, usb::Measure measure);
    /// Asks the thread to show that it lives; whether it did since the last time. Any thread.
    bool answers();
    /// Ends the thread. Where the system does not let go of the device within `limit` the thread is
    /// left to itself, silenced; false then.
    bool stop(std::chrono::milliseconds limit);

private:
    struct Thread;
    std::shared_ptr<Thread> thread_;
};

}  // namespace xq::hal
