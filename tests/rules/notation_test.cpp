// Moves as text: what is written where, what is read, what is refused and why.
#include "rules/notation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support.hpp"

namespace xq::rules {
namespace {

using ::testing::HasSubstr;
using tests::from_iccs;
using tests::position;
using tests::start_fen;

// Two cannons on file e and two rooks on file a, for either side.
constexpr std::string_view tandem = "r2k5/r8/4c4/9/4c4/4C4/9/4C4/R8/R4K3";
// Pawns on two files: 3 on e and 2 on c.
constexpr std::string_view pawns = "3k5/4P4/2P1P4/2P1P4/9/9/9/9/9/5K3 w";
constexpr std::string_view three = "3k5/4P4/4P4/4P4/9/9/9/9/9/5K3 w";
constexpr std::string_view four = "3k5/4P4/4P4/4P4/4P4/9/9/9/9/5K3 w";
constexpr std::string_view five = "3kP4/4P4/4P4/4P4/4P4/9/9/9/9/5K3 w";

struct Written {
    std::string_view fen;
    std::string_view move;
    std::string_view simplified;
    std::string_view traditional;
    std::string_view brief;
    std::string_view wxf;
};

class Writes : public ::testing::TestWithParam<Written> {};

TEST_P(Writes, AsCustomHasIt) {
    const Written& w = GetParam();
    const Position p = position(w.fen);
    const Move m = from_iccs(w.move);
    EXPECT_EQ(chinese(p, m), w.simplified);
    EXPECT_EQ(chinese(p, m, Script::Traditional), w.traditional);
    EXPECT_EQ(chinese_short(p, m), w.brief);
    EXPECT_EQ(wxf(p, m), w.wxf);
}

constexpr std::string_view start_black =
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b";

INSTANTIATE_TEST_SUITE_P(
    Each, Writes,
    ::testing::Values(Written{start_fen, "h2e2", "炮二平五", "炮二平五", "炮25", "C2=5"},
                      Written{start_fen, "h0g2", "马二进三", "馬二進三", "马23", "H2+3"},
                      Written{start_fen, "e0e1", "帅五进一", "帥五進一", "帅51", "K5+1"},
                      Written{start_fen, "c0e2", "相七进五", "相七進五", "相75", "E7+5"},
                      Written{start_black, "h9g7", "马8进7", "馬8進7", "马87", "H8+7"},
                      Written{start_black, "h7e7", "炮8平5", "炮8平5", "炮85", "C8=5"},
                      Written{start_black, "d9e8", "士4进5", "士4進5", "士45", "A4+5"},
                      Written{start_black, "i9i8", "车9进1", "車9進1", "车91", "R9+1"},
                      Written{start_black, "a6a5", "卒1进1", "卒1進1", "卒11", "P1+1"},
                      Written{tandem, "e4d4", "前炮平六", "前炮平六", "前炮6", "+C=6"},
                      Written{tandem, "e2d2", "后炮平六", "後炮平六", "后炮6", "-C=6"},
                      Written{tandem, "a1a3", "前车进二", "前車進二", "前车进二", "+R+2"},
                      Written{three, "e7d7", "中兵平六", "中兵平六", "中兵6", "25=6"},
                      Written{three, "e8d8", "前兵平六", "前兵平六", "前兵6", "15=6"},
                      Written{three, "e6d6", "后兵平六", "後兵平六", "后兵6", "35=6"},
                      Written{four, "e8d8", "前兵平六", "前兵平六", "前兵6", "15=6"},
                      Written{four, "e7d7", "二兵平六", "二兵平六", "二兵6", "25=6"},
                      Written{four, "e5d5", "四兵平六", "四兵平六", "四兵6", "45=6"},
                      Written{five, "e5d5", "五兵平六", "五兵平六", "五兵6", "55=6"},
                      Written{pawns, "e8d8", "一兵平六", "一兵平六", "一兵6", "15=6"},
                      Written{pawns, "e6d6", "三兵平六", "三兵平六", "三兵6", "35=6"},
                      Written{pawns, "c7d7", "四兵平六", "四兵平六", "四兵6", "17=6"},
                      Written{pawns, "c6d6", "五兵平六", "五兵平六", "五兵6", "27=6"}));

TEST(Chinese, NamesAdvisorsAndElephantsOnOneFileByTheFile) {
    const Position p = position("3k5/9/9/9/9/6B2/9/5A3/9/5ABK1 w");
    EXPECT_EQ(chinese(p, from_iccs("f2e1")), "仕四退五");
    EXPECT_EQ(chinese(p, from_iccs("f0e1")), "仕四进五");
    EXPECT_EQ(chinese(p, from_iccs("g4e2")), "相三退五");
    EXPECT_EQ(wxf(p, from_iccs("g0e2")), "E3+5");
    EXPECT_EQ(*read_move(p, "前仕退五"), from_iccs("f2e1"));
    EXPECT_EQ(*read_move(p, "后相进五"), from_iccs("g0e2"));
    EXPECT_EQ(*read_move(p, "A+-5"), from_iccs("f2e1"));
}

struct Read {
    std::string_view fen;
    std::string_view text;
    std::string_view move;
};

class Reads : public ::testing::TestWithParam<Read> {};

TEST_P(Reads, TheMoveMeant) {
    const auto& [fen, text, expected] = GetParam();
    const auto m = read_move(position(fen), text);
    ASSERT_TRUE(m) << m.error().what;
    EXPECT_EQ(*m, from_iccs(expected));
}

constexpr std::string_view tandem_black = "r2k5/r8/4c4/9/4c4/4C4/9/4C4/R8/R4K3 b";

INSTANTIATE_TEST_SUITE_P(
    Each, Reads,
    ::testing::Values(
        Read{start_fen, "h2e2", "h2e2"}, Read{start_fen, "H2-E2", "h2e2"},
        Read{start_fen, "炮２平５", "h2e2"}, Read{start_fen, "砲二平五", "h2e2"},
        Read{start_fen, "包二平五", "h2e2"}, Read{start_fen, "炮 二 平 五", "h2e2"},
        Read{start_fen, "炮　25", "h2e2"}, Read{start_fen, "傌二進三", "h0g2"},
        Read{start_fen, "俥一进一", "i0i1"}, Read{start_fen, "將五進一", "e0e1"},
        Read{start_fen, "象三进五", "g0e2"}, Read{start_fen, "士四进五", "f0e1"},
        Read{start_fen, "卒三进一", "g3g4"}, Read{start_fen, "马23", "h0g2"},
        Read{start_fen, "C2.5", "h2e2"}, Read{start_fen, "c2,5", "h2e2"},
        Read{start_fen, "h2+3", "h0g2"}, Read{start_fen, "N2+3", "h0g2"},
        Read{start_fen, "b3+5", "g0e2"}, Read{start_fen, "E3＋5", "g0e2"},
        Read{start_black, "马８进７", "h9g7"}, Read{start_black, "炮八平五", "h7e7"},
        Read{tandem, "前炮退一", "e4e3"}, Read{tandem, "炮前退一", "e4e3"},
        Read{tandem, "+C-1", "e4e3"}, Read{tandem, "C+-1", "e4e3"}, Read{tandem, "c+.6", "e4d4"},
        Read{tandem, "-C=6", "e2d2"}, Read{tandem, "C--1", "e2e1"},
        Read{tandem, "后车平八", "a0b0"}, Read{tandem_black, "後炮平4", "e7d7"},
        Read{tandem_black, "前炮平4", "e5d5"}, Read{tandem_black, "炮后平4", "e7d7"},
        Read{tandem, "前车8", "a1b1"}, Read{three, "一兵平六", "e8d8"},
        Read{three, "二兵平六", "e7d7"}, Read{three, "三兵平六", "e6d6"},
        Read{three, "前五平六", "e8d8"}, Read{three, "P+=6", "e8d8"}, Read{three, "P-=6", "e6d6"},
        Read{four, "前兵平六", "e8d8"}, Read{four, "后兵平六", "e5d5"}, Read{four, "P+=6", "e7d7"},
        Read{four, "++=6", "e8d8"}, Read{four, "--=6", "e5d5"}, Read{four, "P-=6", "e6d6"},
        Read{five, "中兵平六", "e7d7"}, Read{five, "五兵平六", "e5d5"},
        Read{pawns, "前七平六", "c7d7"}, Read{pawns, "后七平六", "c6d6"},
        Read{pawns, "前五平六", "e8d8"}, Read{pawns, "中五平六", "e7d7"},
        Read{pawns, "7+.6", "c7d7"}, Read{pawns, "5-=4", "e6f6"}, Read{pawns, "前兵平四", "e8f8"},
        Read{pawns, "前七进一", "c7c8"}, Read{pawns, "35=6", "e6d6"}));

TEST(Chinese, ShortRecordOfTheRulesSaysTheSameAsTheFullOne) {  // article 7.6
    const std::vector<std::pair<std::string, std::string>> record{
        {"炮二平五", "炮25"}, {"马8进7", "马87"},   {"马二进三", "马23"},
        {"车9平8", "车98"},   {"车一平二", "车12"}, {"炮8进4", "炮84"}};
    Position p = Position::start();
    for (const auto& [full, brief] : record) {
        const auto m = read_move(p, full);
        ASSERT_TRUE(m) << m.error().what;
        EXPECT_EQ(*read_move(p, brief), *m);
        EXPECT_EQ(chinese(p, *m), full);
        EXPECT_EQ(chinese_short(p, *m), brief);
        p.apply(*m);
    }
}

struct Refused {
    std::string_view fen;
    std::string_view text;
    std::size_t at;
    std::string_view what;
};

class RefusesText : public ::testing::TestWithParam<Refused> {};

TEST_P(RefusesText, WithTheReason) {
    const auto& [fen, text, at, what] = GetParam();
    const auto m = read_move(position(fen), text);
    ASSERT_FALSE(m) << iccs(*m);
    EXPECT_EQ(m.error().at, at);
    EXPECT_THAT(m.error().what, HasSubstr(what));
}

INSTANTIATE_TEST_SUITE_P(
    Each, RefusesText,
    ::testing::Values(
        Refused{start_fen, "", 0, "no move"}, Refused{start_fen, "炮", 0, "no move"},
        Refused{start_fen, "炮二平", 0, "no move"}, Refused{start_fen, "炮二平平", 0, "no move"},
        Refused{start_fen, "C+2", 0, "no move"}, Refused{start_fen, "=2=5", 0, "no move"},
        Refused{start_fen, "炮二走五", 6, "no notation"},
        Refused{start_fen, "Cx=5", 1, "no notation"},
        Refused{start_fen, "炮二平\xff", 9, "no notation"},
        Refused{start_fen, "h2h7", 0,
                "is not allowed: the cannon does not have exactly one screen"},
        Refused{start_fen, "h7e7", 0, "is not allowed: the piece belongs to the side not to move"},
        Refused{start_fen, "马二进四", 0, "is h0f1, which is not allowed: the knight's leg"},
        Refused{start_fen, "车a0-b1", 0, "is not allowed: the piece does not move that way"},
        Refused{start_fen, "马a0-b1", 4, "no notation"},
        Refused{start_fen, "马三进四", 0, "fits no piece of red"},
        Refused{start_fen, "前炮平五", 0, "fits no piece of red"},
        Refused{start_fen, "马二平五", 0, "fits no piece of red"},
        Refused{"3k5/9/9/9/9/9/9/9/9/4K4 w", "帅五平六", 0, "the generals would face each other"},
        Refused{tandem, "炮五平六", 0, "fits several moves: e2d2, e4d4"},
        Refused{pawns, "前兵平六", 0, "fits several moves: c7d7, e8d8"}));

TEST(Iccs, CountsRanksFromOneForPeersThatDo) {
    EXPECT_EQ(read_iccs("a10b10", 1), from_iccs("a9b9"));
    EXPECT_EQ(read_iccs("h3e3", 1), from_iccs("h2e2"));
    EXPECT_EQ(read_iccs("a1a10", 1), from_iccs("a0a9"));
    for (const auto* text : {"a0a1", "a11a1", "j1a1", "a1", "a1a", "a1--a2", "a1a2a"})
        EXPECT_EQ(read_iccs(text, 1), std::nullopt) << text;
    EXPECT_EQ(read_iccs("a10b10"), std::nullopt);
}

TEST(Notation, IllegalMovesAreWrittenForTheRecord) {
    const Position& p = Position::start();
    EXPECT_EQ(chinese(p, from_iccs("h0f1")), "马二进四");
    EXPECT_EQ(wxf(p, from_iccs("h0f1")), "H2+4");
    EXPECT_EQ(chinese(p, from_iccs("a0b1")), "车a0-b1");
    EXPECT_EQ(wxf(p, from_iccs("a0b1")), "Ra0-b1");
    EXPECT_EQ(chinese(p, from_iccs("h0h2"), Script::Traditional), "馬h0-h2");
    EXPECT_EQ(chinese(p, from_iccs("e4e5")), "e4-e5");
    EXPECT_EQ(wxf(p, from_iccs("e4e5")), "e4-e5");
    EXPECT_EQ(chinese(p, from_iccs("h7e7")), "炮8平5");  // out of turn
    EXPECT_EQ(chinese(p, from_iccs("e3e2")), "兵五退一");
    // As it were the legal move of the advisor behind: said by its place.
    EXPECT_EQ(chinese(position("3k5/9/9/9/9/9/9/3A5/9/3AK4 w"), from_iccs("d2e3")), "前仕进五");
}

/// Pawns of both sides strewn where pawns can be: several on several files.
Position many_pawns(std::mt19937_64& random) {
    Position p = position("4k4/4a4/9/9/9/9/9/9/4A4/4K4 w");
    for (const Side s : {Side::Red, Side::Black}) {
        for (int placed = 0; placed < 5;) {
            const int file = static_cast<int>(random() % 3) * 2 + static_cast<int>(random() % 2);
            const Point q = point(file, 5 + static_cast<int>(random() % 5));
            const Point at = s == Side::Red ? q : rotated(q);
            if (!p.at(at).empty()) continue;
            p.put(at, Piece(s, Kind::Pawn));
            ++placed;
        }
    }
    p.set_turn(random() % 2 == 0 ? Side::Red : Side::Black);
    return p;
}

void expect_all_moves_lead_back(const Position& p) {
    for (const Move m : legal_moves(p)) {
        for (const std::string& text :
             {iccs(m), wxf(p, m), chinese(p, m), chinese(p, m, Script::Traditional),
              chinese_short(p, m), chinese_short(p, m, Script::Traditional)}) {
            const auto read = read_move(p, text);
            ASSERT_TRUE(read) << write_fen(p) << " " << iccs(m) << " " << read.error().what;
            ASSERT_EQ(*read, m) << write_fen(p) << " " << text;
        }
    }
}

TEST(Notation, EveryMoveOfManyPawnsLeadsBack) {
    std::mt19937_64 random(7);
    for (int i = 0; i < 500; ++i) expect_all_moves_lead_back(many_pawns(random));
}

TEST(Notation, EveryMoveOfRandomGamesLeadsBack) {
    int n = 0;
    tests::for_random_positions([&](const Position& p) {
        if (++n % 16 == 0) expect_all_moves_lead_back(p);
    });
    EXPECT_GT(n, 1000);
}

}  // namespace
}  // namespace xq::rules
