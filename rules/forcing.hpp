#pragma once
// Two small searches that chapter 6 rests on: can a side mate by unbroken checks (25.2), and what
// does it win by a first move, through captures, exchanges and runs of checks (25.3). Pure
// functions; bounded by a budget of nodes that the caller owns, and they say when it ran out.
#include "rules/moves.hpp"

#include <vector>

namespace xq::rules {

/// Nodes that the searches of one question may still visit.
class Budget {
public:
    explicit Budget(long nodes) : left_(nodes) {}
    /// Takes one node; false when none is left.
    bool take() { return left_ > 0 && left_-- > 0; }
    bool spent() const { return left_ <= 0; }

private:
    long left_;
};

/// Values by 1.2: a rook is two of knight and cannon, the weak pieces are alike. Pawns are counted
/// apart (26.7), a general has no price.
constexpr int value_of(Kind k) {
    switch (k) {
        case Kind::Rook:
            return 20;
        case Kind::Knight:
        case Kind::Cannon:
            return 10;
        case Kind::Advisor:
        case Kind::Elephant:
            return 4;
        case Kind::None:
        case Kind::General:
        case Kind::Pawn:
            break;
    }
    return 0;
}

/// What a line has won and lost, from the side whose threat it is.
struct Tally {
    int pieces = 0;  ///< by `value_of`, what was won less what was lost
    int pawns = 0;   ///< crossed pawns won less those lost
    int rooks = 0;   ///< rooks won less those lost

    void win(Piece taken, bool crossed);
    void lose(Piece taken, bool crossed);
    /// As one number, above 0 exactly if the rules call it a gain: pieces first; a pawn on top is a
    /// gain, pawns never pay for a piece; a pawn given is made good by a rook alone (26.7).
    int score() const;
};

/// A capture by the threatening side in the course of a line.
struct Taken {
    Point origin;  ///< where the piece stood before the line began
    Piece piece;
    Point taker;        ///< where the piece that took it stood before the line began
    std::size_t index;  ///< of the capturing move in the line
};

struct Line {
    int score = 0;            ///< `Tally::score` at the end; at `mated` and below: mated
    std::vector<Move> moves;  ///< best play of both, the first move being the asked one
    std::vector<Taken> taken;
    bool checks_only = false;  ///< every move of the threatening side but the last gives check
    bool proven = true;

    static constexpr int mated = -5000;
    static constexpr int most_pawns = 5;
    bool gains() const { return score > 0; }
    bool gains_piece() const { return score > most_pawns; }
};

/// Best play from `p` when the side to move begins with `first` (a legal move), weighed for `side`:
/// it may take, and go on checking as long as every move of its has checked; the other side may
/// answer by taking, by a run of checks of its own, or let it be. Ends where nobody goes on by
/// force. `side` does not take what stands on the points of `spared`.
Line follow_up(const Position& p, Move first, Side side, Budget& budget,
               const PointSet& spared = {});

/// As `follow_up` for the side to move, but the other side answers only by getting out of check and
/// by captures that the line gave occasion for: what was open to it anyway is no price of the line.
Line run_of_checks(const Position& p, Move first, Budget& budget, const PointSet& spared = {});

/// What the other side may do in `exchange_on` besides taking back.
enum class Reply : std::uint8_t {
    TakeBack,   ///< nothing
    Uncovered,  ///< take what the first move uncovered, but nothing that was attacked before
};
/// The exchange on the point that `first` takes on, and no more: both sides go on taking there.
Line exchange_on(const Position& p, Move first, Reply reply, Budget& budget);

struct Mate {
    std::vector<Move> line;  ///< empty: none
    bool proven = true;      ///< false: the budget ended before every run of checks was tried

    explicit operator bool() const { return !line.empty(); }
};

/// Whether the side to move mates with its next move.
bool mates_at_once(const Position& p);

/// Plies of the longest mate by unbroken checks that is looked for: eight checks.
inline constexpr int longest_mate = 15;

/// Whether the side to move mates by checks alone, shortest first, without taking on the points of
/// `barred`.
Mate mate_by_checks(const Position& p, Budget& budget, int plies = longest_mate,
                    const PointSet& barred = {});

}  // namespace xq::rules
