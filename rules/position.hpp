#pragma once
// A position of the game: what stands where, who is to move, and the two FEN counters.
// A plain value; it knows how to make a move without asking whether the rules allow it.
#include "rules/fault.hpp"
#include "rules/point_set.hpp"
#include "rules/types.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace xq::rules {

using Placement = std::array<Piece, points>;

/// What `Position::apply` needs to be told to take a move back.
struct Undo {
    Piece captured;
    std::int16_t since_capture = 0;
};

class Position {
public:
    Position() = default;  ///< an empty board, Red to move
    Position(const Placement& placement, Side turn);

    static const Position& start();

    Piece at(Point p) const { return board_[static_cast<std::size_t>(p)]; }
    const Placement& placement() const { return board_; }
    /// Where the pieces of a side stand.
    const PointSet& pieces(Side s) const { return pieces_[static_cast<std::size_t>(s)]; }
    Side turn() const { return turn_; }
    /// The point of a side's general (of several the nearest to a0), or no_point where it has none.
    Point general(Side s) const { return (generals_ & pieces(s)).first(); }
    /// Plies since the last capture, as in FEN field 5.
    int since_capture() const { return since_capture_; }
    /// Number of the round, from 1, as in FEN field 6.
    int round() const { return round_; }
    /// Hash of placement and side to move; equal positions have equal keys.
    std::uint64_t key() const { return key_; }

    void put(Point p, Piece piece);
    void set_turn(Side s);
    void set_counters(int since_capture, int round);

    /// Makes a move of any kind: the piece on `from` goes to `to`, the turn passes. The move must
    /// start at a piece; legality is not asked. Pass the answer to `undo` to take it back.
    Undo apply(Move m);
    void undo(Move m, const Undo& u);
    Position after(Move m) const;
    /// The same position with the other side to move ("if the opponent passed").
    Position passed() const;

    /// Same placement and same side to move (counters are not compared).
    bool operator==(const Position& o) const { return turn_ == o.turn_ && board_ == o.board_; }

private:
    Placement board_{};
    std::array<PointSet, 2> pieces_{};
    PointSet generals_;  ///< of both sides
    std::uint64_t key_ = 0;
    std::int16_t since_capture_ = 0;
    std::int16_t round_ = 1;
    Side turn_ = Side::Red;
};

/// Mirrors left to right.
Position mirrored(const Position& p);
/// Exchanges the colours: the board turned round, Red's pieces Black's, the turn passed over.
Position colours_exchanged(const Position& p);

}  // namespace xq::rules
