#pragma once
// xiangqictl's end of a socket: lines out, lines in, with a limit of patience.
// Owned by the program, one thread.
#include "rules/fault.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace xq::ctl {

/// The daemon speaks every five seconds; after twice that it is gone.
constexpr int silence_ms = 10'000;

class Channel {
public:
    /// Connects to the arbiter's Unix socket; the fault says what to look at.
    static Result<Channel> open(const std::string& path);
    /// Connects to a broadcast: HOST, HOST:PORT or [ADDRESS]:PORT, where no port means 9955.
    static Result<Channel> connect(const std::string& board);
    Channel(Channel&& other) noexcept;
    Channel& operator=(Channel&&) = delete;
    ~Channel();

    /// False: the daemon has closed the connection.
    bool send(std::string_view line) const;
    /// The next line without its newline; nothing when the connection has ended or `patience_ms`
    /// have passed without one.
    std::optional<std::string> read_line(int patience_ms);

private:
    explicit Channel(int fd) : fd_(fd) {}
    int fd_;
    std::string received_;
};

}  // namespace xq::ctl
