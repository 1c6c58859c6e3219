// The reader of dhtmlxq.hpp: first the fields one by one, then the lines they speak of.
#include "rules/fen.hpp"
#include "rules/moves.hpp"
#include "rules/record/dhtmlxq.hpp"
#include "rules/record/dhtmlxq_fields.hpp"
#include "rules/record/piece_slots.hpp"

#include <charconv>
#include <map>
#include <set>
#include <tuple>

namespace xq::rules::record {
namespace {

constexpr std::string_view prefix = "[DhtmlXQ_";
constexpr std::string_view closing = "[/DhtmlXQ";

struct Field {
    std::string_view value;
    std::size_t at = 0;  ///< where the value begins
};

/// 3, or 1_3: a ply of a branch as the fields count them, both from 1; the main line is 0.
struct PlyName {
    std::size_t branch = 0;
    std::size_t ply = 0;
    bool operator<(const PlyName& o) const {
        return std::tie(branch, ply) < std::tie(o.branch, o.ply);
    }
};

/// Numbers of up to six digits with `_` between them, all of the text.
std::optional<std::vector<std::size_t>> numbers(std::string_view text) {
    std::vector<std::size_t> all;
    for (bool more = true; more;) {
        const auto end = std::min(text.find('_'), text.size());
        const auto digits = text.substr(0, end);
        std::size_t n = 0;
        const auto [stop, error] = std::from_chars(digits.data(), digits.data() + end, n);
        if (error != std::errc() || stop != digits.data() + end || end > 6) return std::nullopt;
        all.push_back(n);
        more = end < text.size();
        text.remove_prefix(more ? end + 1 : end);
    }
    return all;
}

std::optional<PlyName> ply_name(std::string_view text) {
    const auto n = numbers(text);
    if (!n || n->size() > 2) return std::nullopt;
    return n->size() == 1 ? PlyName{0, n->front()} : PlyName{n->front(), n->back()};
}

/// The point of a column from Red's left and a row from Black's side; nothing off the board.
std::optional<Point> point_of(char column, char row) {
    const int file = column - '0';
    const int rank = ranks - 1 - (row - '0');
    if (!on_board(file, rank)) return std::nullopt;
    return point(file, rank);
}

std::string replaced(std::string text, std::string_view what, std::string_view by) {
    for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
        text.replace(at, what.size(), by);
    return text;
}

/// The digits of a field with the places they have in the text.
struct Digits {
    std::string digits;
    std::vector<std::size_t> places;
};
Result<Digits> digits_of(const Field& field, std::string_view name) {
    Digits out;
    for (std::size_t i = 0; i < field.value.size(); ++i) {
        const char c = field.value[i];
        if (c == ' ' || c == '\t' || c == '\r' || c == '\n') continue;
        if (c < '0' || c > '9')
            return Fault{field.at + i, "the field " + std::string(name) + " holds only digits"};
        out.digits += c;
        out.places.push_back(field.at + i);
    }
    return out;
}

/// 红胜, 黑负, 和棋, 1-0 and what else is written there; open where it says neither.
std::string result_of(std::string_view text) {
    if (is_result(text)) return std::string(text);
    const auto has = [&](auto... words) {
        return ((text.find(words) != std::string_view::npos) || ...);
    };
    if (has("双方负", "雙方負")) return "0-0";
    if (has("和")) return "1/2-1/2";
    const bool red = has("红", "紅");
    const bool black = has("黑");
    const bool won = has("胜", "勝");
    const bool lost = has("负", "負");
    if (red != black && won != lost) return red == won ? "1-0" : "0-1";
    return "*";
}

class Reader {
public:
    explicit Reader(std::string_view text) : text_(text) {}

    Result<GameRecord> run() {
        if (auto fault = read_fields()) return *fault;
        if (auto fault = read_stands()) return *fault;
        if (auto fault = read_start()) return *fault;
        if (auto fault = read_lines()) return *fault;
        if (auto fault = read_comments()) return *fault;
        if (auto fault = read_clocks()) return *fault;
        return std::move(record_);
    }

private:
    // ---------------------------------------------------------------- fields

