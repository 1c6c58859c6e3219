// Chapter 5 of the 2010 rules: touched pieces, adjusting, released moves, errors on the board. Each
// test bears the number of its article (ARTICLES.md). Every evening is also held against its twins.
#include "tests/referee/evening.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using namespace xq;
using namespace xq::test;
using protocol::ButtonKind;
using protocol::Code;
using rules::Side;
using testing::StartsWith;

// Red, to move: the rook takes a6, the knight takes h6, nothing takes i9; the pawn i3 is blocked.
constexpr auto touches = "3k4r/9/9/p6c1/9/R7N/8P/9/9/4K4 w - - 0 1";

/// The rulings on a turn in which some pieces were touched and then a move was made.
struct Touched {
    std::string move;        ///< touch_move
    std::string impossible;  ///< touch_impossible
    bool operator==(const Touched&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Touched& t) {
    return out << "{" << t.move << " | " << t.impossible << "}";
}

Touched after_touching(std::initializer_list<const char*> points, const char* move,
                       const referee::Regulations& r = regulations()) {
    Evening e(r, touches);
    e.wait(3000);
    for (const char* p : points) e.touch(p).wait(1000);
    e.play(move);
    EXPECT_EQ(e.record(), move);
    return {e.ruled(Code::TouchMove), e.ruled(Code::TouchImpossible)};
}

}  // namespace

TEST(Article5_1, OwnPieceMustMove) {
    EXPECT_EQ(after_touching({"a4"}, "a4a5"), (Touched{}));
    EXPECT_EQ(after_touching({"a4"}, "i4g5"), (Touched{"red warning 5.1 proposed", ""}));
}

TEST(Article5_1, OwnPieceThatCannotMoveIsAFoulAndAnotherMayMove) {
    EXPECT_EQ(after_touching({"i3"}, "a4a5"), (Touched{"", "red foul 9.1.5, 5.1 proposed"}));
}

TEST(Article5_1, TheFirstOwnPieceThatCanMoveBinds) {
    EXPECT_EQ(after_touching({"a4", "i4"}, "i4g5"), (Touched{"red warning 5.1 proposed", ""}));
    EXPECT_EQ(after_touching({"i3", "a4"}, "i4g5"),
              (Touched{"red warning 5.1 proposed", "red foul 9.1.5, 5.1 proposed"}));
}

TEST(Article5_1, ABlockedPieceFallsAwayForTheOneTouchedNext) {
    const auto broken = after_touching({"i3", "a4"}, "i4h6");
    EXPECT_THAT(broken.move, StartsWith("red warning 5."));
    EXPECT_THAT(broken.impossible, StartsWith("red foul 9.1.5, 5."));
}

TEST(Article5_1, TheDutyIsShownWhileItStands) {
    Evening e(regulations(), touches);
    e.wait(3000).touch("a4").wait(1000);
    EXPECT_EQ(e.told(Code::TouchMove), "red info 5.1 confirmed");
    EXPECT_EQ(e.status().at("duty").as_string(), "a4 must move");
    e.play("a4a5");
    EXPECT_TRUE(e.status().at("duty").is_null());
    EXPECT_EQ(e.told(Code::TouchMove), "red info 5.1 confirmed");
}

TEST(Article5_1, ABreachIsTheArbitersToTakeBack) {
    Evening e(regulations(), touches);
    e.wait(3000).touch("a4").wait(1000).play("i4h6");
    EXPECT_EQ(e.record(), "i4h6");
    EXPECT_EQ(e.call("game.takeback", R"("to_ply":0)"), "");
    EXPECT_EQ(e.record(), "");
    EXPECT_EQ(e.turn(), Side::Red);
}

TEST(Article5_1, WithoutAPressTheSame) {
    EXPECT_EQ(after_touching({"a4"}, "i4g5", settling()),
              (Touched{"red warning 5.1 proposed", ""}));
}

TEST(Article5_2, EnemyPieceMustBeTaken) {
    EXPECT_EQ(after_touching({"a6"}, "a4a6"), (Touched{}));
    // The piece that moves is touched as well, so that the arbiter may read 5.4 for 5.2.
    const auto broken = after_touching({"a6"}, "a4a5");
    EXPECT_THAT(broken.move, StartsWith("red warning 5."));
    EXPECT_EQ(broken.impossible, "");
}

TEST(Article5_2, EnemyPieceThatNothingCanTakeIsAFoulAndTheMoveIsFree) {
    const auto touched = after_touching({"i9"}, "a4a5");
    EXPECT_EQ(touched.move, "");
    EXPECT_THAT(touched.impossible, StartsWith("red foul 9.1.5, 5."));
}

