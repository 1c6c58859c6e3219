// The writer of dhtmlxq.hpp.
#include "rules/fen.hpp"
#include "rules/moves.hpp"
#include "rules/record/dhtmlxq.hpp"
#include "rules/record/dhtmlxq_fields.hpp"
#include "rules/record/piece_slots.hpp"

#include <algorithm>

namespace xq::rules::record {
namespace {

std::string replaced(std::string_view text, std::string_view what, std::string_view by) {
    std::string out(text);
    for (auto at = out.find(what); at != std::string::npos; at = out.find(what, at + by.size()))
        out.replace(at, what.size(), by);
    return out;
}

/// A value as it can stand in a field: what would end it or read as a new line gets full-width
/// signs, a new line is written as the format does.
std::string escaped(std::string_view text) {
    std::string out = replaced(text, "[DhtmlXQ", "［DhtmlXQ");
    out = replaced(out, "[/DhtmlXQ", "［/DhtmlXQ");
    out = replaced(out, "||", "｜｜");
    return replaced(replaced(out, "\r", ""), "\n", "||");
}

std::string field(const std::string& name, std::string_view value) {
    return "[DhtmlXQ_" + name + "]" + escaped(value) + "[/DhtmlXQ_" + name + "]\n";
}

std::string digits_of(Point p) {
    return std::to_string(file_of(p)) + std::to_string(ranks - 1 - rank_of(p));
}

/// The format lays each side's pieces out from its own right hand, the rows nearest to it first.
int place_in_order(Side s, Point p) {
    const Point seen = s == Side::Red ? p : rotated(p);
    return (files - 1 - file_of(seen)) * ranks + rank_of(seen);
}

Result<std::string> binit(const Position& p) {
    std::string out;
    for (const Side s : {Side::Red, Side::Black}) {
        std::vector<Point> left;
        for (const Point at : p.pieces(s)) left.push_back(at);
        std::sort(left.begin(), left.end(),
                  [&](Point a, Point b) { return place_in_order(s, a) < place_in_order(s, b); });
        for (const Kind kind : slot_kinds) {
            const auto found = std::find_if(left.begin(), left.end(),
                                            [&](Point at) { return p.at(at).kind() == kind; });
            out += found == left.end() ? "99" : digits_of(*found);
            if (found != left.end()) left.erase(found);
        }
        if (!left.empty())
            return Fault{0, "DhtmlXQ has no place for one more piece like that on " +
                                rules::name(left.front())};
    }
    return out;
}

std::string field_name(const std::string& tag) {
    for (const auto& name : dhtmlxq::names)
        if (name.tag == tag) return std::string(name.field);
    std::string name = tag;
    std::erase_if(name, [](char c) { return c == '[' || c == ']'; });
    const bool is_taken = dhtmlxq::is_technical(name) || name.starts_with(dhtmlxq::taken);
    if (is_taken) name.insert(0, dhtmlxq::taken);
    return name;
}

std::string result_text(std::string_view result) {
    return result == "1-0"       ? "红胜"
           : result == "0-1"     ? "黑胜"
           : result == "1/2-1/2" ? "和棋"
           : result == "0-0"     ? "双方负"
                                 : "";
}

class Writer {
public:
    explicit Writer(const GameRecord& record) : record_(record) {}

    Result<std::string> run() {
        const auto start = binit(record_.start);
        if (!start) return start.error();
        std::string out = "[DhtmlXQ]\n" + field("ver", "www_dpxq_com") + field("init", "500,350");
        for (const auto& [name, value] : record_.tags)
            out += field(field_name(name), name == "Date" ? replaced(value, ".", "-") : value);
        out += field("result", result_text(record_.result)) + field("binit", *start);
        if (write_fen(record_.start) != implied()) out += field("fen", write_fen(record_.start));
        for (std::size_t i = 0; i < record_.lines.size(); ++i) put_line(i);
        out += lines_ + comments_;
        if (!stands_.empty()) out += field("stands", stands_);
        out += clocks();
        return out + "[/DhtmlXQ]\n";
    }

private:
    /// The start as a reader takes it from `binit` and the first move.
    std::string implied() const {
        const auto& plies = record_.plies();
        const bool black =
            !plies.empty() && record_.start.at(plies.front().move.from).is(Side::Black);
        return write_fen(Position(record_.start.placement(), black ? Side::Black : Side::Red));
    }

    void put_line(std::size_t index) {
        const Line& line = record_.lines[index];
        const std::string id = index == 0 ? "" : std::to_string(index) + "_";
        first_.push_back(index == 0 ? 1 : first_[line.parent] + line.at);
        const std::size_t first = first_.back();
        Position p = record_.before(index, 0);
        std::string moves;
        put_comment(id, first - 1, line.comment);
        for (std::size_t i = 0; i < line.plies.size(); ++i) {
            const Move m = line.plies[i].move;
            moves += digits_of(m.from) + digits_of(m.to);
            put_comment(id, first + i, line.plies[i].comment);
            if (!is_legal(p, m))
                stands_ += (stands_.empty() ? "" : ",") + id + std::to_string(first + i);
            p.apply(m);
        }
        const std::string name = index == 0
                                     ? "movelist"
                                     : "move_" + std::to_string(line.parent) + "_" +
                                           std::to_string(first) + "_" + std::to_string(index);
        lines_ += field(name, moves);
    }

    void put_comment(const std::string& id, std::size_t ply, const std::string& text) {
        if (!text.empty()) comments_ += field("comment" + id + std::to_string(ply), text);
    }

    std::string clocks() const {
        std::string all;
        bool any = false;
        for (const Ply& ply : record_.plies()) {
            const auto ms = [&](const std::optional<std::int64_t>& t) {
                any = any || t;
                return t ? std::to_string(*t) : std::string();
            };
            if (!all.empty()) all += ",";
            all += ms(ply.clock_ms) + "/" + ms(ply.spent_ms);
        }
        return any ? field("plyclock", all) : "";
    }

    const GameRecord& record_;
    std::vector<std::size_t> first_;  ///< of each line, its first ply counted from the game's first
    std::string lines_;
    std::string comments_;
    std::string stands_;
};

}  // namespace

Result<std::string> write_dhtmlxq(const GameRecord& record) {
    return Writer(record).run();
}

}  // namespace xq::rules::record
