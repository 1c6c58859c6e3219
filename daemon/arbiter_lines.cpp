#include "daemon/arbiter_lines.hpp"

#include "daemon/accept_loop.hpp"
#include "daemon/crowd.hpp"
#include "daemon/line_session.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/stream.hpp>

namespace xq::daemon {

namespace asio = boost::asio;
namespace ssl = asio::ssl;
using asio::ip::tcp;

namespace {

using Tls = ssl::stream<tcp::socket>;

class TlsSession : public LineSession<Tls> {
public:
    TlsSession(Tls stream, std::unique_ptr<Visit> visit)
        : LineSession(std::move(stream)), visit_(std::move(visit)) {}

private:
    void begin() override {
        stream().async_handshake(
            Tls::server, [this, self = shared_from_this()](boost::system::error_code error) {
                if (ended()) return;
                if (error) return end();
                read();
            });
    }

    std::unique_ptr<Visit> visit_;
};

}  // namespace

struct ArbiterLines::Impl {
    Impl(Arbiter& arbiter, Gate& gate, const Certificate& the_certificate)
        : certificate(the_certificate), callers(arbiter, &gate) {}

    void admit(tcp::socket socket) {
        prepare_client(socket.native_handle());
        const Address address = Address::of_peer(socket.native_handle());
        auto visit = lobby.visit(address);
        if (!visit) return;  // closes it
        const auto session = std::make_shared<TlsSession>(
            Tls(std::move(socket), certificate.context()), std::move(visit));
        lobby.enter(session);
        callers.admit(session, {}, address);
    }

    const Certificate& certificate;
    Lobby lobby;
    Callers callers;
    std::shared_ptr<AcceptLoop<tcp>> accepting;
};

ArbiterLines::ArbiterLines(const asio::any_io_executor& io, int listening_fd, Arbiter& arbiter,
                           Gate& gate, const Certificate& certificate)
    : impl_(std::make_unique<Impl>(arbiter, gate, certificate)) {
    impl_->accepting = AcceptLoop<tcp>::over(
        io, listening_fd,
        [impl = impl_.get()](tcp::socket socket) { impl->admit(std::move(socket)); });
}

ArbiterLines::~ArbiterLines() {
    impl_->accepting->stop();
}

Callers& ArbiterLines::callers() {
    return impl_->callers;
}

}  // namespace xq::daemon
