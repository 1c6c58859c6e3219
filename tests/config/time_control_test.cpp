#include "config/time_control.hpp"

#include <gtest/gtest.h>

namespace xq::config {
namespace {

TEST(Duration, ReadsNumbersWithUnits) {
    EXPECT_EQ(read_duration("10s"), 10 * second);
    EXPECT_EQ(read_duration("5m"), 5 * minute);
    EXPECT_EQ(read_duration("1h30m"), 90 * minute);
    EXPECT_EQ(read_duration("1h30m15s"), 90 * minute + 15 * second);
    EXPECT_EQ(read_duration("0s"), 0);
    EXPECT_EQ(read_duration("90m"), 90 * minute);
    EXPECT_EQ(read_duration("100h"), 100 * hour);
}

TEST(Duration, RefusesEverythingElse) {
    for (const auto* text : {"", "s", "10", "10 s", "-1s", "1.5h", "1s1m", "1m1m", "10x", "+1s",
                             "100h1s", "1000000000000s", "1s "}) {
        EXPECT_EQ(read_duration(text), std::nullopt) << text;
    }
}

TEST(Duration, WritesWhatItReads) {
    EXPECT_EQ(write_duration(0), "0s");
    EXPECT_EQ(write_duration(90 * minute), "1h30m");
    EXPECT_EQ(write_duration(61 * second), "1m1s");
    for (Millis ms = 0; ms < 3 * hour; ms += 7 * second) {
        EXPECT_EQ(read_duration(write_duration(ms)), ms);
    }
}

std::vector<Period> periods(std::string_view text) {
    std::string fault;
    const auto control = read_time_control(text, fault);
    EXPECT_TRUE(control) << text << ": " << fault;
    return control ? control->periods : std::vector<Period>{};
}

TEST(TimeControl, ReadsEveryForm) {
    using Periods = std::vector<Period>;
    EXPECT_EQ(periods("60m+30s"), (Periods{{hour, 0, 30 * second}}));
    EXPECT_EQ(periods("60m/30,10m/10"), (Periods{{hour, 30, 0}, {10 * minute, 10, 0}}));
    EXPECT_EQ(periods("45m"), (Periods{{45 * minute, 0, 0}}));
    EXPECT_EQ(periods("1h30m+30s"), (Periods{{90 * minute, 0, 30 * second}}));
    EXPECT_EQ(periods("1h/40+10s,30m+5s"),
              (Periods{{hour, 40, 10 * second}, {30 * minute, 0, 5 * second}}));
}

TEST(TimeControl, SaysWhatIsWrong) {
    const auto fault_of = [](std::string_view text) {
        std::string fault;
        EXPECT_FALSE(read_time_control(text, fault)) << text;
        return fault;
    };
    EXPECT_EQ(fault_of("45m,10m"),
              "`45m` is for all the moves that remain, so no period can follow it");
    EXPECT_EQ(fault_of("60m/0"), "behind `/` stands a number of moves from 1 to 1000");
    EXPECT_EQ(fault_of("60m/x"), "behind `/` stands a number of moves from 1 to 1000");
    EXPECT_EQ(fault_of("60m+x"), "`x` is no increment; write it as in 60m+30s");
    EXPECT_EQ(fault_of(""), "`` is no time of a period; write it as in 60m or 1h30m");
    EXPECT_EQ(fault_of("0s+5s"), "`0s` is no time of a period; write it as in 60m or 1h30m");
    EXPECT_EQ(fault_of("60m/30,"), "`` is no time of a period; write it as in 60m or 1h30m");
}

}  // namespace
}  // namespace xq::config
