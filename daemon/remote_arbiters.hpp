#pragma once
// Arbiters who are not at this machine: the certificate, the tokens and the two listeners that need
// them, and the desk, which serves this machine too. Owned by the app, io thread.
#include "config/settings.hpp"
#include "daemon/arbiter_lines.hpp"
#include "daemon/desk.hpp"
#include "daemon/log.hpp"

#include <functional>
#include <optional>
#include <string>

namespace xq::daemon {

class RemoteArbiters {
public:
    /// Gives a listening socket of this name and address, -1 where there is to be none; throws
    /// std::runtime_error with one sentence where that is not possible.
    using Listen = std::function<int(const std::string& name,
                                     const std::optional<config::Endpoint>& endpoint)>;

    RemoteArbiters(const boost::asio::any_io_executor& io, Arbiter& arbiter, Log& log,
                   Listen listen);

    /// At the start, and again on SIGHUP: reads certificate, key and tokens, ends those whose token
    /// is gone, and opens the listeners where they are not open. What is wrong is said, and never
    /// a reason not to play: what was read before stays.
    void open(const config::Arbiter& settings);

    Desk& desk() { return desk_; }

private:
    int listen(const std::string& name, const std::optional<config::Endpoint>& endpoint);
    bool read_certificate(const config::Arbiter& settings);
    bool read_tokens(const config::Arbiter& settings);

    boost::asio::any_io_executor io_;
    Arbiter& arbiter_;
    Log& log_;
    Listen listen_;
    Gate gate_;
    Certificate certificate_;
    Desk desk_;
    std::optional<ArbiterLines> lines_;
    bool tokens_read_ = false;
    bool https_open_ = false;
};

}  // namespace xq::daemon
