#pragma once
// What the tests of the rules share: short ways to name positions and moves, recorded games,
// published perft counts, random play.
#include "rules/fen.hpp"
#include "rules/moves.hpp"
#include "rules/notation.hpp"

#include <functional>
#include <random>
#include <string>
#include <vector>

namespace xq::rules {

/// How googletest prints them.
void PrintTo(Move m, std::ostream* out);
void PrintTo(const Position& p, std::ostream* out);

}  // namespace xq::rules

namespace xq::rules::tests {

inline constexpr std::string_view start_fen =
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

/// These throw on text that is none: a mistake in the test.
Position position(std::string_view fen);
Move from_iccs(std::string_view iccs);
std::vector<std::string> words(std::string_view text);

struct Game {
    std::string id;
    std::string start_fen;
    std::vector<Move> moves;
    std::vector<std::string> chinese;  ///< as recorded
    std::string end;                   ///< "mate", "stalemate" or empty
};
/// All games of tests/games.
const std::vector<Game>& recorded_games();

struct Count {
    std::string name;
    std::string fen;
    int depth = 0;
    std::uint64_t nodes = 0;
};
std::vector<Count> published_counts();

/// Calls `visit` with every position of random games from the positions of the published counts,
/// the same ones in each run.
void for_random_positions(const std::function<void(const Position&)>& visit);
/// Pieces strewn over the board with no regard to what a game can reach, but the generals at home.
Position strewn(std::mt19937_64& random);

}  // namespace xq::rules::tests
