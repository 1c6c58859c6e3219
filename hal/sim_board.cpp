#include "hal/sim_board.hpp"

#include "rules/fen.hpp"

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

std::string new_game(const rules::Position& start) {
    return R"({"jsonrpc":"2.0","method":"game.new","params":{"start_fen":")" +
           rules::write_fen(start) + R"("},"by":"simulated arbiter"})";
}

bool is_call(const protocol::Timed& line) {
    return std::holds_alternative<event::Call>(line.event);
}

}  // namespace

SimBoard::SimBoard(const boost::asio::any_io_executor& io, Now now, std::vector<Game> games,
                   double speed, HandOptions hands)
    : pacer_(io, speed),
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
    pacer_.start([this] { return next(); },
                 [this](protocol::Timed line) { happens(std::move(line)); });
}

/// Appends the next game to the script. From the second one on the arbiter calls it, and then the
/// pieces are set up.
void SimBoard::next_game() {
    const Game& game = games_[played_ % games_.size()];
    const auto append = [this](std::vector<protocol::Timed> log) {
        script_.insert(script_.end(), std::make_move_iterator(log.begin()),
                       std::make_move_iterator(log.end()));
    };
    if (played_ > 0) {
        const Game& last = games_[(played_ - 1) % games_.size()];
        append({{hands_.from, event::Call{new_game(game.start)}}});
        hands_.from += interval;
        append(set_up(end_of(last).placement(), game.start.placement(), hands_));
        hands_.from = script_.back().t + interval;
    }
    Play played = play(game.start, game.moves, hands_);
    if (played_ > 0) std::erase_if(played.log, is_call);
    append(std::move(played.log));
    hands_.from = played.ends + interval;
    ++hands_.seed;
    ++played_;
}

std::optional<protocol::Timed> SimBoard::next() {
    if (script_.empty()) next_game();
    auto line = std::move(script_.front());
    script_.pop_front();
    return line;
}

void SimBoard::happens(protocol::Timed line) {
    const Millis t = line.t;
    if (is_call(line)) {  // the arbiter's, not the board's
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
