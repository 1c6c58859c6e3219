#include "hal/games.hpp"

#include "rules/fen.hpp"
#include "rules/moves.hpp"
#include "rules/notation.hpp"
#include "rules/record/read_record.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <fstream>
#include <iterator>
#include <sstream>

namespace xq::hal {

namespace {

/// Chinese-Chess-Practical-Dataset by Yvonne761 (https://github.com/Yvonne761), CC BY 4.0.
constexpr std::string_view built_in_moves =
    "h2e2 h9g7 h0g2 g6g5 i0h0 i9h9 h0h6 b9c7 b0c2 c6c5 a0a1 d9e8 a1d1 g7f5 e3e4 g5g4 h6f6 f5g3 "
    "g2e3 h7g7 e3g4 c9e7 e4e5 h9h4 c2e3 b7b3 c3c4 b3b4 c4c5 g3e2 g0e2 b4e4 g4h6 g7h7 c5c6 a9b9 "
    "b2b6 c7a8 b6e6 b9b3 h6f7";

Result<Game> game(const rules::Position& start, const std::string& moves) {
    Game game{start, {}};
    rules::Position position = start;
    std::istringstream words(moves);
    for (std::string word; words >> word;) {
        const auto move = rules::read_move(position, word);
        if (!move) {
            return Fault{0, "move " + std::to_string(game.moves.size() + 1) + ", " + word + ": " +
                                move.error().what};
        }
        game.moves.push_back(*move);
        position.apply(*move);
    }
    if (game.moves.empty()) return Fault{0, "there is no move"};
    return game;
}

std::string text_of(const boost::json::object& object, std::string_view key) {
    const auto* value = object.if_contains(key);
    return value != nullptr && value->is_string() ? std::string(value->as_string()) : std::string();
}

Result<Game> read_game(const std::string& line) {
    boost::system::error_code bad;
    const auto value = boost::json::parse(line, bad);
    if (bad || !value.is_object()) return Fault{0, "this is no JSON object with a game"};
    const auto fen = text_of(value.get_object(), "start_fen");
    auto start =
        fen.empty() ? Result<rules::Position>(rules::Position::start()) : rules::read_fen(fen);
    if (!start) return Fault{0, "start_fen: " + start.error().what};
    return game(*start, text_of(value.get_object(), "moves_iccs"));
}

Result<std::vector<Game>> read_one_record(std::string_view bytes) {
    const auto record = rules::record::read_record(bytes);
    if (!record) return record.error();
    if (record->plies().empty()) return Fault{0, "there is no move"};
    if (const auto illegal = record->first_illegal())
        return Fault{0, "ply " + std::to_string(*illegal + 1) + " is against the rules"};
    return std::vector{Game{record->start, record->moves()}};
}

}  // namespace

const Game& built_in_game() {
    static const Game built_in =
        game(rules::Position::start(), std::string(built_in_moves)).value();
    return built_in;
}

Result<std::vector<Game>> read_games(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r\n");
    if (first != std::string_view::npos && text[first] != '{') return read_one_record(text);
    std::vector<Game> games;
    std::istringstream lines{std::string(text)};
    std::size_t number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
        auto game = read_game(line);
        if (!game) return Fault{0, "line " + std::to_string(number) + ": " + game.error().what};
        games.push_back(std::move(*game));
    }
    if (games.empty()) return Fault{0, "there is no game"};
    return games;
}

Result<std::vector<Game>> load_games(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    if (!file) return Fault{0, path + ": cannot be read"};
    auto games = read_games(text);
    if (!games) return Fault{games.error().at, path + ": " + games.error().what};
    return games;
}

}  // namespace xq::hal
