#include "config/time_control.hpp"

#include <array>
#include <charconv>

namespace xq::config {

namespace {

struct Unit {
    char letter;
    Millis ms;
};
constexpr std::array<Unit, 3> units{{{'h', hour}, {'m', minute}, {'s', second}}};

// No game and no broadcast delay is longer; keeps every sum far from overflow.
constexpr Millis longest = 100 * hour;
constexpr int most_moves = 1000;

/// Takes a whole number of up to six digits from the front of the text.
std::optional<int> take_number(std::string_view& text) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const auto digits = static_cast<std::size_t>(end - text.data());
    if (error != std::errc{} || digits > 6 || text.front() == '-') return {};
    text.remove_prefix(digits);
    return value;
}

/// Takes what stands before `mark`, and the mark; nothing if there is no such mark.
std::optional<std::string_view> take_behind(std::string_view& text, char mark) {
    const auto at = text.rfind(mark);
    if (at == std::string_view::npos) return {};
    const std::string_view tail = text.substr(at + 1);
    text = text.substr(0, at);
    return tail;
}

std::string quoted(std::string_view text) {
    return "`" + std::string(text) + "`";
}

std::optional<Period> read_period(std::string_view text, bool last, std::string& fault) {
    const std::string_view whole = text;
    Period period;
    if (const auto increment = take_behind(text, '+')) {
        const auto ms = read_duration(*increment);
        if (!ms) {
            fault = quoted(*increment) + " is no increment; write it as in 60m+30s";
            return {};
        }
        period.increment_ms = *ms;
    }
    if (auto count = take_behind(text, '/')) {
        const auto moves = take_number(*count);
        if (!moves || !count->empty() || *moves < 1 || *moves > most_moves) {
            fault = "behind `/` stands a number of moves from 1 to " + std::to_string(most_moves);
            return {};
        }
        period.moves = *moves;
    }
    const auto time = read_duration(text);
    if (!time || *time == 0) {
        fault = quoted(text) + " is no time of a period; write it as in 60m or 1h30m";
        return {};
    }
    period.time_ms = *time;
    if (period.moves == 0 && !last) {
        fault = quoted(whole) + " is for all the moves that remain, so no period can follow it";
        return {};
    }
    return period;
}

}  // namespace

std::optional<Millis> read_duration(std::string_view text) {
    if (text.empty()) return {};
    Millis sum = 0;
    const auto* unit = units.begin();
    while (!text.empty()) {
        const auto number = take_number(text);
        if (!number || text.empty()) return {};
        while (unit != units.end() && unit->letter != text.front()) ++unit;
        if (unit == units.end()) return {};
        sum += *number * unit->ms;
        if (sum > longest) return {};
        ++unit;
        text.remove_prefix(1);
    }
    return sum;
}

std::string write_duration(Millis ms) {
    std::string text;
    for (const auto& unit : units) {
        if (ms >= unit.ms) text += std::to_string(ms / unit.ms) + unit.letter;
        ms %= unit.ms;
    }
    return text.empty() ? "0s" : text;
}

std::optional<TimeControl> read_time_control(std::string_view text, std::string& fault) {
    TimeControl control{std::string(text), {}};
    while (true) {
        const auto comma = text.find(',');
        const bool last = comma == std::string_view::npos;
        const auto period = read_period(text.substr(0, comma), last, fault);
        if (!period) return {};
        control.periods.push_back(*period);
        if (last) return control;
        text.remove_prefix(comma + 1);
    }
}

}  // namespace xq::config
