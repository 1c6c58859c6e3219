#pragma once
// The sensor log, version 1: one event a line, as text (SENSOR_LOG.md). A journal
// is such a log with a checksum behind each line. Reader and writer are one another's inverse: what
// `write_log_line` makes reads as the same event, and a line in its ordinary spelling is written
// again byte for byte. Values only; no file is opened here.
#include "protocol/sensor_event.hpp"
#include "rules/fault.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace xq::protocol {

inline constexpr std::string_view log_first_line = "# xiangqi sensor log 1";

/// A line without an event: a comment (text behind `#`, trimmed) or an empty line.
struct Comment {
    std::string text;
    bool operator==(const Comment&) const = default;
};

/// Reads one line without its newline and without a checksum. The fault's place is the column
/// from 0.
Result<std::variant<Timed, Comment>> read_log_line(std::string_view line);
/// One line without its newline. A restart is written as the time it happened at, see
/// `restart_comment`; everything else reads back as the same value.
std::string write_log_line(const Timed& line);

/// Behind each line of a journal: ` #` and the CRC-32C of what stands before, eight hex digits.
std::string with_checksum(std::string_view line);
/// The line without its checksum; nothing where there is none or it is wrong.
std::optional<std::string_view> checked(std::string_view line);

/// What the comments at the head of a journal tell.
struct LogHeader {
    std::optional<Millis> start;  ///< UTC ms at T = 0
    std::string board;
    std::optional<int> game;
    std::string fen;     ///< where the game starts; empty: the start array
    std::string config;  ///< one line of JSON
    bool operator==(const LogHeader&) const = default;
};
/// The first line and the header comments, without newlines and checksums; what is empty is left
/// out. Neither `board` nor `config` may hold a line break.
std::vector<std::string> write_header(const LogHeader& header);
/// Takes one comment's text into the header; false where it is none of the header's comments.
bool read_header(std::string_view comment, LogHeader& header);
/// The line written after each start of the daemon: "# restart 2026-05-01T10:00:00.000Z".
std::string restart_comment(Millis utc_ms);

/// Reads a log line by line, a plain one and a journal alike: checks the first line, that time
/// never falls, and the checksums where the log has them (the first line tells). Faults read
/// "line N, column M: ...", both counted from 1; their place is the column from 0.
class LogReader {
public:
    /// The next line's event; nothing for a line that holds none (its comment goes to `comment`).
    /// A restart comes as `event::Restart` at its UTC less the start's, never below the last T.
    Result<std::optional<Timed>> next(std::string_view line);

    const std::string& comment() const { return comment_; }
    /// What the comments before the first event told.
    const LogHeader& header() const { return header_; }
    bool journal() const { return journal_; }
    std::size_t line() const { return line_; }
    Millis last() const { return last_; }  ///< T of the last event, 0 before

private:
    Result<std::optional<Timed>> read(std::string_view line);
    Result<std::optional<Timed>> take_comment(Comment&& comment);

    std::size_t line_ = 0;
    Millis last_ = 0;
    bool journal_ = false;
    bool begun_ = false;
    std::string comment_;
    LogHeader header_;
};

}  // namespace xq::protocol
