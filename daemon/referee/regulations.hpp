#pragma once
// What the event lays down: the rule book, the level, how a move ends, the time control. Plain
// values without defaults: those live in config/ alone, and the shell fills this in from there.
#include "protocol/sensor_event.hpp"

#include <string>
#include <vector>

namespace xq::referee {

using protocol::Millis;

enum class Level : std::uint8_t { National, Provincial, Youth };
enum class Completion : std::uint8_t { Press, Settle };
enum class ClockSource : std::uint8_t { Daemon, Board, None };

/// One period of a time control: so much time for so many moves (0: for all that remain), and an
/// increment for each move made in it (6.1-6.3).
struct Period {
    Millis time_ms;
    int moves;
    Millis increment_ms;
};

struct Regulations {
    std::string rulebook;  ///< cxa-2010, cxa-1999, asian
    Level level;
    bool automatic;  ///< losses and draws take effect without the arbiter
    Completion completion;
    Millis settle_ms;
    Millis lift_ms;
    Millis released_ms;
    int natural_limit;  ///< rounds without a capture (22.2)
    int draw_offer_surplus;
    ClockSource clock_source;
    std::string control_text;  ///< the time control as written, for the broadcast
    std::vector<Period> control;
    Millis red_extra_ms;  ///< 6.5
    Millis outage_ms;
};

/// What is known of a game before it begins.
struct GameStart {
    int number = 1;
    std::string start_fen;  ///< empty: the start array
    std::string event;
    std::string red;
    std::string black;
};

}  // namespace xq::referee