    std::optional<Fault> read_fields() {
        const std::size_t opened = text_.find("[DhtmlXQ");
        if (opened == std::string_view::npos) return Fault{0, "there is no [DhtmlXQ] in the text"};
        const bool in_brackets = text_.substr(opened).starts_with("[DhtmlXQ]") ||
                                 text_.substr(opened).starts_with("[DhtmlXQiFrame]");
        std::size_t at = opened;
        for (;;) {
            const std::size_t field = text_.find(prefix, at);
            const std::size_t end = end_of_record(at);
            if (field == std::string_view::npos || field > end) {
                if (in_brackets && end == std::string_view::npos)
                    return Fault{text_.size(), "the record is cut off: [/DhtmlXQ] is missing"};
                return std::nullopt;
            }
            if (auto fault = read_field(field, at)) return fault;
        }
    }

    std::size_t end_of_record(std::size_t from) const {
        return std::min(text_.find("[/DhtmlXQ]", from), text_.find("[/DhtmlXQiFrame]", from));
    }

    /// One field from its bracket on; `at` goes behind it. The web holds fields whose closing name
    /// is another one, so any closing bracket of the format ends them.
    std::optional<Fault> read_field(std::size_t opened, std::size_t& at) {
        const std::size_t name_at = opened + prefix.size();
        const std::size_t name_end = text_.find(']', name_at);
        const std::size_t value_end = text_.find(closing, name_at);
        const std::size_t next = text_.find(prefix, name_at);
        const auto name = text_.substr(name_at, std::min(name_end, text_.size()) - name_at);
        const std::size_t close = text_.find(']', std::min(value_end, text_.size()));
        if (name_end == std::string_view::npos || value_end == std::string_view::npos ||
            close == std::string_view::npos || name_end > value_end || next < value_end)
            return Fault{opened, "the field " + std::string(name.substr(0, 40)) + " is not closed"};
        at = close + 1;
        return take({text_.substr(name_end + 1, value_end - name_end - 1), name_end + 1}, name);
    }

    std::optional<Fault> take(const Field& field, std::string_view name) {
        if (name.starts_with("comment") || name.starts_with("move_")) {
            const bool comment = name.front() == 'c';
            const auto n = numbers(name.substr(comment ? 7 : 5));
            if (n && comment && n->size() <= 2) {
                comments_[{n->size() == 2 ? n->front() : 0, n->back()}] = field;
                return std::nullopt;
            }
            if (n && !comment && n->size() == 3) {
                const bool fresh =
                    branches_.emplace((*n)[2], Branch{(*n)[0], (*n)[1], field}).second;
                if ((*n)[2] == 0 || !fresh)
                    return Fault{field.at, "the field " + std::string(name) +
                                               " numbers a branch that there is already"};
                return std::nullopt;
            }
            return Fault{field.at, "the field " + std::string(name) + " names no ply"};
        }
        if (name == "result") record_.result = result_of(field.value);
        if (dhtmlxq::is_technical(name)) {
            technical_[name] = field;
            return std::nullopt;
        }
        add_tag(name, replaced(std::string(field.value), "||", "\n"));
        return std::nullopt;
    }

    void add_tag(std::string_view field, std::string value) {
        std::string_view tag = field;
        for (const auto& name : dhtmlxq::names)
            if (name.field == field) tag = name.tag;
        if (tag.starts_with(dhtmlxq::taken)) tag.remove_prefix(dhtmlxq::taken.size());
        if (tag == "Date") value = replaced(std::move(value), "-", ".");
        record_.add_tag(tag, value);
    }

    Field technical(std::string_view name) const {
        const auto found = technical_.find(name);
        return found == technical_.end() ? Field{} : found->second;
    }