TEST(Article5_3, OwnThenEnemyInOrder) {
    EXPECT_EQ(after_touching({"a4", "a6"}, "a4a6"), (Touched{}));
    EXPECT_EQ(after_touching({"a4", "a6"}, "a4a5"), (Touched{"red warning 5.3.1 proposed", ""}));
}

TEST(Article5_3, OwnMovesWhereItCannotTakeThatPiece) {
    EXPECT_EQ(after_touching({"a4", "h6"}, "a4b4"), (Touched{}));
    EXPECT_EQ(after_touching({"a4", "h6"}, "i4h6"), (Touched{"red warning 5.3.2 proposed", ""}));
}

TEST(Article5_3, AnotherTakesWhereTheOwnPieceCannotMove) {
    const auto obeyed = after_touching({"i3", "h6"}, "i4h6");
    EXPECT_EQ(obeyed.move, "");
    EXPECT_THAT(obeyed.impossible, StartsWith("red foul 9.1.5, 5."));
    const auto broken = after_touching({"i3", "h6"}, "a4a5");
    EXPECT_THAT(broken.move, StartsWith("red warning 5."));
    EXPECT_THAT(broken.impossible, StartsWith("red foul 9.1.5, 5."));
}

TEST(Article5_3, FreeWhereNeitherCanBeObeyed) {
    const auto touched = after_touching({"i3", "i9"}, "a4a5");
    EXPECT_EQ(touched.move, "");
    EXPECT_THAT(touched.impossible, StartsWith("red foul 9.1.5, 5."));
}

TEST(Article5_4, EnemyThenOwnInOrder) {
    EXPECT_EQ(after_touching({"a6", "a4"}, "a4a6"), (Touched{}));
    EXPECT_EQ(after_touching({"a6", "a4"}, "a4a5"), (Touched{"red warning 5.4.1 proposed", ""}));
}

TEST(Article5_4, AnotherTakesWhereThatPieceCannot) {
    EXPECT_EQ(after_touching({"h6", "a4"}, "i4h6"), (Touched{}));
    EXPECT_EQ(after_touching({"h6", "a4"}, "a4a5"), (Touched{"red warning 5.4.2 proposed", ""}));
}

TEST(Article5_4, OwnMovesWhereNothingTakes) {
    const auto obeyed = after_touching({"i9", "a4"}, "a4a5");
    EXPECT_EQ(obeyed.move, "");
    EXPECT_THAT(obeyed.impossible, StartsWith("red foul 9.1.5, 5."));
    const auto broken = after_touching({"i9", "a4"}, "i4h6");
    EXPECT_THAT(broken.move, StartsWith("red warning 5."));
    EXPECT_THAT(broken.impossible, StartsWith("red foul 9.1.5, 5."));
}

TEST(Article5_4, FreeWhereNeitherCanBeObeyed) {
    const auto touched = after_touching({"i9", "i3"}, "a4a5");
    EXPECT_EQ(touched.move, "");
    EXPECT_THAT(touched.impossible, StartsWith("red foul 9.1.5, 5."));
}

TEST(Article5_5, BothAtOnceCountAsEnemyFirst) {
    // Own piece 30 ms before the enemy's: within one scan of the board nobody can say.
    Evening e(regulations(), touches);
    e.wait(3000).lift("a4").wait(30).lift("h6").wait(400).drop("h6").drop("a4").wait(1000);
    e.play("a4a5");
    EXPECT_EQ(e.ruled(Code::TouchMove), "red warning 5.5, 5.4.2 proposed");
}

TEST(Article5_6, AnnouncedByButtonIsNoTouch) {
    Evening e(regulations(), touches);
    e.wait(2000).button(Side::Red, ButtonKind::Adjust).wait(1000).touch("a4").wait(500).touch("i3");
    e.play("i4h6");
    EXPECT_EQ(e.ruled(Code::TouchMove) + e.ruled(Code::TouchImpossible), "");
}

TEST(Article5_6, AnnouncedByCallIsNoTouch) {
    Evening e(regulations(), touches);
    EXPECT_EQ(e.wait(2000).call("touch.adjust", R"("side":"red")"), "");
    e.wait(1000).touch("a4").play("i4h6");
    EXPECT_EQ(e.ruled(Code::TouchMove), "");
}

TEST(Article5_6, OnlyOnOnesOwnTime) {
    Evening e(regulations(), touches);
    e.wait(2000).refused("touch.adjust", R"("side":"black")");
    e.button(Side::Black, ButtonKind::Adjust).wait(1000).touch("a4").wait(500).play("i4g5");
    EXPECT_EQ(e.ruled(Code::TouchMove), "red warning 5.1 proposed");
}

