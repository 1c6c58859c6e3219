#pragma once
// A writer of XQF for the tests of its reader, made from the format's description alone: plain
// (version 10) and enciphered (11, 12 and later), with comments and side lines.
#include "rules/record/game_record.hpp"

#include <random>

namespace xq::rules::tests {

/// The record as a file. `random` gives the keys of an enciphered one. Texts are written in
/// GB18030. Throws where the format cannot hold it.
std::string write_xqf(const record::GameRecord& record, int version, std::mt19937& random);

}  // namespace xq::rules::tests
