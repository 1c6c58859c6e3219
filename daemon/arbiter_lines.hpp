#pragma once
// Arbiters who speak lines over TLS, by token. Owned by the app, io thread.
#include "daemon/arbiter_session.hpp"
#include "daemon/certificate.hpp"

#include <memory>

namespace xq::daemon {

class ArbiterLines {
public:
    /// Takes over the listening socket. `certificate` must be loaded.
    ArbiterLines(const boost::asio::any_io_executor& io, int listening_fd, Arbiter& arbiter,
                 Gate& gate, const Certificate& certificate);
    ArbiterLines(const ArbiterLines&) = delete;
    ArbiterLines& operator=(const ArbiterLines&) = delete;
    ~ArbiterLines();

    Callers& callers();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace xq::daemon
