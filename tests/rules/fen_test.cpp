// FEN: read wide, written narrow, refused with place and reason; positions no game can reach.
#include "rules/fen.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support.hpp"

namespace xq::rules {
namespace {

using ::testing::HasSubstr;
using tests::for_random_positions;
using tests::position;
using tests::start_fen;

TEST(Fen, WritesWhatItRead) {
    for_random_positions([](const Position& p) {
        const auto again = read_fen(write_fen(p));
        ASSERT_TRUE(again);
        EXPECT_EQ(*again, p);
        EXPECT_EQ(write_fen(*again), write_fen(p));
    });
}

TEST(Fen, StartIsWrittenAsEveryoneWritesIt) {
    EXPECT_EQ(write_fen(Position::start()), start_fen);
}

TEST(Fen, FieldsMayBeAbsent) {
    for (const std::size_t end :
         {start_fen.find(" w"), start_fen.find(" -"), start_fen.find(" 0"), start_fen.size()}) {
        const auto p = read_fen(start_fen.substr(0, end));
        ASSERT_TRUE(p) << p.error().what;
        EXPECT_EQ(write_fen(*p), start_fen);
    }
}

TEST(Fen, SpellingsOfOthersAreRead) {
    const Position black = Position::start().passed();
    EXPECT_EQ(position("rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR r"),
              Position::start());
    EXPECT_EQ(position("  rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR\tb\n"),
              black);
    EXPECT_EQ(position("rnbakabnr/111111111/1c5c1/p1p1p1p1p/45/9/P1P1P1P1P/1C5C1/9/RNBAKABNR"),
              Position::start());
}

TEST(Fen, CountersAreRead) {
    const Position p = position("4k4/9/9/9/9/9/9/9/9/3K5 b - - 57 90");
    EXPECT_EQ(p.since_capture(), 57);
    EXPECT_EQ(p.round(), 90);
    EXPECT_EQ(position("4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 0").round(), 1);
}

struct Refusal {
    std::string_view fen;
    std::size_t at;
    std::string_view what;
};

class FenRefused : public ::testing::TestWithParam<Refusal> {};

TEST_P(FenRefused, SaysWhereAndWhy) {
    const auto [fen, at, what] = GetParam();
    const auto p = read_fen(fen);
    ASSERT_FALSE(p);
    EXPECT_EQ(p.error().at, at);
    EXPECT_THAT(p.error().what, HasSubstr(what));
}

INSTANTIATE_TEST_SUITE_P(
    Each, FenRefused,
    ::testing::Values(
        Refusal{"", 0, "empty"}, Refusal{"   ", 0, "empty"},
        Refusal{"4k4/9/9/9/9/9/9/9/3K5 w", 21, "only 9 of 10 ranks"},
        Refusal{"4k4/9/9/9/9/9/9/9/9/9/3K5 w", 21, "more than 10 ranks"},
        Refusal{"4k4/8/9/9/9/9/9/9/9/3K5 w", 5, "rank 8 ends after 8 of 9 points"},
        Refusal{"4k4/9/9/9/9/9/9/9/9/3K4 w", 23, "rank 0 ends after 8 of 9 points"},
        Refusal{"4k5/9/9/9/9/9/9/9/9/3K5 w", 2, "rank 9 has more than 9 points"},
        Refusal{"  4k4/9/9/4x4/9/9/9/9/9/3K5 w", 11, "'x' is neither"},
        Refusal{"4k4/90/9/9/9/9/9/9/9/3K5 w", 5, "'0' is neither"},
        Refusal{"4k4/9/9/9/9/9/9/9/9/3K5 x", 24, "side to move is w (or r) or b, not 'x'"},
        Refusal{"4k4/9/9/9/9/9/9/9/9/3K5 w KQ - 0 1", 26, "field 3 is '-' in xiangqi, not 'KQ'"},
        Refusal{"4k4/9/9/9/9/9/9/9/9/3K5 w - e3 0 1", 28, "field 4 is '-'"},
        Refusal{"4k4/9/9/9/9/9/9/9/9/3K5 w - - x 1", 30, "plies since a capture"},
        Refusal{"4k4/9/9/9/9/9/9/9/9/3K5 w - - -1 1", 30, "not '-1'"},
        Refusal{"4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1e3", 32, "number of the round"},
        Refusal{"4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 99999999999999999999", 32, "up to 9999"},
        Refusal{"4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1 moves", 34, "more than 6 fields"}));

TEST(Unreachable, GivesNoReasonForPositionsOfGames) {
    for (const auto& game : tests::recorded_games()) {
        Position p = position(game.start_fen);
        for (const Move m : game.moves) {
            EXPECT_EQ(unreachable(p), std::nullopt) << game.id << " " << write_fen(p);
            p.apply(m);
        }
    }
}

class UnreachableBecause
    : public ::testing::TestWithParam<std::pair<std::string_view, std::string_view>> {};

TEST_P(UnreachableBecause, SaysTheReason) {
    const auto [fen, reason] = GetParam();
    const auto why = unreachable(position(fen));
    ASSERT_TRUE(why);
    EXPECT_THAT(*why, HasSubstr(reason));
}

INSTANTIATE_TEST_SUITE_P(
    Each, UnreachableBecause,
    ::testing::Values(
        std::pair{"9/9/9/9/9/9/9/9/9/3K5 w", "Black has no general"},
        std::pair{"4k4/9/9/9/9/9/9/9/9/9 w", "Red has no general"},
        std::pair{"4k4/9/9/9/9/9/9/9/9/3KK4 w", "Red has 2 generals"},
        std::pair{"4k4/9/9/9/9/RRR6/9/9/9/3K5 w", "Red has 3 rooks, more than the 2"},
        std::pair{"4k4/9/p1p1p1p1p/p8/9/9/9/9/9/3K5 w", "Black has 6 pawns"},
        std::pair{"4k4/9/9/9/9/9/4K4/9/9/9 w", "Red general on e3 cannot be there"},
        std::pair{"2k6/9/9/9/9/9/9/9/9/3K5 w", "Black general on c9"},
        std::pair{"4k4/9/9/9/9/9/9/9/3A5/4K4 w", "Red advisor on d1"},
        std::pair{"4k4/3a5/9/9/9/9/9/9/9/3K5 w", "Black advisor on d8"},
        std::pair{"4k4/9/9/9/9/9/9/9/B8/3K5 w", "Red elephant on a1"},
        std::pair{"4k4/9/9/9/9/9/9/9/9/B2K5 w", "Red elephant on a0"},
        std::pair{"4k4/9/9/9/9/9/9/2B6/9/3K5 w", "Red elephant on c2"},
        std::pair{"4k4/9/9/2B6/9/9/9/9/9/3K5 w", "Red elephant on c6"},
        std::pair{"4k4/9/9/9/4b4/9/9/9/9/3K5 w", "Black elephant on e5"},
        std::pair{"4k4/9/9/9/9/9/1P7/9/9/3K5 w", "Red pawn on b3"},
        std::pair{"4k4/9/9/9/9/9/9/P8/9/3K5 w", "Red pawn on a2"},
        std::pair{"4k4/9/9/9/1p7/9/9/9/9/3K5 w", "Black pawn on b5"},
        std::pair{"4k4/9/9/9/9/P8/P8/9/9/3K5 w", "Red pawns on a3 and a4"},
        std::pair{"4k4/9/9/9/9/9/9/9/9/4K4 w", "generals on e0 and e9 face each other"},
        std::pair{"4k4/9/9/9/9/9/9/9/4R4/3K5 w", "Black is in check, but Red is to move"}));

TEST(Unreachable, KnowsTheSevenPointsOfEachElephant) {
    for (const Side s : {Side::Red, Side::Black}) {
        int allowed = 0;
        for (Point q = 0; q < points; ++q) {
            Position p;
            p.put(*point_named("d0"), Piece(Side::Red, Kind::General));
            p.put(*point_named("f9"), Piece(Side::Black, Kind::General));
            if (!p.at(q).empty()) continue;
            p.put(q, Piece(s, Kind::Elephant));
            if (!unreachable(p)) ++allowed;
        }
        EXPECT_EQ(allowed, 7);
    }
}

}  // namespace
}  // namespace xq::rules
