#pragma once
// Games for the simulated board to play: the built-in one, or those of a file.
#include "rules/position.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace xq::hal {

struct Game {
    rules::Position start;
    std::vector<rules::Move> moves;  ///< each one legal where it stands
};

/// A real game that ends with mate on the board.
/// Source: Chinese-Chess-Practical-Dataset by Yvonne761, CC BY 4.0; names removed.
const Game& built_in_game();

/// The games of a text: JSON objects, one a line, {"start_fen": "...", "moves_iccs": "h2e2 ..."};
/// without start_fen they begin with the start array. Anything else is read as one game record
/// (rules/record/read_record.hpp). Faults name the line or the move.
Result<std::vector<Game>> read_games(std::string_view text);
/// The games of a file; its name is in the fault.
Result<std::vector<Game>> load_games(const std::string& path);

}  // namespace xq::hal
