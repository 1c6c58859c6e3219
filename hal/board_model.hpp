#pragma once
// A sensor board in software: what happens on it goes in, the packets that it sends come out, and
// it answers commands (BOARD_WIRE.md). It stands on the board's side of the wire; the simulated
// board, the board simulator and the virtual USB device of the tests are made of it. Pure.
#include "protocol/board_wire.hpp"
#include "protocol/sensor_event.hpp"

#include <string>
#include <vector>

namespace xq::hal {

class BoardModel {
public:
    using Packets = std::vector<protocol::wire::Bytes>;

    /// `hello` is what it says of itself; its uptime is 0 at `powered`.
    explicit BoardModel(protocol::wire::Hello hello, protocol::Millis powered = 0)
        : hello_(std::move(hello)), powered_(powered) {}

    /// One line of a sensor log happens: an unplug takes the power away, a gap loses packets.
    /// Calls and the passing of time are nothing to a board.
    Packets happen(const protocol::Timed& line);
    Packets command(const protocol::wire::Command& command, protocol::Millis now);
    /// A BOARD as it is due every five seconds.
    Packets board(protocol::Millis now);

    const protocol::wire::Hello& hello() const { return hello_; }
    const protocol::Reading& reading() const { return reading_; }
    bool streaming() const { return streaming_; }
    void set_seq(std::uint16_t seq) { seq_ = seq; }

private:
    Packets sent(protocol::wire::Body body, protocol::Millis now);
    protocol::wire::Board whole() const;
    Packets changed(rules::Point p, protocol::Seen seen, protocol::Millis now);

    protocol::wire::Hello hello_;
    protocol::Millis powered_;
    protocol::Reading reading_{};
    protocol::wire::Health health_;
    std::uint16_t seq_ = 0;
    bool streaming_ = false;
};

}  // namespace xq::hal
