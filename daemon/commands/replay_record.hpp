#pragma once
// A game record as the sensor log of a board on which it was played: for xiangqi-replay, which
// shows games of every format by the same referee.
#include "config/settings.hpp"
#include "daemon/past_game.hpp"

namespace xq::replay {

/// Hands that take the time the record tells, or a second, for each ply; the result is called at
/// the end where the moves leave it open.
daemon::PastLog log_of(const rules::record::GameRecord& record);

/// The names of the record and its time control; without one there is no clock.
config::Settings settings_of(const rules::record::GameRecord& record);

}  // namespace xq::replay
