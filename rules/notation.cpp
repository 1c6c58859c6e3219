#include "rules/notation.hpp"

#include "rules/notation_symbols.hpp"

#include <algorithm>

namespace xq::rules {
namespace {

/// One end of a move in ICCS, taken from the front of `text`; ranks are counted from `first_rank`.
std::optional<Point> take_point(std::string_view& text, int first_rank) {
    if (text.size() < 2) return std::nullopt;
    const int file = text[0] >= 'a' ? text[0] - 'a' : text[0] - 'A';
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    if (!is_digit(text[1])) return std::nullopt;
    int rank = text[1] - '0';
    text.remove_prefix(2);
    if (first_rank > 0 && rank == 1 && text.starts_with('0')) {
        rank = ranks;
        text.remove_prefix(1);
    }
    rank -= first_rank;
    if (!on_board(file, rank)) return std::nullopt;
    return point(file, rank);
}

/// Whether symbols have the shape of a move at all: two for the piece, the way (which short Chinese
/// notation leaves out), a number.
bool is_shaped(std::string_view symbols) {
    constexpr std::string_view digits = "123456789";
    constexpr std::string_view ways = "+-=";
    if (symbols.size() < 3 || symbols.size() > 4) return false;
    if (digits.find(symbols.back()) == std::string_view::npos) return false;
    if (symbols.find('=') < 2) return false;
    if (symbols.size() == 4) return ways.find(symbols[2]) != std::string_view::npos;
    return symbols.find_first_of(ways) == std::string_view::npos;
}

std::string quoted(std::string_view text) {
    return "'" + std::string(text) + "'";
}

/// ICCS, alone or behind the piece's sign as writers put it where words fail ("车a0-b1").
std::optional<Move> read_points(const Position& p, std::string_view text) {
    constexpr std::size_t length = std::string_view("a0-b1").size();
    if (const auto m = read_iccs(text)) return m;
    if (text.size() <= length) return std::nullopt;
    const auto m = read_iccs(text.substr(text.size() - length));
    const auto sign = notation::symbols(text.substr(0, text.size() - length));
    if (!m || !sign) return std::nullopt;
    const Piece moved(Side::Red, p.at(m->from).kind());
    return *sign == std::string(1, moved.fen()) ? m : std::nullopt;
}

/// Why no legal move fits: if one piece's move fits but for the rules, their reason.
std::string why_none(const Position& p, std::string_view symbols) {
    std::optional<Move> only;
    for (const Point from : p.pieces(p.turn())) {
        for (Point to = 0; to < points; ++to) {
            const Move m(from, to);
            if (!notation::says(symbols, p, m)) continue;
            if (only) return "fits no legal move";
            only = m;
        }
    }
    if (!only) return "fits no piece of " + std::string(name(p.turn()));
    return "is " + iccs(*only) +
           ", which is not allowed: " + std::string(text(why_illegal(p, *only)));
}

Result<Move> read_symbols(const Position& p, std::string_view text, std::string_view symbols) {
    const MoveList fitting = notation::meant(symbols, p);
    if (fitting.size() == 1) return fitting[0];
    if (fitting.empty()) return Fault{0, quoted(text) + " " + why_none(p, symbols)};
    std::string all;
    for (const Move m : fitting) all += (all.empty() ? "" : ", ") + iccs(m);
    return Fault{0, quoted(text) + " fits several moves: " + all};
}

}  // namespace

std::string iccs(Move m) {
    return name(m.from) + name(m.to);
}

std::optional<Move> read_iccs(std::string_view text, int first_rank) {
    const auto from = take_point(text, first_rank);
    if (!from) return std::nullopt;
    if (text.starts_with('-')) text.remove_prefix(1);
    const auto to = take_point(text, first_rank);
    if (!to || !text.empty()) return std::nullopt;
    return Move(*from, *to);
}

Result<Move> read_move(const Position& before, std::string_view text) {
    if (const auto m = read_points(before, text)) {
        const Illegal why = why_illegal(before, *m);
        if (why == Illegal::None) return *m;
        return Fault{0, quoted(text) + " is not allowed: " + std::string(rules::text(why))};
    }
    const auto symbols = notation::symbols(text);
    if (!symbols) return symbols.error();
    if (!is_shaped(*symbols))
        return Fault{0, quoted(text) + " is no move in ICCS, Chinese or WXF notation"};
    return read_symbols(before, text, *symbols);
}

}  // namespace xq::rules