TEST(Article5_6, OverWithTheMove) {
    Evening e;
    e.wait(2000).button(Side::Red, ButtonKind::Adjust).wait(1000).touch("h0").play("h2e2 h9g7");
    e.wait(3000).touch("h0").play("i0i1");
    EXPECT_EQ(e.ruled(Code::TouchMove), "red warning 5.1 proposed");
}

TEST(Article5_6, AHesitationIsNoTouch) {
    Evening e(regulations(), touches);
    e.wait(3000).touch("a4", 45).wait(1000).play("i4h6");
    EXPECT_EQ(e.told(Code::TouchMove), "");
}

TEST(Article5_6, ATouchOfASixthOfASecondIsOne) {
    Evening e(regulations(), touches);
    e.wait(3000).touch("a4", 150).wait(1000).play("i4g5");
    EXPECT_EQ(e.ruled(Code::TouchMove), "red warning 5.1 proposed");
}

TEST(Article5_6, AnObviousKnockIsNone) {
    Evening e;
    e.wait(3000).lift("a3").wait(30).lift("c3").wait(30).lift("b2").wait(1500);
    e.drop("b2").wait(800).drop("c3").wait(800).drop("a3").wait(2000).play("h2e2");
    EXPECT_EQ(e.ruled(Code::TouchMove), "");
}

TEST(Article5_6, StraighteningAfterOnesOwnPressIsInformation) {
    Evening e;
    e.play("h2e2").wait(300).touch("h0", 600).wait(4000).play("h9g7");
    EXPECT_EQ(e.ruled(Code::TouchMove) + e.ruled(Code::TouchImpossible), "");
    EXPECT_EQ(e.told(Code::Adjust), "red info 5.6 confirmed");
}

TEST(Article5_6, LaterItIsPresumedToBeTheMoversTouch) {
    Evening e(regulations(), touches);
    e.wait(4000).touch("a6", 600).wait(1000).play("a4a5");
    EXPECT_THAT(e.ruled(Code::TouchMove), StartsWith("red warning 5."));
}

TEST(Article5_7, AReleasedMoveTakenBackIsReported) {
    Evening e;
    e.wait(3000).put("h2e2").wait(3000).lift("e2").wait(400).drop("h2").wait(2000);
    EXPECT_EQ(e.told(Code::TookBack), "red warning 5.7 proposed");
    EXPECT_EQ(e.record(), "");
}

TEST(Article5_7, AReleasedMoveSetElsewhereIsReportedAndTheRecordFollowsThePieces) {
    Evening e;
    e.wait(3000).put("h2e2").wait(3000).lift("e2").wait(400).drop("d2").wait(600).press();
    EXPECT_EQ(e.ruled(Code::TookBack), "red warning 5.7 proposed");
    EXPECT_EQ(e.record(), "h2d2");
}

TEST(Article5_7, NotReleasedIsNoMove) {
    Evening e;
    e.wait(3000).put("h2e2").wait(1500).lift("e2").wait(400).drop("d2").wait(600).press();
    EXPECT_EQ(e.told(Code::TookBack), "");
    EXPECT_EQ(e.record(), "h2d2");
}

TEST(Article5_7, ASlipIsTheArbitersToDismiss) {
    Evening e;
    e.wait(3000).put("h2e2").wait(3000).lift("e2").wait(400).drop("h2").wait(2000);
    EXPECT_EQ(e.call("ruling.dismiss", "\"id\":" + std::to_string(e.id(Code::TookBack))), "");
    EXPECT_EQ(e.told(Code::TookBack), "red warning 5.7 dismissed");
    e.refused("ruling.dismiss", "\"id\":" + std::to_string(e.id(Code::TookBack)));
}

TEST(Article5_7, AMoveSetBackAfterThePressIsTookBackToo) {
    Evening e;
    e.play("h2e2").wait(1000).lift("e2").wait(500).drop("h2").wait(4000);
    EXPECT_EQ(e.ruled(Code::TookBack), "red warning 5.7 proposed");
    EXPECT_EQ(e.record(), "h2e2");
}

