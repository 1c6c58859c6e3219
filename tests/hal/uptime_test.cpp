#include "hal/uptime.hpp"

#include <gtest/gtest.h>

namespace xq::hal {
namespace {

TEST(UptimeMap, TheSmallestOffsetIsTheNearestToTheTruth) {
    UptimeMap map;
    map.begin();
    EXPECT_EQ(map.map(1000, 5040), 5040);  // 40 ms late, as will turn out
    EXPECT_EQ(map.map(2000, 6000), 6000);
    EXPECT_EQ(map.map(3000, 7100), 7000);
    EXPECT_EQ(map.map(3010, 7900), 7010);
}

TEST(UptimeMap, NeverFallsWhenABetterOffsetIsFound) {
    UptimeMap map;
    map.begin();
    EXPECT_EQ(map.map(0, 500), 500);
    EXPECT_EQ(map.map(10, 20), 500);
    EXPECT_EQ(map.map(600, 700), 610);
}

TEST(UptimeMap, FollowsAnUptimeThatWraps) {
    UptimeMap map;
    map.begin();
    EXPECT_EQ(map.map(0xFFFFFFF0U, 100), 100);
    EXPECT_FALSE(map.fell(0x10));
    EXPECT_EQ(map.map(0x10, 140), 132);
}

TEST(UptimeMap, AnUptimeThatFallsBeginsANewMapping) {
    UptimeMap map;
    map.begin();
    map.map(90'000, 1000);
    EXPECT_TRUE(map.fell(5));
    EXPECT_EQ(map.map(5, 2000), 2000);
    EXPECT_EQ(map.map(105, 2150), 2100);
}

TEST(UptimeMap, EachConnectionHasItsOwnOffset) {
    UptimeMap map;
    map.begin();
    map.map(500'000, 1000);
    map.begin();
    EXPECT_EQ(map.map(20, 9000), 9000);
    EXPECT_EQ(map.at_least(8000), 9000);
}

TEST(UptimeMap, IsNeverLaterThanTheArrival) {
    UptimeMap map;
    map.begin();
    std::uint32_t uptime = 4'294'900'000U;
    protocol::Millis arrived = 0;
    for (int i = 0; i < 10'000; ++i) {
        uptime += static_cast<std::uint32_t>(i % 31);
        arrived += i % 31 + (i % 7 == 0 ? 3 : 0);
        EXPECT_LE(map.map(uptime, arrived), arrived);
    }
}

}  // namespace
}  // namespace xq::hal
