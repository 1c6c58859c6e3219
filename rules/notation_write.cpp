// The writers of notation.hpp. They choose symbols first (notation_symbols.hpp), as the custom of
// each notation has it, and then spell them.
#include "rules/notation.hpp"
#include "rules/notation_symbols.hpp"

#include <algorithm>
#include <array>

namespace xq::rules {
namespace {

using notation::Standing;
using notation::Stroke;

char letter(Piece piece) {
    return Piece(Side::Red, piece.kind()).fen();
}
char digit(int n) {
    return static_cast<char>('0' + n);
}

/// Whether the symbols would be read as another legal move, too or instead.
bool fits_another(const Position& p, std::string_view symbols, Move m) {
    const MoveList legal = notation::meant(symbols, p);
    return std::any_of(legal.begin(), legal.end(), [&](Move other) { return other != m; });
}

/// How a piece out of a stack is named, as two symbols; nothing where there is no custom.
using NameInStack = std::optional<std::string> (*)(Piece, const Standing&, int file);

/// 前, 中, 后 in one stack of up to three; 前, 二, 三, 四, 五 in a longer one; 一 to 五 over
/// several.
std::optional<std::string> chinese_in_stack(Piece piece, const Standing& s, int /*file*/) {
    const char kind = letter(piece);
    if (s.stacks == 1 && s.order == 1) return std::string{'f', kind};
    if (s.stacks == 1 && s.in_file <= 3) return std::string{s.order == s.in_file ? 'r' : 'm', kind};
    if (s.ordinal > 9) return std::nullopt;
    return std::string{digit(s.ordinal), kind};
}

/// + and - for two of a kind; for more, which only pawns can be, the order and the file.
std::optional<std::string> wxf_in_stack(Piece piece, const Standing& s, int file) {
    if (s.stacks == 1 && s.in_file == 2)
        return std::string{s.order == 1 ? '+' : '-', letter(piece)};
    if (piece.kind() != Kind::Pawn) return std::nullopt;
    return std::string{digit(s.order), digit(file)};
}

/// A move in symbols.
struct Sentence {
    std::string subject;
    Stroke stroke;
    std::string full() const { return brief().insert(subject.size(), 1, stroke.way); }
    std::string brief() const { return subject + digit(stroke.number); }
};

/// `p` has the mover's side to move. Nothing for a move that no notation can say.
std::optional<Sentence> sentence(const Position& p, Move m, NameInStack name_in_stack) {
    const Piece piece = p.at(m.from);
    const auto stroke = notation::stroke(piece, m);
    if (!stroke) return std::nullopt;
    const Standing s = notation::standing(p, m.from);
    const int file = notation::file_number(piece.side(), m.from);
    const Sentence by_file{{letter(piece), digit(file)}, *stroke};
    if (s.in_file == 1) return by_file;
    // Of two advisors or elephants on a file only one can go that way: custom names the file.
    const bool by_custom = piece.kind() == Kind::Advisor || piece.kind() == Kind::Elephant;
    if (by_custom && !fits_another(p, by_file.full(), m)) return by_file;
    const auto in_stack = name_in_stack(piece, s, file);
    if (!in_stack) return std::nullopt;
    return Sentence{*in_stack, *stroke};
}

Position with_mover_to_move(const Position& p, Move m) {
    const Piece piece = p.at(m.from);
    return piece.empty() || piece.side() == p.turn() ? p : p.passed();
}

/// Characters in the order of piece codes, of the symbols f m r + - = and of the digits.
struct Glyphs {
    std::array<std::string_view, 16> pieces;
    std::array<std::string_view, 6> words;
};
constexpr std::string_view word_symbols = "fmr+-=";
constexpr std::array<Glyphs, 2> glyphs{{
    {{"", "帅", "仕", "相", "马", "车", "炮", "兵", "", "将", "士", "象", "马", "车", "炮", "卒"},
     {"前", "中", "后", "进", "退", "平"}},
    {{"", "帥", "仕", "相", "馬", "車", "炮", "兵", "", "將", "士", "象", "馬", "車", "炮", "卒"},
     {"前", "中", "後", "進", "退", "平"}},
}};
constexpr std::array<std::string_view, 10> numerals{"",   "一", "二", "三", "四",
                                                    "五", "六", "七", "八", "九"};

const Glyphs& glyphs_of(Script script) {
    return glyphs[static_cast<std::size_t>(script)];
}

/// Spells symbols; an ordinal (a digit in front) is Chinese for both sides, other numbers where
/// `chinese_numbers` says so.
std::string spelled(std::string_view symbols, Piece piece, Script script, bool chinese_numbers) {
    const Glyphs& g = glyphs_of(script);
    std::string out;
    for (std::size_t i = 0; i < symbols.size(); ++i) {
        const char c = symbols[i];
        const std::size_t word = word_symbols.find(c);
        if (c == letter(piece))
            out += g.pieces[piece.code()];
        else if (word != std::string_view::npos)
            out += g.words[word];
        else if (chinese_numbers || i == 0)
            out += numerals[static_cast<std::size_t>(c - '0')];
        else
            out += c;
    }
    return out;
}

/// A move that no notation can say, for the record: the piece and where it went.
std::string unsayable(std::string_view piece, Move m) {
    return std::string(piece) + name(m.from) + "-" + name(m.to);
}

}  // namespace

std::string_view chinese_sign(Piece piece, Script script) {
    return glyphs_of(script).pieces[piece.code()];
}

std::string chinese(const Position& before, Move m, Script script) {
    const Piece piece = before.at(m.from);
    const auto said = sentence(with_mover_to_move(before, m), m, chinese_in_stack);
    return said ? spelled(said->full(), piece, script, piece.side() == Side::Red)
                : unsayable(chinese_sign(piece, script), m);
}

std::string chinese_short(const Position& before, Move m, Script script) {
    const Piece piece = before.at(m.from);
    const Position p = with_mover_to_move(before, m);
    const auto said = sentence(p, m, chinese_in_stack);
    if (!said || fits_another(p, said->brief(), m)) return chinese(before, m, script);
    return spelled(said->brief(), piece, script, false);
}

std::string wxf(const Position& before, Move m) {
    const auto said = sentence(with_mover_to_move(before, m), m, wxf_in_stack);
    const Piece piece = before.at(m.from);
    std::string out = said            ? said->full()
                      : piece.empty() ? unsayable("", m)
                                      : unsayable(std::string(1, letter(piece)), m);
    // Kinds are FEN letters so far; WXF says H and E for knight and elephant.
    for (char& c : out) c = c == 'N' ? 'H' : c == 'B' ? 'E' : c;
    return out;
}

}  // namespace xq::rules
