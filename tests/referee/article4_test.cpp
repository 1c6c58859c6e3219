// Chapters 1 to 4 of the 2010 rules: the board, the moves, how a game is lost and drawn; with the
// fouls of 9.1 that belong to them. Each test bears the number of its article (ARTICLES.md).
#include "tests/referee/evening.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

namespace {

using namespace xq;
using namespace xq::test;
using protocol::ButtonKind;
using protocol::Code;
using referee::Level;
using rules::Side;
using testing::HasSubstr;

/// The evidence of the last ruling of a code.
boost::json::object evidence(const Evening& e, Code code) {
    boost::json::object found;
    for (const auto& m : e.messages())
        if (const auto* r = std::get_if<protocol::message::Ruling>(&m.body); r && r->code == code)
            found = r->evidence;
    return found;
}

std::string confirm(Evening& e, Code code) {
    return e.call("ruling.confirm", "\"id\":" + std::to_string(e.id(code)));
}
std::string dismiss(Evening& e, Code code) {
    return e.call("ruling.dismiss", "\"id\":" + std::to_string(e.id(code)));
}

}  // namespace

TEST(Article1_1, FilesAreNamedFromEachSidesRight) {
    Evening e;
    e.play("h2e2 h9g7");
    std::vector<std::string> zh;
    for (const auto& m : e.messages())
        if (const auto* p = std::get_if<protocol::message::Ply>(&m.body); p && p->final)
            zh.push_back(p->zh);
    EXPECT_EQ(zh, (std::vector<std::string>{"炮二平五", "马8进7"}));
}

TEST(Article1_3, TheArrayIsHeldAgainstTheStartPointByPoint) {
    // b0 and c0 exchanged, the rook of i0 on e5.
    const auto said = replay(regulations(), log(R"(0 hello identity press buttons
        0 board rnbakabnr/9/1c5c1/p1p1p1p1p/4R4/9/P1P1P1P1P/1C5C1/9/RBNAKABN1)"),
                             3000);
    std::string differs;
    for (const auto& m : said.messages)
        if (const auto* b = std::get_if<protocol::message::Board>(&m.body)) {
            differs.clear();
            for (const auto& x : b->missing) differs += "-" + rules::name(x.point) + x.piece;
            for (const auto& x : b->extra) differs += "+" + rules::name(x.point) + x.piece;
        }
    EXPECT_EQ(differs, "-b0N-c0B-i0R+b0B+c0N+e5R");
    EXPECT_FALSE(said.last().in_sync);
    EXPECT_TRUE(said.last().rulings.empty());
}

TEST(Article1_3, SetUpPointByPointItEndsInOrder) {
    Evening e;
    e.wait(2000).lift("b0").wait(2000).lift("c0").wait(3000);
    EXPECT_EQ(e.board(), "missing b0 N; missing c0 B");
    e.drop("c0").wait(2000);
    EXPECT_EQ(e.board(), "missing b0 N");  // what is in order again is told too
    e.drop("b0").wait(2000);
    EXPECT_EQ(e.board(), "");
    e.play("h2e2");
    EXPECT_EQ(e.record(), "h2e2");
}

namespace {

struct Broken {
    const char* fen;
    const char* move;
    const char* why;
};
// One for each way to break the rules of movement (2.1-2.3).
constexpr auto broken = std::to_array<Broken>({
    {"3k5/9/9/9/9/9/9/9/4N4/4K4 w", "e1e3", "does not move"},
    {"3k5/9/9/9/9/9/9/4P4/4N4/4K4 w", "e1d3", "leg"},
    {"3k5/9/9/9/9/9/9/9/3P5/2B1K4 w", "c0e2", "eye"},
    {"3k5/9/9/9/9/9/9/9/R2P5/4K4 w", "a1e1", ""},
    {"3k5/9/9/9/9/9/9/9/C2p5/4K4 w", "a1d1", "screen"},
    {"3k5/9/9/9/9/9/9/9/9/5K2R w", "f0g0", "palace"},
    {"3k5/9/9/9/9/9/9/9/9/3AK3R w", "d0c1", "palace"},
    {"3k5/9/9/9/9/4B4/9/9/9/4K3R w", "e4g6", "river"},
    {"3k5/9/9/9/4P4/9/9/9/9/4K4 w", "e5e4", "back"},
    {"3k5/9/9/9/9/4P4/9/9/9/4K4 w", "e4f4", ""},
});

}  // namespace

