#pragma once
// The way from the simulated sensors to the daemon: what repeats the reading is no event, and what
// is sent during a break is lost, until a whole reading ends it. Pure.
#include "protocol/sensor_event.hpp"

#include <span>
#include <vector>

namespace xq::hal {

/// A time in which what the board sends does not arrive: the plug is out, or packets are lost.
struct Break {
    protocol::Millis from;
    protocol::Millis to;
    bool unplugged;
};

/// What of all that `happened`, in any order, the daemon is told. `reading` is what the points read
/// at the beginning; the breaks are in order and do not overlap.
std::vector<protocol::Timed> transmit(std::vector<protocol::Timed> happened,
                                      protocol::Reading reading, std::span<const Break> breaks);

}  // namespace xq::hal
