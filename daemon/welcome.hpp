#pragma once
// What a newcomer is sent: the stream's facts, then the game as it stood at one message. A plain
// value that a batch of messages carries along, so that a newcomer's picture is never ahead of what
// has been announced to the others.
#include "daemon/score.hpp"
#include "protocol/broadcast.hpp"

#include <string>
#include <vector>

namespace xq::daemon {

struct Welcome {
    protocol::Hello hello;
    std::vector<protocol::Message> messages;  ///< `state`, and what else a newcomer must know
    std::uint64_t seq = 0;                    ///< of the last message that it contains
    protocol::Millis t0 = 0;                  ///< UTC ms of the log's start
    std::shared_ptr<const Score> score;       ///< of the game as the messages so far tell it

    std::string hello_line() const { return protocol::encode(hello); }
    /// The messages as lines; all bear the number of the last message that they contain.
    std::vector<std::string> state_lines() const {
        std::vector<std::string> lines;
        for (const auto& message : messages) {
            lines.push_back(protocol::encode(
                message, seq, {.board = hello.board, .rulebook = hello.rulebook, .t0 = t0}));
        }
        return lines;
    }
};

}  // namespace xq::daemon
