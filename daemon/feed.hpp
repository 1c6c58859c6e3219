#pragma once
// The public broadcast as bytes: every message encoded once and kept, the newest few thousand, in
// the framing of each transport. Sessions share these bytes; a session is only a place in them.
// Owned by the hub, io thread.
#include "daemon/ring.hpp"
#include "daemon/welcome.hpp"

#include <array>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace xq::daemon {

/// How a message lies on the wire: a line, a text frame of a WebSocket, a server-sent event.
enum class Framing : std::uint8_t { Line, WebSocket, ServerSent };
inline constexpr std::size_t framings = 3;

using Shared = std::shared_ptr<const std::string>;

/// Two hours of an ordinary game with a clock message a second; a client that was away for longer
/// is given the state.
inline constexpr std::size_t feed_size = std::size_t{2} << 20U;

class Feed {
public:
    /// `epoch` tells this run of the daemon from others.
    explicit Feed(std::uint64_t epoch, std::size_t size = feed_size);

    /// A message, one line without its newline, under its number; numbers rise by one. A message
    /// of more than a quarter of the size is left out: no reader could take it up again.
    void append(std::uint64_t seq, std::string_view line);
    /// What a newcomer is sent from now on.
    void set_welcome(std::shared_ptr<const Welcome> welcome);
    const std::shared_ptr<const Welcome>& welcome() const { return welcome_; }

    /// The stream's facts, and the state of the game, in a transport's framing.
    const Shared& hello(Framing framing);
    const Shared& state(Framing framing);

    /// Where the message behind number `since` begins; nothing where it is gone, not yet there, or
    /// of another epoch.
    std::optional<std::uint64_t> place_after(std::uint64_t since, std::uint64_t epoch,
                                             Framing framing) const;
    /// The rest of the message that a place lies in: empty where a message ends and the next
    /// begins.
    std::string_view rest_of_message(std::uint64_t place, Framing framing) const;

    const Ring& ring(Framing framing) const { return *rings_[index(framing)]; }
    /// What `append` of this line would leave as the oldest place.
    std::uint64_t tail_after(std::string_view line, Framing framing) const;
    std::uint64_t epoch() const { return epoch_; }

private:
    struct Entry {
        std::uint64_t seq;
        std::array<std::uint64_t, framings> end;  ///< one behind its last byte
    };
    static constexpr std::size_t index(Framing f) { return static_cast<std::size_t>(f); }
    std::string framed(std::string_view line, Framing framing,
                       std::optional<std::uint64_t> seq) const;
    const Shared& cached(std::array<Shared, framings>& cache, Framing framing,
                         std::string (Feed::*make)(Framing) const);
    std::string make_hello(Framing framing) const;
    std::string make_state(Framing framing) const;

    std::uint64_t epoch_;
    std::array<std::unique_ptr<Ring>, framings> rings_;
    std::deque<Entry> entries_;  ///< of the messages that every ring still has whole
    std::shared_ptr<const Welcome> welcome_;
    std::array<Shared, framings> hello_;
    std::array<Shared, framings> state_;
};

/// One text frame as a server sends it: not masked, not split.
std::string websocket_text(std::string_view payload);

}  // namespace xq::daemon
