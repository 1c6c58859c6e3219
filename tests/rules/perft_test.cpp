// Move generation against published leaf counts; the largest are in perft_full_test.
#include <gtest/gtest.h>

#include "support.hpp"

namespace xq::rules {
namespace {

TEST(Perft, AgreesWithPublishedCountsUpToFiveMillion) {
    int compared = 0;
    for (const auto& count : tests::published_counts()) {
        if (count.nodes > 5'000'000) continue;
        Position p = tests::position(count.fen);
        EXPECT_EQ(perft(p, count.depth), count.nodes) << count.name << " depth " << count.depth;
        EXPECT_EQ(p, tests::position(count.fen));
        ++compared;
    }
    EXPECT_GT(compared, 80);
}

TEST(Perft, CountsThePositionItselfAtDepthNone) {
    Position p = Position::start();
    EXPECT_EQ(perft(p, 0), 1);
}

}  // namespace
}  // namespace xq::rules
