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

TEST(Address, KnowsThisMachine) {
    for (const auto* own : {"127.0.0.1", "127.255.0.9"}) EXPECT_TRUE(v4(own).loopback()) << own;
    EXPECT_TRUE(v6("::1").loopback());
    EXPECT_TRUE(v6("::ffff:127.0.0.1").loopback());
    for (const auto* other : {"126.0.0.1", "128.0.0.1", "0.0.0.0", "10.127.0.1"}) {
        EXPECT_FALSE(v4(other).loopback()) << other;
    }
    for (const auto* other : {"::", "::2", "::7f00:1", "fe80::1", "::127.0.0.1"}) {
        EXPECT_FALSE(v6(other).loopback()) << other;
    }
}

TEST(Address, IsWrittenAsPeopleDo) {
    EXPECT_EQ(v4("192.0.2.1").text(), "192.0.2.1");
    EXPECT_EQ(v6("2001:db8::1").text(), "2001:db8::1");
}

TEST(Address, OfIpv6CountsByItsNetwork) {
    EXPECT_EQ(v6("2001:db8:1:2:3::4").network(), v6("2001:db8:1:2::").network());
    EXPECT_NE(v6("2001:db8:1:2::").network(), v6("2001:db8:1:3::").network());
    EXPECT_EQ(v4("10.0.0.1").network(), v4("10.0.0.1"));
}

TEST(Visit, EndsWithItself) {
    const auto door = std::make_shared<Doorkeeper>(1, 1);
    auto first = Visit::enter(door, v4("10.0.0.1"));
    ASSERT_TRUE(first);
    EXPECT_FALSE(Visit::enter(door, v4("10.0.0.2")));
    first.reset();
    EXPECT_TRUE(Visit::enter(door, v4("10.0.0.2")));
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
