#include "hal/sim_board.hpp"

#include "rules/moves.hpp"

#include <iterator>
#include <utility>

namespace xq::hal {

namespace wire = protocol::wire;
namespace event = protocol::event;
using protocol::Millis;

namespace {

/// Between games the players shake hands and the arbiter writes.
constexpr Millis interval = 5000;

rules::Position end_of(const Game& game) {
    rules::Position p = game.start;
    for (const auto move : game.moves) p.apply(move);
    return p;
}

}  // namespace

SimBoard::SimBoard(boost::asio::any_io_executor io, Now now, std::vector<Game> games, double speed,
                   HandOptions hands)
    : pacer_(std::move(io), speed),
      now_(std::move(now)),
      games_(std::move(games)),
      hands_(hands),
      model_({.sensing = hands.sensing,
              .can = hands.can,
              .serial = "SIMULATED",
              .firmware = "xiangqid"}) {
    hands_.starts_clock = true;
}

void SimBoard::start(Sink sink, Notice notice) {
    sink_ = std::move(sink);
    notice_ = std::move(notice);
    began_ = now_();
    running_ = true;
    notice_("no board is used: simulated hands play, as the configuration says");
    next_game();
    pacer_.start([this] { return next(); }, [this](protocol::Timed line) { happens(line); });
}

/// Appends the next game to the script, and before it the setting up of its pieces.
void SimBoard::next_game() {
    const Game& game = games_[played_ % games_.size()];
    if (played_ > 0) {
        const Game& last = games_[(played_ - 1) % games_.size()];
        const auto log = set_up(end_of(last).placement(), game.start.placement(), hands_);
        script_.insert(script_.end(), log.begin(), log.end());
        if (!log.empty()) hands_.from = log.back().t + interval;
    }
    ++played_;
    Play played = play(game.start, game.moves, hands_);
    script_.insert(script_.end(), std::make_move_iterator(played.log.begin()),
                   std::make_move_iterator(played.log.end()));
    hands_.from = played.ends + interval;
    ++hands_.seed;
}

std::optional<protocol::Timed> SimBoard::next() {
    if (script_.empty()) next_game();
    auto line = std::move(script_.front());
    script_.pop_front();
    return line;
}

void SimBoard::happens(protocol::Timed line) {
    const Millis t = line.t;
    if (std::holds_alternative<event::Call>(line.event)) {  // the arbiter's, not the board's
        line.t += began_;
        sink_(std::move(line));
        return;
    }
    BoardSession::Out out;
    if (std::holds_alternative<event::Unplug>(line.event)) {
        connected_ = false;
        session_.disconnected(began_ + t, out);
    }
    feed(model_.happen(line), t);
    if (std::holds_alternative<event::Board>(line.event) && !std::exchange(connected_, true)) {
        session_.connected({}, out);
    }
    carry_out(out, t);
}

void SimBoard::feed(const BoardModel::Packets& packets, Millis t) {
    for (const auto& packet : packets) {
        BoardSession::Out out;
        session_.received(packet, began_ + t, out);
        carry_out(out, t);
    }
}

void SimBoard::carry_out(BoardSession::Out& out, Millis t) {
    for (auto& e : out.events) {
        if (running_) sink_(std::move(e));
    }
    for (const auto& text : out.notices) notice_(text);
    for (const auto& command : out.commands) {
        // Through the wire both ways, as with a real board.
        if (const auto read = wire::decode_command(wire::encode(command))) {
            feed(model_.command(*read, t), t);
        }
    }
}

void SimBoard::stop() {
    running_ = false;
    pacer_.stop();
}

void SimBoard::send(const wire::Command& command) {
    if (const auto prepared = session_.prepared(command)) {
        model_.command(*prepared, now_() - began_);
    }
}

}  // namespace xq::hal
