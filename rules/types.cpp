#include "rules/types.hpp"

namespace xq::rules {

std::optional<Piece> Piece::from_fen(char letter) {
    switch (letter) {
        case 'E':
            return Piece(Side::Red, Kind::Elephant);
        case 'e':
            return Piece(Side::Black, Kind::Elephant);
        case 'H':
            return Piece(Side::Red, Kind::Knight);
        case 'h':
            return Piece(Side::Black, Kind::Knight);
        default:
            break;
    }
    for (const Side s : {Side::Red, Side::Black}) {
        for (auto k = static_cast<unsigned>(Kind::General); k <= static_cast<unsigned>(Kind::Pawn);
             ++k) {
            const Piece piece(s, static_cast<Kind>(k));
            if (piece.fen() == letter) return piece;
        }
    }
    return std::nullopt;
}

std::string name(Point p) {
    return {static_cast<char>('a' + file_of(p)), static_cast<char>('0' + rank_of(p))};
}

std::optional<Point> point_named(std::string_view text) {
    if (text.size() != 2) return std::nullopt;
    const int file = text[0] >= 'a' ? text[0] - 'a' : text[0] - 'A';
    const int rank = text[1] - '0';
    if (!on_board(file, rank)) return std::nullopt;
    return point(file, rank);
}

}  // namespace xq::rules
