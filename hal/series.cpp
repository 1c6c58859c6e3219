#include "hal/series.hpp"

#include "rules/fen.hpp"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

namespace xq::hal {

namespace event = protocol::event;

namespace {

/// Between games the players shake hands and the arbiter writes.
constexpr protocol::Millis interval = 5000;

rules::Position after(const Game& game, std::size_t plies) {
    rules::Position p = game.start;
    for (const auto move : std::span(game.moves).first(plies)) p.apply(move);
    return p;
}

std::string new_game(const rules::Position& start) {
    return R"({"jsonrpc":"2.0","method":"game.new","params":{"start_fen":")" +
           rules::write_fen(start) + R"("},"by":"simulated arbiter"})";
}

bool is_call(const protocol::Timed& line) {
    return std::holds_alternative<event::Call>(line.event);
}

}  // namespace

Series::Series(std::vector<Game> games, HandOptions hands, std::size_t limit, std::size_t from_ply)
    : games_(std::move(games)),
      hands_(hands),
      limit_(limit),
      from_ply_(std::min(from_ply, games_.front().moves.size())) {
    hands_.starts_clock = true;
}

void Series::append(std::vector<protocol::Timed> log) {
    std::ranges::move(log, std::back_inserter(script_));
}

/// Appends the next game to the script. From the second one on the arbiter calls it, and then the
/// pieces are set up.
void Series::next_game() {
    const Game& game = games_[played_ % games_.size()];
    if (played_ > 0) {
        const Game& last = games_[(played_ - 1) % games_.size()];
        append({{hands_.from, event::Call{new_game(game.start)}}});
        hands_.from += interval;
        append(set_up(after(last, last.moves.size()).placement(), game.start.placement(), hands_));
        hands_.from = script_.back().t + interval;
    }
    const std::size_t first = std::exchange(from_ply_, 0);
    Play played = play(after(game, first), std::span(game.moves).subspan(first), hands_);
    if (played_ > 0) std::erase_if(played.log, is_call);
    append(std::move(played.log));
    hands_.from = played.ends + interval;
    ++hands_.seed;
    ++played_;
}

std::optional<protocol::Timed> Series::next() {
    if (script_.empty()) {
        if (limit_ > 0 && played_ == limit_) return {};
        next_game();
    }
    auto line = std::move(script_.front());
    script_.pop_front();
    return line;
}

}  // namespace xq::hal
