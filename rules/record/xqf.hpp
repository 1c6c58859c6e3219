#pragma once
// XQF, the binary files of XQStudio (象棋演播室), read only: all versions, the enciphered ones from
// 11 on too, with their comments and side lines. Texts are told to be UTF-8, GB18030, Big5 or
// Vietnamese by what they hold, all of a file alike.
#include "rules/record/game_record.hpp"

namespace xq::rules::record {

/// Whether the bytes begin as such a file does.
bool is_xqf(std::string_view bytes);

/// Refuses a file that is cut off, points off the board and moves that are not legal; the fault's
/// place is in bytes from 0.
Result<GameRecord> read_xqf(std::string_view bytes);

}  // namespace xq::rules::record
