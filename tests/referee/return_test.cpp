// Plies that nobody heard, in single evenings: what is recovered, what is asked, and how the
// arbiter answers (unheard_games_test.cpp asks the same of many real games).
#include "tests/referee/evening.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using namespace xq;
using namespace xq::test;
using protocol::Code;
using protocol::Millis;
using protocol::Sensing;
using rules::Side;
using testing::HasSubstr;
namespace event = protocol::event;

}  // namespace

TEST(Return, OneUnseenPlyWaitsForItsPress) {
    Evening e;
    e.play("h2e2 h9g7").wait(1000).event(event::Unplug{}).wait(5000).unseen("h0g2");
    e.event(event::Plug{}).whole_reading().wait(3000);
    EXPECT_EQ(e.record(), "h2e2 h9g7 h0g2?");
    e.press(Side::Red).wait(1000);
    EXPECT_EQ(e.record(), "h2e2 h9g7 h0g2");
    EXPECT_EQ(e.recovered(), "3");
}

TEST(Return, OfTwoUnseenPliesTheFirstIsFinal) {
    Evening e;
    e.play("h2e2 h9g7").wait(1000).event(event::Gap{9}).unseen("h0g2 i9h9").whole_reading();
    e.wait(3000);
    EXPECT_EQ(e.record(), "h2e2 h9g7 h0g2 i9h9?");
    e.put("i0h0").wait(600).press(Side::Red);  // the touch of his piece ends the reply
    EXPECT_EQ(e.record(), "h2e2 h9g7 h0g2 i9h9 i0h0");
    EXPECT_EQ(e.recovered(), "3 4");
    EXPECT_EQ(e.faults() + e.board(), "");
}

TEST(Return, AReplyUnseenBehindAMoveThatWasSeen) {
    Evening e;
    e.play("h2e2 h9g7").wait(3000).put("h0g2").wait(200).event(event::Unplug{}).wait(9000);
    e.unseen("i9h9").event(event::Plug{}).whole_reading().wait(3000);
    EXPECT_EQ(e.record(), "h2e2 h9g7 h0g2 i9h9?");
    e.put("i0h0");
    EXPECT_EQ(e.recovered(), "4");
}

TEST(Return, AnExchangeUnseenOnABoardOfColours) {
    Evening e(regulations(), {}, Sensing::Colour);
    e.play("h2e2 h9g7").event(event::Unplug{}).wait(9000).unseen("e2e6 g7e6");
    e.event(event::Plug{}).whole_reading().wait(3000);
    EXPECT_EQ(e.record(), "h2e2 h9g7 e2e6 g7e6?");
}

TEST(Return, MorePliesAreAskedAndTheArbiterSays) {
    Evening e(automatic());
    e.play("h2e2 h9g7").event(event::Unplug{}).wait(9000).unseen("h0g2 i9h9 i0i1");
    e.event(event::Plug{}).whole_reading().wait(3000);
    EXPECT_EQ(e.record(), "h2e2 h9g7");
    EXPECT_EQ(e.board(),
              "missing h0 N; missing i0 R; missing i9 r; extra i1 R; extra g2 N; extra h9 r");
    // Whatever is pressed or moved now is nobody's offence, and no ply.
    e.press(Side::Red).wait(2000).put("b9c7").wait(600).press(Side::Black).wait(3000);
    EXPECT_EQ(e.record(), "h2e2 h9g7");
    EXPECT_EQ(e.faults(), "");
    e.refused("board.designate", R"("point":"g2")");
    EXPECT_EQ(e.call("game.move", R"("iccs":"h0g2")"), "");
    EXPECT_EQ(e.call("game.move", R"("iccs":"i9h9")"), "");
    EXPECT_EQ(e.call("game.move", R"("iccs":"i0i1")"), "");
    EXPECT_EQ(e.call("game.move", R"("iccs":"b9c7")"), "");
    e.wait(2000);
    EXPECT_EQ(e.board(), "");
    e.play("b0c2");
    EXPECT_EQ(e.record(), "h2e2 h9g7 h0g2 i9h9 i0i1 b9c7 b0c2");
}

