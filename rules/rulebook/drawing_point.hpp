#pragma once
// Holding the one point that draws (26.2 of 2010, 13 of 1999).
#include "rules/threats.hpp"

#include <span>

namespace xq::rules {

/// Whether the ply keeps a plain draw by the only means, so that an advisor or elephant attacked on
/// the way is no chase: the side has one strong piece and no pawn, attacks nothing but advisors and
/// elephants, and would be mated had it passed, or has a cannon left alone, which wins nothing.
bool holds_drawing_point(const Facts& f, std::span<const Threat* const> chases);

}  // namespace xq::rules
