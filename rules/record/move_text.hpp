#pragma once
// A move as records spell it, in the notation that was asked for. Also the one spelling for a ply
// against the rules that was left to stand: the piece's sign and the two points (马b0-c2, HB0-C2).
#include "rules/notation.hpp"

namespace xq::rules::record {

enum class Notation : std::uint8_t { Chinese, Iccs, Wxf };

/// 炮二平五, H2-E2 or C2=5; `script` is of the Chinese alone.
std::string write_played(const Position& before, Move m, Notation notation, Script script);

/// A legal move in any notation, or one against the rules in the spelling that says so. The
/// fault's place is the column in bytes.
Result<Move> read_played(const Position& before, std::string_view text);

}  // namespace xq::rules::record
