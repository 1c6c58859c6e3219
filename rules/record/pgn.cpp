#include "rules/record/pgn.hpp"

#include "rules/fen.hpp"
#include "rules/notation.hpp"

#include <algorithm>
#include <array>

namespace xq::rules::record {
namespace {

bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}
bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

bool is_result(std::string_view word) {
    constexpr std::array<std::string_view, 4> results{"1-0", "0-1", "1/2-1/2", "*"};
    return std::find(results.begin(), results.end(), word) != results.end();
}

class Reader {
public:
    explicit Reader(std::string_view text) : text_(text) {}

    Result<GameRecord> run() {
        if (auto fault = read_tags()) return *fault;
        if (const auto fen = record_.tag("FEN"); !fen.empty()) {
            auto start = read_fen(fen);
            if (!start) return Fault{fen_at_, "the FEN tag: " + start.error().what};
            record_.start = *start;
        }
        position_ = record_.start;
        if (auto fault = read_moves()) return *fault;
        if (record_.tags.empty() && record_.moves.empty())
            return Fault{0, "there is neither a tag nor a move"};
        return std::move(record_);
    }

private:
    bool more() const { return at_ < text_.size(); }
    void skip_space() {
        while (more() && is_space(text_[at_])) ++at_;
    }

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
        for (skip_space(); more(); skip_space()) {
            const std::size_t at = at_;
            const char c = text_[at_];
            if (c == '[') break;  // the next game
            if (c == '{') {
                if (!skip_past('}')) return Fault{at, "a comment that is not closed"};
            } else if (c == ';') {
                skip_past('\n');
            } else if (c == '(') {
                if (!skip_side_line()) return Fault{at, "a side line that is not closed"};
            } else if (c == '$') {
                word();
            } else if (auto fault = read_word()) {
                return fault;
            }
            if (!record_.result.empty()) break;
        }
        return std::nullopt;
    }

    /// A number, the result or a move, or a number with a move stuck to it.
    std::optional<Fault> read_word() {
        std::size_t at = at_;
        std::string_view w = word();
        if (is_result(w)) {
            record_.result = w;
            return std::nullopt;
        }
        const std::size_t drop = number_length(w);
        w.remove_prefix(drop);
        at += drop;
        if (w.empty()) return std::nullopt;
        auto move = read_move(position_, w);
        if (!move) {
            const bool black_begins = record_.start.turn() == Side::Black;
            const std::size_t ply = record_.moves.size() + (black_begins ? 1 : 0);
            const bool red = position_.turn() == Side::Red;
            return Fault{at, "move " + std::to_string(ply / 2 + 1) + (red ? "" : "...") + " \"" +
                                 std::string(w) + "\": " + move.error().what};
        }
        record_.moves.push_back(*move);
        position_.apply(*move);
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
        if (at_ == from) ++at_;  // a stray parenthesis is a word of its own
        return text_.substr(from, at_ - from);
    }

    bool skip_past(char end) {
        const std::size_t found = text_.find(end, at_ + 1);
        at_ = found == std::string_view::npos ? text_.size() : found + 1;
        return found != std::string_view::npos;
    }

    bool skip_side_line() {
        int depth = 0;
        while (more()) {
            const char c = text_[at_];
            if (c == '{') {
                if (!skip_past('}')) return false;
                continue;
            }
            depth += c == '(' ? 1 : c == ')' ? -1 : 0;
            ++at_;
            if (depth == 0) return true;
        }
        return false;
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::size_t fen_at_ = 0;
    Position position_;
    GameRecord record_;
};

}  // namespace

std::string_view GameRecord::tag(std::string_view name) const {
    const auto found =
        std::find_if(tags.begin(), tags.end(), [&](const auto& t) { return t.first == name; });
    return found == tags.end() ? std::string_view{} : std::string_view(found->second);
}

Result<GameRecord> read_pgn(std::string_view text) {
    return Reader(text).run();
}

}  // namespace xq::rules::record
