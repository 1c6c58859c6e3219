#include "rules/safety.hpp"

#include "rules/geometry.hpp"
#include "rules/movement.hpp"

namespace xq::rules {

using geometry::index;

Safety::Safety(const Position& p)
    : board_(p.placement()), side_(p.turn()), general_(p.general(p.turn())) {
    if (general_ == no_point) return;
    if (!geometry::in_palace(side_, general_)) {
        // Set up by hand: attackers that never meet a general at home are not looked for below.
        in_check_ = rules::in_check(p, side_);
        from_ = PointSet::all();
        return;
    }
    for (std::size_t d = 0; d < geometry::directions.size() && !in_check_; ++d) look_along(d);
    if (!in_check_) look_for_leapers();
}

/// Sorts out one line from the general by the first three pieces on it.
void Safety::look_along(std::size_t direction) {
    const int step = geometry::directions[direction];
    const Side enemy = other(side_);
    const auto pierces = [&](Piece piece) {
        return piece.is(enemy, Kind::Rook) ||
               (direction < geometry::vertical && piece.is(enemy, Kind::General));
    };
    // What the general's side must do if the attacker on `attacker` gives check over `screen`.
    const auto check = [&](Point attacker, Point screen) {
        in_check_ = true;
        from_ = {};
        to_ = {};
        for (Point q = general_ + step; q != attacker + step; q += step)
            if (q != screen) to_.add(q);
        if (screen != no_point) from_.add(screen);
    };
    std::array<Point, 3> met{no_point, no_point, no_point};
    std::size_t count = 0;
    Point q = general_;
    for (int n = geometry::around(general_).room[direction]; n > 0 && count < met.size(); --n) {
        q += step;
        const Piece piece = board_[index(q)];
        if (piece.empty()) continue;
        if (count == 0 && pierces(piece)) return check(q, no_point);
        if (count == 1 && piece.is(enemy, Kind::Cannon)) return check(q, met[0]);
        if (count == 0 && piece.is(enemy, Kind::Cannon))  // a piece set between becomes its screen
            for (Point between = general_ + step; between != q; between += step) to_.add(between);
        if (count == 1 && pierces(piece)) from_.add(met[0]);
        if (count == 2 && piece.is(enemy, Kind::Cannon)) {
            from_.add(met[0]);
            from_.add(met[1]);
        }
        met[count++] = q;
    }
}

void Safety::look_for_leapers() {
    const Side enemy = other(side_);
    const auto& near = geometry::around(general_);
    const auto check = [&](Point attacker, Point leg) {
        in_check_ = true;
        from_ = {};
        to_ = {};
        to_.add(attacker);
        to_.add(leg);
    };
    for (const Point p : near.straight) {
        const bool behind = p == general_ + geometry::forward(enemy);
        if (!behind && board_[index(p)].is(enemy, Kind::Pawn)) return check(p, p);
    }
    for (const auto& knight : near.knight_attackers) {
        if (!board_[index(knight.to)].is(enemy, Kind::Knight)) continue;
        if (board_[index(knight.over)].empty()) return check(knight.to, knight.over);
        from_.add(knight.over);
    }
}

bool Safety::tried(Move m) {
    if (general_ == no_point) return true;
    const Piece moved = board_[index(m.from)];
    const Piece taken = board_[index(m.to)];
    board_[index(m.to)] = moved;
    board_[index(m.from)] = Piece();
    const Point general = m.from == general_ ? Point{m.to} : general_;
    const bool exposed = attacked(board_, general, other(side_));
    board_[index(m.from)] = moved;
    board_[index(m.to)] = taken;
    return !exposed;
}

}  // namespace xq::rules
