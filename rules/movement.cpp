#include "rules/movement.hpp"

#include "rules/geometry.hpp"

#include <algorithm>
#include <cstdlib>

namespace xq::rules {
namespace {

using geometry::index;

/// The step from one point to the next on the straight line from `from` to `to`; 0 if there is
/// none.
int straight_step(Point from, Point to) {
    const int direction = to > from ? 1 : -1;
    if (from == to) return 0;
    if (rank_of(from) == rank_of(to)) return direction;
    return file_of(from) == file_of(to) ? files * direction : 0;
}

int pieces_between(const Placement& board, Point from, Point to, int step) {
    int n = 0;
    for (Point p = from + step; p != to; p += step)
        if (!board[index(p)].empty()) ++n;
    return n;
}

Illegal slider_fault(const Placement& board, Move m, bool needs_screen) {
    const int step = straight_step(m.from, m.to);
    if (step == 0) return Illegal::Movement;
    const int between = pieces_between(board, m.from, m.to, step);
    if (needs_screen) return between == 1 ? Illegal::None : Illegal::NoScreen;
    return between == 0 ? Illegal::None : Illegal::PathBlocked;
}

Illegal pawn_fault(Side s, Move m) {
    const int forward = geometry::own_rank(s, m.to) - geometry::own_rank(s, m.from);
    const int sideways = std::abs(file_of(m.to) - file_of(m.from));
    if (forward == 1 && sideways == 0) return Illegal::None;
    if (forward == 0 && sideways == 1)
        return geometry::across_river(s, m.from) ? Illegal::None : Illegal::PawnSideways;
    return forward < 0 && sideways == 0 ? Illegal::PawnBackward : Illegal::Movement;
}

}  // namespace

Illegal movement_fault(const Placement& board, Move m, bool taking) {
    const Piece piece = board[index(m.from)];
    const Side s = piece.side();
    const int along_file = std::abs(rank_of(m.to) - rank_of(m.from));
    const int along_rank = std::abs(file_of(m.to) - file_of(m.from));
    const auto goes = [&](int a, int b) {
        return std::minmax(along_file, along_rank) == std::minmax(a, b);
    };
    const auto empty = [&](Point p) { return board[index(p)].empty(); };
    switch (piece.kind()) {
        case Kind::None:
            return Illegal::NoPiece;
        case Kind::General:
        case Kind::Advisor:
            if (!goes(1, piece.kind() == Kind::General ? 0 : 1)) return Illegal::Movement;
            return geometry::in_palace(s, m.to) ? Illegal::None : Illegal::LeavesPalace;
        case Kind::Elephant:
            if (!goes(2, 2)) return Illegal::Movement;
            if (geometry::across_river(s, m.to)) return Illegal::CrossesRiver;
            return empty((m.from + m.to) / 2) ? Illegal::None : Illegal::EyeBlocked;
        case Kind::Knight: {
            if (!goes(1, 2)) return Illegal::Movement;
            const int leg = along_file == 2 ? (m.to > m.from ? files : -files)
                                            : (file_of(m.to) > file_of(m.from) ? 1 : -1);
            return empty(m.from + leg) ? Illegal::None : Illegal::LegBlocked;
        }
        case Kind::Rook:
            return slider_fault(board, m, false);
        case Kind::Cannon:
            return slider_fault(board, m, taking);
        case Kind::Pawn:
            return pawn_fault(s, m);
    }
    return Illegal::Movement;
}

bool follows_movement(const Position& p, Move m) {
    const Piece piece = p.at(m.from);
    const Piece target = p.at(m.to);
    return !piece.empty() && !target.is(piece.side()) &&
           movement_fault(p.placement(), m, !target.empty()) == Illegal::None;
}

bool attacks(const Position& p, Point from, Point to) {
    const Piece piece = p.at(from);
    if (movement_fault(p.placement(), Move(from, to), true) == Illegal::None) return true;
    if (piece.kind() != Kind::General || !p.at(to).is(other(piece.side()), Kind::General))
        return false;
    const int step = straight_step(from, to);
    return std::abs(step) == files && pieces_between(p.placement(), from, to, step) == 0;
}

bool attacked(const Placement& board, Point target, Side by) {
    const auto& near = geometry::around(target);
    const bool general = board[index(target)].is(other(by), Kind::General);
    for (std::size_t d = 0; d < geometry::directions.size(); ++d) {
        const int step = geometry::directions[d];
        int screens = 0;
        Point q = target;
        for (int n = near.room[d]; n > 0 && screens < 2; --n) {
            q += step;
            const Piece piece = board[index(q)];
            if (piece.empty()) continue;
            if (piece.is(by, screens == 0 ? Kind::Rook : Kind::Cannon)) return true;
            if (general && screens == 0 && d < geometry::vertical && piece.is(by, Kind::General))
                return true;
            ++screens;
        }
    }
    for (const auto& knight : near.knight_attackers)
        if (board[index(knight.to)].is(by, Kind::Knight) && board[index(knight.over)].empty())
            return true;
    const auto holds = [&](Point p, Kind kind) { return board[index(p)].is(by, kind); };
    for (const Point p : near.straight) {
        const bool sideways = std::abs(p - target) == 1;
        if (holds(p, Kind::Pawn) &&
            (sideways ? geometry::across_river(by, p) : p + geometry::forward(by) == target))
            return true;
    }
    if (geometry::across_river(by, target)) return false;  // the others defend at home
    for (const auto& elephant : near.elephant)
        if (holds(elephant.to, Kind::Elephant) && board[index(elephant.over)].empty()) return true;
    if (!geometry::in_palace(by, target)) return false;
    return std::any_of(near.diagonal.begin(), near.diagonal.end(),
                       [&](Point p) { return holds(p, Kind::Advisor); }) ||
           std::any_of(near.straight.begin(), near.straight.end(),
                       [&](Point p) { return holds(p, Kind::General); });
}

bool attacked(const Position& p, Point target, Side by) {
    return attacked(p.placement(), target, by);
}

bool in_check(const Position& p, Side s) {
    const Point general = p.general(s);
    return general != no_point && attacked(p.placement(), general, other(s));
}

}  // namespace xq::rules
