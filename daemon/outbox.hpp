#pragma once
// What waits for the MQTT broker: a bounded queue of events, and the newest state, which replaces
// the one before. Filled on the io thread, emptied on the publisher's; the one thing that the two
// share.
#include "daemon/batch.hpp"

#include <deque>
#include <memory>
#include <mutex>
#include <vector>

namespace xq::daemon {

/// Events that are kept for a broker that is away: some games' worth of moves and rulings. Beyond
/// it the oldest is left out, for the state that follows has all moves.
inline constexpr std::size_t most_events_kept = 1024;

class Outbox {
public:
    /// `cap` is the most events that it keeps. Throws std::system_error where the system has no
    /// more file descriptors.
    explicit Outbox(std::size_t cap = most_events_kept);
    Outbox(const Outbox&) = delete;
    Outbox& operator=(const Outbox&) = delete;
    ~Outbox();

    /// Events to send, and the state to send behind them; what is momentary is not kept while the
    /// broker is away.
    void put(const Batch& batch);
    /// Nothing more will come.
    void close();

    struct Parcel {
        std::deque<Encoded> events;
        std::shared_ptr<const Welcome> welcome;  ///< null: not yet, or sent as it stands
    };
    /// The next events, `most` at most. The newest state comes along when no event is left to be
    /// sent before it, and where it is `wanted`.
    Parcel take(std::size_t most, bool wanted);
    bool closed() const;
    bool empty() const;

    /// The broker is there.
    void online();
    /// It is away, and has not acknowledged these, the oldest first: they are kept, and so is the
    /// state.
    void offline(std::deque<Encoded> unacknowledged);

    /// Readable from when something was put or it was closed until `hush`.
    int bell() const { return bell_; }
    void hush() const;

private:
    void ring() const;
    void drop_oldest();

    const std::size_t cap_;
    const int bell_;
    mutable std::mutex mutex_;
    // Under the mutex.
    std::deque<Encoded> events_;
    std::shared_ptr<const Welcome> welcome_;
    bool welcome_sent_ = false;
    bool online_ = false;
    bool closed_ = false;
};

}  // namespace xq::daemon
