// hubcast: the daemon's feed and crowd alone, fed with lines from a publisher, so that a load
// client can measure what a delivery costs beside other one-to-many servers.
//
//     hubcast SUBSCRIBE_PORT PUBLISH_PORT      (loopback only)
#include "daemon/crowd.hpp"

#include <sys/resource.h>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <cstdio>
#include <cstdlib>
#include <iostream>

namespace {

using namespace xq::daemon;
using boost::asio::ip::tcp;

class Publisher {
public:
    Publisher(boost::asio::io_context& io, std::uint16_t port, Crowd& crowd)
        : acceptor_(io, tcp::endpoint(boost::asio::ip::address_v4::loopback(), port)),
          socket_(io),
          crowd_(crowd) {
        accept();
    }

private:
    void accept() {
        acceptor_.async_accept([this](boost::system::error_code error, tcp::socket socket) {
            if (error) return;
            socket_ = std::move(socket);
            read();
        });
    }
    void read() {
        socket_.async_read_some(boost::asio::buffer(bytes_),
                                [this](boost::system::error_code error, std::size_t size) {
                                    if (error) return accept();
                                    publish({bytes_.data(), size});
                                    read();
                                });
    }
    void publish(std::string_view bytes) {
        for (auto end = bytes.find('\n'); end != std::string_view::npos; end = bytes.find('\n')) {
            rest_ += bytes.substr(0, end);
            crowd_.append(++seq_, rest_);
            rest_.clear();
            bytes.remove_prefix(end + 1);
        }
        rest_ += bytes;
    }

    tcp::acceptor acceptor_;
    tcp::socket socket_;
    Crowd& crowd_;
    std::array<char, 65536> bytes_{};
    std::string rest_;
    std::uint64_t seq_ = 0;
};

}  // namespace

int main(int argc, char** argv) try {
    if (argc != 3) {
        std::cerr << "usage: hubcast SUBSCRIBE_PORT PUBLISH_PORT\n";
        return 2;
    }
    rlimit files{};
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);

    boost::asio::io_context io{1};
    constexpr int everybody = 50'000;
    Doorkeeper door(everybody, everybody);
    Feed feed(1);
    Welcome welcome;
    welcome.messages.emplace_back();
    feed.set_welcome(std::make_shared<const Welcome>(std::move(welcome)));
    // The load client says nothing of where it left off, so it need not be waited for.
    Crowd crowd(io.get_executor(), feed, door, {.resume_window = std::chrono::milliseconds(0)});
    const auto socket = listen_tcp("127.0.0.1", static_cast<std::uint16_t>(std::atoi(argv[1])));
    if (socket.fd < 0) {
        std::cerr << socket.fault << '\n';
        return 1;
    }
    crowd.accept_from(socket.fd);
    Publisher publisher(io, static_cast<std::uint16_t>(std::atoi(argv[2])), crowd);
    io.run();
} catch (const std::exception& error) {
    std::fprintf(stderr, "hubcast: %s\n", error.what());
    return EXIT_FAILURE;
}
