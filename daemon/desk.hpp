#pragma once
// The arbiter's desk: its WebSocket, to this machine over the spectators' port and to others over
// HTTPS by token, and there its page as well. Owned by the app, io thread.
#include "daemon/arbiter_session.hpp"
#include "daemon/certificate.hpp"

#include <memory>
#include <string>

namespace xq::daemon {

class Desk {
public:
    Desk(boost::asio::any_io_executor io, Arbiter& arbiter, Gate& gate);
    Desk(const Desk&) = delete;
    Desk& operator=(const Desk&) = delete;
    ~Desk();

    /// Serves HTTPS by this listening socket, which is taken over. `certificate` must be loaded.
    void accept_from(int listening_fd, const Certificate& certificate);
    /// A WebSocket from this machine, which need not show a token: the socket is taken over,
    /// `opening` is its request and what came behind it.
    void adopt(int fd, std::string opening);

    Callers& callers();

private:
    struct Impl;
    class Connection;
    std::unique_ptr<Impl> impl_;
};

}  // namespace xq::daemon
