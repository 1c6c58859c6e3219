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
    Point attacker = no_point;  ///< the piece that begins
    bool direct = false;        ///< the first move takes the target
    bool fresh = false;         ///< direct, and that piece did not attack the target before the ply
    bool stood = false;         ///< the target could be won before the ply just as well
    bool mates = false;         ///< taking mates: by itself or by the checks that follow
    bool general_or_pawn = false;  ///< only the general or pawns take in the line (26.1)
    bool like_kind = false;     ///< taking the partner of an exchange that is in order (26.9, 26.11)

    Move first() const { return line.moves.front(); }
};

/// Two pieces of a kind that could take each other (25.4, 26.9).
struct Exchange {
    Point ours = no_point;
    Point theirs = no_point;
    bool fresh = false;  ///< they could not before the ply
    Line accepted;       ///< the opponent takes: the line and its score as he sees it

    bool harmless() const { return accepted.score >= 0; }
};

struct Facts {
    Position before;
    Position after;
    Move move;
    bool check = false;
    bool answers_check = false;
    Mate kill;
    bool kill_is_new = true;  ///< false: the move answered a check, and the mate stood before that
    std::vector<Threat> threats;
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
