#pragma once
// What a sensor board tells, as values: the one vocabulary of the board wire, the sensor log, the
// drivers and the referee (BOARD_WIRE.md, SENSOR_LOG.md).
#include "rules/types.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>

namespace xq::protocol {

using Millis = std::int64_t;

enum class Sensing : std::uint8_t { Occupancy = 1, Colour = 2, Identity = 3 };

/// What a point reads: nothing, a certain piece, some piece of a side, or some piece.
/// A reading says what it knows whatever the board senses, so nobody need ask the kind of board.
class Seen {
public:
    constexpr Seen() = default;
    constexpr explicit Seen(rules::Piece p) : code_(static_cast<std::uint8_t>(p.code())) {}
    static constexpr Seen some() { return Seen(std::uint8_t{untold}); }
    static constexpr Seen some(rules::Side s) {
        return Seen(s == rules::Side::Red ? std::uint8_t{red} : std::uint8_t{black});
    }
    /// What a board of this sensing tells of a point that holds `p`.
    static constexpr Seen of(rules::Piece p, Sensing sensing) {
        if (p.empty()) return {};
        return sensing == Sensing::Identity ? Seen(p)
               : sensing == Sensing::Colour ? some(p.side())
                                            : some();
    }

    constexpr bool empty() const { return code_ == 0; }
    /// The piece, where it is told exactly.
    constexpr std::optional<rules::Piece> piece() const {
        if (empty() || code_ == untold || code_ >= red) return {};
        return rules::Piece::from_code(code_);
    }
    /// The side, where it is told.
    constexpr std::optional<rules::Side> side() const {
        if (code_ == red) return rules::Side::Red;
        if (code_ == black) return rules::Side::Black;
        const auto p = piece();
        return p ? std::optional(p->side()) : std::nullopt;
    }
    /// Whether `p` standing there would fit this reading; an empty reading fits the empty point
    /// only.
    constexpr bool fits(rules::Piece p) const {
        if (empty() || p.empty()) return empty() && p.empty();
        if (code_ == untold) return true;
        if (code_ >= red) return side() == p.side();
        return code_ == p.code();
    }
    /// The letter of a sensor log: FEN letter, `X` some Red, `o` some Black, `x` some; '.' empty.
    constexpr char letter() const {
        if (code_ == red) return 'X';
        if (code_ == black) return 'o';
        if (code_ == untold) return 'x';
        return rules::Piece::from_code(code_).fen();
    }
    constexpr bool operator==(const Seen&) const = default;

private:
    static constexpr std::uint8_t untold = 8;
    static constexpr std::uint8_t red = 16;
    static constexpr std::uint8_t black = 17;
    constexpr explicit Seen(std::uint8_t code) : code_(code) {}
    std::uint8_t code_ = 0;
};

using Reading = std::array<Seen, rules::points>;

struct Capabilities {
    bool press = false;  ///< a clock lever: presses are told
    bool clock = false;  ///< a clock with a display of its own
    bool leds = false;
    bool buzzer = false;
    bool buttons = false;
    bool battery = false;
    bool operator==(const Capabilities&) const = default;
};

enum class PointFault : std::uint8_t { None, Stuck = 1, Flicker = 2, Unreadable = 3 };
enum class ButtonKind : std::uint8_t { Adjust = 1, Draw = 2, Resign = 3, Arbiter = 4 };

namespace event {
struct Hello {
    Sensing sensing = Sensing::Identity;
    Capabilities can;
    bool operator==(const Hello&) const = default;
};
struct Board {
    Reading reading{};
    bool operator==(const Board&) const = default;
};
struct Lift {
    rules::Point point = 0;
    bool operator==(const Lift&) const = default;
};
struct Drop {
    rules::Point point = 0;
    Seen seen;  ///< never empty
    bool operator==(const Drop&) const = default;
};
struct Press {
    rules::Side side = rules::Side::Red;
    bool operator==(const Press&) const = default;
};
struct Clock {
    Millis red_ms = 0;
    Millis black_ms = 0;
    std::optional<rules::Side> running;
    bool operator==(const Clock&) const = default;
};
struct ClockInvalid {
    bool operator==(const ClockInvalid&) const = default;
};
struct Button {
    std::optional<rules::Side> side;  ///< nothing: the board does not say whose
    ButtonKind what = ButtonKind::Adjust;
    bool operator==(const Button&) const = default;
};
struct Unplug {
    bool operator==(const Unplug&) const = default;
};
struct Plug {
    bool operator==(const Plug&) const = default;
};
struct Gap {
    int packets = 0;
    bool operator==(const Gap&) const = default;
};
struct Health {
    rules::Point point = 0;
    PointFault fault = PointFault::None;
    bool operator==(const Health&) const = default;
};
/// An arbiter's call: one JSON-RPC object as text (ARBITER.md); in a journal with a member `by`.
struct Call {
    std::string json;
    bool operator==(const Call&) const = default;
};
struct Time {
    bool operator==(const Time&) const = default;
};
/// The daemon started anew (the comment `# restart UTC` of a journal).
struct Restart {
    bool operator==(const Restart&) const = default;
};
struct End {
    bool operator==(const End&) const = default;
};
}  // namespace event

using Event =
    std::variant<event::Hello, event::Board, event::Lift, event::Drop, event::Press, event::Clock,
                 event::ClockInvalid, event::Button, event::Unplug, event::Plug, event::Gap,
                 event::Health, event::Call, event::Time, event::Restart, event::End>;

/// One line of a sensor log: an event and the moment it happened, in ms since the log's start.
struct Timed {
    Millis t = 0;
    Event event;
    bool operator==(const Timed&) const = default;
};

}  // namespace xq::protocol
