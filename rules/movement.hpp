#pragma once
// How pieces go (article 2.2), for the files of this room that ask it of a bare placement.
#include "rules/moves.hpp"

namespace xq::rules {

/// Why the piece on `m.from` does not go to `m.to`, `None` if it does. `taking` says whether the
/// move is to be a capture, whatever stands on `m.to`; only the cannon cares.
Illegal movement_fault(const Placement& board, Move m, bool taking);

/// Whether a piece of `by` attacks `target`; as `attacked`, on a bare placement.
bool attacked(const Placement& board, Point target, Side by);

}  // namespace xq::rules
