#include "rules/natural_limit.hpp"

#include "support.hpp"

#include <gtest/gtest.h>

namespace xq::rules::tests {
namespace {

/// `rounds` rounds of a cycle of two rounds.
std::vector<Move> rounds_of(std::string_view cycle, int rounds) {
    std::vector<Move> all;
    for (int i = 0; i < rounds / 2; ++i)
        for (const auto& w : words(cycle)) all.push_back(from_iccs(w));
    return all;
}

TEST(NaturalLimit, CountsRoundsWithoutACapture) {
    const Position start = position("3k5/9/9/9/9/9/9/9/9/5K3 w - - 0 1");
    const auto moves = rounds_of("f0f1 d9d8 f1f0 d8d9", 60);
    const Stage before = natural_stage({start, std::span(moves).first(119)});
    EXPECT_FALSE(before.reached(Side::Red, 60));
    const Stage stage = natural_stage({start, moves});
    EXPECT_EQ(stage.plies, 120);
    EXPECT_EQ(stage.rounds_for(Side::Red), 60);
    EXPECT_TRUE(stage.reached(Side::Black, 60));
}

TEST(NaturalLimit, CountsTenChecksOfTheClaimantAtMost) {
    const Position start = position("5k3/9/9/9/9/9/9/9/8R/3K5 w - - 0 1");
    auto moves = rounds_of("i1f1 f9e9 f1e1 e9f9", 2);
    for (const Move m : rounds_of("e1f1 f9e9 f1e1 e9f9", 58)) moves.push_back(m);
    const Stage stage = natural_stage({start, moves});
    EXPECT_EQ(stage.plies, 120);
    EXPECT_EQ(stage.red_checks, 60);
    EXPECT_EQ(stage.rounds_for(Side::Red), 10);
    EXPECT_EQ(stage.rounds_for(Side::Black), 60);
}

TEST(NaturalLimit, BeginsAnewWithACapture) {
    const Position start = position("3k5/9/9/9/9/9/9/9/4p4/4K4 w - - 30 1");
    const std::vector<Move> moves{from_iccs("e0e1"), from_iccs("d9d8"), from_iccs("e1e0")};
    const Stage stage = natural_stage({start, moves});
    EXPECT_EQ(stage.from_ply, 2);
    EXPECT_EQ(stage.plies, 2);
    EXPECT_EQ(natural_stage({start, {}}).plies, 30);
}

TEST(NaturalLimit, TellsWhenNobodyCanWin) {
    EXPECT_TRUE(no_winner_possible(position("3ak1b2/4a4/9/9/9/9/9/9/4A4/3AK1B2 w - - 0 1")));
    EXPECT_FALSE(no_winner_possible(position("3ak4/9/9/9/9/4P4/9/9/9/3AK4 w - - 0 1")));
    EXPECT_FALSE(no_winner_possible(position("3ak4/9/9/9/9/9/9/9/4c4/3AK4 w - - 0 1")));
    EXPECT_FALSE(no_winner_possible(Position::start()));
}

}  // namespace
}  // namespace xq::rules::tests