TEST(Return, TheArbitersWordMakesTheRestPlain) {
    Evening e;
    e.play("h2e2 h9g7").event(event::Unplug{}).wait(9000).unseen("h0g2 i9h9 i0i1");
    e.event(event::Plug{}).whole_reading().wait(3000);
    EXPECT_EQ(e.call("game.move", R"("iccs":"h0g2")"), "");
    EXPECT_EQ(e.record(), "h2e2 h9g7 h0g2 i9h9 i0i1?");
    EXPECT_EQ(e.board(), "");
}

TEST(Return, TheBoardIsAcceptedAsThePliesThatExplainIt) {
    Evening e;
    e.play("h2e2 h9g7").event(event::Unplug{}).wait(9000).unseen("h0g2 i9h9");
    e.event(event::Plug{}).whole_reading().wait(10);
    EXPECT_EQ(e.call("game.pause"), "");
    e.wait(2000);
    EXPECT_EQ(e.record(), "h2e2 h9g7");
    EXPECT_EQ(e.call("board.accept"), "");
    EXPECT_EQ(e.record(), "h2e2 h9g7 h0g2 i9h9");
    EXPECT_EQ(e.recovered(), "3 4");
    EXPECT_EQ(e.call("game.resume"), "");
    e.play("i0h0");
    EXPECT_EQ(e.record(), "h2e2 h9g7 h0g2 i9h9 i0h0");
}

TEST(Return, ABoardThatDoesNotTellEnoughIsNotAccepted) {
    // On a board of occupancy it cannot be seen who stands where after three plies.
    Evening e(regulations(), {}, Sensing::Occupancy);
    e.play("h2e2 h9g7").event(event::Unplug{}).wait(9000).unseen("h0g2 i9h9 b0c2");
    e.event(event::Plug{}).whole_reading().wait(3000);
    EXPECT_THAT(e.refused("board.accept"), HasSubstr("position.set"));
}

TEST(Return, OrHeLetsTheBoardStand) {
    Evening e;
    e.play("h2e2 h9g7").event(event::Unplug{}).wait(9000).unseen("h0g2 i9h9 i0i1 b9c7");
    e.event(event::Plug{}).whole_reading().wait(3000);
    EXPECT_EQ(e.call("board.accept"), "");
    e.wait(1000).play("b0c2");
    EXPECT_EQ(e.record(), "b0c2");
    EXPECT_EQ(e.board() + e.faults(), "");
}

TEST(Return, TheBoardMayBeSetRight) {
    Evening e;
    e.play("h2e2 h9g7").event(event::Unplug{}).wait(9000).unseen("h0g2 i9h9 i0i1");
    e.event(event::Plug{}).whole_reading().wait(3000);
    e.lift("i1").wait(500).drop("i0").wait(500).lift("h9").wait(500).drop("i9").wait(500);
    e.lift("g2").wait(500).drop("h0").wait(2000);
    EXPECT_EQ(e.board(), "");
    e.wait(3000).lift("h0").wait(500).drop("g2").wait(600).press(Side::Red);
    EXPECT_EQ(e.record(), "h2e2 h9g7 h0g2");
    EXPECT_EQ(e.faults() + e.ruled(Code::TouchMove) + e.ruled(Code::Misplaced), "");
}

