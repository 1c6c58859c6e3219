#include "hal/sim_board.hpp"

#include <utility>

namespace xq::hal {

namespace wire = protocol::wire;
namespace event = protocol::event;
using protocol::Millis;

namespace {

bool is_call(const protocol::Timed& line) {
    return std::holds_alternative<event::Call>(line.event);
}

}  // namespace

SimBoard::SimBoard(const boost::asio::any_io_executor& io, Now now, std::vector<Game> games,
                   double speed, HandOptions hands)
    : pacer_(io, speed),
      now_(std::move(now)),
      series_(std::move(games), hands),
      model_({.sensing = hands.sensing,
              .can = hands.can,
              .serial = "SIMULATED",
              .firmware = "xiangqid"}) {}

void SimBoard::start(Sink sink, Notice notice) {
    sink_ = std::move(sink);
    notice_ = std::move(notice);
    began_ = now_();
    running_ = true;
    notice_("no board is used: simulated hands play, as the configuration says");
    pacer_.start([this] { return series_.next(); },
                 [this](protocol::Timed line) { happens(std::move(line)); });
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
