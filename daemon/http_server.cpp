#include "daemon/http_server.hpp"

#include "daemon/accept_loop.hpp"
#include "daemon/desk_connection.hpp"
#include "daemon/websocket_key.hpp"

#include <boost/asio/ip/tcp.hpp>

namespace xq::daemon {

namespace asio = boost::asio;
namespace beast = boost::beast;
using asio::ip::tcp;

struct HttpServer::Impl : std::enable_shared_from_this<Impl> {
    Impl(Crowd& the_crowd, Doorkeeper& the_door, HttpGames& the_games, Desk& the_desk,
         std::function<Report()> the_report)
        : crowd(the_crowd),
          door(the_door),
          games(the_games),
          desk(the_desk),
          report(std::move(the_report)) {}

    void admit(tcp::socket socket);

    Crowd& crowd;
    Doorkeeper& door;
    HttpGames& games;
    /// However many spectators there are, a browser of this machine comes in to the arbiter's desk.
    Doorkeeper back_door{16, 16};
    Desk& desk;
    const std::function<Report()> report;
    std::shared_ptr<AcceptLoop<tcp>> accepting;
    bool closed = false;
};

class HttpServer::Connection : public DeskConnection<beast::tcp_stream> {
public:
    Connection(tcp::socket socket, const Address& address, Doorkeeper& door,
               std::shared_ptr<Impl> server)
        : DeskConnection(beast::tcp_stream(std::move(socket))),
          address_(address),
          door_(door),
          server_(std::move(server)) {}
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;
    ~Connection() override {
        if (!handed_over_ && !server_->closed) door_.leave(address_);
    }

private:
    void route() override {
        if (server_->closed) return;
        const bool spectator = path() == "/live" || path() == "/events";
        if (spectator && &door_ != &server_->door) {
            return send({.status = 503, .body = "no place is free\n"});
        }
        if (path() == "/live") return live();
        if (path() == "/events") return events();
        if (HttpGames::serves(path())) return ask_for_games();
        if (path() == "/arbiter") return desk({.from_this_machine = within_this_machine()});
        send(public_answer(path(), server_->report()));
    }

    /// By both ends: another program of this machine may take a loopback address for its own and
    /// come to one of the network.
    bool within_this_machine() {
        return address_.loopback() && Address::of_own(stream().socket().native_handle()).loopback();
    }

    void take_over(std::string opening) override {
        handed_over_ = true;
        door_.leave(address_);
        server_->desk.adopt(stream().release_socket().release(), std::move(opening));
    }

    void ask_for_games() {
        const auto target = request().target();
        server_->games.answer({target.data(), target.size()}, header("Accept"),
                              header("If-None-Match"),
                              [self = shared_from_this(), this](HttpAnswer answer) {
                                  if (!server_->closed) send(std::move(answer));
                              });
    }

    void live() {
        if (!upgrades()) return send(websocket_wanted());
        hand_over(
            Framing::WebSocket,
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Accept: " +
                websocket_accept(header("Sec-WebSocket-Key")) + "\r\n\r\n",
            {});
    }

    void events() {
        if (request().method() == beast::http::verb::head) {
            return send({.type = "text/event-stream"});
        }
        // The body ends with the connection, so it needs no length. A browser that is cut off
        // comes back after two seconds.
        hand_over(
            Framing::ServerSent,
            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\n"
            "Connection: close\r\nAccess-Control-Allow-Origin: *\r\n"
            "X-Accel-Buffering: no\r\n\r\nretry: 2000\n\n",
            read_event_id(header("Last-Event-ID")));
    }

    void hand_over(Framing framing, const std::string& head, std::optional<Resume> resume) {
        handed_over_ = true;
        const int fd = stream().release_socket().release();
        server_->crowd.adopt(fd, framing, address_, head, rest(), resume);
    }

    Address address_;
    Doorkeeper& door_;  ///< who let it in
    std::shared_ptr<Impl> server_;
    bool handed_over_ = false;
};

void HttpServer::Impl::admit(tcp::socket socket) {
    prepare_client(socket.native_handle());
    const Address address = Address::of_peer(socket.native_handle());
    const bool by_the_front = door.enter(address);
    if (!by_the_front && !(address.loopback() && back_door.enter(address))) return;  // closes it
    std::make_shared<Connection>(std::move(socket), address, by_the_front ? door : back_door,
                                 shared_from_this())
        ->read();
}

HttpServer::HttpServer(const asio::any_io_executor& io, int listening_fd, Crowd& crowd,
                       Doorkeeper& door, HttpGames& games, Desk& desk,
                       std::function<Report()> report)
    : impl_(std::make_shared<Impl>(crowd, door, games, desk, std::move(report))) {
    impl_->accepting = AcceptLoop<tcp>::over(
        io, listening_fd,
        [impl = impl_.get()](tcp::socket socket) { impl->admit(std::move(socket)); });
}

HttpServer::~HttpServer() {
    impl_->closed = true;
    impl_->accepting->stop();
}

}  // namespace xq::daemon
