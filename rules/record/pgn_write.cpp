// The writer of pgn.hpp.
#include "rules/fen.hpp"
#include "rules/record/pgn.hpp"
#include "rules/record/pgn_times.hpp"

#include <algorithm>
#include <array>

namespace xq::rules::record {
namespace {

constexpr std::array<std::string_view, 3> notation_names{"Chinese", "ICCS", "WXF"};

/// Columns that a line of UTF-8 takes up on a screen: Chinese signs are two wide.
std::size_t width(std::string_view text) {
    std::size_t columns = 0;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        columns += byte >= 0xE0 ? 2U : (byte & 0xC0U) == 0x80 ? 0U : 1U;
    }
    return columns;
}

/// Puts words one behind another and begins a new line where one would not fit.
class Folded {
public:
    void put(std::string_view word) {
        const std::size_t first_line = width(word.substr(0, word.find('\n')));
        if (column_ > 0 && !glued_) {
            const bool fits = column_ + 1 + first_line <= columns;
            text_ += fits ? ' ' : '\n';
            column_ = fits ? column_ + 1 : 0;
        }
        glued_ = false;
        text_ += word;
        const auto last = word.rfind('\n');
        column_ =
            last == std::string_view::npos ? column_ + width(word) : width(word.substr(last + 1));
    }
    /// What stands against the word before it, or the one behind it.
    void put_behind(char c) {
        text_ += c;
        ++column_;
    }
    void put_before(char c) {
        put(std::string_view(&c, 1));
        glued_ = true;
    }
    std::string& text() { return text_; }

private:
    static constexpr std::size_t columns = 80;
    std::string text_;
    std::size_t column_ = 0;
    bool glued_ = false;
};

std::string replaced(std::string_view text, std::string_view what, std::string_view by) {
    std::string out(text);
    for (auto at = out.find(what); at != std::string::npos; at = out.find(what, at + by.size()))
        out.replace(at, what.size(), by);
    return out;
}

/// A name that can stand in a tag: what would end it is an underscore.
std::string tag_name(std::string_view name) {
    std::string out(name);
    for (char& c : out)
        if (static_cast<unsigned char>(c) <= ' ' || c == '"' || c == '[' || c == ']') c = '_';
    return out.empty() ? "_" : out;
}

std::string tag(std::string_view name, std::string_view value) {
    std::string quoted;
    for (const char c : value) {
        if (c == '"' || c == '\\') quoted += '\\';
        quoted += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
    return "[" + tag_name(name) + " \"" + quoted + "\"]\n";
}

class Writer {
public:
    Writer(const GameRecord& record, const PgnStyle& style)
        : record_(record), style_(style), leaving_(record.lines.size()) {
        for (std::size_t i = 1; i < record.lines.size(); ++i)
            leaving_[record.lines[i].parent].push_back(i);
    }

    std::string run() {
        std::string head = tag("Game", "Chinese Chess");
        for (const auto& [name, value] : record_.tags) head += tag(name, value);
        head += tag("Result", record_.result);
        if (const auto fen = write_fen(record_.start); fen != write_fen(Position::start()))
            head += tag("FEN", fen);
        head += tag("Format", notation_names[static_cast<std::size_t>(style_.notation)]);
        put_line(0, record_.start);
        moves_.put(record_.result);
        return head + "\n" + moves_.text() + "\n";
    }

private:
    void put_line(std::size_t index, Position p) {
        const Line& line = record_.lines[index];
        put_comment("", line.comment);
        bool number_it = true;  // Black's move too: it opens the line or something stood between
        for (std::size_t i = 0; i < line.plies.size(); ++i) {
            const Ply& ply = line.plies[i];
            const bool red = p.turn() == Side::Red;
            // A number and its move are one word: no line ends between them.
            const std::string number =
                red || number_it ? std::to_string(p.round()) + (red ? ". " : "... ") : "";
            moves_.put(number + write_played(p, ply.move, style_.notation, style_.script));
            for (const int sign : ply.signs) moves_.put("$" + std::to_string(sign));
            number_it = put_comment(times_text(ply), ply.comment);
            for (const std::size_t branch : leaving_[index]) {
                if (record_.lines[branch].at != i) continue;
                moves_.put_before('(');
                put_line(branch, p);
                moves_.put_behind(')');
                number_it = true;
            }
            p.apply(ply.move);
        }
    }

    bool put_comment(const std::string& times, const std::string& comment) {
        if (times.empty() && comment.empty()) return false;
        const bool both = !times.empty() && !comment.empty();
        moves_.put("{" + times + (both ? " " : "") + replaced(comment, "}", "｝") + "}");
        return true;
    }

    const GameRecord& record_;
    PgnStyle style_;
    std::vector<std::vector<std::size_t>> leaving_;  ///< of each line, the lines that leave it
    Folded moves_;
};

}  // namespace

std::string write_pgn(const GameRecord& record, const PgnStyle& style) {
    return Writer(record, style).run();
}

}  // namespace xq::rules::record
