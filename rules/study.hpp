#pragma once
// The study behind `facts_of`, made from wherever the mover sits. Private to the room.
#include "rules/threats.hpp"

namespace xq::rules {

/// As `facts_of`; what it finds among equals may depend on the order of points.
Facts study(const Position& before, Move m, const Position* previous);

}  // namespace xq::rules
