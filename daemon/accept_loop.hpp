#pragma once
// Lets connections in by a listening socket, for ever: no error of the kernel ends it. Kept alive
// by its own handler until `stop`; io thread.
#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <functional>
#include <memory>

namespace xq::daemon {

template <class Protocol>
class AcceptLoop : public std::enable_shared_from_this<AcceptLoop<Protocol>> {
public:
    using Acceptor = boost::asio::basic_socket_acceptor<Protocol>;
    using Socket = typename Protocol::socket;
    using Admit = std::function<void(Socket)>;

    /// `acceptor` listens already.
    AcceptLoop(Acceptor acceptor, Admit admit)
        : acceptor_(std::move(acceptor)),
          pause_(acceptor_.get_executor()),
          admit_(std::move(admit)) {}

    void start() {
        acceptor_.async_accept(
            [self = this->shared_from_this()](boost::system::error_code error, Socket socket) {
                if (!self->acceptor_.is_open()) return;
                if (error) return self->rest();
                self->admit_(std::move(socket));
                if (self->acceptor_.is_open()) self->start();
            });
    }

    void stop() {
        boost::system::error_code ignored;
        acceptor_.close(ignored);
        pause_.cancel();
    }

private:
    /// No file descriptor or memory is left: others need the processor more than this loop.
    void rest() {
        constexpr std::chrono::milliseconds breather{200};
        pause_.expires_after(breather);
        pause_.async_wait([self = this->shared_from_this()](boost::system::error_code) {
            if (self->acceptor_.is_open()) self->start();
        });
    }

    Acceptor acceptor_;
    boost::asio::steady_timer pause_;
    Admit admit_;
};

}  // namespace xq::daemon
