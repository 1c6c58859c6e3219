#include "rules/record/move_text.hpp"

#include "rules/notation_symbols.hpp"

#include <algorithm>

namespace xq::rules::record {
namespace {

std::string hyphened(Move m) {
    return name(m.from) + "-" + name(m.to);
}

std::string upper(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
    return text;
}

/// How a notation names the piece.
std::string sign(Piece piece, Notation notation, Script script) {
    if (notation == Notation::Chinese) return std::string(chinese_sign(piece, script));
    constexpr std::string_view letters = ".KAEHRCP";
    return std::string(1, letters[static_cast<std::size_t>(piece.kind())]);
}

/// The move of a text like 马b0-c2 whose sign is that of the piece which stands there.
std::optional<Move> read_stood(const Position& before, std::string_view text) {
    constexpr std::size_t length = std::string_view("b0-c2").size();
    if (text.size() <= length) return std::nullopt;
    const auto m = read_iccs(text.substr(text.size() - length));
    if (!m || m->from == m->to || before.at(m->from).empty()) return std::nullopt;
    const auto symbols = notation::symbols(text.substr(0, text.size() - length));
    const Piece moved(Side::Red, before.at(m->from).kind());
    if (!symbols || *symbols != std::string(1, moved.fen())) return std::nullopt;
    return m;
}

}  // namespace

std::string write_played(const Position& before, Move m, Notation notation, Script script) {
    if (!is_legal(before, m)) {
        const std::string points = hyphened(m);
        return sign(before.at(m.from), notation, script) +
               (notation == Notation::Chinese ? points : upper(points));
    }
    switch (notation) {
        case Notation::Iccs:
            return upper(hyphened(m));
        case Notation::Wxf:
            return wxf(before, m);
        case Notation::Chinese:
            break;
    }
    return chinese(before, m, script);
}

Result<Move> read_played(const Position& before, std::string_view text) {
    auto legal = read_move(before, text);
    if (legal) return legal;
    if (const auto stood = read_stood(before, text)) return *stood;
    return legal;
}

}  // namespace xq::rules::record
