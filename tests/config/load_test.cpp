#include "config/load.hpp"

#include "config/keys.hpp"

#include <gmock/gmock.h>
#include <fstream>
#include <set>
#include <sstream>

namespace xq::config {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> problems(std::string_view toml) {
    std::vector<std::string> texts;
    for (const auto& problem : read_toml(toml).problems) texts.push_back(text("f", problem));
    return texts;
}

std::string sample(const std::string& name) {
    std::ifstream in(std::string(XQ_CONFIG) + "/" + name);
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
}

/// Looks for each key below its section.
struct Names {
    const std::string& toml;
    std::size_t from = 0;
    void section(std::string_view name) {
        if (name.empty()) return;
        from = toml.find("\n[" + std::string(name) + "]");
        EXPECT_NE(from, std::string::npos) << name;
    }
    template <class... Rest>
    void key(std::string_view name, const Rest&... /*rest*/) {
        const auto at = toml.find("\n" + std::string(name) + " = ", from);
        EXPECT_LT(at, toml.find("\n[", from + 1)) << name;
    }
};

TEST(Load, NothingMeansTheDefaults) {
    const auto loaded = read_toml("");
    EXPECT_TRUE(loaded.ok());
    EXPECT_EQ(loaded.settings, Settings{});
}

TEST(Load, TheSampleEqualsTheDefaultsAndNamesEveryKey) {
    const std::string toml = sample("xiangqid.toml");
    const auto loaded = read_toml(toml);
    for (const auto& problem : loaded.problems) ADD_FAILURE() << text("xiangqid.toml", problem);
    EXPECT_EQ(loaded.settings, Settings{});

    Settings settings;
    Names names{toml};
    for_each_key(settings, names);
}

TEST(Load, TheDemonstrationIsASimulatedBoard) {
    const auto loaded = read_toml(sample("demo.toml"));
    for (const auto& problem : loaded.problems) ADD_FAILURE() << text("demo.toml", problem);
    EXPECT_EQ(loaded.settings.sensor.driver, Driver::Sim);
}

TEST(Load, TheDefaultControlIsWhatItsTextSays) {
    std::string fault;
    const TimeControl standard = Clock{}.control;
    EXPECT_EQ(read_time_control(standard.text, fault), standard);
}

TEST(Load, TakesEveryKindOfValue) {
    const auto loaded = read_toml(R"(board = "table-07"
[event]
red = "王天一"
[sensor]
driver = "log"
log = "game.xsl"
ids = ["1209:0001"]
rotated = true
speed = 4
[game]
rulebook = "asian"
natural_limit = 50
[clock]
control = "60m/30,10m/10"
red_extra = "30s"
[broadcast]
listen = ""
http = "[::1]:80"
delay = "15m"
)");
    for (const auto& problem : loaded.problems) ADD_FAILURE() << text("f", problem);
    const auto& s = loaded.settings;
    EXPECT_EQ(s.board, "table-07");
    EXPECT_EQ(s.event.red, "王天一");
    EXPECT_EQ(s.sensor.driver, Driver::Log);
    EXPECT_THAT(s.sensor.ids, ElementsAre("1209:0001"));
    EXPECT_TRUE(s.sensor.rotated);
    EXPECT_EQ(s.sensor.speed, 4.0);
    EXPECT_EQ(s.game.rulebook, Rulebook::Asian);
    EXPECT_EQ(s.game.natural_limit, 50);
    EXPECT_EQ(s.clock.control.periods.size(), 2U);
    EXPECT_EQ(s.clock.red_extra, 30 * second);
    EXPECT_EQ(s.broadcast.listen, std::nullopt);
    EXPECT_EQ(s.broadcast.http, (Endpoint{"::1", 80}));
    EXPECT_EQ(s.broadcast.delay, 15 * minute);
}

TEST(Load, TellsEveryFaultWithItsPlace) {
    EXPECT_THAT(
        problems("bord = \"x\"\n"
                 "[game]\n"
                 "settle = 3\n"
                 "settle_ms = \"3\"\n"
                 "level = \"world\"\n"
                 "[clock]\n"
                 "  control = \"45m,10m\"\n"
                 "[cloc]\n"),
        ElementsAre("f:1:1: there is no key `bord`", "f:3:1: there is no key `settle` in [game]",
                    "f:4:13: `game.settle_ms` must be a whole number from 0 to 600000",
                    "f:5:9: `game.level` must be one of: national, provincial, youth",
                    "f:7:13: `clock.control`: `45m` is for all the moves that remain, so "
                    "no period can follow it",
                    "f:8:2: there is no section [cloc]"));
}

TEST(Load, RefusesWrongTypesAndValues) {
    for (const auto* toml : {"board = 3",
                             "board = \"\"",
                             R"(board = "a\nb")",
                             "event = 3",
                             "[[event]]\nname = \"x\"",
                             "[sensor]\nids = \"1209:0001\"",
                             "[sensor]\nids = [3]",
                             "[sensor]\nrotated = 1",
                             "[sensor]\nspeed = nan",
                             "[sensor]\nspeed = -1",
                             "[sensor]\nspeed = \"1\"",
                             "[sensor]\ndriver = \"log\"",
                             "[game]\nsettle_ms = 1.0",
                             "[game]\nsettle_ms = -1",
                             "[clock]\noutage = 10",
                             "[clock]\noutage = \"10\"",
                             "[clock]\ncontrol = 60",
                             "[broadcast]\nlisten = \"9955\"",
                             "[broadcast]\nlisten = \"::1:80\"",
                             "[broadcast]\nlisten = \"h:65536\"",
                             "[broadcast]\nmax_clients = 0",
                             "[arbiter]\nhttps = \"0.0.0.0:1\"",
                             "[mqtt]\nbroker = \"http://x:1\"",
                             "[mqtt]\nbroker = \"mqtt://x\"",
                             "[mqtt]\nbroker = \"mqtt://x:0\"",
                             "[mqtt]\nbroker = \"mqtt://user:secret@x:1883\"",
                             "[mqtt]\nbroker = \"mqtt://user@x:1883\"",
                             "[mqtt]\nbroker = \"mqtt://x:1\"\nca = \"/ca.pem\"",
                             "[mqtt]\nbroker = \"mqtt://x:1\"\npassword_file = \"/p\"",
                             "[mqtt]\nbroker = \"mqtt://x:1\"\ntopic = \"a/#\"",
                             "[mqtt]\nbroker = \"mqtt://x:1\"\ntopic = \"a/{table}\"",
                             "[mqtt]\nbroker = \"mqtt://x:1\"\ntopic = \"$SYS/{board}\"",
                             "[journal]\ndirectory = \"\""}) {
        const auto loaded = read_toml(toml);
        ASSERT_EQ(loaded.problems.size(), 1U) << toml;
        EXPECT_GE(loaded.problems.front().line, 1U) << toml;
    }
}

TEST(Load, TellsWhereTheSyntaxIsWrong) {
    const auto found = problems("board = \"x\"\n[game\n");
    ASSERT_EQ(found.size(), 1U);
    EXPECT_THAT(found.front(), HasSubstr("f:2:"));
}

TEST(Load, WhatTheParserCallsImpossibleIsAFaultToo) {
    // Found by the fuzz target; the last are letters of each kind that is not far from a space's.
    for (const auto* toml : {"[#\n", "[[#\n", "[=]", "[ \x01]", "a.#", "a = {#}", "a = ѡ", "ѡ = 1",
                             "[ѡ]", "a = [1, ѡ]", "a = \u1681", "a = \u2100", "a = \u2070"}) {
        EXPECT_THAT(problems(toml), ElementsAre(HasSubstr("f:1:"))) << toml;
    }
}

TEST(Load, TellsWhyAFileCannotBeRead) {
    const auto loaded = load("/nonexistent/xiangqid.toml");
    ASSERT_EQ(loaded.problems.size(), 1U);
    EXPECT_EQ(text("f", loaded.problems.front()), "f: cannot be read: No such file or directory");
    EXPECT_FALSE(load("/").ok());
}

TEST(Json, WritesOneLineThatReadsBackTheSame) {
    Settings s;
    s.board = "桌 \"1\"";
    s.event.black = "许银川";
    s.game.level = Level::Youth;
    s.clock.source = ClockSource::None;
    s.clock.control = {"1h/30,10m/10", {{hour, 30, 0}, {10 * minute, 10, 0}}};
    const std::string line = write_json(s);
    EXPECT_EQ(line.find('\n'), std::string::npos);
    const auto loaded = read_json(line);
    for (const auto& problem : loaded.problems) ADD_FAILURE() << text("json", problem);
    EXPECT_EQ(loaded.settings, s);
}

TEST(Json, KeepsTheMachineOutOfIt) {
    Settings s;
    s.arbiter.token_file = "/etc/secret";
    EXPECT_EQ(write_json(s), write_json(Settings{}));
}

TEST(Json, RefusesWhatItDoesNotKnow) {
    EXPECT_FALSE(read_json("{").ok());
    EXPECT_FALSE(read_json("[]").ok());
    EXPECT_FALSE(read_json(R"({"game": {"setle_ms": 3}})").ok());
    EXPECT_FALSE(read_json(R"({"board": null})").ok());
    EXPECT_FALSE(read_json(R"({"game": {"settle_ms": 1e3}})").ok());
}

}  // namespace
}  // namespace xq::config
