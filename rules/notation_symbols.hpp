#pragma once
// What Chinese notation and WXF have in common: both say a piece, a way and a number, in signs of
// their own. This brings either to the same few symbols, and says of a piece and a move which
// symbols fit. Private to the room.
//
// Symbols: K A B N R C P (kinds, FEN letters), 1..9, `f` `m` `r` (front, middle, rear of a stack),
// `+` `-` `=` (forward, back, sideways; before the way `+` and `-` are front and rear).
#include "rules/moves.hpp"

namespace xq::rules::notation {

/// The symbols of a text; blanks are dropped, any other sign is the fault.
Result<std::string> symbols(std::string_view text);

/// The number of a file as a side counts it, 1..9 from its right.
int file_number(Side s, Point p);

/// The second half of a move's text.
struct Stroke {
    char way = '=';
    int number = 0;  ///< steps, or the file it reaches
};
/// Nothing for a move that no notation can say of this kind of piece (a rook's slant, a knight's
/// step straight on), which only an illegal one is.
std::optional<Stroke> stroke(Piece piece, Move m);

/// How a piece stands among its like; a stack is a file that holds two or more of them.
struct Standing {
    int order = 1;    ///< in its file, from the front
    int in_file = 1;  ///< how many its file holds
    int ordinal = 0;  ///< over all stacks, from the right and from the front; 0 outside stacks
    int stacks = 0;
};
Standing standing(const Position& p, Point at);

/// Whether the two symbols of a text's first half can mean the piece on `at`.
bool names(std::string_view subject, const Position& p, Point at);

/// Whether the whole text, in symbols, can mean `m`.
bool says(std::string_view text, const Position& p, Move m);

/// The legal moves that the text, in symbols, can mean. Without the way sideways comes first, as in
/// the record that 7.6 prints: its 车12 is 车一平二, though the rook could go two steps forward.
MoveList meant(std::string_view text, const Position& p);

}  // namespace xq::rules::notation
