#pragma once
// The facts of a ply, without any rule book: does it check, could the mover mate by unbroken
// checks if the opponent passed, what could he then win and by which line, what of that stood
// before, what exchanges it offers. A rule book is a policy over these. Pure function, bounded.
#include "rules/forcing.hpp"
#include "rules/move_class.hpp"
#include "rules/position.hpp"

#include <vector>

namespace xq::rules {

/// Something the mover could win if the opponent passed.
struct Threat {
    Target target;
    Line line;
    Point taker = no_point;  ///< the piece that takes the target, by where it stands after the ply
    bool direct = false;     ///< the first move takes the target
    bool fresh = false;      ///< direct, and that piece did not attack the target before the ply
    bool stood = false;      ///< the target could be won before the ply just as well
    bool mates = false;      ///< the opponent is mated in the course of it
    bool opens_check = false;  ///< taking the target uncovers a check by another piece
    bool like_kind = false;  ///< begins by taking the partner of an exchange in order (26.9, 26.11)

    Move first() const { return line.moves.front(); }
};

/// Two pieces of a kind that could take each other (25.4, 26.9).
struct Exchange {
    Point ours = no_point;
    Point theirs = no_point;
    bool fresh = false;     ///< they could not before the ply
    bool in_order = false;  ///< accepting costs nothing, and no third piece is in the play
    Line accepted;          ///< the opponent takes: the line and its score as he sees it
};

struct Facts {
    Position before;
    Position after;
    Move move;
    bool check = false;
    bool answers_check = false;
    Mate kill;                ///< without those that take a strong piece the mover attacks anyway
    bool kill_stood = false;  ///< the move answered a check, and the same mate stood before that
    bool saves = false;       ///< the opponent would have mated by checks, had the mover passed
    std::vector<Threat> threats;  ///< the heaviest first
    std::vector<Exchange> exchanges;
    Line taken_free;  ///< the opponent's best capture of the moved piece, as he sees it
    bool proven = true;

    Side side() const { return before.turn(); }
    Kind moved() const { return before.at(move.from).kind(); }
};

/// Nodes for the facts of one ply; with them a ply takes some ten milliseconds at most.
inline constexpr long ply_budget = 20000;

/// The facts of `m`, a legal move of `before`. `previous` is the position two plies earlier, where
/// the same side was to move (only asked when `m` answers a check); null if it is not known.
Facts facts_of(const Position& before, Move m, const Position* previous = nullptr);

}  // namespace xq::rules
