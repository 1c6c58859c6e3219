// Faults reported against programs of this kind, each as a test that names where it was reported.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support.hpp"

namespace xq::rules {
namespace {

using ::testing::HasSubstr;
using tests::from_iccs;
using tests::position;
using tests::start_fen;

Move read(const Position& p, std::string_view text) {
    return read_move(p, text).value();
}

Position played(std::string_view fen, std::initializer_list<std::string_view> moves) {
    Position p = position(fen);
    for (const auto text : moves) {
        EXPECT_TRUE(is_legal(p, from_iccs(text))) << text << " in " << write_fen(p);
        p.apply(from_iccs(text));
    }
    return p;
}

TEST(Reports, JoclyIssue30StalemateIsNoMate) {
    const Position p = position("4k4/3P1P3/9/9/9/9/9/9/9/3K5 b - - 0 1");
    EXPECT_FALSE(in_check(p, Side::Black));
    EXPECT_EQ(status(p), Status::Stalemate);
}

TEST(Reports, PychessVariantsIssue741RedStalemated) {
    const Position p = position("3k5/9/9/9/9/9/9/9/3p1p3/4K4 w - - 0 1");
    EXPECT_FALSE(in_check(p, Side::Red));
    EXPECT_EQ(status(p), Status::Stalemate);
}

TEST(Reports, XMuliChineseChessIssue13GeneralsMayNotFace) {
    const Position p = position("4k4/9/9/9/9/9/9/9/4R4/4K4 w - - 0 1");
    EXPECT_EQ(why_illegal(p, from_iccs("e1d1")), Illegal::GeneralsFacing);
}

TEST(Reports, PengjiuChineseChessIssue2GeneralOntoOpenFile) {
    const Position p = position("3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1");
    EXPECT_EQ(why_illegal(p, from_iccs("e0d0")), Illegal::GeneralsFacing);
    EXPECT_TRUE(is_suicide(why_illegal(p, from_iccs("e0d0"))));
}

TEST(Reports, FishIslandIssue89GeneralMovesAndTheGameGoesOn) {
    EXPECT_EQ(status(played(start_fen, {"e0e1"})), Status::Playing);
}

TEST(Reports, CchessZeroIssue18KnightTakes) {
    const Position p = played("4k4/9/9/9/9/3p5/9/4N4/9/3K5 w - - 0 1", {"e2d4"});
    EXPECT_TRUE(p.at(*point_named("d4")).is(Side::Red, Kind::Knight));
    EXPECT_EQ(p.pieces(Side::Black).size(), 1);
}

TEST(Reports, PythonChineseChessIssue3OrdinalsOverStacks) {
    const Position p = position("3k5/9/2P1P4/2P1P4/9/9/9/9/9/4K4 w - - 0 1");
    EXPECT_EQ(read(p, "三兵平六"), from_iccs("c7d7"));
    // The elephant's table ends at the last point of the board.
    EXPECT_FALSE(attacks(position("4k1b2/9/9/9/9/9/9/9/9/4K1B2 w"), *point_named("g9"), 89));
}

TEST(Reports, PythonChineseChessIssue4FirstPawnOfOneStack) {
    const Position p = position("1R1cka3/4a4/9/9/p8/p8/p8/p8/9/4K4 b - - 9 5");
    EXPECT_EQ(read(p, "一卒进1"), from_iccs("a2a1"));
    EXPECT_EQ(read(p, "前卒进1"), from_iccs("a2a1"));
}

TEST(Reports, XMuliChineseChessIssue16CheckIsNoMate) {
    const Position p = position("4k4/4a4/9/4C4/9/9/9/9/4A4/4K4 b - - 0 1");
    EXPECT_TRUE(in_check(p, Side::Black));
    EXPECT_EQ(status(p), Status::Playing);
}

TEST(Reports, PychessVariantsIssue843TheScreenMovesAway) {
    const Position p = played("c3k2C1/4a4/6R2/9/9/9/9/9/9/3K5 w - - 0 1", {"g7g9"});
    const MoveList answers = legal_moves(p);
    ASSERT_EQ(answers.size(), 1);
    EXPECT_EQ(answers[0], from_iccs("e8f9"));
}

TEST(Reports, XechatIdeaIssue83TheFileBetweenGeneralsStaysClosed) {
    const Position p = position("4k4/9/9/9/9/4N4/9/9/9/4K4 w - - 0 1");
    EXPECT_EQ(why_illegal(p, from_iccs("e4d6")), Illegal::GeneralsFacing);
}

TEST(Reports, PychessVariantsIssue53OnePawnIsNoDraw) {
    EXPECT_EQ(status(position("4k4/9/9/9/4P4/9/9/9/9/4K4 w - - 0 1")), Status::Playing);
}

TEST(Reports, LigroundIssue187CountersAreMissing) {
    EXPECT_EQ(write_fen(position(start_fen.substr(0, start_fen.find(" -")))), start_fen);
}

TEST(Reports, FairyStockfishIssue219FieldsExplained) {
    EXPECT_EQ(position("4k4/9/9/9/9/9/8r/4B4/4A4/2B1KA3 w - - 0 1").turn(), Side::Red);
}

TEST(Reports, XiangqiSetupIssue2LettersOfXieXie) {
    const Position p = position("rheakae1r/9/1c4hc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RHEAKAEHR b");
    EXPECT_EQ(p.turn(), Side::Black);
    EXPECT_TRUE(p.at(*point_named("g7")).is(Side::Black, Kind::Knight));
    EXPECT_TRUE(p.at(*point_named("c0")).is(Side::Red, Kind::Elephant));
}

TEST(Reports, XiangqiSetupIssue7PositionsNoGameReaches) {
    const auto why = unreachable(position("4k4/9/9/9/9/9/1P7/9/9/4K4 w - - 0 1"));
    ASSERT_TRUE(why);
    EXPECT_THAT(*why, HasSubstr("Red pawn on b3 cannot be there"));
    EXPECT_THAT(*why, HasSubstr("a, c, e, g and i"));
}

TEST(Reports, PychessVariantsIssue920NoSideToMove) {
    EXPECT_EQ(position(start_fen.substr(0, start_fen.find(' '))).turn(), Side::Red);
}

TEST(Reports, FairyStockfishIssue395TwoStacksOfPawns) {
    const Position p = position("4k4/9/2P1P4/2P1P4/9/9/9/9/9/4K4 w - - 0 1");
    const auto front = read_move(p, "前兵平六");
    ASSERT_FALSE(front);
    EXPECT_THAT(front.error().what, HasSubstr("c7d7, e7d7"));
    EXPECT_EQ(read(p, "前七平六"), from_iccs("c7d7"));
    EXPECT_EQ(read(p, "三兵平六"), from_iccs("c7d7"));
    EXPECT_EQ(read(p, "前五平六"), from_iccs("e7d7"));
    EXPECT_EQ(read(p, "一兵平六"), from_iccs("e7d7"));
    EXPECT_NE(wxf(p, from_iccs("c7d7")), wxf(p, from_iccs("e7d7")));
}

TEST(Reports, PychessVariantsIssue58NoNeedlessDisambiguation) {
    EXPECT_EQ(chinese(Position::start(), from_iccs("h0g2")), "马二进三");
    EXPECT_EQ(wxf(Position::start(), from_iccs("h0g2")), "H2+3");
}

TEST(Reports, PychessVariantsIssue437PointsAndSmallLetters) {
    Position p = Position::start();
    EXPECT_EQ(read(p, "C2.5"), from_iccs("h2e2"));
    EXPECT_EQ(read(p, "C2,5"), from_iccs("h2e2"));
    p.apply(from_iccs("h2e2"));
    EXPECT_EQ(read(p, "h8+7"), from_iccs("h9g7"));
}

TEST(Reports, XMuliChineseChessIssue33ThreePawnsOnAFile) {
    const Position p = position("3k5/4P4/4P4/4P4/9/9/9/9/9/5K3 w - - 0 1");
    EXPECT_EQ(read(p, "中兵平六"), from_iccs("e7d7"));
}

TEST(Reports, XiangqiJsIssue12HandicapStart) {
    constexpr std::string_view handicap =
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/9/1C5C1/9/RN2K2NR w - - 0 1";
    const Position p = played(handicap, {"b2e2", "h7e7", "e2e7"});
    EXPECT_EQ(p.pieces(Side::Black).size(), 15);
    Position standard = Position::start();
    standard.apply(from_iccs("b2e2"));
    standard.apply(from_iccs("h7e7"));
    EXPECT_EQ(why_illegal(standard, from_iccs("e2e7")), Illegal::NoScreen);
}

TEST(Reports, PythonChineseChessIssue11FilesToIAndRanksToNine) {
    played(start_fen, {"i0i1", "i9i8"});
}

TEST(Reports, FairyStockfishIssue194RanksFromOne) {
    EXPECT_EQ(read_iccs("a10b10", 1), from_iccs("a9b9"));
    EXPECT_EQ(read_iccs("a9b9"), from_iccs("a9b9"));
}

TEST(Reports, XiangqiIssue57FullWidthDigits) {
    Position p = Position::start();
    for (const auto* text : {"炮二平五", "马８进７", "马二进三", "卒７进１"})
        p.apply(read(p, text));
    EXPECT_EQ(write_fen(p),
              "rnbakab1r/9/1c4nc1/p1p1p3p/6p2/9/P1P1P1P1P/1C2C1N2/9/RNBAKAB1R w - - 4 3");
}

TEST(Reports, EleeyeIssue5TheTakerIsNoScreenForTheProtector) {
    const Position p = position("4k4/9/9/9/9/c1R2c3/9/9/9/4K4 w - - 0 1");
    EXPECT_TRUE(attacked(p, *point_named("a4"), Side::Black));
    EXPECT_FALSE(attacked(p.after(from_iccs("c4a4")), *point_named("a4"), Side::Black));
}

TEST(Reports, FairyStockfishIssue938PinnedKnight) {
    const Position p = position("4k4/9/9/9/9/9/9/4c4/9/3K1N2r w");
    EXPECT_EQ(why_illegal(p, from_iccs("f0e2")), Illegal::GeneralUncovered);
}

TEST(Reports, PychessVariantsIssue970EveryMoveChecks) {
    Position p = position("5k3/9/9/9/9/9/9/9/8R/3K5 w - - 0 1");
    for (const auto* text : {"i1f1", "f9e9", "f1e1", "e9f9", "e1f1", "f9e9", "f1e1"}) {
        ASSERT_TRUE(is_legal(p, from_iccs(text))) << text;
        p.apply(from_iccs(text));
        EXPECT_EQ(in_check(p, p.turn()), p.turn() == Side::Black);
    }
}

TEST(Reports, PikafishIssue145NoMateOnTheBoard) {
    EXPECT_EQ(status(position("3ak1b2/4a4/9/8p/3P5/4R3P/7n1/4B4/1Cr1A4/3AK1B2 w - - 0 1")),
              Status::Playing);
}

TEST(Reports, OrangeXiangqiIssue8ReadsAsPlaying) {
    EXPECT_EQ(status(position("3aka3/4n4/9/9/9/9/9/2C6/6r2/3AK4 b - - 0 1")), Status::Playing);
}

TEST(Reports, ChildhoodIssue74MateIsFound) {
    EXPECT_EQ(status(position("3k5/3R5/3R5/9/9/9/9/9/9/4K4 b - - 0 1")), Status::Checkmate);
}

}  // namespace
}  // namespace xq::rules
