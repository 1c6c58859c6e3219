#include "daemon/desk.hpp"

#include "daemon/accept_loop.hpp"
#include "daemon/crowd.hpp"
#include "daemon/desk_connection.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/ssl.hpp>
#include <boost/beast/websocket.hpp>
#include <boost/beast/websocket/ssl.hpp>

namespace xq::daemon {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace websocket = beast::websocket;
using asio::ip::tcp;
using boost::system::error_code;

namespace {

using Tls = beast::ssl_stream<beast::tcp_stream>;

// A browser keeps the line open for hours; after half of this it is asked whether it is there.
constexpr std::chrono::seconds silence{60};

/// An arbiter's session of a WebSocket's text frames, a line each.
template <class Stream>
class WebSocketSession : public ArbiterSession {
public:
    WebSocketSession(Stream stream, std::string opening, std::unique_ptr<Visit> visit)
        : ArbiterSession(stream.get_executor(), ""),
          socket_(std::move(stream)),
          opening_(std::move(opening)),
          visit_(std::move(visit)) {
        beast::get_lowest_layer(socket_).expires_never();
        socket_.set_option(websocket::stream_base::timeout{request_patience, silence, true});
        socket_.read_message_max(longest_call);
        socket_.text(true);
    }

protected:
    void begin() override {
        socket_.async_accept(asio::buffer(opening_),
                             [this, self = shared_from_this()](error_code error) {
                                 if (ended()) return;
                                 if (error) return end();
                                 read();
                             });
    }

    void read() override {
        socket_.async_read(input_,
                           [this, self = shared_from_this()](error_code error, std::size_t) {
                               if (ended()) return;
                               if (error) return end();
                               const std::string line = beast::buffers_to_string(input_.data());
                               input_.clear();
                               hear(line);
                           });
    }

    void write(const std::string& line) override {
        socket_.async_write(asio::buffer(line),
                            [this, self = shared_from_this()](error_code error, std::size_t) {
                                if (ended()) return;
                                if (error) return end();
                                wrote();
                            });
    }

    void close() override { beast::get_lowest_layer(socket_).close(); }

private:
    websocket::stream<Stream> socket_;
    const std::string opening_;
    beast::flat_buffer input_;
    std::unique_ptr<Visit> visit_;
};

}  // namespace

struct Desk::Impl {
    Impl(asio::any_io_executor the_io, Arbiter& arbiter, Gate& gate)
        : io(std::move(the_io)), callers(arbiter, &gate) {}
    ~Impl() {
        if (accepting) accepting->stop();
        lobby.clear();
    }

    void admit(tcp::socket socket);

    asio::any_io_executor io;
    const Certificate* certificate = nullptr;
    Lobby lobby;
    Callers callers;
    std::shared_ptr<AcceptLoop<tcp>> accepting;
};

/// A browser on the HTTPS listener, until its WebSocket is opened.
class Desk::Connection : public DeskConnection<Tls>, public Guest {
public:
    Connection(Tls stream, const Address& address, std::unique_ptr<Visit> visit, Impl& desk)
        : DeskConnection(std::move(stream)),
          address_(address),
          visit_(std::move(visit)),
          desk_(desk) {}

    void start() {
        beast::get_lowest_layer(stream()).expires_after(request_patience);
        stream().async_handshake(asio::ssl::stream_base::server,
                                 [this, self = shared_from_this()](error_code error) {
                                     if (!error) read();
                                 });
    }

    void end() override {
        ended_ = true;
        beast::get_lowest_layer(stream()).close();
    }
    bool known() const override { return false; }

private:
    void route() override {
        if (ended_) return;
        if (path() == "/arbiter") return desk({.tls = true});
        if (path() == "/") return send({.status = 302, .headers = {{"Location", "/arbiter"}}});
        send(page_answer(path()));
    }

    void take_over(std::string opening) override {
        const auto session = std::make_shared<WebSocketSession<Tls>>(
            std::move(stream()), std::move(opening), std::move(visit_));
        desk_.lobby.enter(session);
        desk_.callers.admit(session, {}, address_);
    }

    Address address_;
    std::unique_ptr<Visit> visit_;
    Impl& desk_;
    bool ended_ = false;
};

void Desk::Impl::admit(tcp::socket socket) {
    prepare_client(socket.native_handle());
    const Address address = Address::of_peer(socket.native_handle());
    auto visit = lobby.visit(address);
    if (!visit) return;  // closes it
    const auto connection = std::make_shared<Connection>(
        Tls(beast::tcp_stream(std::move(socket)), certificate->context()), address,
        std::move(visit), *this);
    lobby.enter(connection);
    connection->start();
}

Desk::Desk(asio::any_io_executor io, Arbiter& arbiter, Gate& gate)
    : impl_(std::make_unique<Impl>(std::move(io), arbiter, gate)) {}

Desk::~Desk() = default;

void Desk::accept_from(int listening_fd, const Certificate& certificate) {
    impl_->certificate = &certificate;
    impl_->accepting = AcceptLoop<tcp>::over(
        impl_->io, listening_fd,
        [impl = impl_.get()](tcp::socket socket) { impl->admit(std::move(socket)); });
}

void Desk::adopt(int fd, std::string opening) {
    impl_->callers.admit(
        std::make_shared<WebSocketSession<beast::tcp_stream>>(
            beast::tcp_stream(tcp::socket(impl_->io, tcp::v6(), fd)), std::move(opening), nullptr),
        Identity{"local", true});
}

Callers& Desk::callers() {
    return impl_->callers;
}

}  // namespace xq::daemon
