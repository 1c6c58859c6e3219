#include "daemon/referee/touch.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace xq::referee {

using rules::Move;
using rules::MoveList;

namespace {

bool can_move(const MoveList& legal, Point own) {
    return std::any_of(legal.begin(), legal.end(), [&](Move m) { return m.from == own; });
}
bool can_take(const MoveList& legal, Point own, Point enemy) {
    return legal.contains(Move(own, enemy));
}
/// Which of two pieces was touched first, and what each step of the duty is called (5.3-5.5).
enum Order : std::size_t { OwnFirst, EnemyFirst, AtOnce };
constexpr std::array<std::array<std::string_view, 4>, 3> articles{
    {{"5.3.1", "5.3.2", "5.3.3", "5.3.4"},
     {"5.4.1", "5.4.2", "5.4.3", "5.4.4"},
     {"5.5, 5.4.1", "5.5, 5.4.2", "5.5, 5.4.3", "5.5, 5.4.4"}}};

bool takable(const MoveList& legal, Point enemy) {
    return std::any_of(legal.begin(), legal.end(), [&](Move m) { return m.to == enemy; });
}

}  // namespace

bool Duty::allows(Move m) const {
    switch (kind) {
        case Kind::Free:
            return true;
        case Kind::Move:
            return m.from == own;
        case Kind::Take:
            return m.to == enemy;
        case Kind::TakeBy:
            return m == Move(own, enemy);
    }
    return true;
}

Duty duty(const rules::Position& position, const std::vector<Touch>& touches) {
    const MoveList legal = rules::legal_moves(position);
    std::vector<Touch> own;
    std::vector<Touch> enemy;
    for (const Touch& t : touches) {
        auto& list = t.piece.is(position.turn()) ? own : enemy;
        if (std::none_of(list.begin(), list.end(),
                         [&](const Touch& o) { return o.point == t.point; }))
            list.push_back(t);
    }

    Duty d;
    for (const Touch& t : own)
        if (!can_move(legal, t.point)) d.impossible.push_back(t);
    for (const Touch& t : enemy)
        if (!takable(legal, t.point)) d.impossible.push_back(t);
    // Of several own pieces the first that can move binds, of several enemy ones the first that can
    // be taken; one that cannot counts on only where it is the only one.
    const auto first = [&](std::vector<Touch>& list, auto can) {
        const auto bound = std::find_if(list.begin(), list.end(), can);
        if (bound != list.end()) list.erase(list.begin(), bound);
    };
    first(own, [&](const Touch& t) { return can_move(legal, t.point); });
    first(enemy, [&](const Touch& t) { return takable(legal, t.point); });
    std::size_t o = 0;
    std::size_t e = 0;
    // A pair, or a single piece, that leaves nothing to do falls away, and the next one touched
    // binds: a hand that has touched many pieces is bound by the first that it can obey.
    while (o < own.size() || e < enemy.size()) {
        if (o < own.size() && e < enemy.size()) {
            const Point a = own[o].point;
            const Point b = enemy[e].point;
            const Millis after = enemy[e].t - own[o].t;
            const Order order = std::abs(after) <= at_once_ms ? AtOnce
                                : after > 0                   ? OwnFirst
                                                              : EnemyFirst;
            const auto bound = [&](Duty::Kind kind, std::size_t step) {
                d.kind = kind;
                if (kind != Duty::Kind::Take) d.own = a;
                if (kind != Duty::Kind::Move) d.enemy = b;
                d.article = articles[order][step];
                return d;
            };
            if (can_take(legal, a, b)) return bound(Duty::Kind::TakeBy, 0);
            if (order == OwnFirst && can_move(legal, a)) return bound(Duty::Kind::Move, 1);
            if (takable(legal, b)) return bound(Duty::Kind::Take, order == OwnFirst ? 2 : 1);
            if (can_move(legal, a)) return bound(Duty::Kind::Move, 2);
            d.article = articles[order][3];
            ++o;
            ++e;
        } else if (o < own.size()) {
            if (can_move(legal, own[o].point)) {
                d.kind = Duty::Kind::Move;
                d.own = own[o].point;
                d.article = "5.1";
                return d;
            }
            d.article = "5.1";
            ++o;
        } else {
            if (takable(legal, enemy[e].point)) {
                d.kind = Duty::Kind::Take;
                d.enemy = enemy[e].point;
                d.article = "5.2";
                return d;
            }
            d.article = "5.2";
            ++e;
        }
    }
    return d;
}

}  // namespace xq::referee
