#pragma once
// The sensor log, version 1: one event a line, as text (CONTRACTS 3, page SENSOR_LOG.md). A journal
// is such a log with a checksum behind each line.
#include "protocol/sensor_event.hpp"
#include "rules/fault.hpp"

#include <string>
#include <string_view>
#include <variant>

namespace xq::protocol {

/// A line without an event: a comment (text behind `#`, trimmed) or an empty line.
struct Comment {
    std::string text;
    bool operator==(const Comment&) const = default;
};

/// Reads one line without its newline. The fault's place is the column from 0.
Result<std::variant<Timed, Comment>> read_log_line(std::string_view line);
std::string write_log_line(const Timed& line);

/// Behind each line of a journal: ` #` and the CRC-32C of what stands before, eight hex digits.
std::string with_checksum(std::string_view line);
/// The line without its checksum; nothing where there is none or it is wrong.
std::optional<std::string_view> checked(std::string_view line);

/// Reads a log line by line, a plain one and a journal alike: checks the first line, that time
/// never falls, and the checksums where the log has them. Faults come as "line N: ...".
class LogReader {
public:
    /// The next line's content; nothing for a line that holds no event (its comment goes to
    /// `comment`).
    Result<std::optional<Timed>> next(std::string_view line);
    const std::string& comment() const { return comment_; }
    std::size_t line() const { return line_; }

private:
    std::size_t line_ = 0;
    Millis last_ = 0;
    bool journal_ = false;
    std::string comment_;
};

inline constexpr std::string_view log_first_line = "# xiangqi sensor log 1";

}  // namespace xq::protocol
