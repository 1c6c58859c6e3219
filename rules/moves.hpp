#pragma once
// Which moves are legal, and for one that is not: why. Articles 2.1-2.3 and 3.1-3.4 of the 2010
// rules. No allocation here: a `MoveList` has room for every move of any position.
#include "rules/position.hpp"

#include <array>
#include <cstddef>

namespace xq::rules {

/// The moves of one position. Room for those of any placement at all, also one that no game can
/// reach: a piece has at most 17 moves, a point is reached by at most 20 pieces, and on 90 points
/// the lesser of the two sums stays below 850. Not initialised: it is made in the innermost loops.
class MoveList {
public:
    static constexpr std::size_t capacity = 850;
    MoveList() {}  // NOLINT(modernize-use-equals-default): leaves `moves_` as it is
    void clear() { size_ = 0; }
    void add(Move m) { moves_[size_++] = m; }
    /// Drops the moves for which `wanted(m)` is false.
    template <class Predicate>
    void keep_if(Predicate wanted) {
        std::size_t kept = 0;
        for (std::size_t i = 0; i < size_; ++i) {
            const Move m = moves_[i];
            if (wanted(m)) moves_[kept++] = m;
        }
        size_ = kept;
    }
    /// Brings the moves into order by `key(m)`, the lowest first; equals keep their order. By
    /// insertion: the lists are short, and a stable sort of the library may allocate.
    template <class Key>
    void order_by(Key key) {
        for (std::size_t i = 1; i < size_; ++i) {
            const Move m = moves_[i];
            const auto rank = key(m);
            std::size_t at = i;
            for (; at > 0 && rank < key(moves_[at - 1]); --at) moves_[at] = moves_[at - 1];
            moves_[at] = m;
        }
    }
    const Move* begin() const { return moves_.data(); }
    const Move* end() const { return moves_.data() + size_; }
    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    Move operator[](std::size_t i) const { return moves_[i]; }
    bool contains(Move m) const;

private:
    union {
        std::array<Move, capacity> moves_;
    };
    std::size_t size_ = 0;
};

/// Legal moves of the side to move, in place of what `out` held.
void legal_moves(const Position& p, MoveList& out);
MoveList legal_moves(const Position& p);
/// Moves of the side to move by how the pieces go, without asking for the own general's safety.
void piece_moves(const Position& p, MoveList& out);

/// Whether `m` follows how its piece goes and takes no own piece (2.2, 2.3; neither 3.4 nor whose
/// turn it is are asked).
bool follows_movement(const Position& p, Move m);
bool is_legal(const Position& p, Move m);
bool has_legal_move(const Position& p);

/// Whether the piece on `from` could take on `to` as the board stands (screens, legs, eyes and for
/// a general the open file to the other one), whatever stands on `to`; safety is not asked.
bool attacks(const Position& p, Point from, Point to);
/// Whether any piece of `by` attacks `target`.
bool attacked(const Position& p, Point target, Side by);
/// Whether the general of `s` stands in check, facing generals included.
bool in_check(const Position& p, Side s);

enum class Status : std::uint8_t { Playing, Checkmate, Stalemate };
/// Status for the side to move.
Status status(const Position& p);

/// Why a move is not allowed. Everything from `GeneralsFacing` on is suicide (3.4): the piece can
/// go there, but the own general is left to be taken.
enum class Illegal : std::uint8_t {
    None,
    NoPiece,       ///< nothing stands on `from`
    NotYours,      ///< a piece of the side not to move
    OwnPiece,      ///< `to` holds a piece of the mover's
    Movement,      ///< the piece does not go that way
    LegBlocked,    ///< a knight's leg
    EyeBlocked,    ///< an elephant's eye
    PathBlocked,   ///< rook, or a cannon that does not take, over a piece
    NoScreen,      ///< a cannon takes without exactly one screen
    LeavesPalace,  ///< general or advisor
    CrossesRiver,  ///< elephant
    PawnBackward,  ///< a pawn goes back
    PawnSideways,  ///< a pawn goes sideways before the river
    GeneralsFacing,
    GeneralIntoCapture,  ///< the general itself moved there
    GeneralUncovered,    ///< a line to the general was opened
    CheckNotAnswered,
};
constexpr bool is_suicide(Illegal why) {
    return why >= Illegal::GeneralsFacing;
}
Illegal why_illegal(const Position& p, Move m);
/// One clause for people, English or Chinese, as in "the knight's leg is blocked".
std::string_view text(Illegal why);
std::string_view text_zh(Illegal why);

/// Number of leaf positions at `depth` plies (bulk counted at the last).
std::uint64_t perft(Position& p, int depth);

}  // namespace xq::rules
