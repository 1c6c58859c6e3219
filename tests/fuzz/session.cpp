// Fuzzes a whole connection: packets of any kind in any order, with plugs pulled in between. What
// the session tells must be a log: time never falls, an empty point is not lifted, nothing is told
// twice, and between an unplug and the next plug nothing is told at all.
#include "hal/board_session.hpp"

#include <cstdlib>

namespace {

namespace event = xq::protocol::event;

void require(bool holds) {
    if (!holds) std::abort();
}

class Listener {
public:
    void hear(const xq::protocol::Timed& line) {
        require(line.t >= t_);
        t_ = line.t;
        const auto& e = line.event;
        if (std::holds_alternative<event::Plug>(e)) {
            require(!online_);
            online_ = true;
            return;
        }
        if (std::holds_alternative<event::Unplug>(e)) {
            require(online_ || !told_offline_);
            online_ = false;
            told_offline_ = true;
            return;
        }
        require(online_);
        if (const auto* board = std::get_if<event::Board>(&e)) reading_ = board->reading;
        if (const auto* lift = std::get_if<event::Lift>(&e)) change(lift->point, {});
        if (const auto* drop = std::get_if<event::Drop>(&e)) {
            require(!drop->seen.empty());
            change(drop->point, drop->seen);
        }
        if (const auto* gap = std::get_if<event::Gap>(&e)) require(gap->packets > 0);
    }

private:
    void change(xq::rules::Point p, xq::protocol::Seen seen) {
        auto& now = reading_.at(static_cast<std::size_t>(p));
        require(now != seen);
        now = seen;
    }

    xq::protocol::Reading reading_{};
    xq::protocol::Millis t_ = 0;
    bool online_ = false;
    bool told_offline_ = false;
};

}  // namespace

/// Each packet is preceded by its length (its highest bit: the plug is pulled first) and the ms
/// since the one before.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::span<const std::uint8_t> rest(data, size);
    xq::hal::BoardSession session(size % 2 == 1);
    Listener listener;
    xq::protocol::Millis now = 0;
    bool connected = false;
    while (rest.size() >= 2) {
        now += rest[1];
        xq::hal::BoardSession::Out out;
        if (!connected || (rest[0] & 0x80U) != 0) {
            session.disconnected(now, out);
            session.connected({}, out);
            connected = true;
        }
        const auto length = std::min<std::size_t>(rest[0] & 0x7FU, rest.size() - 2);
        session.received(rest.subspan(2, length), now, out);
        session.tick(now, out);
        require(out.commands.size() < 8);
        for (const auto& line : out.events) listener.hear(line);
        rest = rest.subspan(2 + length);
    }
    return 0;
}
