#pragma once
// Times as people write them in the configuration: "10s", "1h30m", and a time control
// "60m/30,10m/10" or "60m+30s" (articles 6.1 to 6.3 of the 2010 rules). Plain values.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace xq::config {

using Millis = std::int64_t;
inline constexpr Millis second = 1000;
inline constexpr Millis minute = 60 * second;
inline constexpr Millis hour = 60 * minute;

/// One period: so much time for so many moves (0: for all that remain) and an increment a move.
struct Period {
    Millis time_ms = 0;
    int moves = 0;
    Millis increment_ms = 0;
    bool operator==(const Period&) const = default;
};

/// At least one period; only the last may be without a number of moves.
struct TimeControl {
    std::string text;  ///< as it was written
    std::vector<Period> periods;
    bool operator==(const TimeControl&) const = default;
};

/// number (h|m|s) {number (h|m|s)}, units falling, at most 100 hours in all; else nothing.
std::optional<Millis> read_duration(std::string_view text);
/// The shortest spelling that `read_duration` reads as the same whole seconds: "1h30m", "0s".
std::string write_duration(Millis ms);

/// period {"," period}; period = time ["/" moves] ["+" time]. On a fault nothing, and `fault`
/// says in one sentence what is wrong.
std::optional<TimeControl> read_time_control(std::string_view text, std::string& fault);
}  // namespace xq::config
