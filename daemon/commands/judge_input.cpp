#include "daemon/commands/judge_input.hpp"

#include "rules/fen.hpp"
#include "rules/notation.hpp"
#include "rules/record/encoding.hpp"
#include "rules/record/read_record.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>

namespace xq::judge {
namespace {

Result<Game> read_file(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    if (!in.is_open() || in.bad())
        return Fault{0, file + ": cannot be read: " + std::strerror(errno)};
    const auto record = rules::record::read_record(bytes);
    if (!record) return Fault{0, file + ": " + record.error().what};
    if (const auto stood = record->first_illegal())
        return Fault{0,
                     file + ": ply " + std::to_string(*stood + 1) +
                         " is against the rules and was left to stand: its game cannot be judged"};
    return Game{record->start, record->moves()};
}

/// The first reason why a position cannot be judged.
std::optional<std::string> unusable(const rules::Position& p) {
    if (auto why = rules::unreachable(p)) return why;
    return std::nullopt;
}

}  // namespace

rules::Position Game::end() const {
    rules::Position p = start;
    for (const rules::Move m : moves) p.apply(m);
    return p;
}

Result<Game> read(const Request& request) {
    if (!request.record.empty()) {
        if (!request.fen.empty() || !request.moves.empty())
            return Fault{0, "--record holds position and moves: leave --fen and --moves out"};
        auto game = read_file(request.record);
        if (!game) return game;
        if (auto why = unusable(game->start)) return Fault{0, request.record + ": " + *why};
        return game;
    }
    Game game{rules::Position::start(), {}};
    if (!request.fen.empty()) {
        auto start = rules::read_fen(request.fen);
        if (!start)
            return Fault{0, "FEN, column " + std::to_string(start.error().at + 1) + ": " +
                                start.error().what};
        game.start = *start;
    }
    if (auto why = unusable(game.start)) return Fault{0, "position: " + *why};
    auto text = rules::record::to_utf8(request.moves);
    if (!text) return Fault{0, "moves: " + text.error().what};
    rules::Position p = game.start;
    std::istringstream words(*text);
    for (std::string word; words >> word;) {
        auto move = rules::read_move(p, word);
        if (!move)
            return Fault{0, "move " + std::to_string(game.moves.size() + 1) + " \"" + word +
                                "\": " + move.error().what};
        game.moves.push_back(*move);
        p.apply(*move);
    }
    return game;
}

}  // namespace xq::judge
