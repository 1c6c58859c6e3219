#pragma once
// One recorded game as a plain value: what its file says of it, where it began, the moves with
// their times and comments, and the side lines. Every reader of this folder makes one, every
// writer takes one; RECORDS.md says what each format can hold of it.
#include "rules/position.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace xq::rules::record {

struct Ply {
    Move move;
    std::string comment;                   ///< behind it; its lines end with \n
    std::vector<int> signs;                ///< as PGN numbers them: 1 good, 2 bad, 3 very good ...
    std::optional<std::int64_t> clock_ms;  ///< the mover's clock when it was made
    std::optional<std::int64_t> spent_ms;  ///< what the mover took for it
    bool operator==(const Ply&) const = default;
};

/// The main line, or one that leaves another.
struct Line {
    std::size_t parent = 0;  ///< which line it leaves, by its index, always lower than its own
    std::size_t at = 0;      ///< in place of which ply of that line it begins, from 0
    std::string comment;     ///< before its first move
    std::vector<Ply> plies;
    bool operator==(const Line&) const = default;
};

struct GameRecord {
    /// What is said of the game, in the order of the file: Event, Site, Date (2026.05.01), Round,
    /// Red, Black and whatever else. Start, result and notation have no tag here.
    std::vector<std::pair<std::string, std::string>> tags;
    Position start = Position::start();
    std::string result = "*";     ///< "1-0", "0-1", "1/2-1/2", "0-0" (both have lost), "*" (open)
    std::vector<Line> lines{{}};  ///< the first is the main line

    /// The value of a tag; empty if there is none.
    std::string_view tag(std::string_view name) const;
    /// Adds a tag, where there is something to say.
    void add_tag(std::string_view name, std::string_view value);

    const std::vector<Ply>& plies() const { return lines.front().plies; }
    /// The main line's moves. A ply against the rules that was left to stand is among them.
    std::vector<Move> moves() const;
    /// The index of the first of `moves()` that the rules do not allow; nothing if all are legal.
    std::optional<std::size_t> first_illegal() const;
    /// The position in which a line's ply `ply` was made (`plies.size()`: the line's last).
    Position before(std::size_t line, std::size_t ply) const;

    /// A new line in place of a ply of another one; nothing where lines would nest deeper than
    /// `deepest`, which no analysis does.
    std::optional<std::size_t> branch(std::size_t parent, std::size_t at);
    static constexpr int deepest = 100;
};

/// Whether a word is one of the five results.
bool is_result(std::string_view word);

}  // namespace xq::rules::record
