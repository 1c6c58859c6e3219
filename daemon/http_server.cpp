#include "daemon/http_server.hpp"

#include "daemon/from_settings.hpp"
#include "daemon/web/pages.hpp"
#include "daemon/websocket_key.hpp"

#include <algorithm>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket/rfc6455.hpp>

namespace xq::daemon {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;
using boost::system::error_code;
using namespace std::chrono_literals;

namespace {

// A request that has not arrived by then is none, and a connection that asks nothing is ended.
constexpr auto request_patience = 10s;
// Browsers send one or two thousand bytes of header.
constexpr std::uint32_t largest_header = 8 * 1024;

using Request = http::request<http::empty_body>;
using Response = http::response<http::string_body>;

std::string_view view(beast::string_view text) {
    return {text.data(), text.size()};
}

/// The path without the query.
std::string_view path_of(const Request& request) {
    const auto target = view(request.target());
    return target.substr(0, target.find('?'));
}

Response answer(const Request& request, http::status status, std::string_view type,
                std::string body) {
    Response response(status, request.version());
    response.set(http::field::server, beast::string_view(server_name()));
    response.set(http::field::content_type, beast::string_view(type.data(), type.size()));
    response.set("X-Content-Type-Options", "nosniff");
    response.set("Content-Security-Policy",
                 "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
                 "connect-src *");  // the wall follows other boards' daemons
    response.set(http::field::cache_control, "no-cache");
    response.keep_alive(request.keep_alive());
    response.body() = std::move(body);
    response.prepare_payload();
    // HEAD is told how long the body would be.
    if (request.method() == http::verb::head) response.body().clear();
    return response;
}

}  // namespace

struct HttpServer::Impl : std::enable_shared_from_this<Impl> {
    Impl(asio::any_io_executor io, Crowd& the_crowd, Doorkeeper& the_door,
         std::function<Report()> the_report)
        : crowd(the_crowd),
          door(the_door),
          report(std::move(the_report)),
          acceptor(io),
          pause(io) {}

    void accept();

    Crowd& crowd;
    Doorkeeper& door;
    const std::function<Report()> report;
    tcp::acceptor acceptor;
    asio::steady_timer pause;
    bool closed = false;
};

class HttpServer::Connection : public std::enable_shared_from_this<Connection> {
public:
    Connection(tcp::socket socket, const Address& address, std::shared_ptr<Impl> server)
        : stream_(std::move(socket)), address_(address), server_(std::move(server)) {}
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;
    ~Connection() {
        if (!handed_over_ && !server_->closed) server_->door.leave(address_);
    }

    void read() {
        parser_.emplace();
        parser_->header_limit(largest_header);
        stream_.expires_after(request_patience);
        http::async_read(stream_, buffer_, *parser_,
                         [self = shared_from_this()](error_code error, std::size_t /*size*/) {
                             if (!error && !self->server_->closed) self->route();
                         });
    }

private:
    void route() {
        const Request& request = parser_->get();
        const auto path = path_of(request);
        if (request.method() != http::verb::get && request.method() != http::verb::head) {
            return send(answer(request, http::status::method_not_allowed, "text/plain",
                               "only GET and HEAD\n"));
        }
        if (path == "/live") return live(request);
        if (path == "/events") return events(request);
        if (path == "/healthz") {
            return send(
                answer(request, http::status::ok, "application/json", health(server_->report())));
        }
        if (path == "/metrics") {
            return send(answer(request, http::status::ok, "text/plain; version=0.0.4",
                               metrics_text(server_->report())));
        }
        if (const auto* const page = web::find_page(path)) {
            return send(answer(request, http::status::ok, page->type, std::string(page->content)));
        }
        send(answer(request, http::status::not_found, "text/plain", "there is no such page\n"));
    }

    void live(const Request& request) {
        const auto key = view(request[http::field::sec_websocket_key]);
        if (!beast::websocket::is_upgrade(request)) {
            auto response = answer(request, http::status::upgrade_required, "text/plain",
                                   "a WebSocket of version 13 is spoken here\n");
            response.set(http::field::sec_websocket_version, "13");
            return send(std::move(response));
        }
        hand_over(
            Framing::WebSocket,
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Accept: " +
                websocket_accept(key) + "\r\n\r\n",
            {});
    }

    void events(const Request& request) {
        if (request.method() == http::verb::head) {
            return send(answer(request, http::status::ok, "text/event-stream", ""));
        }
        // The body ends with the connection, so it needs no length. A browser that is cut off
        // comes back after two seconds.
        hand_over(
            Framing::ServerSent,
            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\n"
            "Connection: close\r\nAccess-Control-Allow-Origin: *\r\n"
            "X-Accel-Buffering: no\r\n\r\nretry: 2000\n\n",
            read_event_id(view(request["Last-Event-ID"])));
    }

    void hand_over(Framing framing, std::string head, std::optional<Resume> resume) {
        handed_over_ = true;
        const auto data = buffer_.data();
        const std::string_view input(static_cast<const char*>(data.data()), data.size());
        const int fd = stream_.release_socket().release();
        server_->crowd.adopt(fd, framing, address_, std::move(head), input, resume);
    }

    void send(Response response) {
        response_ = std::move(response);
        http::async_write(stream_, response_,
                          [self = shared_from_this()](error_code error, std::size_t /*size*/) {
                              if (error || self->server_->closed) return;
                              if (self->response_.keep_alive()) return self->read();
                              error_code ignored;
                              self->stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
                          });
    }

    beast::tcp_stream stream_;
    beast::flat_buffer buffer_{largest_header};
    std::optional<http::request_parser<http::empty_body>> parser_;
    Response response_;
    Address address_;
    std::shared_ptr<Impl> server_;
    bool handed_over_ = false;
};

namespace {

Address address_of(tcp::socket& socket) {
    sockaddr_storage peer{};
    socklen_t size = sizeof peer;
    getpeername(socket.native_handle(), reinterpret_cast<sockaddr*>(&peer), &size);
    return Address::of(peer);
}

}  // namespace

void HttpServer::Impl::accept() {
    acceptor.async_accept([self = shared_from_this()](error_code error, tcp::socket socket) {
        if (self->closed) return;
        if (error) {
            // No file descriptor or memory is left: others need the processor more than this loop.
            constexpr auto breather = 200ms;
            self->pause.expires_after(breather);
            self->pause.async_wait([self](error_code stopped) {
                if (!stopped && !self->closed) self->accept();
            });
            return;
        }
        prepare_client(socket.native_handle());
        const Address address = address_of(socket);
        if (self->door.enter(address)) {
            std::make_shared<Connection>(std::move(socket), address, self)->read();
        }
        self->accept();
    });
}

HttpServer::HttpServer(asio::any_io_executor io, int listening_fd, Crowd& crowd, Doorkeeper& door,
                       std::function<Report()> report)
    : impl_(std::make_shared<Impl>(std::move(io), crowd, door, std::move(report))) {
    sockaddr_storage own{};
    socklen_t size = sizeof own;
    getsockname(listening_fd, reinterpret_cast<sockaddr*>(&own), &size);
    impl_->acceptor.assign(own.ss_family == AF_INET6 ? tcp::v6() : tcp::v4(), listening_fd);
    impl_->accept();
}

HttpServer::~HttpServer() {
    impl_->closed = true;
    impl_->pause.cancel();
    impl_->acceptor.close();
}

}  // namespace xq::daemon
