#pragma once
// The arbiter's Unix socket: who may open it is known by his user name (the kernel tells), and must
// be root, the daemon's own user or of the socket's group. Another type and another listener than
// the spectators'. Owned by the app, io thread.
#include "daemon/arbiter.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <memory>
#include <string>

namespace xq::daemon {

class ArbiterSocket {
public:
    /// Listens at this path; a socket that a dead daemon left there is replaced. Throws
    /// std::runtime_error with one sentence where that is not possible.
    ArbiterSocket(const boost::asio::any_io_executor& io, Arbiter& arbiter,
                  const std::string& path);
    ArbiterSocket(const ArbiterSocket&) = delete;
    ArbiterSocket& operator=(const ArbiterSocket&) = delete;
    /// Ends all connections and removes the socket.
    ~ArbiterSocket();

    std::size_t callers() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace xq::daemon
