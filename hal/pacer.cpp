#include "hal/pacer.hpp"

#include <boost/asio/post.hpp>
#include <utility>

namespace xq::hal {

using std::chrono::steady_clock;

namespace {

/// Things delivered in one turn of the io thread: some hundred microseconds of the referee's work.
constexpr int batch = 64;

}  // namespace

Pacer::Pacer(const boost::asio::any_io_executor& io, double speed)
    : timer_(io), speed_(speed), running_(std::make_shared<bool>(false)) {}

void Pacer::start(Next next, Deliver deliver) {
    next_ = std::move(next);
    deliver_ = std::move(deliver);
    began_ = steady_clock::now();
    *running_ = true;
    head_ = next_();
    wait();
}

void Pacer::stop() {
    *std::exchange(running_, std::make_shared<bool>(false)) = false;
    timer_.cancel();
}

steady_clock::time_point Pacer::when(protocol::Millis t) const {
    if (speed_ == 0) return began_;
    const std::chrono::duration<double, std::milli> wall(static_cast<double>(t) / speed_);
    return began_ + std::chrono::duration_cast<steady_clock::duration>(wall);
}

void Pacer::wait() {
    if (!head_) return;
    const auto turn_if_running = [this, running = running_] {
        if (*running) turn();
    };
    if (when(head_->t) <= steady_clock::now()) {
        boost::asio::post(timer_.get_executor(), turn_if_running);
        return;
    }
    timer_.expires_at(when(head_->t));
    timer_.async_wait([turn_if_running](const boost::system::error_code& cancelled) {
        if (!cancelled) turn_if_running();
    });
}

void Pacer::turn() {
    const auto running = running_;  // a delivery may stop us
    for (int i = 0; i < batch && head_ && when(head_->t) <= steady_clock::now(); ++i) {
        deliver_(std::move(*head_));
        if (!*running) return;
        head_ = next_();
    }
    wait();
}

}  // namespace xq::hal
