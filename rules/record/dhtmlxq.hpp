#pragma once
// DhtmlXQ, the text in which the Chinese web passes games on: [DhtmlXQ_name]value[/DhtmlXQ_name],
// moves as four digits (column from Red's left, row from Black's side), side lines and comments in
// fields of their own. UTF-8 only (encoding.hpp). RECORDS.md lists the fields and what is kept how.
#include "rules/record/game_record.hpp"

namespace xq::rules::record {

/// The first record in `text`. Refuses fields that are not closed, points off the board, moves that
/// are not legal (but for those that the record itself says stood), naming the ply; the fault's
/// place is in bytes from 0.
Result<GameRecord> read_dhtmlxq(std::string_view text);

/// Refuses a position with more pieces of a kind than the set holds: the format has no place for
/// them. PGN's signs ($1) are left out, and so is what the times of a side line would be.
Result<std::string> write_dhtmlxq(const GameRecord& record);

}  // namespace xq::rules::record
