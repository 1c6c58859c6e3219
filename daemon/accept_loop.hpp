#pragma once
// Lets connections in by a listening socket, for ever: no error of the kernel ends it. Kept alive
// by its own handler until `stop`; io thread.
#include <sys/socket.h>
#include <boost/asio/any_io_executor.hpp>
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

    /// Over a TCP socket that listens; it is taken over.
    static std::shared_ptr<AcceptLoop> over(const boost::asio::any_io_executor& io,
                                            int listening_fd, Admit admit) {
        sockaddr_storage own{};
        socklen_t size = sizeof own;
        getsockname(listening_fd, reinterpret_cast<sockaddr*>(&own), &size);
        Acceptor acceptor(io, own.ss_family == AF_INET6 ? Protocol::v6() : Protocol::v4(),
                          listening_fd);
        auto loop = std::make_shared<AcceptLoop>(std::move(acceptor), std::move(admit));
        loop->start();
        return loop;
    }

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
