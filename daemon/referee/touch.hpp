#pragma once
// Touch-move (5.1-5.5): what a side has touched, in order, and what it must therefore do. Pure; the
// Table decides which lifts are touches.
#include "daemon/referee/sensing.hpp"
#include "rules/moves.hpp"

#include <string_view>
#include <vector>

namespace xq::referee {

/// Own and enemy piece lifted within this time are touched at once (5.5): one scan of a slow board.
constexpr Millis at_once_ms = 50;

struct Touch {
    Millis t;
    Point point;
    rules::Piece piece;
};

/// What touches bind a side to, by article.
struct Duty {
    enum class Kind : std::uint8_t {
        Free,    ///< nothing binds
        Move,    ///< `own` must move (5.1, 5.3.2, 5.4.3)
        Take,    ///< `enemy` must be taken by any piece (5.2, 5.3.3, 5.4.2)
        TakeBy,  ///< `own` must take `enemy` (5.3.1, 5.4.1)
    };
    Kind kind = Kind::Free;
    Point own = rules::no_point;
    Point enemy = rules::no_point;
    std::string_view article = "5.1";
    /// Touched pieces that cannot move at all, or that nothing can take: a foul each time (9.1.5).
    std::vector<Touch> impossible;

    bool allows(rules::Move m) const;
};

/// The duty of `side`, to move in `position`, after `touches` in order of time.
Duty duty(const rules::Position& position, const std::vector<Touch>& touches);

}  // namespace xq::referee
