// The clock alone: its books balance whatever happens to it, and telling it the time is free.
#include "daemon/referee/clock.hpp"
#include "tests/referee/replayed.hpp"

#include <gtest/gtest.h>
#include <random>

namespace {

using namespace xq;
using referee::GameClock;
using referee::Millis;
using rules::Side;

referee::Regulations with(std::vector<referee::Period> control) {
    auto r = test::regulations();
    r.control = std::move(control);
    r.red_extra_ms = 7'000;
    return r;
}

void expect_balance(const GameClock& clock, Millis t) {
    for (const Side s : {Side::Red, Side::Black}) {
        const auto b = clock.books(s, t);
        EXPECT_EQ(b.given + b.adjusted, b.used + clock.left(s, t) + b.deducted);
        EXPECT_GE(clock.left(s, t), 0);
    }
}

}  // namespace

TEST(Clock, BooksBalance) {
    const std::vector<std::vector<referee::Period>> controls{{{60'000, 0, 5'000}},
                                                             {{30'000, 3, 0}, {10'000, 1, 500}},
                                                             {{20'000, 0, 0}, {5'000, 0, 0}},
                                                             {{10'000, 2, 100}}};
    for (unsigned seed = 1; seed <= 400; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937 random(seed);
        const auto below = [&](unsigned n) { return static_cast<Millis>(random() % n); };
        const auto side = [&] { return below(2) == 0 ? Side::Red : Side::Black; };
        GameClock clock(with(controls[seed % controls.size()]));
        Millis t = 0;
        for (int i = 0; i < 80; ++i) {
            t += below(3'000);
            if (const auto falls = clock.falls_at(); falls && *falls <= t) {
                if (!clock.next_period(*falls)) clock.stop(*falls);
            }
            switch (below(7)) {
                case 0:
                    clock.start(side(), t);
                    break;
                case 1:
                    clock.stop(t);
                    break;
                case 2:
                    clock.deduct(side(), below(400'000), t);
                    break;
                case 3:
                    clock.set(below(90'000), below(90'000), side(), t);
                    break;
                default:
                    clock.complete_move(clock.running().value_or(side()), t);
            }
            expect_balance(clock, t);
        }
    }
}

TEST(Clock, ItNeverRisesWhileItRuns) {
    GameClock clock(with({{60'000, 0, 5'000}}));
    clock.start(Side::Red, 1'000);
    Millis last = clock.left(Side::Red, 1'000);
    EXPECT_EQ(last, 67'000);
    for (Millis t = 1'000; t < 80'000; t += 777) {
        EXPECT_LE(clock.left(Side::Red, t), last);
        last = clock.left(Side::Red, t);
    }
    EXPECT_EQ(last, 0);
    EXPECT_EQ(clock.falls_at(), 68'000);
}

TEST(Clock, ADeductionTakesNoMoreThanThereIs) {
    GameClock clock(with({{60'000, 0, 0}}));
    clock.deduct(Side::Black, 300'000, 0);
    EXPECT_EQ(clock.left(Side::Black, 0), 0);
    EXPECT_EQ(clock.books(Side::Black, 0).deducted, 60'000);
}

TEST(Clock, AReadingOfTheBoardsMayRiseByWhatAMoveEarns) {
    auto r = with({{60'000, 0, 5'000}});
    r.clock_source = referee::ClockSource::Board;
    GameClock clock(r);
    EXPECT_TRUE(clock.board_reading({60'000, 60'000, Side::Red}, 0));
    EXPECT_TRUE(clock.board_reading({50'000, 60'000, Side::Red}, 10'000));
    EXPECT_FALSE(clock.board_reading({53'000, 60'000, Side::Red}, 10'100));
    EXPECT_FALSE(clock.face(10'100).valid);
    clock.complete_move(Side::Red, 11'000);
    EXPECT_TRUE(clock.board_reading({54'000, 60'000, Side::Black}, 11'000));
    EXPECT_FALSE(clock.board_reading({59'500, 60'000, Side::Black}, 11'100));
}
