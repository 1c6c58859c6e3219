#pragma once
// Maps a board's uptime to the daemon's clock. A packet cannot arrive before it was
// sent, so the smallest offset seen is the nearest to the truth: what came late through a busy bus
// is still stamped with the moment at which it happened. Pure; one for each board, io thread.
#include "protocol/sensor_event.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace xq::hal {

class UptimeMap {
public:
    /// A connection begins: the board may be another one, or have started anew.
    void begin() {
        known_ = false;
        offset_ = std::numeric_limits<protocol::Millis>::max();
    }

    /// Whether `uptime` lies before the last one told: the board has started anew without leaving.
    bool fell(std::uint32_t uptime) const {
        return known_ && static_cast<std::int32_t>(uptime - last_) < 0;
    }

    /// The moment at which a packet of this uptime was sent, never before an earlier answer and
    /// never after `arrived`. The uptime may wrap.
    protocol::Millis map(std::uint32_t uptime, protocol::Millis arrived) {
        if (fell(uptime)) begin();
        board_ += known_ ? static_cast<std::int32_t>(uptime - last_) : 0;
        known_ = true;
        last_ = uptime;
        offset_ = std::min(offset_, arrived - board_);
        return at_least(board_ + offset_);
    }

    /// A moment told by the daemon's clock itself, kept in order with the mapped ones.
    protocol::Millis at_least(protocol::Millis t) { return latest_ = std::max(latest_, t); }

private:
    bool known_ = false;
    std::uint32_t last_ = 0;
    protocol::Millis board_ = 0;  ///< the board's time without wraps, from any origin
    protocol::Millis offset_ = std::numeric_limits<protocol::Millis>::max();
    protocol::Millis latest_ = 0;
};

}  // namespace xq::hal
