// Article 22 of the 2010 rules with 9.1.3, 9.1.4, 4.1.11 and 4.2.4: offers and the natural limit.
#include "tests/referee/evening.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

namespace {

using namespace xq;
using namespace xq::test;
using protocol::Code;
using rules::Side;

referee::Regulations limit_of(int rounds) {
    auto r = automatic();
    r.natural_limit = rounds;
    return r;
}

// Both sides walk a rook up and down and threaten nothing: allowed moves of both.
constexpr auto idle = "3k5/9/9/r8/9/9/8R/9/9/5K3 w - - 0 1";
// The rook checks along e and d, the general steps to and fro: one-sided perpetual check.
constexpr auto checks = "3k5/9/9/9/9/9/p8/9/4R4/5K3 w - - 0 1";

}  // namespace

TEST(Article22_1, AMoveOrAWordRefusesAndNothingWithdraws) {
    Evening e;
    e.play("h2e2 h9g7").call("draw.offer", R"("side":"red")");
    e.play("h0g2");
    EXPECT_EQ(e.status().at("offer").as_string(), "red");  // his own move does not end it
    e.refused("draw.decline", R"("side":"red")");
    e.play("i9h9");
    EXPECT_TRUE(e.status().at("offer").is_null());
    e.refused("draw.accept", R"("side":"black")");
    e.call("draw.offer", R"("side":"red")");
    EXPECT_EQ(e.call("draw.decline", R"("side":"black")"), "");
    EXPECT_TRUE(e.status().at("offer").is_null());
    EXPECT_EQ(e.result(), "");
}

TEST(Article9_1_3, AnOfferTwoAboveTheOpponentsIsAFoul) {
    Evening e;
    e.play("h2e2 h9g7").call("draw.offer", R"("side":"red")");
    e.refused("draw.offer", R"("side":"red")");  // this one stands already
    e.play("h0g2 i9h9");
    EXPECT_EQ(e.ruled(Code::DrawOffers), "");
    e.call("draw.offer", R"("side":"red")");
    EXPECT_EQ(e.ruled(Code::DrawOffers), "red foul 9.1.3 proposed");
}

TEST(Article9_1_3, EachFurtherOneTooAndAnswersEvenTheCount) {
    Evening e(automatic());
    e.play("h2e2 h9g7").call("draw.offer", R"("side":"red")");
    e.play("h0g2").call("draw.decline", R"("side":"black")");
    e.call("draw.offer", R"("side":"black")");
    e.play("i9h9").call("draw.decline", R"("side":"red")");
    e.call("draw.offer", R"("side":"red")");  // two against one
    EXPECT_EQ(e.ruled(Code::DrawOffers), "");
    e.call("draw.decline", R"("side":"black")");
    e.call("draw.offer", R"("side":"red")");
    e.call("draw.decline", R"("side":"black")");
    e.call("draw.offer", R"("side":"red")");
    EXPECT_EQ(e.ruled(Code::DrawOffers), "red foul 9.1.3 confirmed; red foul 9.1.3 confirmed");
}

TEST(Article9_1_3, TheSurplusIsTheEventsToSay) {
    auto r = automatic();
    r.draw_offer_surplus = 1;
    Evening e(r);
    e.play("h2e2 h9g7").call("draw.offer", R"("side":"red")");
    EXPECT_EQ(e.ruled(Code::DrawOffers), "red foul 9.1.3 confirmed");
}

TEST(Article22_2, TheLimitIsToldWhenReachedAndDrawsOnAClaimOnly) {
    Evening e(limit_of(3), idle);
    e.play("i3i2 a6a7 i2i4 a7a8 f0f1");
    EXPECT_EQ(e.told(Code::NaturalLimit), "");
    e.play("a8a5");
    EXPECT_EQ(e.told(Code::NaturalLimit), "both info 4.2.4, 22.2 confirmed");
    e.play("f1f0 a5a6");
    EXPECT_EQ(e.result(), "");
    EXPECT_EQ(e.call("claim.natural_limit", R"("side":"red")"), "");
    EXPECT_EQ(e.result(), "1/2-1/2 natural_limit");
}

TEST(Article4_2_4, ProposedTheArbiterConfirmsTheDraw) {
    auto r = limit_of(3);
    r.automatic = false;
    Evening e(r, idle);
    e.play("i3i2 a6a7 i2i4 a7a8 f0f1 a8a5").call("claim.natural_limit", R"("side":"red")");
    EXPECT_EQ(e.result(), "");
    e.call("ruling.confirm", "\"id\":" + std::to_string(e.id(Code::NaturalLimit)));
    EXPECT_EQ(e.result(), "1/2-1/2 natural_limit");
}

