#include "rules/notation_symbols.hpp"

#include "rules/geometry.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>

namespace xq::rules::notation {
namespace {

struct Sign {
    std::string_view text;
    char symbol;  ///< a blank: the sign says nothing
};

/// Every sign beyond ASCII that a reader meets, simplified, traditional and full-width.
constexpr std::array signs{
    Sign{"帅", 'K'}, Sign{"帥", 'K'}, Sign{"将", 'K'}, Sign{"將", 'K'}, Sign{"仕", 'A'},
    Sign{"士", 'A'}, Sign{"相", 'B'}, Sign{"象", 'B'}, Sign{"马", 'N'}, Sign{"馬", 'N'},
    Sign{"傌", 'N'}, Sign{"车", 'R'}, Sign{"車", 'R'}, Sign{"俥", 'R'}, Sign{"炮", 'C'},
    Sign{"砲", 'C'}, Sign{"包", 'C'}, Sign{"兵", 'P'}, Sign{"卒", 'P'}, Sign{"前", 'f'},
    Sign{"中", 'm'}, Sign{"后", 'r'}, Sign{"後", 'r'}, Sign{"进", '+'}, Sign{"進", '+'},
    Sign{"退", '-'}, Sign{"平", '='}, Sign{"＋", '+'}, Sign{"－", '-'}, Sign{"＝", '='},
    Sign{"．", '='}, Sign{"，", '='}, Sign{"一", '1'}, Sign{"二", '2'}, Sign{"三", '3'},
    Sign{"四", '4'}, Sign{"五", '5'}, Sign{"六", '6'}, Sign{"七", '7'}, Sign{"八", '8'},
    Sign{"九", '9'}, Sign{"１", '1'}, Sign{"２", '2'}, Sign{"３", '3'}, Sign{"４", '4'},
    Sign{"５", '5'}, Sign{"６", '6'}, Sign{"７", '7'}, Sign{"８", '8'}, Sign{"９", '9'},
    Sign{"　", ' '},
};

/// The symbol of an ASCII character, '\0' where it has none.
char ascii_symbol(char c) {
    if (c == ' ' || c == '\t') return ' ';
    if (c == '.' || c == ',') return '=';
    if (c == '+' || c == '-' || c == '=' || (c >= '1' && c <= '9')) return c;
    const auto piece = Piece::from_fen(c);
    return piece ? Piece(Side::Red, piece->kind()).fen() : '\0';
}

bool is_digit(char c) {
    return c >= '1' && c <= '9';
}
int value(char digit) {
    return digit - '0';
}

/// Whether a word for a place in a stack fits. The plus and minus of WXF mean the inner ones where
/// four or five pawns stand on a file; there the outermost are `++` and `--`.
bool in_place(char place, const Standing& s) {
    const int from_rear = s.in_file + 1 - s.order;
    const int inner = s.in_file >= 4 ? 2 : 1;
    switch (place) {
        case 'f':
            return s.in_file > 1 && s.order == 1;
        case 'r':
            return s.in_file > 1 && from_rear == 1;
        case 'm':
            return s.in_file > 1 && s.order == from_rear;
        case '+':
            return s.in_file > 1 && s.order == inner;
        case '-':
            return s.in_file > 1 && from_rear == inner;
        default:
            return false;
    }
}

/// Whether a way and one number are enough to tell where a piece of the kind goes.
bool sayable(Kind kind, int along_file, int along_rank) {
    switch (kind) {
        case Kind::None:
            return false;
        case Kind::Advisor:
            return along_file == 1 && along_rank == 1;
        case Kind::Elephant:
            return along_file == 2 && along_rank == 2;
        case Kind::Knight:
            return along_file * along_rank == 2;
        default:
            return (along_file == 0) != (along_rank == 0);
    }
}

/// Texts that leave out the letter of a pawn.
bool names_pawn(char a, char b, int file, const Standing& s) {
    if (is_digit(a) && is_digit(b)) return value(a) == s.order && value(b) == file;
    if (is_digit(b)) return value(b) == file && in_place(a, s);
    if (is_digit(a)) return value(a) == file && in_place(b, s);
    if (a != b || s.in_file < 4) return false;
    return (a == '+' && s.order == 1) || (a == '-' && s.order == s.in_file);
}

}  // namespace

Result<std::string> symbols(std::string_view text) {
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        const std::string_view rest = text.substr(at);
        const auto* const sign = std::find_if(
            signs.begin(), signs.end(), [&](const Sign& s) { return rest.starts_with(s.text); });
        const bool found = sign != signs.end();
        const char symbol = found ? sign->symbol : ascii_symbol(rest[0]);
        if (symbol == '\0') return Fault{at, "a sign that no notation of moves has"};
        if (symbol != ' ') out += symbol;
        at += found ? sign->text.size() : 1;
    }
    return out;
}