    // ---------------------------------------------------------------- the game

    /// Which plies were against the rules and stood: "12,3_15".
    std::optional<Fault> read_stands() {
        const Field field = technical("stands");
        for (std::size_t from = 0; from < field.value.size();) {
            const auto end = std::min(field.value.find(',', from), field.value.size());
            const auto name = ply_name(field.value.substr(from, end - from));
            if (!name) return Fault{field.at + from, "the field stands names no ply"};
            stands_.insert(*name);
            from = end + 1;
        }
        return std::nullopt;
    }

    std::optional<Fault> read_start() {
        const Field binit = technical("binit");
        auto digits = digits_of(binit, "binit");
        if (!digits) return digits.error();
        if (!digits->digits.empty()) {
            if (auto fault = place(binit, *digits)) return fault;
        }
        const Field fen = technical("fen");
        if (fen.value.empty()) return whose_turn();
        const auto start = read_fen(fen.value);
        if (!start) return Fault{fen.at + start.error().at, "the field fen: " + start.error().what};
        if (start->placement() != record_.start.placement())
            return Fault{fen.at, "the fields fen and binit show different positions"};
        record_.start = *start;
        return std::nullopt;
    }

    std::optional<Fault> place(const Field& binit, const Digits& digits) {
        if (digits.digits.size() != 64)
            return Fault{binit.at, "the field binit holds " + std::to_string(digits.digits.size()) +
                                       " digits instead of 64"};
        Placement placement{};
        for (std::size_t slot = 0; slot < Slots{}.size(); ++slot) {
            const std::string_view two = std::string_view(digits.digits).substr(2 * slot, 2);
            if (two == "99") continue;
            const auto at = point_of(two[0], two[1]);
            const std::size_t where = digits.places[2 * slot];
            if (!at) return Fault{where, "\"" + std::string(two) + "\" is no point of the board"};
            Piece& there = placement[static_cast<std::size_t>(*at)];
            if (!there.empty()) return Fault{where, "two pieces on " + rules::name(*at)};
            there = slot_piece(slot);
        }
        record_.start = Position(placement, Side::Red);
        return std::nullopt;
    }

    /// The format does not say; who owns the piece of the first move is to move.
    std::optional<Fault> whose_turn() {
        const auto digits = digits_of(technical("movelist"), "movelist");
        if (!digits) return digits.error();
        if (digits->digits.size() < 2) return std::nullopt;
        const auto from = point_of(digits->digits[0], digits->digits[1]);
        if (from && record_.start.at(*from).is(Side::Black)) record_.start.set_turn(Side::Black);
        return std::nullopt;
    }

    struct Branch {
        std::size_t parent;
        std::size_t ply;  ///< of the whole game, from 1
        Field moves;
    };

    std::optional<Fault> read_lines() {
        first_ply_[0] = 1;
        index_[0] = 0;
        if (auto fault = read_moves(0, record_.start, technical("movelist"))) return fault;
        for (const auto& [id, branch] : branches_) {
            const auto parent = index_.find(branch.parent);
            const auto name = "the branch " + std::to_string(id);
            if (parent == index_.end())
                return Fault{branch.moves.at, name + " leaves a line that there is not"};
            const std::size_t first = first_ply_[branch.parent];
            const std::size_t plies = record_.lines[parent->second].plies.size();
            if (branch.ply < first || branch.ply - first >= plies)
                return Fault{branch.moves.at, name + " leaves a ply that there is not"};
            const auto line = record_.branch(parent->second, branch.ply - first);
            if (!line) return Fault{branch.moves.at, "side lines that nest too deep"};
            index_[id] = *line;
            first_ply_[id] = branch.ply;
            if (auto fault = read_moves(id, record_.before(*line, 0), branch.moves)) return fault;
            if (record_.lines[*line].plies.empty())
                return Fault{branch.moves.at, name + " holds no move"};
        }
        return std::nullopt;
    }

