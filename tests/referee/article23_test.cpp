// Article 23 of the 2010 rules with 4.2.3: repeated positions and the procedure of 23.5. Plies are
// counted from the first move of the cycle; the classes themselves are tested in tests/rules.
#include "tests/referee/evening.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using namespace xq;
using namespace xq::test;
using protocol::Code;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

std::string cycles(const char* one, int times) {
    std::string s;
    for (int i = 0; i < times; ++i) s += std::string(one) + " ";
    return s;
}

int rulings(const Evening& e) {
    int n = 0;
    for (const auto& m : e.messages())
        if (const auto* r = std::get_if<protocol::message::Ruling>(&m.body);
            r && r->code == Code::Repetition)
            ++n;
    return n;
}

std::string answer(Evening& e, const char* method) {
    return e.call(method, "\"id\":" + std::to_string(e.id(Code::Repetition)));
}

// Both sides walk a rook up and down and threaten nothing: allowed moves of both.
constexpr auto idle = "3k5/9/9/r8/9/9/8R/9/9/5K3 w - - 0 1";
constexpr auto idle_cycle = "i3i2 a6a7 i2i3 a7a6";
// The rook checks along e and d, the general steps to and fro: one-sided perpetual check.
constexpr auto checks = "3k5/9/9/9/9/9/p8/9/4R4/5K3 w - - 0 1";
constexpr auto check_cycle = "e1d1 d9e9 d1e1 e9d9";
// The rook chases the unprotected cannon, which steps aside: forbidden against allowed.
constexpr auto chase = "3k5/9/9/9/2c6/9/R8/9/9/5K3 w - - 0 1";
constexpr auto chase_cycle = "a3c3 c5a5 c3a3 a5c5";
// Figure 16: each side chases with every move, and neither need change (26.8.2).
constexpr auto both = "5a3/5k3/4P4/p7p/9/8P/P8/4B4/2nRA2r1/2BAK4 w - - 0 1";
constexpr auto both_cycle = "e2g0 h1g1 g0e2 g1h1";
// Reference figure 47: nine rounds of checks and chases that never come back three times.
constexpr auto nine_rounds = "2bk1a3/4a4/2R1b4/C8/4P4/9/9/5A3/4AK3/6r2 b - - 0 1";
constexpr auto eighteen_plies =
    "g0g1 f1f0 g1g0 f0f1 g0g1 f1f0 g1g0 f0f1 g0a0 a6b6 a0b0 b6a6 b0a0 a6b6 "
    "a0b0 b6a6 b0b6 a6a9";

}  // namespace

TEST(Article23_3, FewerThanThreeCyclesAreRefusedWithoutAFoul) {
    Evening e(automatic(), checks);
    e.play(cycles(check_cycle, 2));
    EXPECT_THAT(e.refused("claim.repetition", R"("side":"red")"), HasSubstr("23.3"));
    EXPECT_EQ(e.faults() + e.told(Code::Repetition), "");
}

TEST(Article23_5_1_1, OneSidedPerpetualCheckHasLostWithTheThirdCycle) {
    Evening e(automatic(), checks);
    e.play(cycles(check_cycle, 2) + "e1d1 d9e9 d1e1");
    EXPECT_EQ(e.result(), "");
    e.play("e9d9");
    EXPECT_EQ(e.result(), "0-1 repetition");
    EXPECT_THAT(e.told(Code::Repetition), StartsWith("red loss "));
    EXPECT_THAT(e.record(), EndsWith("e9d9"));
}

TEST(Article23_5_1_1, ProposedTheArbiterConfirms) {
    Evening e(regulations(), checks);
    e.play(cycles(check_cycle, 3));
    EXPECT_THAT(e.told(Code::Repetition), StartsWith("red loss "));
    EXPECT_EQ(e.result(), "");
    EXPECT_EQ(e.call("ruling.confirm", "\"id\":" + std::to_string(e.id(Code::Repetition))), "");
    EXPECT_EQ(e.result(), "0-1 repetition");
}

TEST(Article23_5_2_2, ForbiddenAgainstAllowedIsToldToChangeAndHasTwoMoves) {
    Evening e(automatic(), chase);
    e.play(cycles(chase_cycle, 3));
    EXPECT_THAT(e.told(Code::Repetition), StartsWith("red warning "));
    EXPECT_EQ(e.result(), "");
    e.play("a3c3 c5a5 c3a3");
    EXPECT_EQ(e.result(), "0-1 repetition");
}

TEST(Article23_5_1_1, ItIsToldOnce) {
    Evening e(regulations(), checks);
    e.play(cycles(check_cycle, 4));
    EXPECT_EQ(rulings(e), 1);
    EXPECT_EQ(answer(e, "ruling.dismiss"), "");
    e.play(check_cycle);
    EXPECT_EQ(rulings(e), 2);  // the dismissal, and nothing after it
    EXPECT_EQ(e.result(), "");
}

