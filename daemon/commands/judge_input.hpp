#pragma once
// What xiangqi-judge is asked about: from the command line or a record to a position and moves.
#include "rules/record/game_record.hpp"

#include <optional>
#include <string>

namespace xq::judge {

struct Request {
    std::string fen;
    std::string moves;
    std::string record;  ///< a file
    bool cycle = false;
};

struct Game {
    rules::Position start;
    std::vector<rules::Move> moves;

    rules::Position end() const;
};

/// Reads what was asked; a fault's text is one line for people.
Result<Game> read(const Request& request);

}  // namespace xq::judge
