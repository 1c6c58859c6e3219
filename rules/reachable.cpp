// Which positions no game can reach: the checks of `unreachable`, each a function that gives a
// sentence or nothing.
#include "rules/fen.hpp"
#include "rules/geometry.hpp"
#include "rules/moves.hpp"

#include <array>

namespace xq::rules {
namespace {

using geometry::index;
using Reason = std::optional<std::string>;

constexpr std::size_t kinds = 8;
/// How many of each kind a side begins with (article 1.2), in the order of `Kind`.
constexpr std::array<int, kinds> set_of_pieces{0, 1, 2, 2, 2, 2, 2, 5};
constexpr std::array<std::string_view, kinds> kind_names{"",       "general", "advisor", "elephant",
                                                         "knight", "rook",    "cannon",  "pawn"};

std::string_view side_name(Side s) {
    return s == Side::Red ? "Red" : "Black";
}
std::string_view kind_name(Kind k) {
    return kind_names[static_cast<std::size_t>(k)];
}
std::string described(Piece piece) {
    return std::string(side_name(piece.side())) + " " + std::string(kind_name(piece.kind()));
}

/// Why a piece cannot stand on a point, whatever else is on the board.
std::string_view misplaced(Piece piece, Point p) {
    const Side s = piece.side();
    const int file = file_of(p);
    const int rank = geometry::own_rank(s, p);
    switch (piece.kind()) {
        case Kind::General:
            return geometry::in_palace(s, p) ? "" : "the general stays in the palace";
        case Kind::Advisor:
            return geometry::in_palace(s, p) && (file + rank) % 2 == 1
                       ? ""
                       : "advisors stay on the five points of the palace's diagonals";
        case Kind::Elephant:
            return rank <= 4 && rank % 2 == 0 && file % 2 == 0 && (file + rank) % 4 == 2
                       ? ""
                       : "elephants stay on their seven points";
        case Kind::Pawn:
            if (rank < 3) return "pawns do not go back behind where they begin";
            if (rank < ranks / 2 && file % 2 == 1)
                return "pawns that have not crossed the river stay on the files a, c, e, g and i";
            return "";
        default:
            return "";
    }
}

Reason wrong_counts(const Position& p) {
    for (const Side s : {Side::Red, Side::Black}) {
        std::array<int, kinds> count{};
        for (const Point q : p.pieces(s)) ++count[static_cast<std::size_t>(p.at(q).kind())];
        if (count[static_cast<std::size_t>(Kind::General)] == 0)
            return std::string(side_name(s)) + " has no general";
        for (std::size_t k = 1; k < kinds; ++k)
            if (count[k] > set_of_pieces[k])
                return std::string(side_name(s)) + " has " + std::to_string(count[k]) + " " +
                       std::string(kind_names[k]) + "s, more than the " +
                       std::to_string(set_of_pieces[k]) + " of the set";
    }
    return std::nullopt;
}

Reason wrong_points(const Position& p) {
    for (Point q = 0; q < points; ++q) {
        const Piece piece = p.at(q);
        const std::string_view why = piece.empty() ? "" : misplaced(piece, q);
        if (!why.empty())
            return described(piece) + " on " + name(q) + " cannot be there: " + std::string(why);
    }
    return std::nullopt;
}

/// Before the river a pawn keeps its file, and each file begins with one pawn.
Reason doubled_pawns(const Position& p) {
    for (const Side s : {Side::Red, Side::Black}) {
        std::array<Point, files> first{};
        first.fill(no_point);
        for (const Point q : p.pieces(s)) {
            if (p.at(q).kind() != Kind::Pawn || geometry::across_river(s, q)) continue;
            Point& seen = first[index(file_of(q))];
            if (seen != no_point)
                return std::string(side_name(s)) + " pawns on " + name(seen) + " and " + name(q) +
                       " cannot both be there: before the river a pawn keeps its file";
            seen = q;
        }
    }
    return std::nullopt;
}

Reason unsafe_generals(const Position& p) {
    const Point red = p.general(Side::Red);
    const Point black = p.general(Side::Black);
    if (attacks(p, red, black))
        return "the generals on " + name(red) + " and " + name(black) +
               " face each other on an open file";
    if (in_check(p, other(p.turn())))
        return std::string(side_name(other(p.turn()))) + " is in check, but " +
               std::string(side_name(p.turn())) + " is to move";
    return std::nullopt;
}

}  // namespace

std::optional<std::string> unreachable(const Position& p) {
    for (const auto check : {wrong_counts, wrong_points, doubled_pawns, unsafe_generals})
        if (Reason why = check(p)) return why;
    return std::nullopt;
}

}  // namespace xq::rules
