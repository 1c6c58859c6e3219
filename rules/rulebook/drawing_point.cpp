#include "rules/rulebook/drawing_point.hpp"

#include "rules/geometry.hpp"

#include <algorithm>

namespace xq::rules {

bool holds_drawing_point(const Facts& f, std::span<const Threat* const> chases) {
    const bool only_weak = std::all_of(chases.begin(), chases.end(), [](const Threat* t) {
        const Kind kind = t->target.piece.kind();
        return kind == Kind::Advisor || kind == Kind::Elephant;
    });
    if (!only_weak) return false;
    int strong = 0;
    bool cannon = false;
    for (const Point p : f.after.pieces(f.side())) {
        const Kind kind = f.after.at(p).kind();
        if (kind == Kind::Pawn) return false;
        strong += value_of(kind) >= value_of(Kind::Knight) ? 1 : 0;
        cannon = cannon || kind == Kind::Cannon;
    }
    return strong == 1 && (cannon || f.parried);
}

}  // namespace xq::rules