int file_number(Side s, Point p) {
    return s == Side::Red ? files - file_of(p) : file_of(p) + 1;
}

std::optional<Stroke> stroke(Piece piece, Move m) {
    const Side s = piece.side();
    const int forward = geometry::own_rank(s, m.to) - geometry::own_rank(s, m.from);
    const int sideways = std::abs(file_of(m.to) - file_of(m.from));
    if (!sayable(piece.kind(), std::abs(forward), sideways)) return std::nullopt;
    Stroke out;
    if (forward != 0) out.way = forward > 0 ? '+' : '-';
    out.number = sideways != 0 ? file_number(s, m.to) : std::abs(forward);
    return out;
}

Standing standing(const Position& p, Point at) {
    const Piece piece = p.at(at);
    std::array<int, files + 1> in_file{};
    for (const Point q : p.pieces(piece.side()))
        if (p.at(q) == piece) ++in_file[geometry::index(file_number(piece.side(), q))];
    const int own_file = file_number(piece.side(), at);
    Standing s;
    s.in_file = in_file[geometry::index(own_file)];
    for (const Point q : p.pieces(piece.side()))
        if (p.at(q) == piece && file_of(q) == file_of(at) &&
            geometry::own_rank(piece.side(), q) > geometry::own_rank(piece.side(), at))
            ++s.order;
    for (int file = 1; file <= files; ++file) {
        const int n = in_file[geometry::index(file)];
        if (n < 2) continue;
        ++s.stacks;
        if (file < own_file) s.ordinal += n;
    }
    s.ordinal = s.in_file > 1 ? s.ordinal + s.order : 0;
    return s;
}

bool names(std::string_view subject, const Position& p, Point at) {
    const Piece piece = p.at(at);
    const char letter = Piece(Side::Red, piece.kind()).fen();
    const int file = file_number(piece.side(), at);
    const char a = subject[0];
    const char b = subject[1];
    if (a == letter && is_digit(b)) return value(b) == file;
    const Standing s = standing(p, at);
    if (a == letter) return in_place(b, s);
    if (b == letter) return is_digit(a) ? value(a) == s.ordinal : in_place(a, s);
    return piece.kind() == Kind::Pawn && names_pawn(a, b, file, s);
}

bool says(std::string_view text, const Position& p, Move m) {
    const auto does = stroke(p.at(m.from), m);
    if (!does || does->number != value(text.back())) return false;
    if (text.size() == 4 && text[2] != does->way) return false;
    return names(text.substr(0, 2), p, m.from);
}

MoveList meant(std::string_view text, const Position& p) {
    MoveList fitting = legal_moves(p);
    fitting.keep_if([&](Move m) { return says(text, p, m); });
    const auto is_sideways = [](Move m) { return rank_of(m.from) == rank_of(m.to); };
    if (std::any_of(fitting.begin(), fitting.end(), is_sideways)) fitting.keep_if(is_sideways);
    return fitting;
}

}  // namespace xq::rules::notation
