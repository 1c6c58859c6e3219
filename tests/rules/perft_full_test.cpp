// Every published leaf count up to two hundred million.
#include <gtest/gtest.h>

#include "support.hpp"

namespace xq::rules {
namespace {

TEST(PerftFull, AgreesWithEveryPublishedCount) {
    const auto counts = tests::published_counts();
    EXPECT_GE(counts.size(), 80);
    for (const auto& count : counts) {
        if (count.nodes > 200'000'000) continue;
        Position p = tests::position(count.fen);
        EXPECT_EQ(perft(p, count.depth), count.nodes) << count.name << " depth " << count.depth;
    }
}

}  // namespace
}  // namespace xq::rules
