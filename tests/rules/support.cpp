#include "support.hpp"

#include <array>
#include <boost/json.hpp>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>
#include <stdexcept>

namespace xq::rules {

void PrintTo(Move m, std::ostream* out) {
    *out << iccs(m);
}

void PrintTo(const Position& p, std::ostream* out) {
    *out << write_fen(p);
}

}  // namespace xq::rules

namespace xq::rules::tests {
namespace {

std::ifstream opened(const std::string& name) {
    std::ifstream file(std::string(XQ_TESTS) + "/" + name);
    if (!file) throw std::runtime_error("cannot open " + name);
    return file;
}

std::string text_of(const boost::json::value& v) {
    return v.is_null() ? std::string() : std::string(v.as_string());
}

Game read_game(const std::string& line) {
    const auto json = boost::json::parse(line);
    Game game;
    game.id = text_of(json.at("id"));
    game.start_fen = text_of(json.at("start_fen"));
    for (const auto& word : words(text_of(json.at("moves_iccs"))))
        game.moves.push_back(from_iccs(word));
    game.chinese = words(text_of(json.at("moves_zh")));
    game.end = text_of(json.at("end"));
    return game;
}

}  // namespace

Position position(std::string_view fen) {
    return read_fen(fen).value();
}

Move from_iccs(std::string_view iccs) {
    return read_iccs(iccs).value();
}

std::vector<std::string> words(std::string_view text) {
    std::istringstream in{std::string(text)};
    return {std::istream_iterator<std::string>(in), {}};
}

const std::vector<Game>& recorded_games() {
    static const std::vector<Game> games = [] {
        std::vector<Game> all;
        for (const auto* name : {"full", "ended_on_the_board", "no_capture", "repetitions"}) {
            auto file = opened(std::string("games/") + name + ".jsonl");
            for (std::string line; std::getline(file, line);) all.push_back(read_game(line));
        }
        return all;
    }();
    return games;
}

std::vector<Count> published_counts() {
    std::stringstream text;
    text << opened("rules/data/perft.json").rdbuf();
    std::vector<Count> counts;
    const auto rows = boost::json::parse(text.str());
    for (const auto& row : rows.as_array())
        counts.push_back({text_of(row.at("name")), text_of(row.at("fen")),
                          static_cast<int>(row.at("depth").as_int64()),
                          static_cast<std::uint64_t>(row.at("nodes").as_int64())});
    return counts;
}

void for_random_positions(const std::function<void(const Position&)>& visit) {
    constexpr int games_each = 6;
    constexpr int plies = 80;
    std::mt19937_64 random(2010);
    std::set<std::string> fens;
    for (const Count& count : published_counts()) fens.insert(count.fen);
    for (const std::string& fen : fens) {
        for (int game = 0; game < games_each; ++game) {
            Position p = position(fen);
            for (int ply = 0; ply < plies; ++ply) {
                visit(p);
                const MoveList moves = legal_moves(p);
                if (moves.empty()) break;
                p.apply(moves[random() % moves.size()]);
            }
        }
    }
}

Position strewn(std::mt19937_64& random) {
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    Position p;
    const int density = 3 + below(8);
    for (Point q = 0; q < points; ++q)
        if (below(density) == 0)
            p.put(q,
                  Piece(below(2) == 0 ? Side::Red : Side::Black, static_cast<Kind>(2 + below(6))));
    for (const Side s : {Side::Red, Side::Black}) {
        const Point home = point(3 + below(3), below(3));
        p.put(s == Side::Red ? home : rotated(home), Piece(s, Kind::General));
    }
    p.set_turn(below(2) == 0 ? Side::Red : Side::Black);
    return p;
}

}  // namespace xq::rules::tests
