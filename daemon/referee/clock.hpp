#pragma once
// The game's two clocks (6, 21): base and increment, moves in time with any number of periods,
// sudden death, time odds. Driven by presses through the Table, or told by the board's own clock,
// or absent. A value; told the time by its callers; times in ms.
#include "daemon/referee/regulations.hpp"
#include "protocol/broadcast.hpp"

#include <array>
#include <optional>

namespace xq::referee {

/// A clock of the board's own may rise by its increment and this much for its rounding.
constexpr Millis board_clock_slack_ms = 1000;

class GameClock {
public:
    explicit GameClock(const Regulations& r);

    bool none() const { return source_ == ClockSource::None; }
    bool told_by_board() const { return source_ == ClockSource::Board; }
    /// Whether it has ever run in this game.
    bool begun() const { return begun_; }
    std::optional<rules::Side> running() const { return running_; }

    void start(rules::Side side, Millis t);
    void stop(Millis t);
    /// `side` has completed a move at `t`: its clock stops, the increment or the next period's time
    /// is added, the other one starts. The answer is what the move cost, where the clock ran.
    std::optional<Millis> complete_move(rules::Side side, Millis t);
    /// What remains for a side at `t`, never below zero.
    Millis left(rules::Side side, Millis t) const;
    /// When the running clock falls; nothing while none runs, or the board tells the time.
    std::optional<Millis> falls_at() const;
    /// The running side has used up its time at `t`: begins its next period where one follows that
    /// no moves are asked for; false where the flag has fallen.
    bool next_period(Millis t);
    /// Takes time off (22.2).
    void deduct(rules::Side side, Millis ms, Millis t);
    /// The arbiter's word: replaces times and what runs.
    void set(Millis red_ms, Millis black_ms, std::optional<rules::Side> running, Millis t);

    /// A reading of the board's clock. False where it rises without cause: then what was known
    /// stays, and the clock counts as invalid.
    bool board_reading(const protocol::event::Clock& c, Millis t);
    void board_invalid();
    /// The side whose time the board's clock says is used up.
    std::optional<rules::Side> board_fallen() const;

    protocol::ClockFace face(Millis t) const;

    /// Everything given to a side so far: periods, odds, increments; and everything used, deducted
    /// or set by the arbiter. given == used + left (the books, a property test).
    struct Books {
        Millis given = 0;
        Millis used = 0;
        Millis deducted = 0;
        Millis adjusted = 0;  ///< by the arbiter's `clock.set`
    };
    Books books(rules::Side side, Millis t) const;

private:
    struct Hand {
        Millis left = 0;
        std::size_t period = 0;
        int moves = 0;        ///< made in this period
        Millis spent = 0;     ///< on the move in hand, before `since_`
        bool ran = false;     ///< during the move in hand
        Millis may_rise = 0;  ///< board's clock: what completed moves allow
        Books books;
    };
    Hand& hand(rules::Side s) { return hands_[static_cast<std::size_t>(s)]; }
    const Hand& hand(rules::Side s) const { return hands_[static_cast<std::size_t>(s)]; }
    const Period& period(const Hand& h) const { return control_[h.period]; }
    void charge(Millis t);

    ClockSource source_;
    std::vector<Period> control_;
    std::array<Hand, 2> hands_;
    std::optional<rules::Side> running_;
    Millis since_ = 0;
    bool begun_ = false;
    bool valid_ = true;
    bool told_ = false;  ///< the board's clock has told its times
};

}  // namespace xq::referee
