#include "daemon/crowd.hpp"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>
#include <string>

namespace xq::daemon {

namespace {

void set(int fd, int level, int option, int value) {
    setsockopt(fd, level, option, &value, sizeof value);
}

}  // namespace

Listening listen_tcp(const std::string& host, std::uint16_t port) {
    addrinfo hints{};
    hints.ai_family = AF_UNSPEC;
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
    addrinfo* found = nullptr;
    if (const int error = getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found);
        error != 0) {
        return {-1, gai_strerror(error)};
    }
    const int fd = socket(found->ai_family, found->ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd >= 0) {
        set(fd, SOL_SOCKET, SO_REUSEADDR, 1);
        // "[::]" means every address of the machine, whatever the system's default.
        if (found->ai_family == AF_INET6) set(fd, IPPROTO_IPV6, IPV6_V6ONLY, 0);
    }
    const bool ok =
        fd >= 0 && bind(fd, found->ai_addr, found->ai_addrlen) == 0 && listen(fd, SOMAXCONN) == 0;
    const int error = errno;
    freeaddrinfo(found);
    if (ok) return {fd, {}};
    if (fd >= 0) close(fd);
    return {-1, std::strerror(error)};
}

void prepare_client(int fd) {
    set(fd, IPPROTO_TCP, TCP_NODELAY, 1);
    // A peer that vanished is noticed by its silence: after a minute the kernel asks, six times.
    set(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
    set(fd, IPPROTO_TCP, TCP_KEEPIDLE, 60);
    set(fd, IPPROTO_TCP, TCP_KEEPINTVL, 10);
    set(fd, IPPROTO_TCP, TCP_KEEPCNT, 6);
    // What is sent and not acknowledged for so many ms ends the connection; heartbeats come each
    // 5 s, so this finds half-open peers long before the keepalive does.
    set(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, 30'000);
}

}  // namespace xq::daemon
