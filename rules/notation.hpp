#pragma once
// Moves as text, both ways: ICCS, Chinese (full and short; 7.6 of the 2010 rules) and WXF.
// Every legal move is written so that it reads back as itself. An illegal one on the record is
// written too: as a legal one where the notation can say it, else as piece and points (车a0-b1).
// Readers accept old and new spellings, simplified, traditional and full-width, and give only
// legal moves of the side to move.
#include "rules/moves.hpp"

namespace xq::rules {

std::string iccs(Move m);  ///< "h2e2"
/// "h2e2", "H2-E2"; nothing for any other text. `first_rank` 1 is for peers that count ranks from 1
/// to 10 ("a10b10").
std::optional<Move> read_iccs(std::string_view text, int first_rank = 0);

enum class Script : std::uint8_t { Simplified, Traditional };
/// 车 or 車: the sign of a piece; empty for an empty point.
std::string_view chinese_sign(Piece piece, Script script);
/// 炮二平五, 马8进7: Red's files in Chinese numerals from his right, Black's in ASCII digits.
std::string chinese(const Position& before, Move m, Script script = Script::Simplified);
/// 炮25, 前马4: without the way and with ASCII digits for both sides; in full where that would be
/// read as another legal move (of two, the one that goes sideways is meant).
std::string chinese_short(const Position& before, Move m, Script script = Script::Simplified);
/// "C2=5", letters K A E H R C P; "+C-2" for the front one of two; order and file ("25=6": the
/// second on file 5) for pawns in more than one stack or of more than two.
std::string wxf(const Position& before, Move m);

/// Reads any of the notations (ICCS, Chinese, WXF). A text that fits several legal moves, or none,
/// is refused with the reason; the fault's place is the column in bytes.
Result<Move> read_move(const Position& before, std::string_view text);

}  // namespace xq::rules