namespace {

/// On each of so many ranks two checks of the rook, then a step up: three rounds, two of them with
/// a check of Red's; no position comes back.
std::string two_checks_a_rank(std::size_t ranks) {
    constexpr std::array pawn{"a3a2", "a2a1", "a1b1", "b1c1", "c1d1", "d1e1"};
    std::string s;
    const auto point = [](char file, std::size_t rank) { return file + std::to_string(rank); };
    const auto move = [&s](const std::string& from, const std::string& to) {
        s.append(from).append(to).append(" ");
    };
    for (std::size_t r = 1; r <= ranks; ++r) {
        move(point('e', r), point('d', r));
        move("d9", "e9");
        move(point('d', r), point('e', r));
        move("e9", "d9");
        move(point('e', r), point('e', r + 1));
        s.append(pawn.at(r - 1)).append(" ");
    }
    return s;
}

}  // namespace

TEST(Article22_2, TenOfTheClaimantsChecksCount) {
    Evening e(limit_of(15), checks);
    e.play(two_checks_a_rank(5));  // fifteen rounds, ten checks
    EXPECT_EQ(e.told(Code::NaturalLimit), "both info 4.2.4, 22.2 confirmed");
    EXPECT_EQ(e.call("claim.natural_limit", R"("side":"red")"), "");
    EXPECT_EQ(e.result(), "1/2-1/2 natural_limit");
}

TEST(Article22_2, ChecksBeyondTenMakeHisOwnClaimFalse) {
    Evening e(limit_of(18), checks);
    e.play(two_checks_a_rank(6));  // eighteen rounds, twelve checks: sixteen for Red
    EXPECT_EQ(e.told(Code::NaturalLimit), "both info 4.2.4, 22.2 confirmed");
    EXPECT_EQ(e.call("claim.natural_limit", R"("side":"red")"), "");
    EXPECT_EQ(e.told(Code::FalseClaim), "red foul 9.1.4, 22.2 confirmed");
    EXPECT_EQ(e.result(), "");
}

TEST(Article22_2, TheOtherSidesChecksDoNotBurdenAClaim) {
    Evening e(limit_of(18), checks);
    e.play(two_checks_a_rank(6) + "e7f7");
    EXPECT_EQ(e.call("claim.natural_limit", R"("side":"black")"), "");
    EXPECT_EQ(e.result(), "1/2-1/2 natural_limit");
}

TEST(Article22_2, TwoMoreRoundsMakeUpForTwoChecksTooMany) {
    Evening e(limit_of(16), checks);
    e.play(two_checks_a_rank(6));
    EXPECT_EQ(e.call("claim.natural_limit", R"("side":"red")"), "");
    EXPECT_EQ(e.result(), "1/2-1/2 natural_limit");
}

TEST(Article9_1_4, AFalseClaimIsAFoulAndFiveMinutes) {
    Evening e(automatic());
    e.play("h2e2 h9g7").wait(1'000);
    const auto left = e.left(Side::Red);
    EXPECT_EQ(e.call("claim.natural_limit", R"("side":"red")"), "");
    EXPECT_EQ(e.told(Code::FalseClaim), "red foul 9.1.4, 22.2 confirmed");
    EXPECT_EQ(e.left(Side::Red), left - 300'000);
    EXPECT_EQ(e.result(), "");
}

TEST(Article9_1_4, ProposedTheTimeGoesWhenItIsConfirmed) {
    Evening e;
    e.play("h2e2 h9g7").wait(1'000).call("claim.natural_limit", R"("side":"red")");
    const auto left = e.left(Side::Red);
    e.call("ruling.confirm", "\"id\":" + std::to_string(e.id(Code::FalseClaim)));
    EXPECT_EQ(e.left(Side::Red), left - 300'000);
}

TEST(Article9_1_4, TheFlagMayFallOfIt) {
    Evening e(timed({{240'000, 0, 0}}));
    e.play("h2e2 h9g7").call("claim.natural_limit", R"("side":"red")");
    EXPECT_EQ(e.told(Code::FlagFall), "red loss 4.1.6, 21 confirmed");
    EXPECT_EQ(e.result(), "0-1 flag_fall");
}

TEST(Article4_1_11, TheSecondInTheSameStageLoses) {
    Evening e(automatic());
    e.play("h2e2 h9g7").call("claim.natural_limit", R"("side":"red")");
    e.play("h0g2 i9h9").call("claim.natural_limit", R"("side":"red")");
    EXPECT_EQ(e.told(Code::FalseClaim),
              "red foul 9.1.4, 22.2 confirmed; red loss 4.1.11, 22.2 confirmed");
    EXPECT_EQ(e.result(), "0-1 false_claim");
}

TEST(Article4_1_11, ACaptureBeginsAStageOfItsOwn) {
    Evening e(automatic());
    e.play("h2e2 h9g7").call("claim.natural_limit", R"("side":"red")");
    e.play("e2e6 g7e6");
    EXPECT_EQ(e.record(), "h2e2 h9g7 e2e6 g7e6");
    EXPECT_EQ(e.call("claim.natural_limit", R"("side":"red")"), "");
    EXPECT_EQ(e.told(Code::FalseClaim),
              "red foul 9.1.4, 22.2 confirmed; red foul 9.1.4, 22.2 confirmed");
    EXPECT_EQ(e.result(), "");
}
