#pragma once
// The ladder for a board that has fallen silent: from asking politely to waiting
// for somebody to pull the plug. Pure: it is told the time and says what to try next.
#include "protocol/sensor_event.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace xq::hal {

class Recovery {
public:
    enum class Step : std::uint8_t { Ask, Resubmit, ClearHalt, Reopen, Reset, GiveUp };

    /// A connection begins; steps already taken in vain are not begun anew.
    void connected(protocol::Millis now) {
        if (next_ == ladder.size()) next_ = 0;  // it has been unplugged since, or is another one
        due_ = now + first_answer;
    }
    /// A BOARD came: all is well.
    void heard(protocol::Millis now) {
        next_ = 0;
        due_ = now + patience;
    }
    /// There is no device, so there is nothing to recover. What was tried is forgotten if the
    /// device `left` by itself: it comes back with a fresh start.
    void disconnected(bool left) {
        due_.reset();
        if (left) next_ = 0;
    }
    /// The step to take now, if any.
    std::optional<Step> due(protocol::Millis now) {
        if (!due_ || now < *due_ || next_ == ladder.size()) return {};
        const Rung& rung = ladder[next_++];
        due_ = now + rung.wait_ms;
        return rung.step;
    }

private:
    struct Rung {
        Step step;
        protocol::Millis wait_ms;  ///< how long the step is given to help
    };
    /// A BOARD is due every 5 s; a second and a half more for a busy bus and a slow scan.
    static constexpr protocol::Millis patience = 6500;
    /// A new connection is answered at once by a board that is well.
    static constexpr protocol::Millis first_answer = 1000;
    static constexpr std::array<Rung, 6> ladder{{{Step::Ask, 1000},
                                                 {Step::Resubmit, 1000},
                                                 {Step::ClearHalt, 1000},
                                                 {Step::Reopen, 2000},
                                                 {Step::Reset, 3000},
                                                 {Step::GiveUp, 0}}};

    std::size_t next_ = 0;
    std::optional<protocol::Millis> due_;
};

}  // namespace xq::hal
