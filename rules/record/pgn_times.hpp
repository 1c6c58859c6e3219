#pragma once
// The clock times within PGN's comments: [%clk 0:59:30.250] what the mover's clock showed,
// [%emt 0:00:05] what he took. Private to the folder.
#include "rules/record/game_record.hpp"

namespace xq::rules::record {

/// h:mm:ss, with .mmm where there are milliseconds.
std::string time_text(std::int64_t ms);
/// h:mm:ss or m:ss with any number of decimals; nothing for another text or more than a year.
std::optional<std::int64_t> read_time(std::string_view text);

/// Takes the two commands out of a comment into the ply; what is left, trimmed.
std::string take_times(std::string_view comment, Ply& ply);
/// Both commands, as far as they are known, with a blank between; empty for none.
std::string times_text(const Ply& ply);

}  // namespace xq::rules::record