TEST(Article2_1, EachWayToBreakTheRulesOfMovementIsNamed) {
    for (const Broken& b : broken) {
        Evening e(regulations(), b.fen);
        e.wait(3000).put(b.move).wait(600).press().wait(1000);
        EXPECT_EQ(e.told(Code::IllegalMove), "red loss 4.1.8 proposed") << b.move;
        EXPECT_EQ(e.record(), "") << b.move;
        EXPECT_THAT(std::string(evidence(e, Code::IllegalMove)["why"].as_string()),
                    HasSubstr(b.why));
    }
}

TEST(Article2_1, MovingOutOfTurnIsReported) {
    Evening e;
    e.play("h2e2 h9g7").wait(3000).put("b9c7").wait(3000);
    EXPECT_EQ(e.told(Code::OutOfTurn), "black warning 2.1 proposed");
    EXPECT_EQ(evidence(e, Code::OutOfTurn)["hand_seen"], boost::json::value(false));
    EXPECT_EQ(e.record(), "h2e2 h9g7");
    EXPECT_EQ(e.faults(), "");
}

namespace {

struct Suicide {
    const char* name;
    const char* fen;
    const char* move;
};
constexpr auto suicides = std::to_array<Suicide>({
    {"facing", "4k4/9/9/9/9/9/4R4/9/9/4K4 w", "e3d3"},
    {"into capture", "3k5/9/9/9/9/9/9/9/r8/4K4 w", "e0e1"},
    {"uncovered", "3k5/9/9/9/4r4/9/4N4/9/9/4K4 w", "e3c4"},
    {"check not answered", "3k5/9/9/9/4r4/9/9/9/R8/4K4 w", "a1a2"},
});

}  // namespace

TEST(Article3_4, SuicideLosesAtOnceAtEveryLevel) {
    for (const Suicide& s : suicides)
        for (const Level level : {Level::National, Level::Provincial, Level::Youth}) {
            Evening e(at_level(level), s.fen);
            e.wait(3000).put(s.move).wait(600).press().wait(1000);
            EXPECT_EQ(e.told(Code::Suicide), "red loss 3.4, 4.1.3 confirmed") << s.name;
            EXPECT_EQ(e.result(), "0-1 suicide") << s.name;
            EXPECT_EQ(e.record(), "") << s.name;
        }
}

TEST(Article3_4, ProposedItStopsBothClocksUntilItIsRuled) {
    Evening e(regulations(), suicides[0].fen);
    e.wait(3000).put("e3d3").wait(600).press().wait(1000);
    EXPECT_EQ(e.told(Code::Suicide), "red loss 3.4, 4.1.3 proposed");
    EXPECT_EQ(e.result(), "");
    EXPECT_EQ(e.running(), std::nullopt);
    EXPECT_EQ(confirm(e, Code::Suicide), "");
    EXPECT_EQ(e.result(), "0-1 suicide");
}

TEST(Article3_4, DismissedItIsPutBackAndTheMoverGoesOn) {
    Evening e(regulations(), suicides[0].fen);
    e.wait(3000).put("e3d3").wait(600).press().wait(1000);
    EXPECT_EQ(dismiss(e, Code::Suicide), "");
    EXPECT_EQ(e.running(), Side::Red);
    e.lift("d3").wait(500).drop("e3").wait(2000).play("e3e4");
    EXPECT_EQ(e.record(), "e3e4");
}

