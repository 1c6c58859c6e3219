#pragma once
// One door for all game records: looks at the bytes, finds the format and the encoding, and reads.
#include "rules/record/game_record.hpp"

namespace xq::rules::record {

/// A game record of whatever format and encoding: XQF, DhtmlXQ, or else PGN. The fault's sentence
/// begins with the place, as people count it: "line 3, column 5: ..." in a text (columns in
/// characters), "byte 1030: ..." in a binary file; its number is the offset in bytes as given,
/// or in UTF-8.
Result<GameRecord> read_record(std::string_view bytes);

}  // namespace xq::rules::record
