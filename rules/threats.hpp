#pragma once
// The facts of a ply, without any rule book: does it check, could the mover mate by unbroken
// checks if the opponent passed, what could he then win and by which line, what of that stood
// before, what exchanges it offers. A rule book is a policy over these. Pure function, bounded.
#include "rules/forcing.hpp"
#include "rules/move_class.hpp"
#include "rules/position.hpp"

#include <vector>

namespace xq::rules {

/// What a capturer that shields a piece of his own risks by leaving (26.6).
enum class Shield : std::uint8_t {
    None,   ///< he shields nothing, or what he shields is cheap
    Even,   ///< as much is lost behind him as he takes
    Loses,  ///< more is lost behind him
};

/// Something the mover could win if the opponent passed.
struct Threat {
    Target target;
    Line line;
    Point taker = no_point;  ///< the piece that takes the target, by where it stands after the ply
    bool direct = false;     ///< the first move takes the target
    bool fresh = false;      ///< direct, and that piece did not attack the target before the ply
    bool stood = false;      ///< the target could be won before the ply just as well
    bool standing = false;   ///< begins with a capture that was open before the ply too
    bool mates = false;      ///< the opponent is mated in the course of it
    bool opens_check = false;  ///< taking the target uncovers a check by another piece
    bool gives_pawn = false;   ///< a crossed pawn is given for it (26.7)
    bool like_kind = false;    ///< takes the partner of an exchange in order (26.9, 26.11)
    bool of_partner = false;   ///< takes a piece of a kind with the taker that could take it
    bool by_moved = false;     ///< the moved piece takes part in the line, or is its screen
    bool by_run = false;       ///< won by a run of checks, if what is open to the opponent anyway
                               ///< is left out of account (25.3, 26.5)
    Shield shield = Shield::None;

    Move first() const { return line.moves.front(); }
};

/// Whether the gain is the general's or a pawn's own (26.1): he takes the target, and either no
/// other piece takes in the line, or he attacked the target as the board stands.
bool by_general_or_pawn(const Position& after, const Threat& t);

/// Two pieces of a kind that could take each other (25.4, 26.9).
struct Exchange {
    Point ours = no_point;
    Point theirs = no_point;
    bool fresh = false;     ///< new with the ply, or a rook newly joins in
    bool in_order = false;  ///< accepting costs nothing, and no third piece is in the play
    bool rooted = false;    ///< our piece would be taken back
    Line accepted;          ///< the opponent takes: the line, and its score as the mover sees it
};

struct Facts {
    Position before;
    Position after;
    Move move;
    bool check = false;
    bool answers_check = false;
    Mate kill;                ///< without those that take a strong piece the mover attacks anyway
    bool kill_stood = false;  ///< the move answered a check, and the same mate stood before that
    Mate parried;  ///< the opponent's mate by checks, had the mover passed; looked for where it
                   ///< can matter: the ply attacks nothing, or nothing but advisors and elephants
    std::vector<Threat> threats;  ///< the heaviest first
    std::vector<Exchange> exchanges;
    Line taken_free;       ///< the opponent's best capture of the moved piece, as he sees it
    bool offered = false;  ///< the moved piece can be taken and not taken back
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
