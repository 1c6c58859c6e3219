#pragma once
// Which moves can give check at all: most of them touch nothing near the general and need not be
// tried. Private to the room.
#include "rules/geometry.hpp"
#include "rules/moves.hpp"

namespace xq::rules {

/// Moves of the side to move against the other side's general.
class CheckSieve {
public:
    explicit CheckSieve(const Position& p) {
        const Point general = p.general(other(p.turn()));
        if (general == no_point) return;
        for (int f = 0; f < files; ++f) add(point(f, rank_of(general)));
        for (int r = 0; r < ranks; ++r) add(point(file_of(general), r));
        const auto& near = geometry::around(general);
        for (const Point leg : near.diagonal) add(leg);
        for (const auto& knight : near.knight_attackers) to_.add(knight.to);
    }

    /// False for moves that cannot give check. A piece checks along the general's file or rank, by
    /// a knight's leap, or from beside; it opens or screens a check only on those lines and legs.
    bool may_check(Move m) const { return to_.contains(m.to) || from_.contains(m.from); }

private:
    void add(Point p) {
        from_.add(p);
        to_.add(p);
    }

    PointSet from_;
    PointSet to_;
};

/// Whether `m`, a move of the side to move, gives check. `p` comes back as it was.
inline bool gives_check(Position& p, const CheckSieve& sieve, Move m) {
    if (!sieve.may_check(m)) return false;
    const Undo undo = p.apply(m);
    const bool check = in_check(p, p.turn());
    p.undo(m, undo);
    return check;
}

}  // namespace xq::rules
