#pragma once
// DhtmlXQ and XQF lay out a position as 32 places, one for each piece of the set: where it stands,
// or that it is off the board. Private to the folder.
#include "rules/position.hpp"

#include <array>

namespace xq::rules::record {

/// The pieces of a side in the order of their slots; Red's 16 come first.
inline constexpr std::array<Kind, 16> slot_kinds{
    Kind::Rook,     Kind::Knight, Kind::Elephant, Kind::Advisor, Kind::General, Kind::Advisor,
    Kind::Elephant, Kind::Knight, Kind::Rook,     Kind::Cannon,  Kind::Cannon,  Kind::Pawn,
    Kind::Pawn,     Kind::Pawn,   Kind::Pawn,     Kind::Pawn};

using Slots = std::array<Point, 32>;  ///< no_point: off the board

constexpr Piece slot_piece(std::size_t slot) {
    return Piece(slot < slot_kinds.size() ? Side::Red : Side::Black,
                 slot_kinds[slot % slot_kinds.size()]);
}

}  // namespace xq::rules::record
