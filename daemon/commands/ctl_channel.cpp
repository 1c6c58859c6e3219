#include "daemon/commands/ctl_channel.hpp"

#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <memory>
#include <utility>

namespace xq::ctl {

Result<Channel> Channel::open(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.size() >= sizeof address.sun_path) return Fault{0, path + ": too long for a socket"};
    std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
    Channel channel(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (channel.fd_ < 0 ||
        ::connect(channel.fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
        const int error = errno;
        std::string what = path + ": " + std::strerror(error);
        if (error == ENOENT || error == ECONNREFUSED) what += "; is xiangqid running?";
        if (error == EACCES) what += "; are you in the group that the socket belongs to?";
        return Fault{0, std::move(what)};
    }
    return channel;
}

Result<Channel> Channel::connect(const std::string& board) {
    const auto colon = board.rfind(':');
    // An IPv6 address has colons of its own, and then stands in brackets before a port.
    const bool port = colon != std::string::npos &&
                      (board.find(':') == colon || (colon > 0 && board[colon - 1] == ']'));
    std::string host = board.substr(0, port ? colon : board.size());
    if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
        host = host.substr(1, host.size() - 2);
    }
    addrinfo wanted{};
    wanted.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    if (const int error = ::getaddrinfo(host.c_str(), port ? board.c_str() + colon + 1 : "9955",
                                        &wanted, &found)) {
        return Fault{0, board + ": " + ::gai_strerror(error)};
    }
    const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owner(found, &::freeaddrinfo);
    int error = 0;
    for (const addrinfo* a = found; a != nullptr; a = a->ai_next) {
        Channel channel(::socket(a->ai_family, a->ai_socktype | SOCK_CLOEXEC, a->ai_protocol));
        if (channel.fd_ >= 0 && ::connect(channel.fd_, a->ai_addr, a->ai_addrlen) == 0) {
            return channel;
        }
        error = errno;
    }
    return Fault{0, board + ": " + std::strerror(error)};
}

Channel::Channel(Channel&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)), received_(std::move(other.received_)) {}

Channel::~Channel() {
    if (fd_ >= 0) ::close(fd_);
}

bool Channel::send(std::string_view line) const {
    std::string bytes(line);
    bytes += '\n';
    for (std::size_t sent = 0; sent < bytes.size();) {
        const ssize_t n = ::send(fd_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        sent += static_cast<std::size_t>(n);
    }
    return true;
}

std::optional<std::string> Channel::read_line(int patience_ms) {
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + std::chrono::milliseconds(patience_ms);
    std::size_t searched = 0;
    for (;;) {
        if (const auto eol = received_.find('\n', searched); eol != std::string::npos) {
            std::string line = received_.substr(0, eol);
            received_.erase(0, eol + 1);
            return line;
        }
        searched = received_.size();
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
        pollfd waiting{fd_, POLLIN, 0};
        const int ready = left > 0 ? ::poll(&waiting, 1, static_cast<int>(left)) : 0;
        if (ready < 0 && errno == EINTR) continue;
        if (ready <= 0) return {};
        std::array<char, 16384> piece;
        const ssize_t n = ::recv(fd_, piece.data(), piece.size(), 0);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return {};
        received_.append(piece.data(), static_cast<std::size_t>(n));
    }
}

}  // namespace xq::ctl
