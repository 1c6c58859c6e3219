#pragma once
// The natural limit (4.2.4, 22.2 of the 2010 rules) and games that nobody can win (4.2.2).
// Pure functions of the history.
#include "rules/repetition.hpp"

namespace xq::rules {

/// Checks of his own that count for the claimant at most (22.2).
inline constexpr int counted_checks = 10;

/// The stage of the natural limit that a history stands in: what came after the last capture.
struct Stage {
    int from_ply = 1;  ///< the first ply of the stage (the one behind the last capture)
    int plies = 0;     ///< plies without a capture, those counted by the start's FEN included
    int red_checks = 0;
    int black_checks = 0;

    /// Rounds as they count when `claimant` claims: whole rounds, less his checks beyond ten
    /// (22.2).
    int rounds_for(Side claimant) const;
    /// Whether `limit` rounds without a capture are reached in `claimant`'s count (4.2.4).
    bool reached(Side claimant, int limit) const { return rounds_for(claimant) >= limit; }
};
Stage natural_stage(const History& h);

/// Whether neither side has anything left that can win (4.2.2): no rook, knight, cannon or pawn.
bool no_winner_possible(const Position& p);

}  // namespace xq::rules
