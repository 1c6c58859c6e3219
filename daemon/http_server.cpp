#include "daemon/http_server.hpp"

#include "daemon/accept_loop.hpp"
#include "daemon/http_connection.hpp"
#include "daemon/websocket_key.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/websocket/rfc6455.hpp>

namespace xq::daemon {

namespace asio = boost::asio;
namespace beast = boost::beast;
using asio::ip::tcp;

namespace {

Address address_of(tcp::socket& socket) {
    sockaddr_storage peer{};
    socklen_t size = sizeof peer;
    getpeername(socket.native_handle(), reinterpret_cast<sockaddr*>(&peer), &size);
    return Address::of(peer);
}

}  // namespace

struct HttpServer::Impl : std::enable_shared_from_this<Impl> {
    Impl(Crowd& the_crowd, Doorkeeper& the_door, std::function<Report()> the_report)
        : crowd(the_crowd), door(the_door), report(std::move(the_report)) {}

    void admit(tcp::socket socket);

    Crowd& crowd;
    Doorkeeper& door;
    const std::function<Report()> report;
    std::shared_ptr<AcceptLoop<tcp>> accepting;
    bool closed = false;
};

class HttpServer::Connection : public HttpConnection<beast::tcp_stream> {
public:
    Connection(tcp::socket socket, const Address& address, std::shared_ptr<Impl> server)
        : HttpConnection(beast::tcp_stream(std::move(socket))),
          address_(address),
          server_(std::move(server)) {}
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;
    ~Connection() override {
        if (!handed_over_ && !server_->closed) server_->door.leave(address_);
    }

private:
    void route() override {
        if (server_->closed) return;
        if (path() == "/live") return live();
        if (path() == "/events") return events();
        send(public_answer(path(), server_->report()));
    }

    void live() {
        if (!beast::websocket::is_upgrade(request())) {
            return send({.status = 426,
                         .body = "a WebSocket of version 13 is spoken here\n",
                         .headers = {{"Sec-WebSocket-Version", "13"}}});
        }
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

    void hand_over(Framing framing, std::string head, std::optional<Resume> resume) {
        handed_over_ = true;
        const int fd = stream().release_socket().release();
        server_->crowd.adopt(fd, framing, address_, std::move(head), rest(), resume);
    }

    Address address_;
    std::shared_ptr<Impl> server_;
    bool handed_over_ = false;
};

void HttpServer::Impl::admit(tcp::socket socket) {
    prepare_client(socket.native_handle());
    const Address address = address_of(socket);
    if (!door.enter(address)) return;  // closes it
    std::make_shared<Connection>(std::move(socket), address, shared_from_this())->read();
}

HttpServer::HttpServer(asio::any_io_executor io, int listening_fd, Crowd& crowd, Doorkeeper& door,
                       std::function<Report()> report)
    : impl_(std::make_shared<Impl>(crowd, door, std::move(report))) {
    sockaddr_storage own{};
    socklen_t size = sizeof own;
    getsockname(listening_fd, reinterpret_cast<sockaddr*>(&own), &size);
    impl_->accepting = std::make_shared<AcceptLoop<tcp>>(
        tcp::acceptor(std::move(io), own.ss_family == AF_INET6 ? tcp::v6() : tcp::v4(),
                      listening_fd),
        [impl = impl_.get()](tcp::socket socket) { impl->admit(std::move(socket)); });
    impl_->accepting->start();
}

HttpServer::~HttpServer() {
    impl_->closed = true;
    impl_->accepting->stop();
}

}  // namespace xq::daemon
