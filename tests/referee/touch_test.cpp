// The duty that touches lay on a side, alone; and the ledger of rulings.
#include "daemon/referee/touch.hpp"
#include "daemon/referee/conduct.hpp"
#include "rules/fen.hpp"

#include <gtest/gtest.h>

namespace {

using namespace xq;
using referee::Duty;
using rules::Side;

const rules::Position position =
    rules::read_fen("3k4r/9/9/p6c1/9/R7N/8P/9/9/4K4 w - - 0 1").value();

rules::Point at(std::string_view name) {
    return rules::point_named(name).value();
}

/// The duty after touches a second apart, or all at once.
Duty after(std::initializer_list<const char*> points, referee::Millis apart = 1000) {
    std::vector<referee::Touch> touches;
    for (const char* p : points) {
        const auto n = static_cast<referee::Millis>(touches.size());
        touches.push_back({n * apart, at(p), position.at(at(p))});
    }
    return referee::duty(position, touches);
}

}  // namespace

TEST(Duty, NothingTouchedNothingDue) {
    EXPECT_EQ(after({}).kind, Duty::Kind::Free);
    EXPECT_TRUE(after({}).allows({at("a4"), at("a5")}));
}

TEST(Duty, TheOrderOfOwnAndEnemyDecides) {
    EXPECT_EQ(after({"a4", "h6"}).kind, Duty::Kind::Move);
    EXPECT_EQ(after({"a4", "h6"}).article, "5.3.2");
    EXPECT_EQ(after({"h6", "a4"}).kind, Duty::Kind::Take);
    EXPECT_EQ(after({"h6", "a4"}).article, "5.4.2");
    EXPECT_EQ(after({"a4", "a6"}).kind, Duty::Kind::TakeBy);
    EXPECT_EQ(after({"a6", "a4"}).kind, Duty::Kind::TakeBy);
}

TEST(Duty, AtOnceIsEnemyFirst) {
    EXPECT_EQ(after({"a4", "h6"}, 50).kind, Duty::Kind::Take);
    EXPECT_EQ(after({"a4", "h6"}, 51).kind, Duty::Kind::Move);
}

TEST(Duty, WhatCannotMoveOrBeTakenIsNamed) {
    EXPECT_EQ(after({"i3"}).kind, Duty::Kind::Free);
    ASSERT_EQ(after({"i3"}).impossible.size(), 1U);
    EXPECT_EQ(after({"i3", "i9"}).impossible.size(), 2U);
    EXPECT_TRUE(after({"a4", "a6"}).impossible.empty());
}

TEST(Duty, AllowsWhatObeysIt) {
    const Duty d = after({"h6", "a4"});
    EXPECT_TRUE(d.allows({at("i4"), at("h6")}));
    EXPECT_FALSE(d.allows({at("a4"), at("a5")}));
}

TEST(Conduct, CountsWhatHasTakenEffect) {
    referee::Conduct c;
    referee::Ruling r;
    r.shown.code = protocol::Code::Conduct;
    r.shown.side = Side::Red;
    r.shown.severity = protocol::Severity::Foul;
    const int id = c.enter(r).shown.id;
    EXPECT_EQ(id, 1);
    EXPECT_EQ(c.fouls(Side::Red), 0);
    EXPECT_TRUE(c.waits_for(protocol::Code::Conduct));
    c.find(id)->shown.status = protocol::RulingStatus::Confirmed;
    EXPECT_EQ(c.fouls(Side::Red), 1);
    EXPECT_EQ(c.fouls(Side::Black), 0);
    c.find(id)->shown.status = protocol::RulingStatus::Dismissed;
    EXPECT_EQ(c.fouls(Side::Red) + c.count(protocol::Code::Conduct, Side::Red), 0);
    EXPECT_EQ(c.find(2), nullptr);
    EXPECT_EQ(c.find(0), nullptr);
}

TEST(Conduct, OffersAreCountedAndStandUntilTheyEnd) {
    referee::Conduct c;
    c.make_offer(Side::Black);
    EXPECT_EQ(c.offer(), Side::Black);
    c.end_offer();
    EXPECT_EQ(c.offer(), std::nullopt);
    EXPECT_EQ(c.offers(Side::Black), 1);
    EXPECT_EQ(c.offers(Side::Red), 0);
}
