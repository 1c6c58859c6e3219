#pragma once
// The score sheet of a game for print and signature (article 10): the moves with what they took,
// the result, both times used, the fouls, the rulings. As plain text and as one HTML page of A4
// that needs nothing from outside. Every text of the record is escaped.
#include "rules/record/game_record.hpp"
#include "rules/words.hpp"

namespace xq::rules::record {

/// Chinese sheets write the moves in Chinese, English ones in WXF.
std::string write_sheet_text(const GameRecord& record, Language language);
std::string write_sheet_html(const GameRecord& record, Language language);

/// A text as it can stand in HTML, in an attribute too.
std::string html_escaped(std::string_view text);

}  // namespace xq::rules::record