TEST(Article3_4, ItMayBeLetStand) {
    Evening e(regulations(), suicides[3].fen);
    e.wait(3000).put("a1a2").wait(600).press().wait(1000);
    e.refused("game.stand", R"("ply":2)");
    EXPECT_EQ(e.call("game.stand", R"("ply":1)"), "");
    EXPECT_EQ(e.record(), "a1a2");
    EXPECT_EQ(e.told(Code::Suicide), "red loss 3.4, 4.1.3 dismissed");
    EXPECT_EQ(e.running(), Side::Black);
    e.refused("game.stand", R"("ply":1)");
}

TEST(Article4_1_1, MateEndsTheGameWhenItIsAtRest) {
    Evening e(automatic(), "3k5/9/9/9/9/9/9/8R/R8/4K4 w");
    e.wait(3000).put("i2i9").wait(3000);
    EXPECT_EQ(e.result(), "");  // a1 and i9: no mate yet, the general goes up
    Evening mate(automatic(), "3k5/R8/9/9/9/9/9/8R/9/4K4 w");
    mate.wait(3000).put("i2i9").wait(3000);
    EXPECT_EQ(mate.record(), "i2i9");
    EXPECT_EQ(mate.told(Code::Checkmate), "black loss 4.1.1 confirmed");
    EXPECT_EQ(mate.result(), "1-0 checkmate");
}

TEST(Article4_1_1, ProposedItWaitsForTheArbiter) {
    Evening e(regulations(), "3k5/R8/9/9/9/9/9/8R/9/4K4 w");
    e.play("i2i9");
    EXPECT_EQ(e.told(Code::Checkmate), "black loss 4.1.1 proposed");
    EXPECT_EQ(e.result(), "");
    EXPECT_EQ(e.running(), std::nullopt);
    confirm(e, Code::Checkmate);
    EXPECT_EQ(e.result(), "1-0 checkmate");
}

TEST(Article4_1_2, StalemateLoses) {
    Evening e(automatic(), "3k5/9/4P4/9/9/9/9/9/9/4K4 w");
    e.play("e7e8");
    EXPECT_EQ(e.told(Code::Stalemate), "black loss 4.1.2 confirmed");
    EXPECT_EQ(e.result(), "1-0 stalemate");
}

