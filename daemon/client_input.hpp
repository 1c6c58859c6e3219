#pragma once
// What a spectator sends: almost nothing, and nothing of it matters but one line that says where
// he left off. Bytes in, complete things out, bounded; keeps a buffer only while a line or frame is
// unfinished. One for each session, io thread.
#include "daemon/feed.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace xq::daemon {

/// Longer lines and frames end the connection (BROADCAST.md).
inline constexpr std::size_t longest_input = 4096;

/// Where a client left off.
struct Resume {
    std::uint64_t since = 0;
    std::uint64_t epoch = 0;
    bool operator==(const Resume&) const = default;
};
/// `{"since": SEQ, "epoch": EPOCH}`, other members allowed; nothing for any other text.
std::optional<Resume> read_resume(std::string_view line);
/// "EPOCH:SEQ", the id of a server-sent event.
std::optional<Resume> read_event_id(std::string_view id);

struct Heard {
    enum class Kind : std::uint8_t {
        Line,     ///< a whole line or text frame, in `text`
        Ping,     ///< a WebSocket's ping with its payload in `text`
        Ignored,  ///< something that no spectator needs to say
        End,      ///< a WebSocket's close, a breach of its rules, or too long a line
    };
    Kind kind = Kind::Ignored;
    std::string text;
    bool operator==(const Heard&) const = default;
};

class ClientInput {
public:
    /// Takes bytes as they came. Behind `End` nothing more is read.
    std::vector<Heard> take(std::string_view bytes, Framing framing);

private:
    /// The bytes that wait for more; empty mostly.
    std::unique_ptr<std::string> unfinished_;
};

/// A WebSocket's control frame: pong (0xA) or close (0x8); the payload is at most 125 bytes.
std::string websocket_control(unsigned opcode, std::string_view payload);

}  // namespace xq::daemon
