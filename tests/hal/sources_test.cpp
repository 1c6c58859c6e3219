#include "hal/sources.hpp"

#include "protocol/sensor_log.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <filesystem>
#include <fstream>

namespace xq::hal {
namespace {

namespace event = protocol::event;
using protocol::Event;
using protocol::Timed;

class Sources : public testing::Test {
protected:
    static std::string write(const std::string& name, const std::string& text) {
        auto path = (std::filesystem::path(testing::TempDir()) / name).string();
        std::ofstream(path) << text;
        return path;
    }
    std::unique_ptr<SensorSource> make(const SourceOptions& options) {
        auto made = make_source(options, io.get_executor(), [] { return protocol::Millis{500}; });
        EXPECT_TRUE(made) << made.error().what;
        return std::move(*made);
    }
    std::string refusal(const SourceOptions& options) {
        const auto made =
            make_source(options, io.get_executor(), [] { return protocol::Millis{}; });
        return made ? "" : made.error().what;
    }
    /// Runs until `enough` events have come or there is nothing left to do.
    std::vector<Timed> run(SensorSource& source, std::size_t enough) {
        std::vector<Timed> told;
        source.start(
            [&](Timed line) {
                told.push_back(std::move(line));
                if (told.size() == enough) io.stop();
            },
            [&](const std::string& line) { notices.push_back(line); });
        io.run();
        io.restart();
        return told;
    }

    boost::asio::io_context io;
    std::vector<std::string> notices;
};

TEST_F(Sources, SaysWhatIsWrongWithTheOptions) {
    EXPECT_NE(refusal({.driver = "serial"}).find("serial"), std::string::npos);
    EXPECT_NE(refusal({.driver = "usb", .ids = {"1209"}}).find("1209:0001"), std::string::npos);
    EXPECT_NE(refusal({.driver = "log", .log = "/nonexistent"}).find("/nonexistent"),
              std::string::npos);
    const auto no_log = write("no_log.xsl", "0 hello identity\n");
    EXPECT_NE(refusal({.driver = "log", .log = no_log}), "");
    const auto illegal = write("illegal.jsonl", "{\"moves_iccs\":\"a0a9\"}\n");
    EXPECT_NE(refusal({.driver = "sim", .log = illegal}).find("line 1"), std::string::npos);
}

TEST_F(Sources, PlaysALogToItsEnd) {
    const auto path = write("short.xsl",
                            "# xiangqi sensor log 1\n"
                            "0 hello identity press\n"
                            "# a comment\n"
                            "0 board 9/9/9/9/9/9/9/9/9/R8\n"
                            "1200 lift a0\n"
                            "1850 drop a5 R\n"
                            "1900 rpc {\"method\":\"game.pause\"}\n"
                            "2000 end\n");
    const auto source = make({.driver = "log", .log = path, .speed = 0});
    const auto told = run(*source, 100);
    ASSERT_EQ(told.size(), 6U);
    EXPECT_EQ(told[2], (Timed{1700, event::Lift{0}})) << "500 ms after the daemon's start";
    EXPECT_EQ(told[5], (Timed{2500, event::End{}}));
    EXPECT_EQ(notices.size(), 1U);
}

TEST_F(Sources, ABrokenLogIsPlayedUpToTheFault) {
    const auto path =
        write("broken.xsl", "# xiangqi sensor log 1\n0 hello identity press\n10 lift z9\n");
    const auto source = make({.driver = "log", .log = path, .speed = 0});
    const auto told = run(*source, 100);
    ASSERT_EQ(told.size(), 2U);
    EXPECT_EQ(told.back().event, Event(event::End{}));
    ASSERT_EQ(notices.size(), 2U);
    EXPECT_NE(notices[1].find("line 3"), std::string::npos) << notices[1];
}

TEST_F(Sources, TheSimulatedBoardPlaysOnForEver) {
    const auto source = make({.driver = "sim", .speed = 0});
    const auto told = run(*source, 1000);
    ASSERT_GE(told.size(), 1000U);
    EXPECT_EQ(told[0].event, Event(event::Plug{}));
    EXPECT_TRUE(std::holds_alternative<event::Hello>(told[1].event));
    EXPECT_TRUE(std::holds_alternative<event::Board>(told[2].event));
    EXPECT_EQ(told[3].event, Event(event::Press{rules::Side::Black})) << "starts Red's clock";
    protocol::Millis last = 0;
    for (const auto& line : told) {
        EXPECT_GE(line.t, last);
        last = line.t;
    }
    EXPECT_EQ(
        std::ranges::count_if(
            told, [](const Timed& l) { return std::holds_alternative<event::Board>(l.event); }),
        1)
        << "every change is told by deltas";
}

TEST_F(Sources, NothingIsToldAfterStop) {
    const auto source = make({.driver = "sim", .speed = 0});
    int told = 0;
    source->start(
        [&](const Timed&) {
            if (++told == 10) source->stop();
        },
        [](const std::string&) {});
    io.run();
    EXPECT_EQ(told, 10);
}

TEST_F(Sources, ASourceMayBeDestroyedInTheMiddle) {
    auto source = make({.driver = "sim", .speed = 0});
    int told = 0;
    source->start([&](const Timed&) { ++told; }, [](const std::string&) {});
    io.run_one();
    source.reset();
    const int then = told;
    io.run();
    EXPECT_GT(then, 0);
    EXPECT_EQ(told, then);
}

TEST_F(Sources, SpeedPacesTheClock) {
    const Now real = [] { return protocol::Millis{1000}; };
    EXPECT_EQ(paced(1, real)(), 1000);
    EXPECT_EQ(paced(2.5, real)(), 2500);
    EXPECT_EQ(paced(0, real)(), 1000);
}

}  // namespace
}  // namespace xq::hal
