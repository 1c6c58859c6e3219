#pragma once
// Where the stream forks: the arbiter's watchers hear everything at once, the public hears it by
// the one exit that the broadcast's delay guards, newcomers' states included. Owned by the app, io
// thread.
#include "daemon/batch.hpp"
#include "daemon/crowd.hpp"

#include <boost/asio/steady_timer.hpp>
#include <deque>
#include <map>

namespace xq::daemon {

/// Batches that wait for the delay to pass: more than an hour of the busiest game. Beyond it the
/// oldest is left out; every message is complete, so who reads on sees the newest all the same.
inline constexpr std::size_t most_delayed = 20'000;

class Hub {
public:
    /// A watcher of the undelayed stream; it gets each encoded message.
    using Watcher = std::function<void(const Encoded&)>;
    using WatcherId = int;

    Hub(const boost::asio::any_io_executor& io, Feed& feed, Crowd& crowd,
        std::chrono::milliseconds delay);

    /// The first batch must come before the first spectator. `at` is the moment that it belongs to.
    void announce(const Batch& batch, Instant at);

    /// Who is shown each batch when the public is, if anybody: the same batches, after the delay.
    using Publisher = std::function<void(const Batch&)>;
    void show_to(Publisher publisher) { publisher_ = std::move(publisher); }

    WatcherId watch(Watcher watcher);
    void unwatch(WatcherId id) { watchers_.erase(id); }

    /// What a newcomer among the watchers is sent: as of the last batch announced.
    const std::shared_ptr<const Welcome>& latest() const { return latest_; }

    std::size_t delayed() const { return delayed_.size(); }

private:
    struct Delayed {
        Instant due;
        Batch batch;
    };
    void show(const Batch& batch);
    void show_what_is_due();

    Feed& feed_;
    Crowd& crowd_;
    std::chrono::milliseconds delay_;
    boost::asio::steady_timer timer_;
    std::deque<Delayed> delayed_;
    std::shared_ptr<const Welcome> latest_;
    std::map<WatcherId, Watcher> watchers_;
    WatcherId next_watcher_ = 0;
    Publisher publisher_;
};

}  // namespace xq::daemon
