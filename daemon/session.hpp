#pragma once
// One spectator: a socket and a place in the feed, as small as can be, for there are thousands.
// It can only listen: nothing in this type knows of the arbiter or the referee. Owned by the crowd,
// io thread.
#include "daemon/address.hpp"
#include "daemon/client_input.hpp"
#include "daemon/feed.hpp"

#include <chrono>

namespace xq::daemon {

using Instant = std::chrono::steady_clock::time_point;

class Session {
public:
    /// Takes over a connected, non-blocking socket. `first` is sent at once, and nothing behind it
    /// until `follow_from` or `want_state`.
    Session(int fd, Framing framing, const Address& address, Shared first, Instant now);
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;
    ~Session();

    int fd() const { return fd_; }
    Framing framing() const { return framing_; }
    const Address& address() const { return address_; }
    ClientInput& input() { return input_; }

    /// Whether it still may say where it left off.
    bool waiting() const { return mode_ == Mode::Waiting; }
    /// Ends the waiting: on from a place in the feed, or from a fresh state.
    void follow_from(std::uint64_t place);
    void want_state() { mode_ = Mode::WantsState; }

    /// The place in the ring that it still needs; nothing where it needs none.
    std::optional<std::uint64_t> place() const;
    /// The ring is about to drop its place: it finishes the message it is in, then gets the state.
    void fall_behind(const Feed& feed);

    /// Sends all that it lacks, as far as the socket takes it. False: the connection is gone.
    bool send(Feed& feed, Instant now);
    /// Puts an answer that the transport demands (a pong) behind the message that is being sent. A
    /// client that reads so slowly that answers pile up gets none.
    void answer(std::string_view bytes, const Feed& feed);

    /// Whether the socket is full; `unblock` when it says that it is no longer.
    bool blocked() const { return blocked_; }
    void unblock() { blocked_ = false; }
    /// When it connected or the socket last took a byte or became full.
    Instant progress() const { return progress_; }

private:
    enum class Mode : std::uint8_t { Waiting, Following, WantsState };
    enum class Sent : std::uint8_t { All, Part, Gone };
    /// Sends the bytes and moves `place` on by what the socket took.
    Sent put(std::string_view bytes, std::uint64_t& place, Instant now);

    int fd_;
    Framing framing_;
    Mode mode_ = Mode::Waiting;
    bool blocked_ = false;
    std::uint64_t place_ = 0;     ///< in the ring, while following
    std::uint64_t own_sent_ = 0;  ///< of `own_`
    Shared own_;                  ///< whole messages, or the rest of one, that go first
    Instant progress_;
    Address address_;
    ClientInput input_;
};

}  // namespace xq::daemon
