#pragma once
// Who is at the other end, small enough to be kept for each of thousands of clients, and how many
// of them there are. Plain values, io thread.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

namespace xq::daemon {

/// An IPv4 or IPv6 address without its port; IPv4 is kept mapped into IPv6.
struct Address {
    std::array<unsigned char, 16> bytes{};
    bool operator==(const Address&) const = default;

    static Address of(const sockaddr_storage& peer) {
        Address address;
        if (peer.ss_family == AF_INET6) {
            const auto& v6 = reinterpret_cast<const sockaddr_in6&>(peer);
            std::memcpy(address.bytes.data(), &v6.sin6_addr, 16);
        } else if (peer.ss_family == AF_INET) {
            const auto& v4 = reinterpret_cast<const sockaddr_in&>(peer);
            address.bytes[10] = address.bytes[11] = 0xFF;
            std::memcpy(&address.bytes[12], &v4.sin_addr, 4);
        }
        return address;
    }

    /// Of who is at the other end of this socket.
    static Address of_peer(int fd) { return ask(getpeername, fd); }
    /// Of this end of it.
    static Address of_own(int fd) { return ask(getsockname, fd); }

    bool v4() const {
        constexpr std::array<unsigned char, 12> mapped{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF};
        return std::equal(mapped.begin(), mapped.end(), bytes.begin());
    }
    /// Whether it is this machine itself: 127.0.0.0/8 or ::1.
    bool loopback() const {
        constexpr std::array<unsigned char, 16> one{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
        return v4() ? bytes[12] == 127 : bytes == one;
    }
    /// What one customer of a network has: the address itself, or the first half of an IPv6 one.
    Address network() const {
        Address network = *this;
        if (!v4()) std::fill(network.bytes.begin() + 8, network.bytes.end(), '\0');
        return network;
    }
    /// As people write it.
    std::string text() const {
        std::array<char, INET6_ADDRSTRLEN> name{};
        inet_ntop(v4() ? AF_INET : AF_INET6, &bytes[v4() ? 12 : 0], name.data(), name.size());
        return name.data();
    }

private:
    static Address ask(decltype(getpeername)* which, int fd) {
        sockaddr_storage end{};
        socklen_t size = sizeof end;
        which(fd, reinterpret_cast<sockaddr*>(&end), &size);
        return of(end);
    }
};

struct AddressHash {
    std::size_t operator()(const Address& a) const {
        return std::hash<std::string_view>{}(
            {reinterpret_cast<const char*>(a.bytes.data()), a.bytes.size()});
    }
};

/// Lets clients in up to a number in all and a number from one address.
class Doorkeeper {
public:
    Doorkeeper(int most, int most_per_address) { set(most, most_per_address); }
    /// New limits; whoever is in stays.
    void set(int most, int most_per_address) {
        most_ = most;
        most_per_address_ = most_per_address;
    }
    /// Counts one in, or says no.
    bool enter(const Address& address) {
        if (inside_ >= most_) return false;
        int& here = by_address_[address];
        if (here >= most_per_address_) return false;
        ++here;
        ++inside_;
        return true;
    }
    void leave(const Address& address) {
        const auto here = by_address_.find(address);
        if (--here->second == 0) by_address_.erase(here);
        --inside_;
    }
    int inside() const { return inside_; }

private:
    int most_ = 0;
    int most_per_address_ = 0;
    int inside_ = 0;
    std::unordered_map<Address, int, AddressHash> by_address_;
};

/// One whom the doorkeeper has let in; he leaves with this.
class Visit {
public:
    /// Null: he is not let in.
    static std::unique_ptr<Visit> enter(const std::shared_ptr<Doorkeeper>& door,
                                        const Address& address) {
        if (!door->enter(address)) return nullptr;
        return std::unique_ptr<Visit>(new Visit(door, address));
    }
    Visit(const Visit&) = delete;
    Visit& operator=(const Visit&) = delete;
    ~Visit() { door_->leave(address_); }

private:
    Visit(std::shared_ptr<Doorkeeper> door, const Address& address)
        : door_(std::move(door)), address_(address) {}
    std::shared_ptr<Doorkeeper> door_;
    Address address_;
};

}  // namespace xq::daemon
