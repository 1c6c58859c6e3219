#include "daemon/commands/ctl_view.hpp"

#include "rules/fen.hpp"
#include "rules/notation.hpp"

#include <algorithm>
#include <array>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <cstdio>

namespace xq::ctl {

namespace {

namespace json = boost::json;

constexpr std::string_view red_ink = "\x1b[31m";
constexpr std::string_view marked = "\x1b[7m";
constexpr std::string_view plain = "\x1b[0m";
// As many lines as fit below the board on a screen of 24.
constexpr std::size_t kept_lines = 6;

/// A member as text: strings as they are, null and what is missing as `otherwise`.
std::string text(const json::object& o, std::string_view name, std::string_view otherwise = "") {
    const json::value* const v = o.if_contains(name);
    if (!v || v->is_null()) return std::string(otherwise);
    return v->is_string() ? std::string(v->get_string()) : json::serialize(*v);
}
bool flag(const json::object& o, std::string_view name) {
    const json::value* const v = o.if_contains(name);
    return v && v->is_bool() && v->get_bool();
}
const json::object& object(const json::object& o, std::string_view name) {
    static const json::object none;
    const json::value* const v = o.if_contains(name);
    return v && v->is_object() ? v->get_object() : none;
}
const json::array& array(const json::object& o, std::string_view name) {
    static const json::array none;
    const json::value* const v = o.if_contains(name);
    return v && v->is_array() ? v->get_array() : none;
}
json::value member(const json::object& o, std::string_view name) {
    const json::value* const v = o.if_contains(name);
    return v ? *v : json::value();
}

/// The characters on the pieces; the two sides' differ, so that they tell without colours.
std::string_view glyph(rules::Piece p) {
    constexpr std::array<std::string_view, 8> red{"", "帥", "仕", "相", "傌", "俥", "炮", "兵"};
    constexpr std::array<std::string_view, 8> black{"", "將", "士", "象", "馬", "車", "砲", "卒"};
    const auto kind = static_cast<std::size_t>(p.kind());
    return p.side() == rules::Side::Red ? red[kind] : black[kind];
}

std::string side_name(std::string_view side) {
    return side == "red" ? "Red" : side == "black" ? "Black" : std::string(side);
}

/// "Red 59:30 *   Black 1:00:00": the star is at the clock that runs.
std::string clocks_text(const json::object& clock) {
    std::string out;
    for (const std::string_view side : {"red", "black"}) {
        out += side_name(side) + ' ' + clock_text(member(clock, std::string(side) + "_ms")) +
               (text(clock, "running") == side ? " *   " : "     ");
    }
    if (!flag(clock, "valid")) out += "(not valid)";
    return out.substr(0, out.find_last_not_of(' ') + 1);
}

std::string players_text(const json::object& o) {
    std::string out;
    if (const auto event = text(o, "event"); !event.empty()) out += event + ": ";
    return out + text(o, "red", "Red") + " - " + text(o, "black", "Black");
}

std::string pieces_text(const json::array& pieces) {
    std::string out;
    for (const json::value& v : pieces) {
        const auto& p = v.as_object();
        out += ' ' + text(p, "point", "board") + ' ' + text(p, "piece") + text(p, "fault");
    }
    return out;
}

}  // namespace

std::string clock_text(const json::value& ms) {
    if (!ms.is_int64() && !ms.is_uint64()) return "-";
    const auto total = std::max<std::int64_t>(ms.to_number<std::int64_t>(), 0);
    const std::int64_t s = total / 1000;
    std::array<char, 40> out{};
    if (total < 60'000) {
        std::snprintf(out.data(), out.size(), "0:%02d.%d", static_cast<int>(s),
                      static_cast<int>(total % 1000 / 100));
    } else if (s < 3600) {
        std::snprintf(out.data(), out.size(), "%d:%02d", static_cast<int>(s / 60),
                      static_cast<int>(s % 60));
    } else {
        std::snprintf(out.data(), out.size(), "%lld:%02d:%02d", static_cast<long long>(s / 3600),
                      static_cast<int>(s / 60 % 60), static_cast<int>(s % 60));
    }
    return out.data();
}

std::string board_text(std::string_view fen, std::string_view last, bool colours) {
    const auto position = rules::read_fen(fen);
    if (!position) return {};
    const auto move = colours ? rules::read_iccs(last) : std::nullopt;
    std::string out;
    for (int rank = rules::ranks - 1; rank >= 0; --rank) {
        if (rank == rules::ranks / 2 - 1) out += "   ~~~~~~ 楚河 ~~~~ 漢界 ~~~~~~\n";
        out += std::to_string(rank) + "  ";
        for (int file = 0; file < rules::files; ++file) {
            const rules::Point p = rules::point(file, rank);
            const rules::Piece piece = position->at(p);
            const bool mark = move && (move->from == p || move->to == p);
            const bool ink = colours && piece.is(rules::Side::Red);
            if (mark) out += marked;
            if (ink) out += red_ink;
            out += piece.empty() ? "・" : glyph(piece);
            if (mark || ink) out += plain;
            if (file + 1 < rules::files) out += ' ';
        }
        out += '\n';
    }
    return out + "   a  b  c  d  e  f  g  h  i\n";
}

std::string status_text(const json::object& s, bool colours) {
    std::string out = "Game " + text(s, "game") + "   " + players_text(s) + '\n';
    out += board_text(text(s, "fen"), text(s, "provisional"), colours);
    out += "Ply " + text(s, "ply") + ", " + side_name(text(s, "turn")) + " to move";
    if (const auto p = text(s, "provisional"); !p.empty()) out += "; on the board " + p;
    if (const auto r = text(s, "result"); !r.empty()) out += "; result " + r;
    if (flag(s, "paused")) out += "; paused";
    if (flag(s, "restoring")) out += "; pieces are being set back";
    out += "\nClock  " + clocks_text(object(s, "clock"));
    const auto& fouls = object(s, "fouls");
    out +=
        "\nFouls  Red " + text(fouls, "red", "0") + ", Black " + text(fouls, "black", "0") + '\n';
    if (const auto o = text(s, "offer"); !o.empty()) out += side_name(o) + " offers a draw\n";
    if (const auto d = text(s, "duty"); !d.empty()) out += "Duty: " + d + '\n';
    if (const auto f = text(object(s, "journal"), "fault"); !f.empty()) {
        out += "The journal is not safe: " + f + '\n';
    }
    for (const json::value& v : array(s, "proposed")) {
        const auto& r = v.as_object();
        out += "Ruling " + text(r, "id") + " waits: " + text(r, "en") + "  " + text(r, "zh") + '\n';
    }
    return out;
}

std::string points_text(const json::object& board, bool colours) {
    struct Cell {
        std::string reads = "?";
        char mark = ' ';
        std::string changes;
    };
    std::array<Cell, rules::points> cells;
    std::string wrong;
    for (const json::value& v : array(board, "points")) {
        const auto& o = v.as_object();
        const auto point = rules::point_named(text(o, "point"));
        if (!point) continue;
        Cell& cell = cells[static_cast<std::size_t>(*point)];
        cell.reads = text(o, "reads", "?");
        const std::string expected = text(o, "expected", ".");
        // x, X and o are some piece: right wherever a fitting one should stand.
        const bool fits =
            cell.reads == expected ||
            (expected != "." && (cell.reads == "x" || (cell.reads == "X" && expected[0] < 'a') ||
                                 (cell.reads == "o" && expected[0] >= 'a')));
        if (!fits) cell.mark = '!';
        if (flag(o, "masked")) cell.mark = '#';
        if (!fits) {
            wrong += text(o, "point") + " reads " + cell.reads + ", should read " + expected + '\n';
        }
        if (const auto n = text(o, "changes_per_minute", "0"); n != "0") cell.changes = n;
    }
    std::string out;
    for (int rank = rules::ranks - 1; rank >= 0; --rank) {
        out += std::to_string(rank) + "  ";
        for (int file = 0; file < rules::files; ++file) {
            const Cell& cell = cells[static_cast<std::size_t>(rules::point(file, rank))];
            std::string one = cell.reads + cell.mark + cell.changes;
            one.resize(std::max<std::size_t>(one.size(), 5), ' ');
            out +=
                colours && cell.mark != ' ' ? std::string(marked) + one + std::string(plain) : one;
            out += ' ';
        }
        out.erase(out.find_last_not_of(' ') + 1);
        out += '\n';
    }
    out += "   a     b     c     d     e     f     g     h     i\n";
    out +=
        "! reads something else than stands in the record   # not believed   "
        "number: changes in the last minute\n";
    out += "Link " + text(board, "link") + (flag(board, "in_sync") ? ", in sync" : ", not in sync");
    if (const auto& faults = array(board, "faults"); !faults.empty()) {
        out += "; faults:" + pieces_text(faults);
    }
    return out + '\n' + wrong;
}

std::string done_text(const json::object& done) {
    std::string out = "Ply " + text(done, "ply") + ": " + text(done, "fen");
    if (const auto r = text(done, "result"); !r.empty()) out += "   result " + r;
    return out + '\n';
}

std::string line_text(const json::object& m) {
    const std::string type = text(m, "type");
    const std::string ply = "ply " + text(m, "ply");
    if (type == "state") return "game " + text(m, "game") + ", " + ply;
    if (type == "move") {
        return ply + ' ' + text(m, "iccs") + ' ' + text(m, "zh") +
               (text(m, "status") == "final" ? "" : "?") + (flag(m, "check") ? " check" : "");
    }
    if (type == "retract") return "back to ply " + text(m, "to_ply") + ": " + text(m, "reason");
    if (type == "ruling") {
        return "ruling " + text(m, "id") + ' ' + text(m, "status") + ": " + text(m, "en") + "  " +
               text(m, "zh") + " [" + text(m, "article") + ']';
    }
    if (type == "result") return "result " + text(m, "result") + ": " + text(m, "reason");
    if (type == "board") {
        std::string out = "board " + text(m, "link") + (flag(m, "in_sync") ? "" : ", not in sync");
        for (const std::string_view what : {"missing", "extra", "faults"}) {
            if (const auto& list = array(m, what); !list.empty()) {
                out += std::string("; ").append(what).append(1, ':') + pieces_text(list);
            }
        }
        if (const auto& moves = array(m, "candidates"); !moves.empty()) {
            out += "; which move:";
            for (const json::value& move : moves) out.append(1, ' ').append(move.as_string());
        }
        return out;
    }
    return {};
}

void Live::take(const json::object& message) {
    if (text(message, "type") == "hello") {
        hello_ = message;
        return;
    }
    last_ = message;
    if (auto line = line_text(message); !line.empty()) lines_.push_back(std::move(line));
    if (lines_.size() > kept_lines) lines_.pop_front();
}

std::string Live::screen() const {
    std::string out = text(hello_, "board") + "   " + players_text(hello_) + '\n';
    if (last_.empty()) return out;
    out += board_text(text(last_, "fen"), text(last_, "last"), true);
    out +=
        clocks_text(object(last_, "clock")) + "   " + side_name(text(last_, "turn")) + " to move";
    if (flag(last_, "check")) out += ", in check";
    if (const auto r = text(last_, "result"); !r.empty()) out += "   " + r;
    out += '\n';
    for (const std::string& line : lines_) out += line + '\n';
    return out;
}

}  // namespace xq::ctl