TEST(Article23_5_1_2, NineRoundsAreToChangeAtOnce) {
    Evening e(automatic(), nine_rounds);
    e.play(eighteen_plies);
    EXPECT_THAT(e.told(Code::Repetition), StartsWith("black warning "));
    EXPECT_THAT(e.told(Code::Repetition), HasSubstr("23.4"));
    EXPECT_EQ(e.result(), "");
    e.play("b6b9");
    EXPECT_EQ(e.result(), "1-0 repetition");
    EXPECT_THAT(e.told(Code::Repetition), HasSubstr("23.5.1.2"));
}

TEST(Article23_5_1_2, WhoChangesHasNotLost) {
    Evening e(automatic(), nine_rounds);
    e.play(eighteen_plies);
    e.play("b6g6");
    EXPECT_EQ(e.result(), "");
    EXPECT_EQ(rulings(e), 1);
}

TEST(Article23_5_2_1, WhereBothAreForbiddenEitherMayChange) {
    Evening e(automatic(), both);
    e.play(cycles(both_cycle, 3));
    EXPECT_THAT(e.told(Code::Repetition), StartsWith("both info "));
    e.play("e2g0 h1g1 g0e2");
    EXPECT_EQ(e.result(), "");
    e.play("g1f1");
    EXPECT_EQ(e.result(), "");
    EXPECT_EQ(rulings(e), 1);
}

TEST(Article23_5_2_2, ProposedTheTwoMovesCountFromTheArbitersWord) {
    Evening e(regulations(), chase);
    e.play(cycles(chase_cycle, 3) + "a3c3 c5a5");
    EXPECT_EQ(answer(e, "ruling.confirm"), "");
    e.play("c3a3 a5c5");
    EXPECT_THAT(e.told(Code::Repetition), Not(HasSubstr("loss")));
    e.play("a3c3");
    EXPECT_THAT(e.told(Code::Repetition), HasSubstr("red loss "));
    EXPECT_THAT(e.told(Code::Repetition), EndsWith("proposed"));
}

TEST(Article23_5_2_2, UnansweredTheyCountFromTheWarning) {
    Evening e(regulations(), chase);
    e.play(cycles(chase_cycle, 3) + "a3c3 c5a5 c3a3");
    EXPECT_THAT(e.told(Code::Repetition), HasSubstr("red loss "));
}

TEST(Article23_5_2_2, DismissedNothingFollowsFromThisCycle) {
    Evening e(regulations(), chase);
    e.play(cycles(chase_cycle, 3));
    EXPECT_EQ(answer(e, "ruling.dismiss"), "");
    e.play(cycles(chase_cycle, 2));
    EXPECT_THAT(e.told(Code::Repetition), EndsWith("dismissed"));
    EXPECT_EQ(e.faults(), "");
}

TEST(Article23_5_2_2, TakenBackAndPlayedAgainHeIsToldAgain) {
    Evening e(regulations(), chase);
    e.play(cycles(chase_cycle, 3));
    EXPECT_EQ(rulings(e), 1);
    EXPECT_EQ(e.call("game.takeback", R"("to_ply":11)"), "");
    e.wait(1000).lift("c5").wait(500).drop("a5").wait(2000);
    e.put("a5c5").wait(600).press();
    EXPECT_EQ(rulings(e), 2);
}

TEST(Article23_5_2_2, WhoChangesHasNothingToFear) {
    Evening e(automatic(), chase);
    e.play(cycles(chase_cycle, 3) + "f0f1 c5c6");
    EXPECT_EQ(e.result(), "");
    EXPECT_THAT(e.told(Code::Repetition), StartsWith("red warning "));
}

TEST(Article23_5_3, TheFourthCycleOfAllowedAgainstAllowedDraws) {
    Evening e(automatic(), idle);
    e.play(cycles(idle_cycle, 3));
    EXPECT_THAT(e.told(Code::Repetition), StartsWith("both info "));
    e.play("i3i2 a6a7 i2i3");
    EXPECT_EQ(e.result(), "");
    e.play("a7a6");
    EXPECT_EQ(e.result(), "1/2-1/2 repetition");
    EXPECT_THAT(e.told(Code::Repetition), HasSubstr("both draw "));
}

TEST(Article23_5_3, SoDoesThatOfForbiddenAgainstForbidden) {
    Evening e(automatic(), both);
    e.play(cycles(both_cycle, 4));
    EXPECT_EQ(e.result(), "1/2-1/2 repetition");
    EXPECT_THAT(e.told(Code::Repetition), HasSubstr("26.8.2"));
}

TEST(Article4_2_3, ARepetitionThatIsClaimedHasBeenRuledAlready) {
    Evening e(regulations(), idle);
    e.play(cycles(idle_cycle, 3));
    EXPECT_EQ(e.call("claim.repetition", R"("side":"red")"), "");
    e.refused("claim.repetition", R"("side":"black")");
}

TEST(Chapter23, TheOtherRuleBooksRuleInTheirOwnName) {
    for (const char* book : {"cxa-1999", "asian"}) {
        auto r = automatic();
        r.rulebook = book;
        Evening e(r, checks);
        e.play(cycles(check_cycle, 3));
        EXPECT_EQ(e.result(), "0-1 repetition") << book;
        EXPECT_THAT(e.told(Code::Repetition), HasSubstr(book));
    }
}
