#include "hal/board_model.hpp"

#include <algorithm>
#include <utility>

namespace xq::hal {

namespace wire = protocol::wire;
namespace event = protocol::event;
using protocol::Millis;
using Packets = BoardModel::Packets;

namespace {

template <class... Ts>
struct Overloaded : Ts... {
    using Ts::operator()...;
};
template <class... Ts>
Overloaded(Ts...) -> Overloaded<Ts...>;

}  // namespace

Packets BoardModel::sent(wire::Body body, Millis now) {
    if (!streaming_) return {};
    return {wire::encode(
        wire::Packet{seq_++, static_cast<std::uint32_t>(now - powered_), std::move(body)})};
}

wire::Board BoardModel::whole() const {
    wire::Board board;
    std::ranges::transform(reading_, board.codes.begin(), [this](protocol::Seen seen) {
        return wire::code(seen, hello_.sensing);
    });
    return board;
}

Packets BoardModel::board(Millis now) {
    return sent(whole(), now);
}

Packets BoardModel::changed(rules::Point p, protocol::Seen seen, Millis now) {
    reading_[static_cast<std::size_t>(p)] = seen;
    return sent(wire::Changes{{{p, wire::code(seen, hello_.sensing)}}}, now);
}

Packets BoardModel::happen(const protocol::Timed& line) {
    const Millis t = line.t;
    return std::visit(
        Overloaded{
            [&](const event::Hello& e) {
                hello_.sensing = e.sensing;
                hello_.can = e.can;
                return sent(hello_, t);
            },
            [&](const event::Board& e) {
                reading_ = e.reading;
                return board(t);
            },
            [&](const event::Lift& e) { return changed(e.point, {}, t); },
            [&](const event::Drop& e) { return changed(e.point, e.seen, t); },
            [&](const event::Press& e) { return sent(wire::Press{e.side}, t); },
            [&](const event::Clock& e) {
                return sent(wire::Clock{true, e.running, static_cast<std::uint32_t>(e.red_ms),
                                        static_cast<std::uint32_t>(e.black_ms)},
                            t);
            },
            [&](const event::ClockInvalid&) { return sent(wire::Clock{}, t); },
            [&](const event::Button& e) {
                return sent(wire::Button{e.side, e.what}, t);
            },
            [&](const event::Health& e) {
                std::erase_if(health_.faults, [&](auto& f) { return f.point == e.point; });
                if (e.fault != protocol::PointFault::None) health_.faults.push_back(e);
                return sent(health_, t);
            },
            [&](const event::Gap& e) {
                seq_ = static_cast<std::uint16_t>(seq_ + e.packets);
                return Packets{};
            },
            [&](const event::Unplug&) {
                streaming_ = false;
                return Packets{};
            },
            [&](const event::Plug&) {
                powered_ = t;
                seq_ = 0;
                return Packets{};
            },
            [](const auto&) { return Packets{}; },
        },
        line.event);
}

Packets BoardModel::command(const wire::Command& command, Millis now) {
    return std::visit(Overloaded{
                          [&](const wire::SendHello&) { return sent(hello_, now); },
                          [&](const wire::SendBoard&) { return board(now); },
                          [&](const wire::Stream& c) {
                              streaming_ = c.on;
                              Packets packets = sent(hello_, now);
                              for (auto& p : board(now)) packets.push_back(std::move(p));
                              return packets;
                          },
                          [](const auto&) { return Packets{}; },
                      },
                      command);
}

}  // namespace xq::hal