TEST(Return, SeveralExplanationsAreNamed) {
    // The rook has taken one of two: this board cannot tell which.
    constexpr auto two_victims = "3k5/9/9/p8/9/R6n1/9/9/9/4K4 w - - 0 1";
    Evening pressed(regulations(), two_victims, Sensing::Occupancy);
    pressed.wait(2000).event(event::Gap{9}).unseen("a4h4").whole_reading().wait(3000);
    EXPECT_EQ(pressed.record(), "");
    EXPECT_EQ(pressed.board(), "missing a4 R");
    pressed.press(Side::Red).wait(1000);
    EXPECT_THAT(pressed.board(), HasSubstr("candidate a4a6"));
    EXPECT_THAT(pressed.board(), HasSubstr("candidate a4h4"));
    EXPECT_EQ(pressed.call("game.move", R"("iccs":"a4h4")"), "");
    EXPECT_EQ(pressed.record(), "a4h4");

    Evening replied(regulations(), two_victims, Sensing::Occupancy);
    replied.wait(2000).event(event::Gap{9}).unseen("a4h4 d9d8").whole_reading().wait(3000);
    EXPECT_EQ(replied.record(), "");
    EXPECT_THAT(replied.board(), HasSubstr("candidate a4a6"));
    EXPECT_THAT(replied.board(), HasSubstr("candidate a4h4"));
    EXPECT_EQ(replied.call("game.move", R"("iccs":"a4h4")"), "");
    EXPECT_EQ(replied.record(), "a4h4 d9d8?");
}

TEST(Return, AnIllegalMoveThatNobodyHeardIsAskedNotPunished) {
    Evening e(automatic());
    e.play("h2e2 h9g7").event(event::Gap{9}).unseen("b0b3").whole_reading().wait(500);
    e.press(Side::Red).wait(3000);
    EXPECT_EQ(e.faults() + e.result(), "");
    EXPECT_EQ(e.board(), "missing b0 N; extra b3 N");
}

TEST(Return, WithoutADifferenceItGoesOn) {
    Evening e;
    e.play("h2e2 h9g7").event(event::Unplug{}).wait(9000).event(event::Plug{}).whole_reading();
    e.wait(2000).play("h0g2");
    EXPECT_EQ(e.record(), "h2e2 h9g7 h0g2");
    EXPECT_EQ(e.board(), "");
    EXPECT_EQ(e.faults(), "");
}

TEST(Return, TheClocksRunOnWhileTheBoardIsAway) {
    Evening e;
    e.play("h2e2").event(event::Unplug{}).wait(9000).event(event::Plug{}).whole_reading();
    EXPECT_EQ(e.left(Side::Black), 3'600'000 - 9000);
}

TEST(Return, ALongStopOfTheDaemonPausesBothClocksAShortOneIsCharged) {
    Evening e;
    e.play("h2e2").wait(5000);
    const auto left = e.left(Side::Black);
    const Millis stopped = e.now();
    // The table is not told the time while the daemon is down: only the restart tells it.
    std::vector<protocol::Timed> log = e.log();
    for (const auto& [away, charged] : {std::pair<Millis, Millis>{9'000, 9'000}, {11'000, 0}}) {
        auto again = log;
        again.push_back({stopped, event::Time{}});
        again.push_back({stopped + away, event::Restart{}});
        const auto said = replay(regulations(), again, stopped + away);
        EXPECT_EQ(said.last().clock.black_ms, left - charged);
        EXPECT_EQ(said.last().clock.running.has_value(), charged > 0);
    }
}

TEST(Return, AfterALongStopPliesAreSoughtWhenTheArbiterResumes) {
    Evening e;
    e.play("h2e2 h9g7").wait(1000);
    const Millis stopped = e.now();
    auto log = e.log();
    e.unseen("h0g2 i9h9");
    log.push_back({stopped, event::Time{}});
    log.push_back({stopped + 20'000, event::Restart{}});
    log.push_back({stopped + 20'000, event::Hello{}});
    log.push_back({stopped + 20'000, event::Board{reading_of(e.position(), Sensing::Identity)}});
    const auto paused = replay(regulations(), log, stopped + 29'999);
    EXPECT_EQ(paused.last().moves.size(), 2U);
    EXPECT_FALSE(paused.last().in_sync);
    log.push_back(
        {stopped + 30'000, event::Call{R"({"jsonrpc":"2.0","id":1,"method":"game.resume"})"}});
    const auto resumed = replay(regulations(), log, stopped + 35'000);
    EXPECT_EQ(resumed.last().moves.size(), 4U);
    EXPECT_TRUE(resumed.last().in_sync);
}
