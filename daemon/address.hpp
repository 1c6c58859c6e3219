#pragma once
// Who is at the other end, small enough to be kept for each of thousands of clients, and how many
// of them there are. Plain values, io thread.
#include <netinet/in.h>
#include <sys/socket.h>
#include <array>
#include <cstdint>
#include <cstring>
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

}  // namespace xq::daemon
