#pragma once
// The vocabulary of the game: sides, pieces, points, moves. Small values, no rules.
// Everything in the project speaks of the board with these types.
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace xq::rules {

enum class Side : std::uint8_t { Red, Black };

constexpr Side other(Side s) {
    return s == Side::Red ? Side::Black : Side::Red;
}
constexpr std::string_view name(Side s) {
    return s == Side::Red ? "red" : "black";
}

enum class Kind : std::uint8_t { None, General, Advisor, Elephant, Knight, Rook, Cannon, Pawn };

/// A piece or an empty point. The code is the nibble of the board wire: 0 empty, 1..7 Red
/// K A B N R C P, 9..15 Black (BOARD_WIRE.md).
class Piece {
public:
    constexpr Piece() = default;
    constexpr Piece(Side s, Kind k)
        : code_(
              static_cast<std::uint8_t>(static_cast<unsigned>(k) + (s == Side::Black ? 8U : 0U))) {}

    /// The piece of a code 0..15; 8 belongs to no piece and must not be passed.
    static constexpr Piece from_code(unsigned code) {
        Piece p;
        p.code_ = static_cast<std::uint8_t>(code);
        return p;
    }
    /// The piece of a FEN letter, reading E as B and H as N; nothing for any other letter.
    static std::optional<Piece> from_fen(char letter);

    constexpr bool empty() const { return code_ == 0; }
    constexpr Kind kind() const { return static_cast<Kind>(code_ & 7U); }
    constexpr Side side() const { return (code_ & 8U) != 0 ? Side::Black : Side::Red; }
    constexpr bool is(Side s) const { return !empty() && side() == s; }
    constexpr bool is(Side s, Kind k) const { return *this == Piece(s, k); }
    constexpr unsigned code() const { return code_; }
    /// The FEN letter; '.' for an empty point.
    constexpr char fen() const { return ".KABNRCP.kabnrcp"[code_]; }

    constexpr bool operator==(const Piece&) const = default;

private:
    std::uint8_t code_ = 0;
};

/// A point of the board: rank * 9 + file, a0 = 0, i0 = 8, i9 = 89.
using Point = int;
constexpr int files = 9;
constexpr int ranks = 10;
constexpr int points = files * ranks;
constexpr Point no_point = -1;

constexpr Point point(int file, int rank) {
    return rank * files + file;
}
constexpr int file_of(Point p) {
    return p % files;
}
constexpr int rank_of(Point p) {
    return p / files;
}
constexpr bool on_board(int file, int rank) {
    return file >= 0 && file < files && rank >= 0 && rank < ranks;
}
/// The same point seen after exchanging the sides of the table (a board that lies turned round).
constexpr Point rotated(Point p) {
    return points - 1 - p;
}

/// "e2" for a point of the board.
std::string name(Point p);
/// The point of "e2" or "E2"; nothing for any other text.
std::optional<Point> point_named(std::string_view text);

struct Move {
    constexpr Move() = default;
    constexpr Move(Point f, Point t)
        : from(static_cast<std::int8_t>(f)), to(static_cast<std::int8_t>(t)) {}
    std::int8_t from = no_point;
    std::int8_t to = no_point;
    constexpr bool operator==(const Move&) const = default;
};

}  // namespace xq::rules
