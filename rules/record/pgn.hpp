#pragma once
// PGN as this game uses it: tags (FEN among them), moves in Chinese, ICCS or WXF, comments in
// braces or behind semicolons, side lines in parentheses, $ signs, clock times as [%clk 0:59:30]
// and [%emt 0:00:05], the result. UTF-8 only (encoding.hpp). RECORDS.md says what is kept how.
#include "rules/record/game_record.hpp"
#include "rules/record/move_text.hpp"

namespace xq::rules::record {

/// The first game of `text`, side lines and comments with it. Refuses moves that are none or not
/// legal, naming the move's number; the fault's place is in bytes from 0.
Result<GameRecord> read_pgn(std::string_view text);

struct PgnStyle {
    Notation notation = Notation::Chinese;
    Script script = Script::Simplified;
};
/// One game, ended by a newline. Moves are folded at 80 columns, comments kept as they are; a
/// closing brace in a comment becomes a full-width one, for PGN cannot say it.
std::string write_pgn(const GameRecord& record, const PgnStyle& style = {});

}  // namespace xq::rules::record
