#pragma once
// FEN, read wide and written narrow: 1, 2, 4 or 6 fields; E = B and H = N; `r` = `w`.
#include "rules/position.hpp"

namespace xq::rules {

/// Reads placement, and as far as they are given the side to move and the counters. Refuses only
/// what is no FEN; whether a game can reach the position is `unreachable`'s question.
/// The fault's place is the column from 0.
Result<Position> read_fen(std::string_view text);
/// Reads the placement field alone.
Result<Placement> read_placement(std::string_view text);

/// Six fields, B and N, `w`/`b`.
std::string write_fen(const Position& p);
std::string write_placement(const Placement& p);

/// Why no game can reach this position (piece counts, palace, elephant and pawn points, generals
/// facing or missing, the side not to move in check), one sentence; nothing if it seems reachable.
std::optional<std::string> unreachable(const Position& p);

}  // namespace xq::rules
