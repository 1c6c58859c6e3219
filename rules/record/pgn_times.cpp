#include "rules/record/pgn_times.hpp"

#include <array>
#include <charconv>

namespace xq::rules::record {
namespace {

constexpr std::int64_t second = 1000;
constexpr std::int64_t longest = std::int64_t{366} * 24 * 60 * 60 * second;

struct Command {
    std::string_view name;
    std::optional<std::int64_t> Ply::*time;
};
constexpr std::array commands{Command{"[%clk ", &Ply::clock_ms}, Command{"[%emt ", &Ply::spent_ms}};

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blanks = " \t\r\n";
    const auto from = text.find_first_not_of(blanks);
    if (from == std::string_view::npos) return {};
    return text.substr(from, text.find_last_not_of(blanks) + 1 - from);
}

std::string padded(std::int64_t n, std::size_t digits) {
    std::string text = std::to_string(n);
    return text.insert(0, text.size() < digits ? digits - text.size() : 0, '0');
}

/// A whole number that is all of `text`, of up to nine digits.
std::optional<std::int64_t> number(std::string_view text) {
    std::int64_t n = 0;
    if (text.empty() || text.size() > 9 || text.front() == '-') return std::nullopt;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return n;
}

}  // namespace

std::string time_text(std::int64_t ms) {
    const std::int64_t s = ms / second;
    std::string text =
        std::to_string(s / 3600) + ":" + padded(s / 60 % 60, 2) + ":" + padded(s % 60, 2);
    if (ms % second != 0) text += "." + padded(ms % second, 3);
    return text;
}

std::optional<std::int64_t> read_time(std::string_view text) {
    std::int64_t ms = 0;
    if (const auto dot = text.find('.'); dot != std::string_view::npos) {
        const auto decimals = std::string(text.substr(dot + 1, 3));
        const auto n = number(decimals + std::string(3 - decimals.size(), '0'));
        if (!n || text.find_first_not_of("0123456789", dot + 1) != std::string_view::npos)
            return std::nullopt;
        ms = *n;
        text = text.substr(0, dot);
    }
    std::int64_t seconds = 0;
    int fields = 0;
    for (bool more = true; more; ++fields) {
        const auto colon = text.find(':');
        more = colon != std::string_view::npos;
        const auto n = number(text.substr(0, colon));
        if (!n) return std::nullopt;
        seconds = seconds * 60 + *n;
        text.remove_prefix(more ? colon + 1 : text.size());
    }
    if (fields < 2 || fields > 3 || seconds > longest / second) return std::nullopt;
    return seconds * second + ms;
}

std::string take_times(std::string_view comment, Ply& ply) {
    std::string rest(comment);
    for (const auto& [name, time] : commands) {
        const auto from = rest.find(name);
        const auto to = rest.find(']', from);
        if (from == std::string::npos || to == std::string::npos) continue;
        const auto ms = read_time(
            trimmed(std::string_view(rest).substr(from + name.size(), to - from - name.size())));
        if (!ms) continue;
        ply.*time = ms;
        rest.erase(from, to + 1 - from);
    }
    return std::string(trimmed(rest));
}

std::string times_text(const Ply& ply) {
    std::string text;
    for (const auto& [name, time] : commands)
        if (const auto& ms = ply.*time)
            text += (text.empty() ? "" : " ") + std::string(name) + time_text(*ms) + "]";
    return text;
}

}  // namespace xq::rules::record
