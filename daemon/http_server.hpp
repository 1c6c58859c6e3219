#pragma once
// The spectators' HTTP: pages, `/live` (WebSocket), `/events` (server-sent events), `/games/`,
// `/healthz` and `/metrics`. It only parses requests and answers small ones; a connection that
// wants the stream is handed to the crowd with its socket, and one of this machine's to the
// arbiter's desk. Owned by the app, io thread.
#include "daemon/crowd.hpp"
#include "daemon/desk.hpp"
#include "daemon/http_games.hpp"
#include "daemon/report.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <functional>
#include <memory>

namespace xq::daemon {

class HttpServer {
public:
    /// Takes over the listening socket.
    HttpServer(const boost::asio::any_io_executor& io, int listening_fd, Crowd& crowd,
               Doorkeeper& door, HttpGames& games, Desk& desk, std::function<Report()> report);
    HttpServer(const HttpServer&) = delete;
    HttpServer& operator=(const HttpServer&) = delete;
    ~HttpServer();

private:
    struct Impl;
    class Connection;
    std::shared_ptr<Impl> impl_;
};

}  // namespace xq::daemon
