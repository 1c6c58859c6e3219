#include "rules/record/pgn.hpp"

#include "rules/fen.hpp"
#include "rules/record/pgn_times.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace xq::rules::record {
namespace {

bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}
bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/// Signs as they stand behind a move, in the order of their numbers from 1.
constexpr std::array<std::string_view, 6> suffixes{"!", "?", "!!", "??", "!?", "?!"};

/// What the record says with members of its own.
constexpr std::array<std::string_view, 4> spoken_for{"FEN", "Result", "Format", "SetUp"};

std::string without_returns(std::string_view text) {
    std::string out(text);
    std::erase(out, '\r');
    return out;
}

class Reader {
public:
    explicit Reader(std::string_view text) : text_(text) {}

    Result<GameRecord> run() {
        if (auto fault = read_tags()) return *fault;
        const bool tags = !record_.tags.empty();
        if (const auto fen = record_.tag("FEN"); !fen.empty()) {
            auto start = read_fen(fen);
            if (!start) return Fault{fen_at_, "the FEN tag: " + start.error().what};
            record_.start = *start;
        }
        if (const auto result = record_.tag("Result"); is_result(result)) record_.result = result;
        open_ = {{0, 0, record_.start, record_.start}};
        if (auto fault = read_moves()) return *fault;
        if (open_.size() > 1) return Fault{open_.back().opened, "a side line that is not closed"};
        if (!tags && record_.plies().empty()) return Fault{0, "there is neither a tag nor a move"};
        std::erase_if(record_.tags, [](const auto& tag) {
            return std::find(spoken_for.begin(), spoken_for.end(), tag.first) != spoken_for.end() ||
                   (tag.first == "Game" && tag.second == "Chinese Chess");
        });
        return std::move(record_);
    }

private:
    /// A line that is being read, from its opening parenthesis on.
    struct Open {
        std::size_t line;
        std::size_t opened;
        Position before;  ///< its last ply
        Position now;
    };

    bool more() const { return at_ < text_.size(); }
    void skip_space() {
        while (more() && is_space(text_[at_])) ++at_;
    }
    Line& line() { return record_.lines[open_.back().line]; }

    /// [Name "value"] - quotes and backslashes in the value behind a backslash.
    std::optional<Fault> read_tags() {
        for (skip_space(); more() && text_[at_] == '['; skip_space()) {
            const std::size_t opened = at_++;
            skip_space();
            std::string name;
            while (more() && !is_space(text_[at_]) && text_[at_] != '"' && text_[at_] != ']')
                name += text_[at_++];
            skip_space();
            if (!more() || text_[at_] != '"') return Fault{opened, "a tag without a quoted value"};
            const std::size_t value_at = ++at_;
            std::string value;
            while (more() && text_[at_] != '"') {
                if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
                value += text_[at_++];
            }
            while (more() && text_[at_] != ']') ++at_;
            if (!more()) return Fault{opened, "a tag that is not closed"};
            ++at_;
            if (name == "FEN") fen_at_ = value_at;
            record_.tags.emplace_back(std::move(name), std::move(value));
        }
        return std::nullopt;
    }

    std::optional<Fault> read_moves() {
        for (skip_space(); more() && !ended_; skip_space()) {
            if (text_[at_] == '[') {
                if (at_line_start()) break;  // the next game
                return Fault{at_, "a bracket within the moves"};
            }
            if (auto fault = read_item()) return fault;
        }
        return std::nullopt;
    }

    std::optional<Fault> read_item() {
        switch (text_[at_]) {
            case '{':
                return read_comment();
            case ';':
                return read_rest_of_line();
            case '(':
                return open_line();
            case ')':
                return close_line();
            default:
                return read_word();
        }
    }

    bool at_line_start() const {
        const auto before = text_.substr(0, at_).find_last_not_of(" \t\r");
        return before == std::string_view::npos || text_[before] == '\n';
    }

    std::optional<Fault> read_comment() {
        const std::size_t opened = at_++;
        const std::size_t end = text_.find('}', at_);
        if (end == std::string_view::npos) return Fault{opened, "a comment that is not closed"};
        say(text_.substr(at_, end - at_));
        at_ = end + 1;
        return std::nullopt;
    }

    std::optional<Fault> read_rest_of_line() {
        const std::size_t end = std::min(text_.find('\n', ++at_), text_.size());
        say(text_.substr(at_, end - at_));
        at_ = end;
        return std::nullopt;
    }

