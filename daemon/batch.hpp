#pragma once
// What one input brought about, ready to be announced: encoded messages, and what a newcomer is
// sent from then on. Made by the clerk, handed through the hub; plain values.
#include "daemon/welcome.hpp"

#include <memory>
#include <string>
#include <vector>

namespace xq::daemon {

struct Encoded {
    std::uint64_t seq = 0;
    std::string line;        ///< JSON without a newline
    bool counts = false;     ///< must be durable before it is announced
    bool momentary = false;  ///< a clock, a heartbeat: worth nothing later
};

struct Batch {
    std::vector<Encoded> messages;
    std::shared_ptr<const Welcome> welcome;
};

/// The message with a member that says that the journal could not keep it.
inline std::string not_durable(std::string line) {
    line.pop_back();
    return line + R"(,"durable":false})";
}

}  // namespace xq::daemon
