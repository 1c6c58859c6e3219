#pragma once
// One recorded game: what its file says of it, where it began, and the moves.
#include "rules/position.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace xq::rules::record {

struct GameRecord {
    std::vector<std::pair<std::string, std::string>> tags;  ///< as written, in their order
    Position start = Position::start();
    std::vector<Move> moves;  ///< legal from `start`
    std::string result;       ///< "1-0", "0-1", "1/2-1/2", "*"; empty if the text gives none

    /// The value of a tag; empty if there is none.
    std::string_view tag(std::string_view name) const;
};

}  // namespace xq::rules::record
