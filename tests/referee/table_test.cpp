// What the arbiter may call and what is refused, and how a table treats a board that is away,
// returns, or tells nonsense. The articles have their own files.
#include "tests/referee/evening.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

namespace {

using namespace xq;
using namespace xq::test;
using protocol::Code;
using protocol::Millis;
using rules::Side;
using testing::HasSubstr;
namespace event = protocol::event;

}  // namespace

// Red has moved and not pressed when Black takes the piece off and sets his own in its place.
struct UnpressedPlyTaken : testing::TestWithParam<protocol::Sensing> {};

TEST_P(UnpressedPlyTaken, WhicheverPieceIsLiftedFirst) {
    for (const bool taken_first : {true, false}) {
        for (const Millis pause : {Millis{100}, Millis{400}, Millis{5000}}) {
            SCOPED_TRACE(std::to_string(taken_first) + " " + std::to_string(pause));
            Evening e(regulations(), {}, GetParam());
            e.play("h2e2 h9g7").wait(3000).put("e2e6").wait(2000);
            if (taken_first) {
                e.take("e6").wait(pause).lift("g7");
            } else {
                e.lift("g7").wait(pause).take("e6");
            }
            e.wait(pause).drop("e6").wait(600).press(Side::Black);
            e.play("h0g2");
            EXPECT_EQ(e.record(), "h2e2 h9g7 e2e6 g7e6 h0g2");
            EXPECT_EQ(e.faults() + e.ruled(Code::TookBack) + e.ruled(Code::TouchMove), "");
            EXPECT_EQ(e.board(), "");
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Boards, UnpressedPlyTaken,
                         testing::Values(protocol::Sensing::Identity, protocol::Sensing::Colour,
                                         protocol::Sensing::Occupancy));

TEST(Calls, WhatDoesNotFitTheGameIsRefusedAndChangesNothing) {
    Evening e;
    e.play("h2e2 h9g7").wait(700);
    const auto wrong = std::to_array<std::pair<const char*, const char*>>({
        {"game.takeback", R"("to_ply":2)"},
        {"game.takeback", R"("to_ply":-1)"},
        {"game.takeback", ""},
        {"game.stand", R"("ply":3)"},
        {"game.move", R"("iccs":"a0a9")"},
        {"game.move", R"("iccs":"h2e9")"},
        {"game.move", R"("iccs":"h2d2","ply":9)"},
        {"game.move", R"("iccs":"h2h9","ply":0)"},
        {"game.result", R"("result":"2-0","reason":"arbiter")"},
        {"game.result", R"("result":"1-0","reason":"whim")"},
        {"position.set", R"("fen":"rnbakabnr/9 w")"},
        {"board.designate", R"("point":"e2")"},
        {"board.designate", R"("point":"k2")"},
        {"ruling.confirm", R"("id":1)"},
        {"ruling.dismiss", R"("id":0)"},
        {"draw.accept", R"("side":"red")"},
        {"draw.decline", R"("side":"red")"},
        {"touch.adjust", R"("side":"black")"},
        {"game.fly", ""},
    });
    for (const auto& [method, params] : wrong) {
        SCOPED_TRACE(std::string(method) + " " + params);
        e.refused(method, params);
    }
}

TEST(Calls, AMoveIsMadeOrAPlyIsReplaced) {
    Evening e;
    e.play("h2e2 h9g7");
    EXPECT_EQ(e.call("game.move", R"("iccs":"h2d2","ply":1)"), "");
    EXPECT_EQ(e.record(), "h2d2 h9g7");
    EXPECT_EQ(e.call("game.move", R"("iccs":"h2e2","ply":1)"), "");
    EXPECT_EQ(e.call("game.move", R"("iccs":"h0g2")"), "");
    EXPECT_EQ(e.record(), "h2e2 h9g7 h0g2");
    EXPECT_EQ(e.turn(), Side::Black);
    // What followed must still be possible.
    EXPECT_THAT(e.refused("game.move", R"("iccs":"h0i2","ply":1)"), HasSubstr(""));
}

TEST(Calls, AReplacementThatBreaksWhatFollowedIsRefused) {
    Evening e;
    e.play("h2e2 h9g7 e2e6");
    EXPECT_THAT(e.refused("game.move", R"("iccs":"h2d2","ply":1)"), HasSubstr("ply 3"));
    EXPECT_EQ(e.record(), "h2e2 h9g7 e2e6");
}

TEST(Calls, ATakebackWaitsUntilTheBoardIsRestored) {
    Evening e;
    e.play("h2e2 h9g7 h0g2");
    EXPECT_EQ(e.call("game.takeback", R"("to_ply":1)"), "");
    EXPECT_EQ(e.turn(), Side::Black);
    EXPECT_EQ(e.running(), Side::Black);
    e.wait(2000).lift("g2").wait(500).drop("h0").wait(500).lift("g7").wait(500).drop("h9");
    e.wait(2000);
    EXPECT_EQ(e.board(), "");
    e.play("b9c7");
    EXPECT_EQ(e.record(), "h2e2 b9c7");
    EXPECT_EQ(e.ruled(Code::TouchMove) + e.ruled(Code::OutOfTurn) + e.faults(), "");
}

TEST(Calls, APositionIsSetAndTheGameGoesOnFromThere) {
    Evening e;
    e.play("h2e2 h9g7").call("foul.add", R"("side":"red","reason":"x")");
    const auto left = e.left(Side::Red);
    e.call("position.set",
           R"("fen":"rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b")");
    EXPECT_EQ(e.record(), "");
    EXPECT_EQ(e.turn(), Side::Black);
    EXPECT_EQ(e.left(Side::Red), left);
    EXPECT_EQ(e.status().at("fouls").as_object().at("red"), 1);
    e.play("b9c7");
    EXPECT_EQ(e.record(), "b9c7");
}

TEST(Calls, AGameAfterAResultHasItsOwnRulings) {
    Evening e;
    e.play("h2e2").call("foul.add", R"("side":"red","reason":"x")");
    e.call("resign", R"("side":"red")");
    e.wait(2000).lift("e2").wait(500).drop("h2").wait(1000);
    EXPECT_EQ(e.call("game.new", R"("red":"A","black":"B")"), "");
    EXPECT_EQ(e.table().game().red, "A");
    EXPECT_EQ(e.status().at("fouls").as_object().at("red"), 0);
    e.call("foul.add", R"("side":"red","reason":"x")");
    EXPECT_EQ(e.id(Code::Conduct), 1);
}

namespace {

/// What a newcomer to a fresh table is told that was given the opening of this one; time apart.
std::vector<std::string> told_afresh(const referee::Table& table) {
    referee::Table fresh(regulations(), table.game());
    referee::Output out;
    for (const auto& input : table.opening()) fresh.handle(input, out);
    fresh.advance(2000, out);
    return gist(fresh.newcomer(), {});
}

}  // namespace

TEST(Opening, BringsAFreshTableToWhereThisOneStood) {
    Evening e;
    e.play("h2e2").event(event::Health{rules::point(8, 4), protocol::PointFault::Stuck});
    e.call("resign", R"("side":"red")");
    e.wait(2000).lift("e2").wait(500).drop("h2").wait(500).take("a0").wait(1000);
    EXPECT_EQ(e.call("game.new"), "");
    EXPECT_EQ(e.board(), "missing a0 R; i4 stuck");
    e.wait(2000);
    auto now = gist(e.table().newcomer(), {});
    const auto untimed = [](std::vector<std::string> lines) {
        for (auto& line : lines) line.erase(0, line.find(' '));
        return lines;
    };
    EXPECT_EQ(untimed(told_afresh(e.table())), untimed(now));
}

TEST(Opening, ABoardThatIsAwayIsAway) {
    Evening e;
    e.play("h2e2").call("resign", R"("side":"red")");
    e.wait(2000).event(event::Unplug{}).wait(1000);
    EXPECT_EQ(e.call("game.new"), "");
    referee::Table fresh(regulations(), e.table().game());
    referee::Output out;
    for (const auto& input : e.table().opening()) fresh.handle(input, out);
    EXPECT_EQ(fresh.board_status().at("link").as_string(), "searching");
    EXPECT_EQ(e.table().board_status().at("link").as_string(), "searching");
}

TEST(Board, AStuckPointIsToldAndTheGameGoesOn) {
    Evening e;
    e.wait(1000).event(event::Health{rules::point(8, 4), protocol::PointFault::Stuck}).wait(1000);
    EXPECT_EQ(e.board(), "i4 stuck");
    e.play("h2e2");
    EXPECT_EQ(e.record(), "h2e2");
    e.event(event::Health{rules::point(8, 4), protocol::PointFault::None}).wait(1000);
    EXPECT_EQ(e.board(), "");
}

TEST(Board, TheSelfTestShowsEveryPointAndItsChanges) {
    Evening e;
    for (int i = 0; i < 3; ++i) e.wait(5000).touch("a3", 100);
    const auto points = e.table().board_status().at("points").as_array();
    ASSERT_EQ(points.size(), 90U);
    EXPECT_EQ(points[0].at("expected").as_string(), "R");
    EXPECT_EQ(points[0].at("changes_per_minute"), 0);
    EXPECT_EQ(points[27].at("point").as_string(), "a3");
    EXPECT_EQ(points[27].at("changes_per_minute"), 6);
}
