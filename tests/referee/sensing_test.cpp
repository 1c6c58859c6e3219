// From what a board tells to what stands on it: each rule of what is believed, and when.
#include "daemon/referee/sensing.hpp"

#include <gtest/gtest.h>

namespace {

using namespace xq;
using namespace xq::referee;

constexpr Point e2 = 22;
constexpr Point h2 = 25;
const Seen cannon{*rules::Piece::from_fen('C')};
const Seen rook{*rules::Piece::from_fen('R')};
const Seen something = Seen::some();

/// A board on which one red cannon stands on h2, told the time as it is asked to be.
class Watched {
public:
    explicit Watched(Millis lift_ms = 80) : sensing(lift_ms) {
        Reading reading{};
        reading[h2] = cannon;
        sensing.begin(reading);
    }
    Watched& read(Millis t, Point p, Seen seen) {
        until(t);
        sensing.read(t, p, seen, changes);
        return *this;
    }
    Watched& until(Millis t) {
        for (auto due = sensing.next_deadline(); due && *due <= t; due = sensing.next_deadline())
            sensing.settle(*due, changes);
        return *this;
    }
    /// `times` disturbances of `p` from `t` on, each `short_ms` long and `apart_ms` after the last.
    Watched& disturb(Millis t, Point p, int times, Millis short_ms, Millis apart_ms) {
        const Seen well = sensing.raw(p);
        for (int i = 0; i < times; ++i) {
            read(t, p, well.empty() ? something : Seen());
            read(t + short_ms, p, well);
            t += apart_ms;
        }
        return *this;
    }
    Seen believed(Point p) const { return sensing.believed()[static_cast<std::size_t>(p)]; }

    Sensing sensing;
    std::vector<Change> changes;
};

}  // namespace

TEST(Believing, TheFirstReadingIsBelievedAsItIs) {
    Watched w;
    EXPECT_EQ(w.believed(h2), cannon);
    EXPECT_TRUE(w.believed(e2).empty());
    EXPECT_TRUE(w.changes.empty());
    EXPECT_FALSE(w.sensing.next_deadline());
}

TEST(Believing, ACertainPieceThatArrivesIsBelievedAtOnce) {
    Watched w;
    w.read(1000, e2, cannon);
    ASSERT_EQ(w.changes.size(), 1U);
    EXPECT_EQ(w.changes[0].t, 1000);
    EXPECT_EQ(w.changes[0].point, e2);
    EXPECT_TRUE(w.changes[0].was.empty());
    EXPECT_EQ(w.changes[0].now, cannon);
}

TEST(Believing, AnEmptyPointMustLast) {
    Watched w;
    w.read(1000, h2, Seen());
    EXPECT_EQ(w.sensing.next_deadline(), 1000 + bounce_ms);
    w.until(1079);
    EXPECT_EQ(w.believed(h2), cannon);
    w.until(1080);
    EXPECT_TRUE(w.believed(h2).empty());
    EXPECT_EQ(w.changes.at(0).t, 1000);  // when it began, not when it was believed
}

TEST(Believing, NoLongerThanALiftThatCounts) {
    Watched w(50);
    w.read(1000, h2, Seen()).until(1050);
    EXPECT_TRUE(w.believed(h2).empty());
    Watched slow(200);  // a long `lift_ms` does not slow down what is seen
    slow.read(1000, h2, Seen()).until(1080);
    EXPECT_TRUE(slow.believed(h2).empty());
}

TEST(Believing, ABounceChangesNothing) {
    Watched w;
    w.read(1000, h2, Seen()).read(1030, h2, cannon).until(5000);
    EXPECT_TRUE(w.changes.empty());
    EXPECT_TRUE(w.sensing.flickering().none());
}

TEST(Believing, APieceThatIsNotToldMustLastWhereNothingStood) {
    Watched w;  // a neighbour that shows for a moment
    w.read(1000, e2, something).read(1060, e2, Seen()).until(3000);
    EXPECT_TRUE(w.changes.empty());
    w.read(4000, e2, something).until(4080);
    EXPECT_EQ(w.believed(e2), something);
}

TEST(Believing, WhereAPieceStoodAnyReadingOfOneIsBelievedAtOnce) {
    Watched w;
    w.read(1000, h2, something);
    EXPECT_EQ(w.believed(h2), something);
    w.read(1200, h2, cannon);  // a misreading that heals
    EXPECT_EQ(w.believed(h2), cannon);
    w.read(1300, h2, rook);
    EXPECT_EQ(w.believed(h2), rook);
}

TEST(Believing, WhatIsBelievedTogetherIsToldInTheOrderInWhichItBegan) {
    Watched w;
    Reading reading{};
    reading[h2] = reading[e2] = cannon;
    w.sensing.begin(reading);
    w.read(1000, h2, Seen()).read(1001, e2, Seen());
    w.sensing.settle(1090, w.changes);
    ASSERT_EQ(w.changes.size(), 2U);
    EXPECT_EQ(w.changes[0].point, h2);
    EXPECT_EQ(w.changes[1].point, e2);
}

TEST(Flickering, ThreeDisturbancesInThreeSeconds) {
    Watched two;
    two.disturb(1000, h2, 2, 30, 1000);
    EXPECT_TRUE(two.sensing.flickering().none());
    Watched three;
    three.disturb(1000, h2, 3, 30, 1000);
    EXPECT_TRUE(three.sensing.flickering().test(h2));
    EXPECT_TRUE(three.sensing.toggling().none());  // it does no harm
    Watched slow;
    slow.disturb(1000, h2, 3, 30, 1600);
    EXPECT_TRUE(slow.sensing.flickering().none());
}

TEST(Flickering, BouncesOfOneContactAreOneDisturbance) {
    Watched w;
    w.disturb(1000, h2, 6, 10, 25);
    EXPECT_TRUE(w.sensing.flickering().none());
}

TEST(Flickering, APointThatIsBelievedToToggleIsNotListenedTo) {
    Watched w;
    w.disturb(1000, h2, 3, 200, 400);  // each way long enough to be believed: six changes
    EXPECT_EQ(w.changes.size(), 6U);
    EXPECT_TRUE(w.sensing.toggling().test(h2));
    w.read(3000, h2, Seen()).until(5000);
    EXPECT_EQ(w.believed(h2), cannon);
    EXPECT_EQ(w.changes.size(), 6U);
}

TEST(Flickering, ItIsWellWhenItHasLongBeenQuiet) {
    Watched w;
    w.disturb(1000, h2, 3, 200, 400).read(3000, h2, Seen());
    EXPECT_EQ(w.sensing.next_deadline(), 3000 + flicker_quiet_ms);
    w.until(12'999);
    EXPECT_TRUE(w.sensing.flickering().test(h2));
    w.until(13'000);
    EXPECT_TRUE(w.sensing.flickering().none());
    EXPECT_TRUE(w.believed(h2).empty());  // and what it has read for so long is believed
}

TEST(Flickering, ReportsAreCountedByTheMinute) {
    Watched w;
    w.disturb(1000, h2, 3, 30, 10'000);
    EXPECT_EQ(w.sensing.changes_per_minute(h2, 22'000), 6);
    EXPECT_EQ(w.sensing.changes_per_minute(h2, 62'000), 4);
    EXPECT_EQ(w.sensing.changes_per_minute(e2, 22'000), 0);
    EXPECT_EQ(w.sensing.last_report(h2), 21'030);
    EXPECT_EQ(w.sensing.last_report(), 21'030);
}
