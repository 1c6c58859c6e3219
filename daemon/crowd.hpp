#pragma once
// All spectators, whatever their transport: lets them in, sends them the feed, sees them off. One
// epoll set of its own inside the io thread's loop, so that a spectator costs no more than its
// socket and a `Session`; and a slow one cannot slow another.
#include "daemon/session.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace xq::daemon {

struct CrowdLimits {
    /// How long a newcomer may take to say where it left off (BROADCAST.md).
    std::chrono::milliseconds resume_window{1000};
    /// A socket that takes nothing for so long has nobody at its end; a heartbeat comes each 5 s.
    std::chrono::milliseconds stall{30'000};
    /// Of the kernel's memory for one spectator: enough for a burst, little enough for thousands.
    int send_buffer = 128 * 1024;
};

/// Numbers for /metrics, counted from the start.
struct CrowdCounts {
    std::uint64_t admitted = 0;
    std::uint64_t refused = 0;        ///< by a cap or for want of file descriptors
    std::uint64_t evicted = 0;        ///< for want of progress
    std::uint64_t fell_behind = 0;    ///< given a fresh state instead of what they missed
    std::uint64_t resumed = 0;        ///< from where they had left off
    std::uint64_t ignored_input = 0;  ///< lines and frames that no spectator needs to send
    std::uint64_t accept_errors = 0;
};

class Crowd {
public:
    Crowd(const boost::asio::any_io_executor& io, Feed& feed, Doorkeeper& door,
          CrowdLimits limits = {});
    Crowd(const Crowd&) = delete;
    Crowd& operator=(const Crowd&) = delete;
    ~Crowd();

    /// Spectators of the plain transport come in by this listening socket, which is taken over.
    void accept_from(int listening_fd);
    /// One who has come in by another way: the socket is taken over, `answer` (an HTTP response's
    /// head) is sent before the `hello`, `input` is what he had already sent. The doorkeeper has
    /// let him in. With `resume` he is served at once, else he has the usual time to say it.
    void adopt(int fd, Framing framing, const Address& address, const std::string& answer,
               std::string_view input, std::optional<Resume> resume);

    /// A message for everybody. Sent when the io thread has done what it is doing, together with
    /// what else has come by then.
    void append(std::uint64_t seq, std::string_view line);

    std::size_t size() const;
    const CrowdCounts& counts() const;

private:
    struct Impl;
    std::shared_ptr<Impl> impl_;
};

/// A non-blocking listening TCP socket on host and port, or why not (one sentence).
struct Listening {
    int fd = -1;
    std::string fault;
};
Listening listen_tcp(const std::string& host, std::uint16_t port);
/// Sets what every client's socket needs: no delay, keepalive, a limit for unacknowledged bytes.
void prepare_client(int fd);

}  // namespace xq::daemon
