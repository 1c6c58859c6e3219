#pragma once
// What a move is called (chapter 6 of the 2010 rules, 25.1-25.8) and why: the words that the rule
// books, the cycles, the referee and the arbiter's page share. Plain values.
#include "rules/types.hpp"

#include <vector>

namespace xq::rules {

/// From the heaviest down: where a move serves several ends, the heaviest names it (26.4).
enum class MoveClass : std::uint8_t { Check, Kill, Chase, Exchange, Offer, Block, Follow, Idle };

/// Check, kill and chase are forbidden when they are all that a side plays (25.13); the rest is
/// allowed (25.14).
constexpr bool is_forbidden(MoveClass c) {
    return c <= MoveClass::Chase;
}
std::string_view name(MoveClass c);     ///< "check" ... "idle"
std::string_view name_zh(MoveClass c);  ///< 将 … 闲

/// How a piece is protected (25.15, 25.16).
enum class Root : std::uint8_t {
    None,   ///< nothing could take back
    False,  ///< the protector is pinned, or his side would be mated
    Few,    ///< it could be taken back, but the attackers are more
    Whole,
};

/// A piece that a move chases.
struct Target {
    Point point = no_point;
    Piece piece;
    Root root = Root::None;
    bool joint = false;  ///< only two or more pieces together can take it with gain (25.17)

    bool is_protected() const { return root == Root::Few || root == Root::Whole; }
    bool operator==(const Target&) const = default;
};

/// A move with its class, and the reason an arbiter can check on the board.
struct ClassifiedMove {
    Move move;
    Side side = Side::Red;
    MoveClass cls = MoveClass::Idle;
    std::vector<Target> targets;
    std::vector<Move> line;  ///< how the threat would be carried out if the opponent passed
    std::string article;     ///< of the rule book that was asked, e.g. "25.3"
    std::string zh;          ///< the reason in one sentence
    std::string en;
    bool free = false;   ///< a chase that the book tolerates: by the general or a pawn itself
    bool proven = true;  ///< false: the search met its bound, a longer threat is not excluded

    /// Whether the ply counts as forbidden when a cycle is ruled.
    bool counts() const { return is_forbidden(cls) && !free; }
};

}  // namespace xq::rules
