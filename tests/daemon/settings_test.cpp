#include "daemon/from_settings.hpp"

#include "config/load.hpp"

#include <gtest/gtest.h>

namespace xq::daemon {
namespace {

TEST(Settings, BecomeRegulations) {
    const auto loaded = config::read_toml(R"([game]
rulebook = "asian"
level = "youth"
rulings = "automatic"
completion = "settle"
settle_ms = 1
lift_ms = 2
released_ms = 3
natural_limit = 4
draw_offer_surplus = 5
[clock]
source = "board"
control = "60m/30,10m/10+5s"
red_extra = "6s"
outage = "7s"
)");
    ASSERT_TRUE(loaded.ok());
    const auto r = regulations(loaded.settings);
    EXPECT_EQ(r.rulebook, "asian");
    EXPECT_EQ(r.level, referee::Level::Youth);
    EXPECT_TRUE(r.automatic);
    EXPECT_EQ(r.completion, referee::Completion::Settle);
    EXPECT_EQ(r.settle_ms, 1);
    EXPECT_EQ(r.lift_ms, 2);
    EXPECT_EQ(r.released_ms, 3);
    EXPECT_EQ(r.natural_limit, 4);
    EXPECT_EQ(r.draw_offer_surplus, 5);
    EXPECT_EQ(r.clock_source, referee::ClockSource::Board);
    EXPECT_EQ(r.control_text, "60m/30,10m/10+5s");
    ASSERT_EQ(r.control.size(), 2U);
    EXPECT_EQ(r.control[0].time_ms, 3'600'000);
    EXPECT_EQ(r.control[0].moves, 30);
    EXPECT_EQ(r.control[1].increment_ms, 5000);
    EXPECT_EQ(r.red_extra_ms, 6000);
    EXPECT_EQ(r.outage_ms, 7000);
}

TEST(Settings, SurviveAJournalsHead) {
    config::Settings settings;
    settings.event = {"Cup", "3", "A", "B"};
    settings.game.level = config::Level::Provincial;
    auto game = game_start(settings, 7);
    EXPECT_EQ(game.event, "Cup, 3");
    game.red = "C";  // as a call has named him
    game.start_fen = "4k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1";
    const auto header = log_header(settings, game, 1000);
    EXPECT_EQ(header.start, 1000);
    const auto loaded = config::read_json(header.config);
    ASSERT_TRUE(loaded.ok());
    EXPECT_EQ(loaded.settings.game, settings.game);
    const auto again = game_start(header, loaded.settings);
    EXPECT_EQ(again.number, 7);
    EXPECT_EQ(again.start_fen, game.start_fen);
    EXPECT_EQ(again.event, "Cup, 3");
    EXPECT_EQ(again.red, "C");
    EXPECT_EQ(again.black, "B");
}

}  // namespace
}  // namespace xq::daemon
