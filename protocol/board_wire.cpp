#include "protocol/board_wire.hpp"

#include <algorithm>
#include <utility>

namespace xq::protocol::wire {

namespace {

using rules::Side;

enum class PacketType : std::uint8_t {
    Hello = 0x01,
    Board = 0x02,
    Change = 0x03,
    Clock = 0x04,
    Press = 0x05,
    Button = 0x06,
    Health = 0x07
};
enum class CommandType : std::uint8_t {
    SendHello = 0x81,
    SendBoard = 0x82,
    Leds = 0x83,
    Beep = 0x84,
    Stream = 0x85,
    ClockSet = 0x86
};

constexpr std::size_t name_size = 16;
constexpr std::uint8_t last_code = 15;
constexpr std::uint8_t untold = 8;  // a piece, but which could not be told
constexpr std::uint8_t battery_unknown = 255;
constexpr std::size_t led_bytes = 12;
// What is left of a packet behind header, battery and n, two bytes a fault.
constexpr std::uint8_t most_faults = 27;

// Bit i of HELLO's capabilities.
constexpr std::array<bool Capabilities::*, 6> capability_bits{
    &Capabilities::press,  &Capabilities::clock,   &Capabilities::leds,
    &Capabilities::buzzer, &Capabilities::buttons, &Capabilities::battery};

/// Takes little-endian values from the front. It keeps the first fault and gives zeros after it,
/// so that the layout of a packet can be read off its decoder.
class Source {
public:
    explicit Source(std::span<const std::uint8_t> bytes) : bytes_(bytes) {
        if (bytes.size() > packet_size) fail(packet_size, "more than 64 bytes");
    }

    const std::optional<Fault>& fault() const { return fault_; }
    /// Blames the value that was taken last.
    void fail(std::string what) { fail(at_, std::move(what)); }

    std::uint8_t u8() { return static_cast<std::uint8_t>(take(1)); }
    std::uint16_t u16() { return static_cast<std::uint16_t>(take(2)); }
    std::uint32_t u32() { return take(4); }
    std::uint8_t within(std::uint8_t least, std::uint8_t most, const char* what) {
        const std::uint8_t value = u8();
        if (value >= least && value <= most) return value;
        fail(std::string(what) + " is " + std::to_string(value) + ", not " + std::to_string(least) +
             " to " + std::to_string(most));
        return least;
    }
    rules::Point point() { return within(0, rules::points - 1, "a point"); }
    Side side() { return within(1, 2, "a side") == 1 ? Side::Red : Side::Black; }
    std::optional<Side> side_or_none() {
        const std::uint8_t side = within(0, 2, "a side");
        return side == 0 ? std::nullopt : std::optional(side == 1 ? Side::Red : Side::Black);
    }
    /// NUL padded; what is not printable ASCII shows as '?', for the name ends up in logs.
    std::string name() {
        std::string text;
        bool ended = false;
        for (std::size_t i = 0; i < name_size; ++i) {
            const char c = static_cast<char>(u8());
            ended = ended || c == '\0';
            if (!ended) text += c >= ' ' && c <= '~' ? c : '?';
        }
        return text;
    }
    void skip_rest() { next_ = bytes_.size(); }

    /// Behind the payload only zeros may stand: USB stacks pad packets to 64 bytes.
    void finish() {
        for (; next_ < bytes_.size(); ++next_) {
            if (bytes_[next_] != 0) fail(next_, "a byte behind the payload that is not zero");
        }
    }

private:
    void fail(std::size_t at, std::string what) {
        if (!fault_) fault_ = Fault{at, std::move(what)};
    }
    std::uint32_t take(std::size_t size) {
        at_ = next_;
        if (bytes_.size() - next_ < size) {
            fail(bytes_.size(), "the packet ends too early");
            next_ = bytes_.size();
            return 0;
        }
        std::uint32_t value = 0;
        for (std::size_t i = size; i-- > 0;) value = (value << 8U) | bytes_[next_ + i];
        next_ += size;
        return value;
    }