TEST(Article5_8, AfterTheResultNothingIsReopened) {
    Evening e;
    e.play("h2e2 h9g7").call("resign", R"("side":"red")");
    EXPECT_EQ(e.result(), "0-1 resign");
    e.refused("game.takeback", R"("to_ply":0)");
    e.refused("board.accept");
    e.refused("position.set", R"("fen":"4k4/9/9/9/9/9/9/9/9/4K4 w")");
    e.refused("game.move", R"("iccs":"h0g2")");
    e.refused("clock.set", R"("red_ms":1,"black_ms":1,"running":"red")");
    e.refused("foul.add", R"("side":"red","reason":"x")");
    e.refused("game.pause");
    e.refused("game.resume");
}

TEST(Article5_8_1, TheWrongSideBeganAndTheGameStartsAfresh) {
    Evening e;
    e.leans();  // Red begins: with the colours exchanged it is Red who is wrong
    e.wait(3000).put("h7e7").wait(600).press(Side::Black).wait(3000);
    EXPECT_EQ(e.ruled(Code::ColoursReversed), "black warning 5.8.1 proposed");
    EXPECT_EQ(e.record(), "");
    std::vector<boost::json::value> within;
    for (const auto& m : e.messages())
        if (const auto* r = std::get_if<protocol::message::Ruling>(&m.body))
            within.push_back(r->evidence.at("restart_within_ms"));
    EXPECT_EQ(within, std::vector<boost::json::value>{20 * 60'000 - 3000 - 500 - 600});
    e.call("game.pause");
    e.wait(2000).lift("e7").wait(500).drop("h7").wait(1000);
    EXPECT_EQ(e.call("game.new"), "");
    e.play("h2e2");
    EXPECT_EQ(e.record(), "h2e2");
    EXPECT_EQ(e.faults(), "");
}

TEST(Article5_8_1, FoundLaterItCountsAsItIs) {
    Evening e;
    e.leans();
    e.wait(3000).put("h7e7").wait(600).press(Side::Black).wait(3000);
    EXPECT_EQ(e.call("board.accept"), "");  // the record begins with the board as it stands
    EXPECT_EQ(e.turn(), Side::Red);
    e.play("h2e2 h9g7");
    EXPECT_EQ(e.record(), "h2e2 h9g7");
    EXPECT_EQ(e.faults(), "");
}

TEST(Article5_8_2, ADriftIsToldWithItsPlyAndTakenBackOnTheArbitersWord) {
    Evening e;
    e.play("h2e2 h9g7").wait(3000).put("h0g2").wait(30).lift("i6").wait(40).drop("h6");
    e.wait(500).press().wait(3000);
    EXPECT_EQ(e.board(), "missing i6 p; extra h6 p");
    EXPECT_EQ(e.ruled(Code::Misplaced), "both warning 5.8.2 proposed");
    EXPECT_EQ(e.faults(), "");
    EXPECT_EQ(e.record(), "h2e2 h9g7 h0g2");
    e.play("i9h9 i0h0");  // the game goes on meanwhile
    EXPECT_EQ(e.record(), "h2e2 h9g7 h0g2 i9h9 i0h0");
    e.call("game.pause");
    EXPECT_EQ(e.call("game.takeback", R"("to_ply":2)"), "");
    EXPECT_EQ(e.record(), "h2e2 h9g7");
    e.wait(1000).lift("h0").drop("i0").wait(500).lift("g2").drop("h0").wait(500).lift("h9").drop(
        "i9");
    e.wait(500).lift("h6").drop("i6").wait(2000);
    EXPECT_EQ(e.board(), "");
    EXPECT_EQ(e.call("game.resume"), "");
    e.play("b0c2");  // another piece may be chosen
    EXPECT_EQ(e.record(), "h2e2 h9g7 b0c2");
    EXPECT_EQ(e.ruled(Code::TouchMove) + e.faults(), "");
}

TEST(Article5_8_2, OneOrTwoPiecesAreADriftAndStopNothing) {
    Evening e(automatic());
    e.play("h2e2 h9g7").wait(3000).put("h0g2").wait(30).lift("a3").wait(30).drop("b3");
    e.wait(30).lift("e3").wait(30).drop("d3").wait(700).press().wait(3000);
    EXPECT_EQ(e.result(), "");
    EXPECT_EQ(e.board(), "missing a3 P; missing e3 P; extra b3 P; extra d3 P");
    e.play("i9h9");
    EXPECT_EQ(e.record(), "h2e2 h9g7 h0g2 i9h9");
}

TEST(Article5_8_2, FoundLaterTheArbiterLetsTheBoardStand) {
    Evening e;
    e.play("h2e2 h9g7").wait(3000).put("h0g2").wait(30).lift("i6").wait(40).drop("h6");
    e.wait(500).press().wait(3000);
    EXPECT_EQ(e.call("board.accept"), "");
    EXPECT_EQ(e.record(), "");
    EXPECT_EQ(e.board(), "");
    EXPECT_EQ(e.turn(), Side::Black);
    e.play("i9h9");
    EXPECT_EQ(e.record(), "i9h9");
}

TEST(Article5_8_3, BelowNationalLevelItIsReplayedWithTheSamePiece) {
    Evening e(at_level(referee::Level::Provincial));
    e.play("h2e2 h9g7").wait(3000).put("b0b3").wait(600).press().wait(2000);
    EXPECT_EQ(e.told(Code::IllegalMove), "red foul 9.1.8 confirmed");
    EXPECT_EQ(e.record(), "h2e2 h9g7");
    EXPECT_EQ(e.running(), Side::Red);
    e.lift("b3").wait(500).drop("b0").wait(2000);
    EXPECT_EQ(e.status().at("duty").as_string(), "b0 must move");
    e.play("b0c2");
    EXPECT_EQ(e.record(), "h2e2 h9g7 b0c2");
    EXPECT_EQ(e.ruled(Code::TouchMove), "");
}

TEST(Article5_8_3, AnotherPieceBreaksTheTouch) {
    Evening e(at_level(referee::Level::Youth));
    e.play("h2e2 h9g7").wait(3000).put("b0b3").wait(600).press().wait(2000);
    e.lift("b3").wait(500).drop("b0").wait(2000).play("h0g2");
    EXPECT_EQ(e.ruled(Code::TouchMove), "red warning 5.1 confirmed");
}

TEST(Article5_8_3, ThePositionMayBeRestoredByTheMoveItself) {
    Evening e(at_level(referee::Level::Youth));
    e.play("h2e2 h9g7").wait(3000).put("b0b3").wait(600).press().wait(2000);
    // The knight goes straight from where it may not stand to where it may.
    e.lift("b3").wait(500).drop("c2").wait(600).press().wait(1000);
    EXPECT_EQ(e.record(), "h2e2 h9g7 b0c2");
    EXPECT_EQ(e.faults(), "illegal_move");
}

TEST(Article5_9, KnockedOverAndRestoredInTime) {
    Evening e;
    e.play("h2e2 h9g7").wait(3000).put("h0g2").wait(25).lift("c3").wait(25).lift("d0").wait(25);
    e.lift("e3").wait(2000).drop("e3").wait(800).drop("d0").wait(800).drop("c3").wait(600).press();
    EXPECT_EQ(e.told(Code::Knocked), "red warning 5.9 proposed");
    EXPECT_EQ(e.faults(), "");
    EXPECT_EQ(e.ruled(Code::TouchMove), "");
    EXPECT_EQ(e.record(), "h2e2 h9g7 h0g2");
    EXPECT_EQ(e.board(), "");
}

TEST(Article5_9, RestoringRunsOnOnesOwnTime) {
    Evening e;
    e.play("h2e2 h9g7").wait(3000).put("h0g2").wait(25).lift("c3").wait(25).lift("d0").wait(25);
    e.lift("e3").wait(20'000).drop("e3").drop("d0").drop("c3").wait(600).press();
    EXPECT_EQ(e.spent(3), 3000 + 500 + 75 + 20'000 + 600);
}

TEST(Article5_9, ALightCaseIsTheArbitersFoul) {
    Evening e;
    e.play("h2e2");
    EXPECT_EQ(e.call("foul.add", R"("side":"black","reason":"knocked pieces over")"), "");
    EXPECT_EQ(e.told(Code::Conduct), "black foul 9.1.9, 4.1.14 confirmed");
}

TEST(Article5_10, TheOpponentNamesThePoint) {
    Evening e;
    e.wait(3000).lift("h2").wait(500).drop("d2");
    e.event(
        protocol::event::Drop{rules::point(4, 2), protocol::Seen(*rules::Piece::from_fen('C'))});
    e.wait(600).press().wait(2000);
    EXPECT_EQ(e.told(Code::BetweenPoints), "red warning 5.10 proposed");
    EXPECT_NE(e.board().find("candidate h2d2"), std::string::npos);
    EXPECT_NE(e.board().find("candidate h2e2"), std::string::npos);
    EXPECT_EQ(e.running(), Side::Black);
    EXPECT_EQ(e.record(), "");
    e.refused("board.designate", R"("point":"c2")");
    EXPECT_EQ(e.call("board.designate", R"("point":"d2")"), "");
    EXPECT_EQ(e.record(), "h2d2");
    EXPECT_EQ(e.spent(1), std::nullopt);  // no clock ran before the first move
    e.refused("board.designate", R"("point":"d2")");
}
