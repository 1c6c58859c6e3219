#pragma once
// The board wire, version 1: packets of a sensor board and commands to it (BOARD_WIRE.md). Both
// directions are encoded and decoded here: the daemon decodes what the board sends, the virtual
// board and the simulators decode what the daemon sends. A decoder trusts no length: a packet that
// is short, long, unknown or absurd is a Fault with its offset, never a guess.
#include "protocol/sensor_event.hpp"
#include "rules/fault.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace xq::protocol::wire {

inline constexpr std::uint8_t interface_class = 0xFF;
inline constexpr std::uint8_t interface_subclass = 0x58;
inline constexpr std::uint8_t interface_protocol = 0x01;
inline constexpr std::uint8_t endpoint_in = 0x81;
inline constexpr std::uint8_t endpoint_out = 0x02;
inline constexpr std::size_t packet_size = 64;
inline constexpr std::uint8_t major_version = 1;
inline constexpr std::size_t most_changes = 27;

using Bytes = std::vector<std::uint8_t>;

struct Hello {
    std::uint8_t major = major_version;
    std::uint8_t minor = 0;
    Sensing sensing = Sensing::Identity;
    Capabilities can{};
    std::uint16_t scan_ms = 50;
    std::string serial{};    ///< at most 16 bytes
    std::string firmware{};  ///< at most 16 bytes
    bool operator==(const Hello&) const = default;
};
struct Board {
    std::array<std::uint8_t, rules::points> codes{};  ///< 0..15, as sent
    bool operator==(const Board&) const = default;
};
struct Change {
    rules::Point point = 0;
    std::uint8_t code = 0;
    bool operator==(const Change&) const = default;
};
struct Changes {
    std::vector<Change> changes;  ///< 1..27
    bool operator==(const Changes&) const = default;
};
struct Clock {
    bool valid = false;
    std::optional<rules::Side> running;
    std::uint32_t red_ms = 0;
    std::uint32_t black_ms = 0;
    bool operator==(const Clock&) const = default;
};
struct Press {
    rules::Side side = rules::Side::Red;
    bool operator==(const Press&) const = default;
};
struct Button {
    std::optional<rules::Side> side;
    ButtonKind what = ButtonKind::Adjust;
    bool operator==(const Button&) const = default;
};
struct Health {
    std::optional<std::uint8_t> battery;  ///< per cent
    std::vector<event::Health> faults;
    bool operator==(const Health&) const = default;
};
using Body = std::variant<Hello, Board, Changes, Clock, Press, Button, Health>;

struct Packet {
    std::uint16_t seq = 0;
    std::uint32_t uptime_ms = 0;
    Body body;
    bool operator==(const Packet&) const = default;
};

/// Header, payload, and behind it nothing but zeros up to 64 bytes, which USB stacks may add.
/// Flags and unknown capability bits are ignored. Of a HELLO of another major version only major
/// and minor are read, so that the driver can say what the board speaks.
Result<Packet> decode(std::span<const std::uint8_t> bytes);
/// Header and payload without padding. At most 27 changes or faults; names are cut to 16 bytes.
Bytes encode(const Packet& packet);

/// A nibble as a reading of a board of this sensing: on a colour board every code but 8 tells its
/// side and nothing more, on an occupancy board every code but 0 is some piece.
Seen seen(std::uint8_t code, Sensing sensing);
std::uint8_t code(Seen s, Sensing sensing);

struct SendHello {
    bool operator==(const SendHello&) const = default;
};
struct SendBoard {
    bool operator==(const SendBoard&) const = default;
};
enum class Led : std::uint8_t { Off, On, Blink };
struct Leds {
    Led pattern = Led::Off;
    std::array<bool, rules::points> on{};
    bool operator==(const Leds&) const = default;
};
struct Beep {
    std::uint16_t ms = 0;
    bool operator==(const Beep&) const = default;
};
struct Stream {
    bool on = false;
    bool operator==(const Stream&) const = default;
};
struct ClockSet {
    std::optional<rules::Side> running;
    std::uint32_t red_ms = 0;
    std::uint32_t black_ms = 0;
    bool operator==(const ClockSet&) const = default;
};
using Command = std::variant<SendHello, SendBoard, Leds, Beep, Stream, ClockSet>;

/// As `decode`: zeros may follow the payload, nothing else.
Result<Command> decode_command(std::span<const std::uint8_t> bytes);
Bytes encode(const Command& command);

}  // namespace xq::protocol::wire