    std::span<const std::uint8_t> bytes_;
    std::size_t at_ = 0;
    std::size_t next_ = 0;
    std::optional<Fault> fault_;
};

Body read_hello(Source& in) {
    Hello hello;
    hello.major = in.u8();
    hello.minor = in.u8();
    // Another major version may have laid out the rest anew; its number is all that is wanted.
    if (hello.major != major_version) {
        in.skip_rest();
        return hello;
    }
    hello.sensing = static_cast<Sensing>(in.within(1, 3, "sensing"));
    const std::uint8_t bits = in.u8();
    for (std::size_t i = 0; i < capability_bits.size(); ++i) {
        hello.can.*capability_bits[i] = ((bits >> i) & 1U) != 0;
    }
    hello.scan_ms = in.u16();
    hello.serial = in.name();
    hello.firmware = in.name();
    if (hello.minor > 0) in.skip_rest();  // a minor version may add at the end
    return hello;
}

Body read_board(Source& in) {
    Board board;
    for (std::size_t i = 0; i < board.codes.size(); i += 2) {
        const std::uint8_t two = in.u8();
        board.codes[i] = two & 0x0FU;
        board.codes[i + 1] = static_cast<std::uint8_t>(two >> 4U);
    }
    return board;
}

Body read_changes(Source& in) {
    Changes changes;
    const std::uint8_t n = in.within(1, most_changes, "the number of changes");
    for (std::uint8_t i = 0; i < n && !in.fault(); ++i) {
        changes.changes.push_back({in.point(), in.within(0, last_code, "a code")});
    }
    return changes;
}

Body read_clock(Source& in) {
    Clock clock;
    clock.valid = in.within(0, 1, "valid") == 1;
    if (!clock.valid) {
        for (int i = 0; i < 11; ++i) in.u8();
        return clock;
    }
    clock.running = in.side_or_none();
    in.u16();
    clock.red_ms = in.u32();
    clock.black_ms = in.u32();
    return clock;
}

Body read_button(Source& in) {
    const auto side = in.side_or_none();
    return Button{side, static_cast<ButtonKind>(in.within(1, 4, "a button"))};
}

Body read_health(Source& in) {
    Health health;
    const std::uint8_t battery = in.u8();
    if (battery != battery_unknown) {
        if (battery > 100) in.fail("the battery is over 100 per cent");
        health.battery = battery;
    }
    const std::uint8_t n = in.within(0, most_faults, "the number of faults");
    for (std::uint8_t i = 0; i < n && !in.fault(); ++i) {
        health.faults.push_back({in.point(), static_cast<PointFault>(in.within(1, 3, "a fault"))});
    }
    return health;
}

std::optional<Body> read_body(PacketType type, Source& in) {
    switch (type) {
        case PacketType::Hello:
            return read_hello(in);
        case PacketType::Board:
            return read_board(in);
        case PacketType::Change:
            return read_changes(in);
        case PacketType::Clock:
            return read_clock(in);
        case PacketType::Press:
            return Press{in.side()};
        case PacketType::Button:
            return read_button(in);
        case PacketType::Health:
            return read_health(in);
    }
    return {};
}

std::optional<Command> read_command(CommandType type, Source& in) {
    switch (type) {
        case CommandType::SendHello:
            return SendHello{};
        case CommandType::SendBoard:
            return SendBoard{};
        case CommandType::Leds: {
            Leds leds{static_cast<Led>(in.within(0, 2, "a pattern")), {}};
            std::uint8_t eight = 0;
            for (std::size_t i = 0; i < led_bytes * 8; ++i) {
                if (i % 8 == 0) eight = in.u8();
                if (i < leds.on.size()) leds.on[i] = ((eight >> (i % 8)) & 1U) != 0;
            }
            return leds;
        }
        case CommandType::Beep:
            return Beep{in.u16()};
        case CommandType::Stream:
            return Stream{in.within(0, 1, "on") == 1};
        case CommandType::ClockSet: {
            ClockSet set;
            set.running = in.side_or_none();
            set.red_ms = in.u32();
            set.black_ms = in.u32();
            return set;
        }
    }
    return {};
}

/// Puts little-endian values at the end.
class Sink {
public:
    Sink() { bytes_.reserve(packet_size); }
    Bytes take() { return std::move(bytes_); }

    Sink& u8(std::uint8_t v) {
        bytes_.push_back(v);
        return *this;
    }
    Sink& u16(std::uint16_t v) { return put(v, 2); }
    Sink& u32(std::uint32_t v) { return put(v, 4); }
    Sink& side(std::optional<Side> s) {
        return u8(s ? (*s == Side::Red ? std::uint8_t{1} : std::uint8_t{2}) : std::uint8_t{0});
    }
    Sink& name(std::string_view text) {
        for (std::size_t i = 0; i < name_size; ++i) {
            u8(i < text.size() ? static_cast<std::uint8_t>(text[i]) : std::uint8_t{0});
        }
        return *this;
    }
    Sink& header(PacketType type, const Packet& p) {
        return u8(static_cast<std::uint8_t>(type)).u8(0).u16(p.seq).u32(p.uptime_ms);
    }
    Sink& command(CommandType type) { return u8(static_cast<std::uint8_t>(type)); }

private:
    Sink& put(std::uint32_t v, int size) {
        for (; size > 0; --size, v >>= 8U) u8(static_cast<std::uint8_t>(v & 0xFFU));
        return *this;
    }
    Bytes bytes_;
};

struct PacketWriter {
    Sink& out;
    const Packet& packet;

