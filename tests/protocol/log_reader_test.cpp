// Whole logs: the first line, time that never falls, checksums, the header and restarts.
#include "protocol/crc32c.hpp"
#include "protocol/sensor_log.hpp"
#include "protocol/utc.hpp"

#include <gtest/gtest.h>

namespace xq::protocol {
namespace {

/// Feeds lines that must all be read; gives the events.
std::vector<Timed> read_all(LogReader& reader, const std::vector<std::string>& lines) {
    std::vector<Timed> events;
    for (const std::string& line : lines) {
        const auto read = reader.next(line);
        EXPECT_TRUE(read) << line << ": " << (read ? "" : read.error().what);
        if (read && *read) events.push_back(**read);
    }
    return events;
}

std::string fault_of(LogReader& reader, std::string_view line) {
    const auto read = reader.next(line);
    return read ? "read" : read.error().what;
}

TEST(Crc32c, HasThePublishedCheckValues) {
    EXPECT_EQ(crc32c("123456789"), 0xE3069283U);
    EXPECT_EQ(crc32c(""), 0U);
    EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8A9136AAU);  // RFC 3720, B.4
    EXPECT_EQ(crc32c(std::string(32, '\xff')), 0x62A8AB43U);
}

TEST(Checksum, ComesOffOnlyWhereItIsRight) {
    const std::string line = with_checksum("1200 lift h2");
    EXPECT_EQ(line.size(), std::string_view("1200 lift h2 #00000000").size());
    EXPECT_EQ(checked(line), "1200 lift h2");
    for (std::size_t i = 0; i < line.size(); ++i) {
        std::string damaged = line;
        damaged[i] = static_cast<char>(damaged[i] ^ 1);
        EXPECT_FALSE(checked(damaged)) << damaged;
    }
    EXPECT_FALSE(checked("1200 lift h2"));
    EXPECT_FALSE(checked(""));
    EXPECT_EQ(checked(with_checksum("")), "");
}

TEST(Utc, GoesBothWays) {
    EXPECT_EQ(utc_text(0), "1970-01-01T00:00:00.000Z");
    EXPECT_EQ(utc_text(1777626000123), "2026-05-01T09:00:00.123Z");
    EXPECT_EQ(read_utc("2026-05-01T09:00:00.123Z"), 1777626000123);
    EXPECT_EQ(read_utc("2024-02-29T23:59:59.999Z"), 1709251199999);
    for (const std::string_view text :
         {"2026-02-29T09:00:00.000Z", "2026-13-01T09:00:00.000Z", "2026-05-01T24:00:00.000Z",
          "2026-05-01T09:60:00.000Z", "2026-05-01T09:00:60.000Z", "2026-05-01 09:00:00.000Z",
          "2026-05-01T09:00:00Z", "2026-05-01T09:00:00.000", "", "yesterday"}) {
        EXPECT_FALSE(read_utc(text)) << text;
    }
}

TEST(LogReader, WantsTheFirstLine) {
    for (const std::string_view line :
         {"", "0 hello identity", "# xiangqi sensor log 2", "# xiangqi sensor log 1 ",
          "\xef\xbb\xbf# xiangqi sensor log 1"}) {
        LogReader reader;
        EXPECT_EQ(fault_of(reader, line),
                  "line 1, column 1: the first line must be `# xiangqi sensor log 1`");
    }
}

TEST(LogReader, ReadsAPlainLog) {
    LogReader reader;
    const auto events =
        read_all(reader, {"# xiangqi sensor log 1", "# a note", "", "0 hello identity",
                          "1200 lift h2", "1200 drop h2 C", "1300 time #deadbeef"});
    ASSERT_EQ(events.size(), 4U);
    EXPECT_EQ(events[1], (Timed{1200, event::Lift{rules::point(7, 2)}}));
    EXPECT_EQ(events[3], (Timed{1300, event::Time{}}));
    EXPECT_FALSE(reader.journal());
    EXPECT_EQ(reader.line(), 7U);
    EXPECT_EQ(reader.last(), 1300);
    EXPECT_EQ(reader.header(), LogHeader{});
}

TEST(LogReader, GivesTheCommentOfEachLine) {
    LogReader reader;
    ASSERT_TRUE(reader.next(log_first_line));
    EXPECT_EQ(reader.comment(), "");
    ASSERT_TRUE(reader.next("# a note"));
    EXPECT_EQ(reader.comment(), "a note");
    ASSERT_TRUE(reader.next("0 time"));
    EXPECT_EQ(reader.comment(), "");
}

TEST(LogReader, NamesLineAndColumn) {
    LogReader reader;
    read_all(reader, {"# xiangqi sensor log 1", "0 hello identity"});
    EXPECT_EQ(fault_of(reader, "1200 lift j2"),
              "line 3, column 11: a point is a file a to i and a rank 0 to 9, as in h2");
}

TEST(LogReader, RefusesTimeThatFalls) {
    LogReader reader;
    read_all(reader, {"# xiangqi sensor log 1", "1200 lift h2", "1200 drop e2 C"});
    EXPECT_EQ(fault_of(reader, "1199 time"), "line 4, column 1: time falls from 1200 to 1199");
}

TEST(LogReader, HoldsEveryLineOfAJournalToItsChecksum) {
    LogReader reader;
    const auto events = read_all(
        reader, {with_checksum("# xiangqi sensor log 1"), with_checksum("# board table-01"),
                 with_checksum(""), with_checksum("1200 lift h2")});
    ASSERT_EQ(events.size(), 1U);
    EXPECT_TRUE(reader.journal());
    EXPECT_EQ(fault_of(reader, "1300 drop h2 C"),
              "line 5, column 5: the checksum of a journal's line is missing or wrong");
    EXPECT_EQ(fault_of(reader, "1300 drop h2 C #00000000"),
              "line 6, column 15: the checksum of a journal's line is missing or wrong");
    EXPECT_EQ(fault_of(reader, ""),
              "line 7, column 1: the checksum of a journal's line is missing or wrong");
}

TEST(LogHeader, IsReadAsItIsWritten) {
    const LogHeader header{.start = 1777626000000,
                           .board = "table 1 of 8",
                           .game = 3,
                           .fen = "3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1",
                           .config = R"({"board":"table 1 of 8"})"};
    const auto lines = write_header(header);
    ASSERT_EQ(lines.size(), 6U);
    EXPECT_EQ(lines[0], log_first_line);
    EXPECT_EQ(lines[1], "# start 2026-05-01T09:00:00.000Z");
    EXPECT_EQ(lines[2], "# board table 1 of 8");
    EXPECT_EQ(lines[3], "# game 3");
    EXPECT_EQ(lines[4], "# fen 3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1");
    EXPECT_EQ(lines[5], R"(# config {"board":"table 1 of 8"})");
    LogReader reader;
    read_all(reader, lines);
    EXPECT_EQ(reader.header(), header);
    EXPECT_EQ(write_header(LogHeader{}), std::vector<std::string>{std::string(log_first_line)});
}

TEST(LogHeader, OnlyWhatStandsBeforeTheFirstEventCounts) {
    LogReader reader;
    read_all(reader, {"# xiangqi sensor log 1", "# game 3", "# gamely", "# game 3b",
                      "# start yesterday", "0 hello identity", "# game 4"});
    LogHeader wanted;
    wanted.game = 3;
    EXPECT_EQ(reader.header(), wanted);
}

TEST(LogReader, ARestartComesAtItsOwnTime) {
    LogReader reader;
    const auto events =
        read_all(reader, {"# xiangqi sensor log 1", "# start 2026-05-01T09:00:00.000Z",
                          "1200 lift h2", restart_comment(1777626000000 + 61500), "61600 plug"});
    ASSERT_EQ(events.size(), 3U);
    EXPECT_EQ(events[1], (Timed{61500, event::Restart{}}));
    EXPECT_EQ(reader.last(), 61600);
}

TEST(LogReader, ARestartWithAClockSetBackNeverTurnsTimeBack) {
    LogReader reader;
    const auto events =
        read_all(reader, {"# xiangqi sensor log 1", "# start 2026-05-01T09:00:00.000Z",
                          "1200 lift h2", "# restart 1970-01-01T00:00:05.000Z", "1200 plug"});
    ASSERT_EQ(events.size(), 3U);
    EXPECT_EQ(events[1], (Timed{1200, event::Restart{}}));
}

TEST(LogReader, ARestartNeedsAStart) {
    LogReader reader;
    read_all(reader, {"# xiangqi sensor log 1", "0 time", "# restart of the broadcast"});
    EXPECT_EQ(fault_of(reader, "# restart 2026-05-01T09:00:00.000Z"),
              "line 4, column 1: a restart, but no comment `start` says since when");
}

}  // namespace
}  // namespace xq::protocol
