// xiangqi-replay as people run it.
#include "support.hpp"

#include "protocol/sensor_log.hpp"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <array>
#include <cstdio>

namespace xq::daemon {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

struct Ran {
    int status;
    std::string out;
};

Ran replay(const std::string& arguments) {
    FILE* const pipe = popen((XQ_BUILD "/xiangqi-replay " + arguments + " 2>&1").c_str(), "r");
    std::string out;
    std::array<char, 4096> bytes;
    while (const auto n = fread(bytes.data(), 1, bytes.size(), pipe)) out.append(bytes.data(), n);
    return {WEXITSTATUS(pclose(pipe)), out};
}

constexpr auto log_text =
    "# xiangqi sensor log 1\n"
    "0 hello occupancy press\n"
    "0 board xxxxxxxxx/9/1x5x1/x1x1x1x1x/9/9/x1x1x1x1x/1x5x1/9/xxxxxxxxx\n"
    "100 press black\n"
    "20000 end\n";

TEST(Replay, PrintsHelloStateAndWhatHappens) {
    Folder folder;
    const auto log = folder.path() / "log.xsl";
    write(log, log_text);
    const auto ran = replay(log.string());
    EXPECT_EQ(ran.status, 0);
    EXPECT_THAT(ran.out, StartsWith(R"({"type":"hello","protocol":"xiangqi-broadcast/1",)"));
    EXPECT_THAT(ran.out, HasSubstr(R"("epoch":0,)"));
    EXPECT_THAT(ran.out, HasSubstr(R"("sensing":"occupancy")"));
    EXPECT_THAT(ran.out, HasSubstr("\n{\"type\":\"state\",\"seq\":1,\"t\":0,"));
    EXPECT_EQ(replay(log.string()).out, ran.out);
}

TEST(Replay, PlaysAJournalByTheConfigurationInItsHead) {
    Folder folder;
    const auto log = folder.path() / "log.xsl";
    std::string text;
    for (const auto& line : protocol::write_header({.start = 0,
                            .board = "b7",
                            .game = 12,
                            .fen = "",
                            .config = R"({"board":"b7","game":{"rulebook":"asian"}})"})) {
        text += protocol::with_checksum(line) + '\n';
    }
    write(log, text);
    const auto ran = replay(log.string());
    EXPECT_EQ(ran.status, 0) << ran.out;
    EXPECT_THAT(ran.out, HasSubstr(R"("board":"b7")"));
    EXPECT_THAT(ran.out, HasSubstr(R"("rulebook":"asian")"));
    EXPECT_THAT(ran.out, HasSubstr(R"("game":12,)"));
    const auto config = folder.path() / "c.toml";
    write(config, "board = \"other\"\n");
    EXPECT_THAT(replay("--config " + config.string() + " " + log.string()).out,
                HasSubstr(R"("rulebook":"cxa-2010")"));
}

TEST(Replay, PlaysAGameRecordAndWritesRecords) {
    Folder folder;
    const auto game = folder.path() / "game.pgn";
    write(game,
          "[Red \"A\"]\n[Result \"0-1\"]\n[TimeControl \"600+5\"]\n\n1. h2e2 {[%emt 0:00:10]} "
          "1... h7e7 {[%emt 0:00:20]} 2. e2e6 {[%emt 0:00:07]} 0-1\n");
    const auto ran = replay(game.string());
    EXPECT_EQ(ran.status, 0) << ran.out;
    EXPECT_THAT(ran.out, HasSubstr(R"("time_control":"10m+5s")"));
    EXPECT_THAT(ran.out, HasSubstr(R"("captured":"p","status":"final","spent_ms":7000)"));
    EXPECT_THAT(ran.out, HasSubstr(R"("result":"0-1","reason":"arbiter")"));
    const auto again = replay("--record pgn --lang en " + game.string());
    EXPECT_EQ(again.status, 0) << again.out;
    EXPECT_THAT(again.out, HasSubstr("[Red \"A\"]"));
    EXPECT_THAT(again.out, HasSubstr("2. 炮五进四 {[%clk 0:09:58] [%emt 0:00:07]} 0-1"));
    write(game, "1. h2e2 h2e2");
    const auto bad = replay(game.string());
    EXPECT_EQ(bad.status, 2);
    EXPECT_THAT(bad.out, StartsWith(game.string() + ": line 1, column 9: move 1... \"h2e2\""));
}

TEST(Replay, SaysWhereALogIsBadAndPrintsNothingElse) {
    Folder folder;
    const auto log = folder.path() / "log.xsl";
    write(log, std::string(log_text) + "20000 press green\n");
    const auto ran = replay(log.string());
    EXPECT_EQ(ran.status, 2);
    EXPECT_THAT(ran.out, StartsWith(log.string() + ":6:13: "));
    EXPECT_EQ(std::count(ran.out.begin(), ran.out.end(), '\n'), 1);
}

TEST(Replay, RefusesBadUse) {
    Folder folder;
    EXPECT_EQ(replay("").status, 2);
    EXPECT_EQ(replay("/nonexistent.xsl").status, 2);
    const auto config = folder.path() / "c.toml";
    write(config, "bord = 1\n");
    const auto ran = replay("--config " + config.string() + " x.xsl");
    EXPECT_EQ(ran.status, 2);
    EXPECT_EQ(ran.out, config.string() + ":1:1: there is no key `bord`\n");
    const auto empty = folder.path() / "e.xsl";
    write(empty, "");
    EXPECT_EQ(replay(empty.string()).out, empty.string() + ":1:1: the log is empty\n");
}

}  // namespace
}  // namespace xq::daemon
