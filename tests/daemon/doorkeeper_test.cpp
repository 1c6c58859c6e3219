#include "daemon/address.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>

namespace xq::daemon {
namespace {

Address v4(const char* text) {
    sockaddr_storage peer{};
    auto& in = reinterpret_cast<sockaddr_in&>(peer);
    in.sin_family = AF_INET;
    inet_pton(AF_INET, text, &in.sin_addr);
    return Address::of(peer);
}

Address v6(const char* text) {
    sockaddr_storage peer{};
    auto& in = reinterpret_cast<sockaddr_in6&>(peer);
    in.sin6_family = AF_INET6;
    inet_pton(AF_INET6, text, &in.sin6_addr);
    return Address::of(peer);
}

TEST(Address, IsTheSameHoweverItCame) {
    EXPECT_EQ(v4("10.0.0.1"), v6("::ffff:10.0.0.1"));
    EXPECT_NE(v4("10.0.0.1"), v4("10.0.0.2"));
    EXPECT_NE(v6("::1"), v4("127.0.0.1"));
}

TEST(Doorkeeper, CountsByAddressAndInAll) {
    Doorkeeper door(3, 2);
    const Address a = v4("10.0.0.1"), b = v4("10.0.0.2"), c = v4("10.0.0.3");
    EXPECT_TRUE(door.enter(a));
    EXPECT_TRUE(door.enter(a));
    EXPECT_FALSE(door.enter(a));
    EXPECT_TRUE(door.enter(b));
    EXPECT_FALSE(door.enter(c));
    EXPECT_EQ(door.inside(), 3);
    door.leave(a);
    EXPECT_TRUE(door.enter(c));
    door.leave(b);
    EXPECT_TRUE(door.enter(a));
    EXPECT_FALSE(door.enter(a));
}

}  // namespace
}  // namespace xq::daemon
