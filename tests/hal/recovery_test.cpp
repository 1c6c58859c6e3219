#include "hal/recovery.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace xq::hal {
namespace {

using Step = Recovery::Step;
using protocol::Millis;

std::vector<std::pair<Millis, Step>> steps(Recovery& recovery, Millis from, Millis to) {
    std::vector<std::pair<Millis, Step>> taken;
    for (Millis t = from; t <= to; t += 100) {
        if (const auto step = recovery.due(t)) taken.emplace_back(t, *step);
    }
    return taken;
}

TEST(Recovery, ABoardThatSpeaksEveryFiveSecondsIsLeftAlone) {
    Recovery recovery;
    recovery.connected(0);
    recovery.heard(20);
    for (Millis t = 5000; t < 60'000; t += 5000) {
        EXPECT_TRUE(steps(recovery, t - 5000, t).empty());
        recovery.heard(t);
    }
}

TEST(Recovery, ASilentBoardIsTakenUpTheLadderOnce) {
    Recovery recovery;
    recovery.connected(0);
    recovery.heard(0);
    const auto taken = steps(recovery, 0, 60'000);
    const std::vector<std::pair<Millis, Step>> ladder{
        {6500, Step::Ask},    {7500, Step::Resubmit}, {8500, Step::ClearHalt},
        {9500, Step::Reopen}, {11'500, Step::Reset},  {14'500, Step::GiveUp}};
    EXPECT_EQ(taken, ladder);
}

TEST(Recovery, ReopeningDoesNotBeginTheLadderAnew) {
    Recovery recovery;
    recovery.connected(0);
    auto taken = steps(recovery, 0, 4000);
    ASSERT_EQ(taken.back().second, Step::Reopen);
    recovery.disconnected(false);
    EXPECT_TRUE(steps(recovery, 4100, 9000).empty()) << "there is nothing to recover";
    recovery.connected(9000);
    taken = steps(recovery, 9000, 30'000);
    ASSERT_EQ(taken.size(), 2U);
    EXPECT_EQ(taken[0], std::pair(Millis{10'000}, Step::Reset));
    EXPECT_EQ(taken[1].second, Step::GiveUp);
}

TEST(Recovery, ABoardThatCameBackStartsAfresh) {
    Recovery recovery;
    recovery.connected(0);
    steps(recovery, 0, 60'000);
    recovery.disconnected(false);
    recovery.connected(70'000);
    EXPECT_EQ(steps(recovery, 70'000, 71'000).at(0).second, Step::Ask);
    recovery.heard(71'100);
    recovery.disconnected(true);
    recovery.connected(80'000);
    EXPECT_EQ(steps(recovery, 80'000, 81'000).at(0).second, Step::Ask);
}

}  // namespace
}  // namespace xq::hal
