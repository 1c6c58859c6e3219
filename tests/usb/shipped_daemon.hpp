#pragma once
// The daemon as it is shipped, started as a process of its own in a directory that goes with it,
// and a spectator that reads its broadcast over TCP.
#include <boost/json/value.hpp>

#include <sys/types.h>
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace xq::test {

/// Whether a message's member is this text.
inline bool says(const boost::json::object& message, std::string_view key, std::string_view text) {
    const auto* value = message.if_contains(key);
    return value != nullptr && value->is_string() && value->get_string() == text;
}

class ShippedDaemon {
public:
    /// `sensor`: further lines of the configuration's [sensor], `game` of its [game].
    explicit ShippedDaemon(const std::string& sensor = "", const std::string& game = "");
    ~ShippedDaemon();
    ShippedDaemon(const ShippedDaemon&) = delete;
    ShippedDaemon& operator=(const ShippedDaemon&) = delete;

    int port() const { return port_; }
    pid_t pid() const { return pid_; }
    /// Asks it to end; its exit status, or nothing where it did not end within `limit`.
    std::optional<int> end(std::chrono::milliseconds limit);
    std::string log() const;  ///< what it has written so far
    std::size_t open_files() const;

private:
    std::string directory_;
    int port_;
    pid_t pid_ = -1;
};

class Spectator {
public:
    using Condition = std::function<bool(const boost::json::object&)>;

    explicit Spectator(int port);
    ~Spectator();
    Spectator(const Spectator&) = delete;
    Spectator& operator=(const Spectator&) = delete;

    /// The next message that fulfils the condition; those before it are kept in `seen`.
    std::optional<boost::json::object> await(
        const Condition& condition, std::chrono::milliseconds limit = std::chrono::seconds(15));
    std::optional<boost::json::object> move(const std::string& iccs,
                                            const std::string& status = "final");
    std::optional<boost::json::object> link(const std::string& link);

    std::vector<boost::json::object> seen;

private:
    std::optional<std::string> line(std::chrono::steady_clock::time_point limit);

    int socket_;
    std::string buffer_;
};

}  // namespace xq::test