TEST(Article4_1_7, LatenessIsTheArbitersWord) {
    for (const auto& [result, wanted] : {std::pair("0-1", "0-1 late"), std::pair("1-0", "1-0 late"),
                                         std::pair("0-0", "0-0 late")}) {
        Evening e;
        e.wait(60'000);
        EXPECT_EQ(
            e.call("game.result", std::string(R"("reason":"late","result":")") + result + "\""),
            "");
        EXPECT_EQ(e.result(), wanted);
        EXPECT_EQ(e.record(), "");
        e.refused("resign", R"("side":"red")");
    }
}

TEST(Article4_1_8, AtNationalLevelOneLoses) {
    Evening e(at_level(Level::National));
    e.play("h2e2 h9g7").wait(3000).put("b0b3").wait(600).press().wait(1000);
    EXPECT_EQ(e.told(Code::IllegalMove), "red loss 4.1.8 confirmed");
    EXPECT_EQ(e.result(), "0-1 illegal_move");
    EXPECT_EQ(e.record(), "h2e2 h9g7");
}

TEST(Article4_1_8, BelowItTheFirstIsAFoulTheSecondLoses) {
    for (const Level level : {Level::Provincial, Level::Youth}) {
        Evening e(at_level(level));
        e.play("h2e2 h9g7").wait(3000).put("b0b3").wait(600).press().wait(2000);
        EXPECT_EQ(e.told(Code::IllegalMove), "red foul 9.1.8 confirmed");
        e.lift("b3").wait(500).drop("b0").wait(2000).play("b0c2 b9c7");
        e.wait(3000).put("h0h1").wait(600).press().wait(1000);
        EXPECT_EQ(e.told(Code::IllegalMove), "red foul 9.1.8 confirmed; red loss 4.1.8 confirmed");
        EXPECT_EQ(e.result(), "0-1 illegal_move");
    }
}

TEST(Article4_1_8, TheFirstOfEachSideIsAFoul) {
    Evening e(at_level(Level::Youth));
    e.play("h2e2 h9g7").wait(3000).put("b0b3").wait(600).press().wait(2000);
    e.lift("b3").wait(500).drop("b0").wait(2000).play("b0c2");
    e.wait(3000).put("b9b6").wait(600).press().wait(2000);
    EXPECT_EQ(e.told(Code::IllegalMove), "red foul 9.1.8 confirmed; black foul 9.1.8 confirmed");
    EXPECT_EQ(e.result(), "");
}

TEST(Article4_1_8, ProposedBothClocksStopUntilItIsRuled) {
    auto r = regulations();
    r.level = Level::Provincial;
    Evening e(r);
    e.play("h2e2 h9g7").wait(3000).put("b0b3").wait(600).press().wait(5000);
    const auto left = e.left(Side::Red);
    EXPECT_EQ(e.running(), std::nullopt);
    EXPECT_EQ(e.wait(60'000).left(Side::Red), left);
    EXPECT_EQ(confirm(e, Code::IllegalMove), "");
    EXPECT_EQ(e.running(), Side::Red);
    EXPECT_EQ(e.told(Code::IllegalMove), "red foul 9.1.8 confirmed");
}

TEST(Article4_1_8, AnIllegalPlyMayBeLetStandAndItsFoulCounts) {
    auto r = regulations();
    r.level = Level::Provincial;
    Evening e(r);
    e.play("h2e2 h9g7").wait(3000).put("b0b3").wait(600).press().wait(1000);
    EXPECT_EQ(e.call("game.stand", R"("ply":3)"), "");
    EXPECT_EQ(e.record(), "h2e2 h9g7 b0b3");
    EXPECT_EQ(e.status().at("fouls").as_object().at("red"), 1);
    EXPECT_EQ(e.running(), Side::Black);
    e.play("b9c7");
    EXPECT_EQ(e.record(), "h2e2 h9g7 b0b3 b9c7");
}

TEST(Article4_1_8, WithoutAPressAtRest) {
    Evening e(settling(at_level(Level::National)));
    e.wait(3000).put("h2e2").wait(2000).put("h9g7").wait(2000).put("b0b3").wait(4000);
    EXPECT_EQ(e.told(Code::IllegalMove), "red loss 4.1.8 confirmed");
    EXPECT_EQ(e.result(), "0-1 illegal_move");
}

TEST(Article4_1_9, ThePressWithoutAMoveIsAFoulTheSecondLoses) {
    Evening e(automatic());
    e.play("h2e2 h9g7").wait(3000).press(Side::Red).wait(1000);
    EXPECT_EQ(e.told(Code::PressWithoutMove), "red foul 9.1.7 confirmed");
    EXPECT_EQ(e.running(), Side::Red);  // it does not switch the clock
    e.play("h0g2 i9h9").wait(2000).touch("i0", 40).wait(1000).press(Side::Red).wait(1000);
    EXPECT_EQ(e.told(Code::PressWithoutMove), "red foul 9.1.7 confirmed; red loss 4.1.9 confirmed");
    EXPECT_EQ(e.result(), "0-1 press_without_move");
}

TEST(Article4_1_9, DismissedTheNextIsTheFirst) {
    Evening e;
    e.play("h2e2 h9g7").wait(3000).press(Side::Red).wait(1000);
    EXPECT_EQ(dismiss(e, Code::PressWithoutMove), "");
    e.play("h0g2 i9h9").wait(3000).press(Side::Red).wait(1000);
    EXPECT_EQ(e.told(Code::PressWithoutMove), "red foul 9.1.7 dismissed; red foul 9.1.7 proposed");
}

TEST(Article4_1_9, ThePressOfTheOtherSideIsNeverAFault) {
    Evening e(automatic());
    e.play("h2e2").wait(500).press(Side::Red).wait(2000).press(Side::Red).wait(2000);
    EXPECT_EQ(e.faults(), "");
    EXPECT_EQ(e.running(), Side::Black);
}

TEST(Article4_1_9, TwoMovelessPressesAreASilentBoard) {
    Evening e;
    e.play("h2e2 h9g7").wait(4000).press(Side::Red).wait(4000).press(Side::Black).wait(2000);
    EXPECT_EQ(e.told(Code::PressWithoutMove), "red foul 9.1.7 dismissed");
    EXPECT_EQ(e.board(), "silent");
    e.play("h0g2");
    EXPECT_EQ(e.board(), "");
    EXPECT_EQ(e.record(), "h2e2 h9g7 h0g2");
}

TEST(Article4_1_10, ThreeFoulsLose) {
    Evening e;
    e.play("h2e2");
    for (int i = 0; i < 2; ++i) e.call("foul.add", R"("side":"red","reason":"talking")");
    e.call("foul.add", R"("side":"black","reason":"talking")");
    EXPECT_EQ(e.told(Code::FoulLimit), "");
    EXPECT_EQ(e.status().at("fouls"), (boost::json::object{{"red", 2}, {"black", 1}}));
    e.call("foul.add", R"("side":"red","reason":"talking")");
    EXPECT_EQ(e.told(Code::FoulLimit), "red loss 4.1.10 proposed");
    EXPECT_EQ(confirm(e, Code::FoulLimit), "");
    EXPECT_EQ(e.result(), "0-1 foul_limit");
}

TEST(Article4_1_10, FoulsOfEveryKindAddUp) {
    Evening e(at_level(Level::Youth));
    e.play("h2e2 h9g7").wait(3000).press(Side::Red).wait(1000);
    e.put("b0b3").wait(600).press().wait(2000).lift("b3").wait(500).drop("b0").wait(2000);
    EXPECT_EQ(e.result(), "");
    e.call("claim.natural_limit", R"("side":"red")");
    EXPECT_EQ(e.faults(), "press_without_move illegal_move false_claim foul_limit");
    EXPECT_EQ(e.result(), "0-1 foul_limit");
}

TEST(Article4_1_10, ProposedAFoulCountsWhenItIsConfirmed) {
    Evening e;
    e.play("h2e2 h9g7").wait(3000).press(Side::Red).wait(1000);
    EXPECT_EQ(e.status().at("fouls").as_object().at("red"), 0);
    confirm(e, Code::PressWithoutMove);
    EXPECT_EQ(e.status().at("fouls").as_object().at("red"), 1);
    e.refused("ruling.confirm", "\"id\":" + std::to_string(e.id(Code::PressWithoutMove)));
}

TEST(Article4_1_12, ResigningByCallTakesEffectAtOnce) {
    Evening e;
    e.play("h2e2").call("resign", R"("side":"red")");  // also off one's own time
    EXPECT_EQ(e.told(Code::Resign), "red loss 4.1.12 confirmed");
    EXPECT_EQ(e.result(), "0-1 resign");
}

TEST(Article4_1_12, TheButtonIsProposedOrTakesEffect) {
    Evening e;
    e.play("h2e2").button(Side::Black, ButtonKind::Resign);
    EXPECT_EQ(e.told(Code::Resign), "black loss 4.1.12 proposed");
    EXPECT_EQ(e.result(), "");
    Evening at_once(automatic());
    at_once.play("h2e2").button(Side::Black, ButtonKind::Resign);
    EXPECT_EQ(at_once.result(), "1-0 resign");
}

TEST(Article9_2, WhoResignsAtOnceAfterAFoulGetsNone) {
    Evening e(automatic());
    e.play("h2e2 h9g7").wait(3000).press(Side::Red).wait(1000);
    EXPECT_EQ(e.status().at("fouls").as_object().at("red"), 1);
    e.call("resign", R"("side":"red")");
    EXPECT_EQ(e.told(Code::PressWithoutMove), "red foul 9.1.7 dismissed");
    EXPECT_EQ(e.status().at("fouls").as_object().at("red"), 0);
    EXPECT_EQ(e.result(), "0-1 resign");
}

TEST(Article4_1_13, PressedOverADisturbedBoardLoses) {
    Evening e(automatic());
    e.play("h2e2 h9g7").wait(3000).put("h0g2").wait(25).lift("c3").wait(25).lift("d0").wait(25);
    e.lift("b2").wait(30).drop("b3").wait(30).drop("d1").wait(30).drop("c4").wait(700).press();
    e.wait(1000);
    EXPECT_EQ(e.told(Code::KnockedPressed), "red loss 4.1.13 confirmed");
    EXPECT_EQ(e.result(), "0-1 knocked_pressed");
}

TEST(Article4_1_13, ProposedTheArbiterLooks) {
    Evening e;
    e.play("h2e2 h9g7").wait(3000).put("h0g2").wait(25).lift("c3").wait(25).lift("d0").wait(25);
    e.lift("b2").wait(30).drop("b3").wait(30).drop("d1").wait(30).drop("c4").wait(700).press();
    e.wait(1000);
    EXPECT_EQ(e.told(Code::KnockedPressed), "red loss 4.1.13 proposed");
    EXPECT_EQ(e.result(), "");
    EXPECT_EQ(dismiss(e, Code::KnockedPressed), "");
    EXPECT_EQ(e.result(), "");
}

TEST(Article4_1_14, ConductIsTheArbitersWordWithItsReason) {
    Evening e;
    e.play("h2e2");
    EXPECT_EQ(e.call("foul.add", R"("side":"black","reason":"left the hall")"), "");
    EXPECT_EQ(e.told(Code::Conduct), "black foul 9.1.9, 4.1.14 confirmed");
    EXPECT_EQ(evidence(e, Code::Conduct)["reason"].as_string(), "left the hall");
    EXPECT_EQ(e.call("game.result", R"("result":"1-0","reason":"conduct")"), "");
    EXPECT_EQ(e.result(), "1-0 conduct");
    e.refused("foul.add", R"("side":"black")");
}

TEST(Article4_2_1, BothAgree) {
    Evening e;
    e.play("h2e2 h9g7").wait(1000);
    EXPECT_EQ(e.call("draw.offer", R"("side":"red")"), "");
    EXPECT_EQ(e.status().at("offer").as_string(), "red");
    e.refused("draw.accept", R"("side":"red")");
    EXPECT_EQ(e.call("draw.accept", R"("side":"black")"), "");
    EXPECT_EQ(e.told(Code::DrawAgreed), "both draw 4.2.1 confirmed");
    EXPECT_EQ(e.result(), "1/2-1/2 draw_agreed");
}

TEST(Article4_2_1, TheSecondButtonAccepts) {
    Evening e;
    e.play("h2e2 h9g7").wait(1000).button(Side::Red, ButtonKind::Draw).wait(2000);
    e.button(Side::Black, ButtonKind::Draw);
    EXPECT_EQ(e.result(), "1/2-1/2 draw_agreed");
}

TEST(Article4_2_2, NothingLeftThatCanWin) {
    Evening e(automatic(), "4k4/9/9/9/9/9/9/9/3p5/3K5 w");
    e.play("d0d1");
    EXPECT_EQ(e.told(Code::NoWinnerPossible), "both draw 4.2.2 confirmed");
    EXPECT_EQ(e.result(), "1/2-1/2 no_winner_possible");
    Evening pawn(automatic(), "4k4/9/9/9/9/p8/9/9/3p5/3K5 w");
    pawn.play("d0d1");
    EXPECT_EQ(pawn.result(), "");
}
