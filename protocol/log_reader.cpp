#include "protocol/crc32c.hpp"
#include "protocol/sensor_log.hpp"
#include "protocol/utc.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace xq::protocol {

namespace {
/// No board is silent for a week and no game lasts as long: a larger jump is a damaged line, and
/// would be filled with a heartbeat every five seconds.
constexpr Millis longest_silence_ms = Millis{7} * 24 * 60 * 60 * 1000;
}  // namespace

namespace {

/// The text behind `word` and a space, where the comment begins so.
std::optional<std::string_view> behind(std::string_view comment, std::string_view word) {
    if (comment.size() <= word.size() || !comment.starts_with(word) || comment[word.size()] != ' ')
        return {};
    comment.remove_prefix(std::min(comment.find_first_not_of(' ', word.size()), comment.size()));
    return comment;
}

std::string hex8(std::uint32_t value) {
    std::string digits(8, '0');
    for (std::size_t i = digits.size(); i-- > 0; value >>= 4U) {
        digits[i] = "0123456789abcdef"[value & 0xFU];
    }
    return digits;
}

constexpr std::size_t checksum_size = 10;  // " #" and eight digits

}  // namespace

std::string with_checksum(std::string_view line) {
    return std::string(line) + " #" + hex8(crc32c(line));
}

std::optional<std::string_view> checked(std::string_view line) {
    if (line.size() < checksum_size) return {};
    const std::string_view content = line.substr(0, line.size() - checksum_size);
    const std::string_view sum = line.substr(content.size());
    if (!sum.starts_with(" #") || sum.substr(2) != hex8(crc32c(content))) return {};
    return content;
}

std::vector<std::string> write_header(const LogHeader& header) {
    std::vector<std::string> lines{std::string(log_first_line)};
    if (header.start) lines.push_back("# start " + utc_text(*header.start));
    if (!header.board.empty()) lines.push_back("# board " + header.board);
    if (header.game) lines.push_back("# game " + std::to_string(*header.game));
    if (!header.fen.empty()) lines.push_back("# fen " + header.fen);
    if (!header.config.empty()) lines.push_back("# config " + header.config);
    return lines;
}

bool read_header(std::string_view comment, LogHeader& header) {
    if (const auto start = behind(comment, "start")) {
        if (const auto utc = read_utc(*start)) header.start = utc;
        return header.start.has_value();
    }
    if (const auto board = behind(comment, "board")) {
        header.board = *board;
        return true;
    }
    if (const auto game = behind(comment, "game")) {
        int number = 0;
        const auto [end, error] =
            std::from_chars(game->data(), game->data() + game->size(), number);
        if (error != std::errc{} || end != game->data() + game->size()) return false;
        header.game = number;
        return true;
    }
    if (const auto fen = behind(comment, "fen")) {
        header.fen = *fen;
        return true;
    }
    if (const auto config = behind(comment, "config")) {
        header.config = *config;
        return true;
    }
    return false;
}

std::string restart_comment(Millis utc_ms) {
    return "# restart " + utc_text(utc_ms);
}

Result<std::optional<Timed>> LogReader::next(std::string_view line) {
    ++line_;
    comment_.clear();
    auto result = read(line);
    if (!result) {
        const Fault& fault = result.error();
        return Fault{fault.at, "line " + std::to_string(line_) + ", column " +
                                   std::to_string(fault.at + 1) + ": " + fault.what};
    }
    if (result.value()) {
        begun_ = true;
        last_ = result.value()->t;
    }
    return result;
}

Result<std::optional<Timed>> LogReader::read(std::string_view line) {
    if (line_ == 1) {
        journal_ = checked(line) == log_first_line;
        if (journal_ || line == log_first_line) return std::optional<Timed>{};
        return Fault{0, "the first line must be `" + std::string(log_first_line) + "`"};
    }
    if (journal_) {
        const auto content = checked(line);
        if (!content) {
            const std::size_t at =
                line.size() < checksum_size ? line.size() : line.size() - checksum_size;
            return Fault{at, "the checksum of a journal's line is missing or wrong"};
        }
        line = *content;
    }
    auto read = read_log_line(line);
    if (!read) return read.error();
    if (auto* const comment = std::get_if<Comment>(&read.value())) {
        return take_comment(std::move(*comment));
    }
    auto& timed = std::get<Timed>(read.value());
    if (timed.t < last_) {
        return Fault{0,
                     "time falls from " + std::to_string(last_) + " to " + std::to_string(timed.t)};
    }
    if (timed.t - last_ > longest_silence_ms) {
        return Fault{0, "time jumps by more than a week, from " + std::to_string(last_) + " to " +
                            std::to_string(timed.t)};
    }
    return std::optional(std::move(timed));
}

Result<std::optional<Timed>> LogReader::take_comment(Comment&& comment) {
    comment_ = std::move(comment.text);
    const auto restart = behind(comment_, "restart");
    const auto utc = restart ? read_utc(*restart) : std::nullopt;
    if (utc) {
        if (!header_.start) return Fault{0, "a restart, but no comment `start` says since when"};
        return std::optional(Timed{std::max(last_, *utc - *header_.start), event::Restart{}});
    }
    if (!begun_) read_header(comment_, header_);
    return std::optional<Timed>{};
}

}  // namespace xq::protocol
