#include "protocol/utc.hpp"

#include <array>
#include <chrono>
#include <cstdio>

namespace xq::protocol {

std::string utc_text(Millis utc_ms) {
    using namespace std::chrono;
    const sys_time<milliseconds> time{milliseconds(utc_ms)};
    const auto day = floor<days>(time);
    const year_month_day date(day);
    const hh_mm_ss clock(time - day);
    std::array<char, 40> text{};
    const int size = std::snprintf(
        text.data(), text.size(), "%04d-%02u-%02uT%02d:%02d:%02d.%03dZ",
        static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
        static_cast<unsigned>(date.day()), static_cast<int>(clock.hours().count()),
        static_cast<int>(clock.minutes().count()), static_cast<int>(clock.seconds().count()),
        static_cast<int>(clock.subseconds().count()));
    return {text.data(), static_cast<std::size_t>(size)};
}

std::optional<Millis> read_utc(std::string_view text) {
    using namespace std::chrono;
    constexpr std::string_view shape = "0000-00-00T00:00:00.000Z";
    if (text.size() != shape.size()) return {};
    for (std::size_t i = 0; i < shape.size(); ++i) {
        const bool digit = text[i] >= '0' && text[i] <= '9';
        if (shape[i] == '0' ? !digit : text[i] != shape[i]) return {};
    }
    const auto field = [&](std::size_t at, std::size_t size) {
        int value = 0;
        for (const char c : text.substr(at, size)) value = value * 10 + (c - '0');
        return value;
    };
    const year_month_day date{year(field(0, 4)), month(static_cast<unsigned>(field(5, 2))),
                              day(static_cast<unsigned>(field(8, 2)))};
    const int h = field(11, 2), m = field(14, 2), s = field(17, 2);
    if (!date.ok() || h > 23 || m > 59 || s > 59) return {};
    const auto time =
        sys_days(date) + hours(h) + minutes(m) + seconds(s) + milliseconds(field(20, 3));
    return duration_cast<milliseconds>(time.time_since_epoch()).count();
}

}  // namespace xq::protocol
