// Lines of a sensor log: every verb both ways, and what is refused at which column.
#include "protocol/sensor_log.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace xq::protocol {
namespace {

using rules::Side;

Timed event_of(std::string_view line) {
    auto read = read_log_line(line);
    EXPECT_TRUE(read) << line << ": " << (read ? "" : read.error().what);
    if (!read || !std::holds_alternative<Timed>(*read)) return {-1, event::End{}};
    return std::get<Timed>(*read);
}

constexpr rules::Point h2 = rules::point(7, 2);

TEST(SensorLog, EveryVerbReadsAsItsEvent) {
    EXPECT_EQ(event_of("0 hello identity press"),
              (Timed{0, event::Hello{Sensing::Identity, {.press = true}}}));
    EXPECT_EQ(event_of("0 hello occupancy"), (Timed{0, event::Hello{Sensing::Occupancy, {}}}));
    EXPECT_EQ(event_of("0 hello colour press clock leds buzzer buttons battery"),
              (Timed{0, event::Hello{Sensing::Colour, {true, true, true, true, true, true}}}));
    EXPECT_EQ(event_of("1200 lift h2"), (Timed{1200, event::Lift{h2}}));
    EXPECT_EQ(event_of("1850 drop h2 C"),
              (Timed{1850, event::Drop{h2, Seen(rules::Piece(Side::Red, rules::Kind::Cannon))}}));
    EXPECT_EQ(event_of("1850 drop h2 x"), (Timed{1850, event::Drop{h2, Seen::some()}}));
    EXPECT_EQ(event_of("1850 drop h2 X"), (Timed{1850, event::Drop{h2, Seen::some(Side::Red)}}));
    EXPECT_EQ(event_of("1850 drop h2 o"), (Timed{1850, event::Drop{h2, Seen::some(Side::Black)}}));
    EXPECT_EQ(event_of("1900 press black"), (Timed{1900, event::Press{Side::Black}}));
    EXPECT_EQ(event_of("1900 clock 3599000 3600000 black"),
              (Timed{1900, event::Clock{3599000, 3600000, Side::Black}}));
    EXPECT_EQ(event_of("1900 clock 0 0 none"), (Timed{1900, event::Clock{0, 0, {}}}));
    EXPECT_EQ(event_of("5600 clock invalid"), (Timed{5600, event::ClockInvalid{}}));
    EXPECT_EQ(event_of("2000 button red adjust"),
              (Timed{2000, event::Button{Side::Red, ButtonKind::Adjust}}));
    EXPECT_EQ(event_of("2000 button none arbiter"),
              (Timed{2000, event::Button{{}, ButtonKind::Arbiter}}));
    EXPECT_EQ(event_of("3000 unplug"), (Timed{3000, event::Unplug{}}));
    EXPECT_EQ(event_of("4000 plug"), (Timed{4000, event::Plug{}}));
    EXPECT_EQ(event_of("5000 gap 3"), (Timed{5000, event::Gap{3}}));
    EXPECT_EQ(event_of("5500 health h2 flicker"),
              (Timed{5500, event::Health{h2, PointFault::Flicker}}));
    EXPECT_EQ(event_of("5500 health h2 ok"), (Timed{5500, event::Health{h2, PointFault::None}}));
    EXPECT_EQ(event_of(R"(6000 rpc {"method": "game.pause", "params": {}})"),
              (Timed{6000, event::Call{R"({"method": "game.pause", "params": {}})"}}));
    EXPECT_EQ(event_of("7000 time"), (Timed{7000, event::Time{}}));
    EXPECT_EQ(event_of("7000 end"), (Timed{7000, event::End{}}));
}

TEST(SensorLog, APlacementPutsEachPieceOnItsPoint) {
    const Timed line =
        event_of("0 board rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNx");
    const auto& reading = std::get<event::Board>(line.event).reading;
    EXPECT_EQ(reading[0], Seen(rules::Piece(Side::Red, rules::Kind::Rook)));
    EXPECT_EQ(reading[8], Seen::some());
    EXPECT_EQ(reading[h2], Seen(rules::Piece(Side::Red, rules::Kind::Cannon)));
    EXPECT_EQ(reading[rules::point(4, 9)], Seen(rules::Piece(Side::Black, rules::Kind::General)));
    EXPECT_TRUE(reading[rules::point(4, 4)].empty());
}

TEST(SensorLog, CommentsAndEmptyLinesHoldNoEvent) {
    for (const auto& [line, text] : std::vector<std::pair<std::string_view, std::string>>{
             {"", ""},
             {"#", ""},
             {"#  two spaces  ", "two spaces"},
             {"# 1200 lift h2", "1200 lift h2"}}) {
        const auto read = read_log_line(line);
        ASSERT_TRUE(read) << line;
        ASSERT_TRUE(std::holds_alternative<Comment>(*read)) << line;
        EXPECT_EQ(std::get<Comment>(*read).text, text);
    }
}

TEST(SensorLog, ACommentMayFollowAnEvent) {
    EXPECT_EQ(event_of("1200 lift h2  # the player hesitates"), (Timed{1200, event::Lift{h2}}));
    EXPECT_EQ(event_of("1200 time #"), (Timed{1200, event::Time{}}));
    EXPECT_EQ(event_of(R"(6000 rpc {"a":"#1"} # said aloud)"),
              (Timed{6000, event::Call{R"({"a":"#1"})"}}));
}

struct Refused {
    std::string_view line;
    std::size_t column;
    std::string_view says;
};
void PrintTo(const Refused& r, std::ostream* out) {
    *out << r.line;
}

class SensorLogRefuses : public testing::TestWithParam<Refused> {};

TEST_P(SensorLogRefuses, WithTheColumnAndOneSentence) {
    const auto read = read_log_line(GetParam().line);
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().at, GetParam().column);
    EXPECT_NE(read.error().what.find(GetParam().says), std::string::npos) << read.error().what;
}

INSTANTIATE_TEST_SUITE_P(
    Lines, SensorLogRefuses,
    testing::Values(
        Refused{"1200 lift h2 ", 12, "ends with a space"},
        Refused{"1200 lift  h2", 10, "one space"}, Refused{" 1200 lift h2", 0, "time"},
        Refused{"1200 lift h2\r", 12, "carriage return"}, Refused{"# comment\r", 9, "carriage"},
        Refused{"1200 lift h2 e2", 13, "nothing more"}, Refused{"1200 time 5", 10, "nothing more"},
        Refused{"1200", 4, "is missing"}, Refused{"1200 ", 5, "is missing"},
        Refused{"lift h2", 0, "the time must be a number"},
        Refused{"-1 lift h2", 0, "the time must be a number"},
        Refused{"+1 lift h2", 0, "the time must be a number"},
        Refused{"01 lift h2", 0, "leading zeros"}, Refused{"1.5 lift h2", 0, "the time"},
        Refused{"1000000000000000 time", 0, "the time"},
        Refused{"99999999999999999999999 time", 0, "the time"},
        Refused{"1200 jump h2", 5, "`jump`"}, Refused{"1200 LIFT h2", 5, "`LIFT`"},
        Refused{"1200 restart", 5, "`restart`"}, Refused{"1200 lift", 9, "a point is missing"},
        Refused{"1200 lift j2", 10, "a point is"}, Refused{"1200 lift a10", 10, "a point is"},
        Refused{"1200 lift H2", 10, "a point is"}, Refused{"1200 lift 2h", 10, "a point is"},
        Refused{"1200 drop h2", 12, "a piece is missing"},
        Refused{"1200 drop h2 .", 13, "a piece is one letter"},
        Refused{"1200 drop h2 O", 13, "a piece is one letter"},
        Refused{"1200 drop h2 CC", 13, "a piece is one letter"},
        Refused{"1200 press white", 11, "red or black"}, Refused{"1200 press none", 11, "red or"},
        Refused{"1200 clock 5", 12, "Black's time is missing"},
        Refused{"1200 clock 5 -5 red", 13, "Black's time must"},
        Refused{"1200 clock 5 5 both", 15, "red, black or none"},
        Refused{"1200 clock invalid 5", 19, "nothing more"},
        Refused{"1200 button red bell", 16, "adjust, draw, resign or arbiter"},
        Refused{"1200 gap 0", 9, "from 1 to 65535"}, Refused{"1200 gap 65536", 9, "from 1 to"},
        Refused{"1200 health h2 broken", 15, "ok, stuck, flicker or unreadable"},
        Refused{"0 hello touch", 8, "occupancy, colour or identity"},
        Refused{"0 hello identity lever", 17, "a capability must be"},
        Refused{"0 board 9/9/9/9/9/9/9/9/9/8", 27, "ten ranks of nine points"},
        Refused{"0 board 9/9/9/9/9/9/9/9/9", 25, "ten ranks of nine points"},
        Refused{"0 board 9/9/9/9/9/9/9/9/9/9/9", 27, "ten ranks"},
        Refused{"0 board 8/9/9/9/9/9/9/9/9/9", 9, "nine points"},
        Refused{"0 board 9K/9/9/9/9/9/9/9/9/9", 9, "nine points"},
        Refused{"0 board 55/9/9/9/9/9/9/9/9/9", 9, "nine points"},
        Refused{"0 board q8/9/9/9/9/9/9/9/9/9", 8, "in a placement stand"},
        Refused{"0 board 08/9/9/9/9/9/9/9/9/9", 8, "in a placement stand"},
        Refused{"0 board 9/9/9/9/9/9/9/9/9/9 w", 28, "nothing more"},
        Refused{"6000 rpc", 8, "JSON object"}, Refused{"6000 rpc []", 9, "JSON object"},
        Refused{R"(6000 rpc {"a":1)", 15, "it does not end"},
        Refused{R"(6000 rpc {"a":1}})", 16, "nothing more"},
        Refused{R"(6000 rpc {"a":1} )", 16, "ends with a space"}));

TEST(SensorLog, ALineAsTheLogsWriteItIsWrittenAgainByteForByte) {
    std::size_t lines = 0;
    for (const auto& file : std::filesystem::directory_iterator(XQ_TESTS "/fuzz/corpus/log")) {
        std::ifstream in(file.path());
        for (std::string line; std::getline(in, line);) {
            const auto read = read_log_line(checked(line).value_or(line));
            ASSERT_TRUE(read) << file.path() << ": " << line << ": " << read.error().what;
            const auto* const timed = std::get_if<Timed>(&*read);
            if (!timed) continue;
            ++lines;
            EXPECT_EQ(write_log_line(*timed), checked(line).value_or(line)) << file.path();
        }
    }
    EXPECT_GT(lines, 300U) << "the logs in fuzz/corpus/log are missing";
}

TEST(SensorLog, OtherSpellingsOfAPlacementAreWrittenInTheUsualOne) {
    EXPECT_EQ(write_log_line(event_of("0 board rheakaehr/9/9/9/9/9/9/9/45/RH7")),
              "0 board rnbakabnr/9/9/9/9/9/9/9/9/RN7");
    EXPECT_EQ(write_log_line(event_of("0 hello identity buttons press")),
              "0 hello identity press buttons");
}

}  // namespace
}  // namespace xq::protocol
