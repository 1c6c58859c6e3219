#pragma once
// Plays a stream of timed things at a speed: used by the drivers that have no device. It belongs to
// the io thread and calls back there; however fast it plays, others get their turn in between.
#include "protocol/sensor_event.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>

namespace xq::hal {

class Pacer {
public:
    using Next = std::function<std::optional<protocol::Timed>()>;
    using Deliver = std::function<void(protocol::Timed)>;

    /// `speed` as in the configuration: 2 is twice as fast as life, 0 as fast as possible.
    Pacer(const boost::asio::any_io_executor& io, double speed);
    Pacer(const Pacer&) = delete;
    Pacer& operator=(const Pacer&) = delete;
    ~Pacer() { *running_ = false; }

    /// Takes from `next`, until it has no more, and delivers each thing at its time since now.
    void start(Next next, Deliver deliver);
    /// Nothing is delivered any more.
    void stop();

private:
    void wait();
    void turn();
    std::chrono::steady_clock::time_point when(protocol::Millis t) const;

    boost::asio::steady_timer timer_;
    double speed_;
    Next next_;
    Deliver deliver_;
    std::optional<protocol::Timed> head_;
    std::chrono::steady_clock::time_point began_;
    std::shared_ptr<bool> running_;  ///< handlers on their way hold it; false: too late
};

}  // namespace xq::hal
