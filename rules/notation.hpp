#pragma once
// Moves as text, both ways: ICCS, Chinese (full and short; 7.6 of the 2010 rules) and WXF.
// Writers take a move that the piece can at least be moved by (an illegal move on the record must
// be written too); readers accept every spelling in FORMATS and give only moves of the side to
// move.
#include "rules/moves.hpp"

namespace xq::rules {

std::string iccs(Move m);  ///< "h2e2"
/// "h2e2", "H2-E2"; nothing for any other text.
std::optional<Move> read_iccs(std::string_view text);

enum class Script : std::uint8_t { Simplified, Traditional };
/// 炮二平五, 马8进7: Red's files in Chinese numerals from his right, Black's in ASCII digits.
std::string chinese(const Position& before, Move m, Script script = Script::Simplified);
std::string wxf(const Position& before, Move m);  ///< "C2=5", letters K A E H R C P

/// Reads any of the notations (ICCS, Chinese, WXF). A text that fits several legal moves, or none,
/// is refused with the reason; the fault's place is the column in bytes.
Result<Move> read_move(const Position& before, std::string_view text);

}  // namespace xq::rules