    void operator()(const Hello& b) const {
        std::uint8_t bits = 0;
        for (std::size_t i = 0; i < capability_bits.size(); ++i) {
            if (b.can.*capability_bits[i]) bits = static_cast<std::uint8_t>(bits | (1U << i));
        }
        out.header(PacketType::Hello, packet).u8(b.major).u8(b.minor);
        out.u8(static_cast<std::uint8_t>(b.sensing)).u8(bits).u16(b.scan_ms);
        out.name(b.serial).name(b.firmware);
    }
    void operator()(const Board& b) const {
        out.header(PacketType::Board, packet);
        for (std::size_t i = 0; i < b.codes.size(); i += 2) {
            out.u8(
                static_cast<std::uint8_t>((b.codes[i] & 0x0FU) | (unsigned{b.codes[i + 1]} << 4U)));
        }
    }
    void operator()(const Changes& b) const {
        out.header(PacketType::Change, packet).u8(static_cast<std::uint8_t>(b.changes.size()));
        for (const Change& c : b.changes) out.u8(static_cast<std::uint8_t>(c.point)).u8(c.code);
    }
    void operator()(const Clock& b) const {
        out.header(PacketType::Clock, packet).u8(b.valid ? 1 : 0).side(b.running).u16(0);
        out.u32(b.red_ms).u32(b.black_ms);
    }
    void operator()(const Press& b) const { out.header(PacketType::Press, packet).side(b.side); }
    void operator()(const Button& b) const {
        out.header(PacketType::Button, packet).side(b.side).u8(static_cast<std::uint8_t>(b.what));
    }
    void operator()(const Health& b) const {
        out.header(PacketType::Health, packet).u8(b.battery.value_or(battery_unknown));
        out.u8(static_cast<std::uint8_t>(b.faults.size()));
        for (const event::Health& f : b.faults) {
            out.u8(static_cast<std::uint8_t>(f.point)).u8(static_cast<std::uint8_t>(f.fault));
        }
    }
};

struct CommandWriter {
    Sink& out;

    void operator()(const SendHello& /*c*/) const { out.command(CommandType::SendHello); }
    void operator()(const SendBoard& /*c*/) const { out.command(CommandType::SendBoard); }
    void operator()(const Leds& c) const {
        out.command(CommandType::Leds).u8(static_cast<std::uint8_t>(c.pattern));
        std::array<std::uint8_t, led_bytes> bitmap{};
        for (std::size_t i = 0; i < c.on.size(); ++i) {
            if (c.on[i]) bitmap[i / 8] = static_cast<std::uint8_t>(bitmap[i / 8] | (1U << (i % 8)));
        }
        for (const std::uint8_t byte : bitmap) out.u8(byte);
    }
    void operator()(const Beep& c) const { out.command(CommandType::Beep).u16(c.ms); }
    void operator()(const Stream& c) const { out.command(CommandType::Stream).u8(c.on ? 1 : 0); }
    void operator()(const ClockSet& c) const {
        out.command(CommandType::ClockSet).side(c.running).u32(c.red_ms).u32(c.black_ms);
    }
};

}  // namespace

Result<Packet> decode(std::span<const std::uint8_t> bytes) {
    Source in(bytes);
    const auto type = static_cast<PacketType>(in.u8());
    in.u8();  // flags: none is known, so none means anything
    Packet packet;
    packet.seq = in.u16();
    packet.uptime_ms = in.u32();
    if (in.fault()) return *in.fault();
    auto body = read_body(type, in);
    if (!body) return Fault{0, "unknown packet type " + std::to_string(bytes[0])};
    in.finish();
    if (in.fault()) return *in.fault();
    packet.body = std::move(*body);
    return packet;
}

Bytes encode(const Packet& packet) {
    Sink out;
    std::visit(PacketWriter{out, packet}, packet.body);
    return out.take();
}

Result<Command> decode_command(std::span<const std::uint8_t> bytes) {
    Source in(bytes);
    const auto type = static_cast<CommandType>(in.u8());
    if (in.fault()) return *in.fault();
    const auto command = read_command(type, in);
    if (!command) return Fault{0, "unknown command " + std::to_string(bytes[0])};
    in.finish();
    if (in.fault()) return *in.fault();
    return *command;
}

Bytes encode(const Command& command) {
    Sink out;
    std::visit(CommandWriter{out}, command);
    return out.take();
}

Seen seen(std::uint8_t code, Sensing sensing) {
    if (code == 0) return {};
    if (code == untold || sensing == Sensing::Occupancy) return Seen::some();
    return Seen::of(rules::Piece::from_code(code), sensing);
}

std::uint8_t code(Seen s, Sensing sensing) {
    if (s.empty()) return 0;
    if (sensing == Sensing::Identity && s.piece()) {
        return static_cast<std::uint8_t>(s.piece()->code());
    }
    if (sensing == Sensing::Colour && s.side()) {
        return static_cast<std::uint8_t>(rules::Piece(*s.side(), rules::Kind::General).code());
    }
    return untold;
}

}  // namespace xq::protocol::wire