    /// A comment belongs to the ply before it, or to the line if there is none.
    void say(std::string_view comment) {
        Line& l = line();
        Ply none;
        const std::string text =
            take_times(without_returns(comment), l.plies.empty() ? none : l.plies.back());
        if (text.empty()) return;
        std::string& there = l.plies.empty() ? l.comment : l.plies.back().comment;
        there += (there.empty() ? "" : "\n") + text;
    }

    std::optional<Fault> open_line() {
        const Open& now = open_.back();
        if (line().plies.empty()) return Fault{at_, "a side line before any move"};
        const auto branch = record_.branch(now.line, line().plies.size() - 1);
        if (!branch) return Fault{at_, "side lines that nest too deep"};
        open_.push_back({*branch, at_++, now.before, now.before});
        return std::nullopt;
    }

    std::optional<Fault> close_line() {
        if (open_.size() == 1) return Fault{at_, "a parenthesis that closes no side line"};
        if (line().plies.empty()) return Fault{open_.back().opened, "a side line without a move"};
        open_.pop_back();
        ++at_;
        return std::nullopt;
    }

    /// A sign, a number, the result or a move, or a number with a move stuck to it.
    std::optional<Fault> read_word() {
        std::size_t at = at_;
        std::string_view w = word();
        if (w.front() == '$') return read_sign(at, w.substr(1));
        if (is_result(w)) return take_result(w);
        const std::size_t drop = number_length(w);
        w.remove_prefix(drop);
        at += drop;
        if (w.empty()) return std::nullopt;
        const std::size_t move_ends = w.find_last_not_of("!?") + 1;
        const std::string_view suffix = w.substr(move_ends);
        const auto* const sign = std::find(suffixes.begin(), suffixes.end(), suffix);
        if (sign != suffixes.end()) w = w.substr(0, move_ends);
        if (auto fault = read_one_move(at, w)) return fault;
        if (sign != suffixes.end())
            line().plies.back().signs.push_back(static_cast<int>(sign - suffixes.begin()) + 1);
        return std::nullopt;
    }

    std::optional<Fault> read_one_move(std::size_t at, std::string_view w) {
        Open& now = open_.back();
        auto move = read_played(now.now, w);
        if (!move) {
            const bool red = now.now.turn() == Side::Red;
            return Fault{at, "move " + std::to_string(now.now.round()) + (red ? "" : "...") +
                                 " \"" + std::string(w) + "\": " + move.error().what};
        }
        line().plies.push_back({*move, {}, {}, {}, {}});
        now.before = now.now;
        now.now.apply(*move);
        return std::nullopt;
    }

    std::optional<Fault> read_sign(std::size_t at, std::string_view digits) {
        int number = 0;
        const auto [end, error] =
            std::from_chars(digits.data(), digits.data() + digits.size(), number);
        if (error != std::errc() || end != digits.data() + digits.size() || number < 0)
            return Fault{at, "a $ without a number"};
        if (line().plies.empty()) return Fault{at, "a $ before any move"};
        line().plies.back().signs.push_back(number);
        return std::nullopt;
    }

    /// It ends the game; a side line's is a remark. An open one does not undo what the tag says.
    std::optional<Fault> take_result(std::string_view w) {
        if (open_.size() > 1) {
            say(w);
            return std::nullopt;
        }
        if (w != "*") record_.result = w;
        ended_ = true;
        return std::nullopt;
    }

    /// The length of a move number at the front: digits, then dots; all digits are one too.
    static std::size_t number_length(std::string_view w) {
        std::size_t n = 0;
        while (n < w.size() && is_digit(w[n])) ++n;
        if (n == 0) return w.find_first_not_of('.') == std::string_view::npos ? w.size() : 0;
        if (n == w.size()) return n;
        std::size_t dots = n;
        while (dots < w.size() && w[dots] == '.') ++dots;
        return dots == n ? 0 : dots;
    }

    std::string_view word() {
        const std::size_t from = at_;
        while (more() && !is_space(text_[at_]) && text_[at_] != '{' && text_[at_] != '(' &&
               text_[at_] != ')' && text_[at_] != ';')
            ++at_;
        return text_.substr(from, at_ - from);
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::size_t fen_at_ = 0;
    bool ended_ = false;
    std::vector<Open> open_;
    GameRecord record_;
};

}  // namespace

Result<GameRecord> read_pgn(std::string_view text) {
    return Reader(text).run();
}

}  // namespace xq::rules::record
