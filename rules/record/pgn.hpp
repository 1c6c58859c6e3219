#pragma once
// Reading PGN as this game uses it: tags (FEN among them), moves in Chinese, ICCS or WXF, comments
// in braces or behind semicolons, side lines in parentheses, $ signs, the result. UTF-8 only
// (record/encoding.hpp).
#include "rules/record/game_record.hpp"

namespace xq::rules::record {

/// The first game of `text`: its main line; side lines and comments are passed over. Refuses moves
/// that are none or not legal, naming the move's number; the fault's place is in bytes from 0.
Result<GameRecord> read_pgn(std::string_view text);

}  // namespace xq::rules::record
