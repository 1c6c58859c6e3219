// Chapters 6 and 21 of the 2010 rules, in play: time controls, flags, odds, pauses, clocks of the
// board's own; 7, 8.3 and 10 as far as a table can keep them. Times in ms, to the millisecond.
#include "tests/referee/evening.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using namespace xq;
using namespace xq::test;
using protocol::Code;
using referee::ClockSource;
using rules::Side;
namespace event = protocol::event;

/// Black has pressed to start Red's clock at 1000; these evenings lean to Black's side.
struct Started : Evening {
    explicit Started(const referee::Regulations& r) : Evening(r) {
        leans();
        wait(1000).press(Side::Black);
    }
};

referee::Regulations by_board() {
    auto r = automatic();
    r.clock_source = ClockSource::Board;
    return r;
}

}  // namespace

TEST(Article6_1, BaseAndIncrementForEachMove) {
    Started e(timed({{60'000, 0, 5'000}}));
    EXPECT_EQ(e.running(), Side::Red);
    e.play("h2e2");  // 4100 from the start of his clock
    EXPECT_EQ(e.spent(1), 4100);
    EXPECT_EQ(e.left(Side::Red), 60'000 - 4100 + 5'000);
    EXPECT_EQ(e.left(Side::Black), 60'000);
    EXPECT_EQ(e.running(), Side::Black);
    e.wait(2'000);
    EXPECT_EQ(e.left(Side::Black), 58'000);
    EXPECT_EQ(e.left(Side::Red), 60'900);
}

TEST(Article6_1, TheFirstPressStartsRedOnlyOnce) {
    Started e(timed({{60'000, 0, 5'000}}));
    e.wait(2'000).press(Side::Black).wait(1'000);
    EXPECT_EQ(e.left(Side::Red), 57'000);
    EXPECT_EQ(e.faults(), "");
}

TEST(Article6_1, WithoutAStartTheFirstReplyStartsIt) {
    Evening e(timed({{60'000, 0, 5'000}}));
    e.leans().play("h2e2");
    EXPECT_EQ(e.spent(1), std::nullopt);
    EXPECT_EQ(e.left(Side::Red), 60'000);
    EXPECT_EQ(e.running(), Side::Black);
}

TEST(Article6_1, TheFlagFallsToTheMillisecond) {
    Started e(timed({{10'000, 0, 5'000}}));
    e.until(10'999);
    EXPECT_EQ(e.told(Code::FlagFall), "");
    e.until(11'000);
    EXPECT_EQ(e.told(Code::FlagFall), "red loss 4.1.6, 21 confirmed");
    EXPECT_EQ(e.messages().back().t, 11'000);
    EXPECT_EQ(e.result(), "0-1 flag_fall");
    EXPECT_EQ(e.left(Side::Red), 0);
}

TEST(Article6_1, APressOnTheLastMillisecondCounts) {
    Started saved(timed({{10'000, 0, 5'000}}));
    saved.until(10'000).put("h2e2").until(10'999).press();
    EXPECT_EQ(saved.result(), "");
    EXPECT_EQ(saved.left(Side::Red), 5'001);
    Started lost(timed({{10'000, 0, 5'000}}));
    lost.until(10'000).put("h2e2").until(11'001).press(Side::Red);
    EXPECT_EQ(lost.result(), "0-1 flag_fall");
}

TEST(Article6_1, TheOpponentsTouchEndsThePlyAtItsOwnMoment) {
    Started e(timed({{60'000, 0, 5'000}}));
    e.wait(3'000).put("h2e2").wait(2'000).lift("h9").wait(500).drop("g7").wait(600);
    EXPECT_EQ(e.spent(1), 5'500);  // Red has forgotten to press
    e.press(Side::Red).wait(400).press(Side::Black);
    EXPECT_EQ(e.record(), "h2e2 h9g7");
    EXPECT_EQ(e.spent(2), 1'500);
}

TEST(Article6_2, MovesInTimeWhatIsLeftIsKept) {
    Started e(timed({{60'000, 2, 0}, {30'000, 0, 0}}));
    e.play("h2e2 h9g7 h0g2");  // two moves of 4100 ms each
    EXPECT_EQ(e.left(Side::Red), 60'000 - 2 * 4'100 + 30'000);
    EXPECT_EQ(e.left(Side::Black), 60'000 - 4'100);
}

TEST(Article6_2, MovesNotMadeInTimeLose) {
    Started e(timed({{10'000, 3, 0}, {30'000, 0, 0}}));
    e.play("h2e2 h9g7").wait(10'000);
    EXPECT_EQ(e.result(), "0-1 flag_fall");
    EXPECT_EQ(e.messages().back().t, 1'000 + 4'100 + 4'100 + 5'900);
}

TEST(Article6_2, TheLastPeriodWithMovesRepeats) {
    Started e(timed({{60'000, 2, 0}, {20'000, 1, 0}}));
    e.play("h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 c3c4");
    EXPECT_EQ(e.left(Side::Red), 60'000 - 4 * 4'100 + 3 * 20'000);
    EXPECT_EQ(e.left(Side::Black), 60'000 - 3 * 4'100 + 2 * 20'000);
}

TEST(Article6_3, SuddenDeath) {
    Started e(timed({{10'000, 0, 0}}));
    e.play("h2e2 h9g7").until(1'000 + 4'100 + 4'100 + 5'900);
    EXPECT_EQ(e.result(), "0-1 flag_fall");
}

TEST(Article6_3, AFurtherPeriodBeginsWhereNoMovesAreAskedFor) {
    Started e(timed({{10'000, 0, 0}, {5'000, 0, 0}}));
    e.until(11'000);
    EXPECT_EQ(e.result(), "");
    EXPECT_EQ(e.left(Side::Red), 5'000);
    EXPECT_EQ(e.until(15'999).result(), "");
    EXPECT_EQ(e.until(16'000).result(), "0-1 flag_fall");
}

TEST(Article6_5, OddsOfTime) {
    auto r = timed({{10'000, 0, 0}});
    r.red_extra_ms = 3'000;
    Started e(r);
    EXPECT_EQ(e.left(Side::Red), 13'000);
    EXPECT_EQ(e.left(Side::Black), 10'000);
    EXPECT_EQ(e.until(13'999).result(), "");
    EXPECT_EQ(e.until(14'000).result(), "0-1 flag_fall");
}

TEST(Article6, TimeNeverRisesButByIncrementPeriodOrCall) {
    Started e(timed({{60'000, 3, 2'000}, {20'000, 2, 0}}));
    e.play("h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 c3c4 c6c5");
    protocol::Millis red = 60'000;
    for (const auto& m : e.messages()) {
        const auto* p = std::get_if<protocol::message::Ply>(&m.body);
        if (p == nullptr || !p->final) {
            EXPECT_LE(m.clock.red_ms, red);
        }
        red = m.clock.red_ms;
    }
}

TEST(Article6, PauseStopsBothAndResumeGoesOn) {
    Started e(timed({{60'000, 0, 0}}));
    e.wait(5'000).call("game.pause");
    EXPECT_EQ(e.running(), std::nullopt);
    e.refused("game.pause");
    EXPECT_EQ(e.wait(600'000).left(Side::Red), 55'000);
    e.touch("h2").wait(1'000);  // hands are not judged meanwhile
    EXPECT_EQ(e.call("game.resume"), "");
    EXPECT_EQ(e.running(), Side::Red);
    EXPECT_EQ(e.wait(5'000).left(Side::Red), 50'000);
    e.play("h0g2");
    EXPECT_EQ(e.ruled(Code::TouchMove), "");
}

TEST(Article6, TheArbiterSetsTheClocks) {
    Started e(timed({{60'000, 0, 0}}));
    e.wait(5'000);
    EXPECT_EQ(e.call("clock.set", R"("red_ms":90000,"black_ms":30000,"running":"black")"), "");
    EXPECT_EQ(e.left(Side::Red), 90'000);
    EXPECT_EQ(e.wait(10'000).left(Side::Black), 20'000);
    e.refused("clock.set", R"("red_ms":-1,"black_ms":1,"running":"red")");
    e.refused("clock.set", R"("red_ms":1,"black_ms":1,"running":"green")");
}

TEST(Article6, NoClockNoFlag) {
    auto r = automatic();
    r.clock_source = ClockSource::None;
    Evening e(r);
    e.wait(1000).press(Side::Black);
    e.play("h2e2 h9g7").wait(7'200'000);
    EXPECT_EQ(e.result(), "");
    EXPECT_EQ(e.spent(1), std::nullopt);
    e.refused("clock.set", R"("red_ms":1,"black_ms":1,"running":"red")");
}

TEST(Article6, TheBoardsClockIsShownAndFalls) {
    Evening e(by_board());
    e.event(event::Clock{60'000, 60'000, Side::Red}).wait(1'000);
    e.event(event::Clock{59'000, 60'000, Side::Red});
    EXPECT_EQ(e.left(Side::Red), 59'000);
    e.wait(1'000).event(event::Clock{0, 60'000, Side::Red});
    EXPECT_EQ(e.result(), "0-1 flag_fall");
}

TEST(Article6, TheBoardsClockIsNeverTrustedToRise) {
    Evening e(by_board());
    e.event(event::Clock{600'000, 600'000, Side::Red}).wait(1'000);
    e.event(event::Clock{590'000, 600'000, Side::Red}).wait(1'000);
    e.event(event::Clock{594'000, 600'000, Side::Red});
    EXPECT_LE(e.left(Side::Red), 590'000);
    EXPECT_FALSE(e.table().newcomer().front().clock.valid);
    e.wait(1'000).event(event::Clock{588'000, 600'000, Side::Red});
    EXPECT_EQ(e.left(Side::Red), 588'000);
    EXPECT_TRUE(e.table().newcomer().front().clock.valid);
}

TEST(Article6, AnInvalidReadingIsNotUsed) {
    Evening e(by_board());
    e.event(event::Clock{600'000, 600'000, Side::Red}).wait(1'000);
    e.event(event::ClockInvalid{});
    EXPECT_FALSE(e.table().newcomer().front().clock.valid);
    const auto left = e.left(Side::Red);
    EXPECT_EQ(e.wait(700'000).left(Side::Red), left);  // nobody falls by a clock that is unknown
    EXPECT_EQ(e.result(), "");
}

TEST(Article6, AFrozenClockOfTheBoardLosesNothing) {
    Evening e(by_board());
    e.event(event::Clock{5'000, 600'000, Side::Red}).wait(60'000);
    EXPECT_EQ(e.result(), "");  // only the clock itself says that the flag has fallen
}

TEST(Article21_6, AMateMadeBeforeTheFlagStands) {
    Evening e(timed({{10'000, 0, 0}}), "3k5/R8/9/9/9/9/9/8R/9/4K4 w");
    e.call("game.resume");
    e.until(9'400).put("i2i9").wait(5'000);  // stands at 9900, the flag would fall at 10000
    EXPECT_EQ(e.record(), "i2i9");
    EXPECT_EQ(e.result(), "1-0 checkmate");
    EXPECT_EQ(e.told(Code::FlagFall), "");
}

TEST(Article21_6, AnyOtherMoveMustBePressedInTime) {
    Evening e(timed({{10'000, 0, 0}}), "3k5/R8/9/9/9/9/p8/8R/9/4K4 w");
    e.call("game.resume");
    e.until(9'400).put("i2i3").wait(5'000);
    EXPECT_EQ(e.result(), "0-1 flag_fall");
    EXPECT_EQ(e.messages().back().result, protocol::Outcome::BlackWins);
}

TEST(Article21_6, AMateMadeAfterTheFlagDoesNot) {
    Evening e(timed({{10'000, 0, 0}}), "3k5/R8/9/9/9/9/9/8R/9/4K4 w");
    e.call("game.resume");
    e.until(9'600).put("i2i9").wait(5'000);  // stands at 10100
    EXPECT_EQ(e.result(), "0-1 flag_fall");
}

TEST(Article21, ProposedAFlagWaitsAndMayBeDismissed) {
    Started e(timed({{10'000, 0, 0}}, false));
    e.until(20'000);
    EXPECT_EQ(e.told(Code::FlagFall), "red loss 4.1.6, 21 proposed");
    EXPECT_EQ(e.running(), std::nullopt);
    e.call("ruling.dismiss", "\"id\":" + std::to_string(e.id(Code::FlagFall)));
    EXPECT_EQ(e.call("clock.set", R"("red_ms":5000,"black_ms":10000,"running":"red")"), "");
    e.wait(5'000);
    EXPECT_EQ(e.told(Code::FlagFall), "red loss 4.1.6, 21 dismissed; red loss 4.1.6, 21 proposed");
}

TEST(Article7, TheRecordHoldsNotationsAndTimes) {
    Started e(timed({{60'000, 0, 5'000}}));
    e.play("h2e2 h9g7");
    std::string zh;
    for (const auto& m : e.messages())
        if (const auto* p = std::get_if<protocol::message::Ply>(&m.body); p && p->final)
            zh += p->zh + " " + p->wxf + " " + std::to_string(*p->spent_ms) + "; ";
    EXPECT_EQ(zh, "炮二平五 C2=5 4100; 马8进7 H8+7 4100; ");
}

TEST(Article8_3, ClaimsAndOffersAreForOnesOwnTime) {
    Evening e;
    e.play("h2e2 h9g7");
    for (const char* what : {"draw.offer", "claim.natural_limit", "claim.repetition"})
        e.refused(what, R"("side":"black")");
    EXPECT_EQ(e.told(Code::DrawOffers) + e.told(Code::FalseClaim), "");
    EXPECT_EQ(e.call("draw.offer", R"("side":"red")"), "");
}

TEST(Article10, TheResultCarriesTimesAndFouls) {
    Started e(timed({{60'000, 0, 5'000}}));
    e.play("h2e2 h9g7").call("foul.add", R"("side":"red","reason":"x")");
    e.call("resign", R"("side":"red")");
    const auto state = e.table().newcomer().front();
    EXPECT_EQ(state.result, protocol::Outcome::BlackWins);
    EXPECT_EQ(state.clock.red_ms, 60'900);
    EXPECT_EQ(state.clock.running, std::nullopt);
    const auto& body = std::get<protocol::message::State>(state.body);
    EXPECT_EQ(body.moves.size(), 2U);
    EXPECT_EQ(body.black_fouls, 0);
}

TEST(Article10, AllPiecesHomeAndBlacksPressIsTheNextGame) {
    Evening e(automatic());
    e.leans().play("h2e2").call("resign", R"("side":"black")");
    // However quickly it goes: the pieces have been set up again.
    e.wait(2'000).lift("e2").wait(500).drop("h2").wait(300).press(Side::Black);
    EXPECT_EQ(e.table().game().number, 2);
    EXPECT_EQ(e.running(), Side::Red);
    e.play("h0g2");
    EXPECT_EQ(e.record(), "h0g2");
}

TEST(Article10, RedsPressOrAPieceThatIsMissingBeginsNothing) {
    Evening e(automatic());
    e.leans().play("h2e2 h9g7").call("resign", R"("side":"black")");
    e.wait(2'000).lift("e2").wait(500).drop("h2").wait(3'000).press(Side::Black).wait(1'000);
    EXPECT_EQ(e.table().game().number, 1);
    e.lift("g7").wait(500).drop("h9").wait(3'000).press(Side::Red).wait(1'000);
    EXPECT_EQ(e.table().game().number, 1);
}

TEST(Article10, WhoPlaysOnThroughTheArrayBeginsNothing) {
    Evening e(automatic());
    e.leans().play("h0g2 h9g7 g2h0").call("resign", R"("side":"black")");
    // Black still moves, thinks, and presses.
    e.wait(2'000).lift("g7").wait(500).drop("h9").wait(5'000).press(Side::Black).wait(1'000);
    EXPECT_EQ(e.table().game().number, 1);
}

TEST(Article10, AGameThatWasNotPlayedNeedsNoSettingUp) {
    Evening e(automatic());
    e.leans().wait(60'000).call("game.result", R"("result":"1-0","reason":"late")");
    e.wait(500).press(Side::Black);
    EXPECT_EQ(e.table().game().number, 1);
    e.wait(5'000).press(Side::Black);
    EXPECT_EQ(e.table().game().number, 2);
}