    std::optional<Fault> read_moves(std::size_t id, Position p, const Field& field) {
        const auto digits = digits_of(field, id == 0 ? "movelist" : "move");
        if (!digits) return digits.error();
        Line& line = record_.lines[index_[id]];
        for (std::size_t i = 0; i < digits->digits.size(); i += 4) {
            const std::size_t ply = first_ply_[id] + i / 4;
            const std::size_t where = digits->places[i];
            const auto four = digits->digits.substr(i, 4);
            const auto fault = [&](const std::string& why) {
                std::string text = id == 0 ? "" : "branch " + std::to_string(id) + ", ";
                text.append("ply ").append(std::to_string(ply)).append(" \"").append(four);
                return Fault{where, text.append("\": ").append(why)};
            };
            if (four.size() < 4) return fault("a move is four digits");
            const auto from = point_of(four[0], four[1]);
            const auto to = point_of(four[2], four[3]);
            if (!from || !to) return fault("no point of the board");
            const Move m(*from, *to);
            const bool stood = stands_.contains({id, ply}) && !p.at(m.from).empty();
            if (const Illegal why = why_illegal(p, m); why != Illegal::None && !stood)
                return fault("not allowed: " + std::string(rules::text(why)));
            line.plies.push_back({m, {}, {}, {}, {}});
            p.apply(m);
        }
        return std::nullopt;
    }

    std::optional<Fault> read_comments() {
        for (const auto& [name, field] : comments_) {
            if (field.value.empty()) continue;
            const auto line = index_.find(name.branch);
            const auto text = replaced(std::string(field.value), "||", "\n");
            if (line == index_.end())
                return Fault{field.at, "a comment on a branch that there is not"};
            Line& l = record_.lines[line->second];
            const std::size_t first = first_ply_[name.branch];
            if (name.ply + 1 < first || name.ply + 1 - first > l.plies.size())
                return Fault{field.at, "a comment on a ply that there is not"};
            (name.ply + 1 == first ? l.comment : l.plies[name.ply - first].comment) = text;
        }
        return std::nullopt;
    }

    /// "3595000/5000,/4000": of each ply of the main line the clock and what it took, in ms.
    std::optional<Fault> read_clocks() {
        const Field field = technical("plyclock");
        auto& plies = record_.lines.front().plies;
        std::size_t i = 0;
        for (std::size_t from = 0; from < field.value.size(); ++i) {
            const auto end = std::min(field.value.find(',', from), field.value.size());
            const auto both = field.value.substr(from, end - from);
            const auto slash = both.find('/');
            if (slash == std::string_view::npos || i >= plies.size() ||
                !read_ms(both.substr(0, slash), plies[i].clock_ms) ||
                !read_ms(both.substr(slash + 1), plies[i].spent_ms))
                return Fault{field.at + from, "the field plyclock holds no time of a ply here"};
            from = end + 1;
        }
        return std::nullopt;
    }

    static bool read_ms(std::string_view text, std::optional<std::int64_t>& out) {
        if (text.empty()) return true;
        std::int64_t ms = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), ms);
        constexpr std::int64_t year = std::int64_t{366} * 24 * 60 * 60 * 1000;
        if (error != std::errc() || end != text.data() + text.size() || ms < 0 || ms > year)
            return false;
        out = ms;
        return true;
    }

    std::string_view text_;
    std::map<std::string_view, Field> technical_;
    std::map<PlyName, Field> comments_;
    std::map<std::size_t, Branch> branches_;        ///< by their number in the text
    std::map<std::size_t, std::size_t> index_;      ///< of a branch's line in the record
    std::map<std::size_t, std::size_t> first_ply_;  ///< of a branch, counted from the game's first
    std::set<PlyName> stands_;
    GameRecord record_;
};

}  // namespace

Result<GameRecord> read_dhtmlxq(std::string_view text) {
    return Reader(text).run();
}

}  // namespace xq::rules::record
