#include "rules/geometry.hpp"
#include "rules/movement.hpp"
#include "rules/safety.hpp"

#include <algorithm>
#include <array>

namespace xq::rules {
namespace {

struct Words {
    std::string_view en;
    std::string_view zh;
};

/// In the order of `Illegal`.
constexpr std::array<Words, 17> words{{
    {"the move is legal", "着法合规"},
    {"there is no piece on that point", "起点无子"},
    {"the piece belongs to the side not to move", "走动了对方的棋子"},
    {"the point is held by a piece of one's own", "落点有己方棋子"},
    {"the piece does not move that way", "不符合该子走法"},
    {"the knight's leg is blocked", "蹩马腿"},
    {"the elephant's eye is blocked", "塞象眼"},
    {"a piece stands in the way", "隔子而行"},
    {"the cannon does not have exactly one screen to capture over", "炮吃子须恰隔一子"},
    {"the piece may not leave the palace", "不得走出九宫"},
    {"the elephant may not cross the river", "相（象）不得过河"},
    {"a pawn may not go back", "兵（卒）不得后退"},
    {"a pawn may not go sideways before it has crossed the river", "兵（卒）未过河不得横走"},
    {"the generals would face each other", "帅将对面"},
    {"the general goes where it can be taken", "帅（将）主动送吃"},
    {"the move opens a line to one's own general", "走子后己方帅（将）露出，听任被吃"},
    {"the check is not answered", "被将军未应将"},
}};

/// Whether a check that stands in `before` still stands in `after`.
bool check_remains(const Position& before, const Position& after) {
    const Side s = before.turn();
    const PointSet& attackers = before.pieces(other(s));
    return std::any_of(attackers.begin(), attackers.end(), [&](Point q) {
        return attacks(before, q, before.general(s)) && after.at(q).is(other(s)) &&
               attacks(after, q, after.general(s));
    });
}

Illegal kind_of_suicide(const Position& p, Move m) {
    const Side s = p.turn();
    const Position after = p.after(m);
    const Point theirs = after.general(other(s));
    if (theirs != no_point && file_of(theirs) == file_of(after.general(s)) &&
        attacks(after, theirs, after.general(s)))
        return Illegal::GeneralsFacing;
    if (m.from == p.general(s)) return Illegal::GeneralIntoCapture;
    return check_remains(p, after) ? Illegal::CheckNotAnswered : Illegal::GeneralUncovered;
}

}  // namespace

bool is_legal(const Position& p, Move m) {
    return p.at(m.from).is(p.turn()) && follows_movement(p, m) && Safety(p).safe(m);
}

Illegal why_illegal(const Position& p, Move m) {
    const Piece piece = p.at(m.from);
    const Piece target = p.at(m.to);
    if (piece.empty()) return Illegal::NoPiece;
    if (piece.side() != p.turn()) return Illegal::NotYours;
    if (m.from != m.to && target.is(piece.side())) return Illegal::OwnPiece;
    const Illegal fault = movement_fault(p.placement(), m, !target.empty());
    if (fault != Illegal::None) return fault;
    return Safety(p).safe(m) ? Illegal::None : kind_of_suicide(p, m);
}

std::string_view text(Illegal why) {
    return words[static_cast<std::size_t>(why)].en;
}

std::string_view text_zh(Illegal why) {
    return words[static_cast<std::size_t>(why)].zh;
}

}  // namespace xq::rules
