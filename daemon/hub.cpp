#include "daemon/hub.hpp"

namespace xq::daemon {

Hub::Hub(const boost::asio::any_io_executor& io, Feed& feed, Crowd& crowd,
         std::chrono::milliseconds delay)
    : feed_(feed), crowd_(crowd), delay_(delay), timer_(io) {}

void Hub::announce(const Batch& batch, Instant at) {
    latest_ = batch.welcome;
    // A watcher may end its watch when it is told something.
    auto watchers = watchers_;
    for (const auto& message : batch.messages) {
        for (const auto& [id, watcher] : watchers) {
            if (watchers_.contains(id)) watcher(message);
        }
    }
    if (delay_.count() == 0) {
        show(batch);
        return;
    }
    if (delayed_.size() == most_delayed) delayed_.pop_front();
    delayed_.push_back({at + delay_, batch});
    show_what_is_due();
}

void Hub::show(const Batch& batch) {
    for (const auto& message : batch.messages) crowd_.append(message.seq, message.line);
    feed_.set_welcome(batch.welcome);
    if (publisher_) publisher_(batch);
}

void Hub::show_what_is_due() {
    const Instant now = std::chrono::steady_clock::now();
    while (!delayed_.empty() && delayed_.front().due <= now) {
        show(delayed_.front().batch);
        delayed_.pop_front();
    }
    if (delayed_.empty()) return;
    timer_.expires_at(delayed_.front().due);
    timer_.async_wait([this](boost::system::error_code error) {
        if (!error) show_what_is_due();
    });
}

Hub::WatcherId Hub::watch(Watcher watcher) {
    watchers_.emplace(++next_watcher_, std::move(watcher));
    return next_watcher_;
}

}  // namespace xq::daemon
