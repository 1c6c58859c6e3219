#pragma once
// Whether a move leaves the mover's own general safe (article 3.4). Built once a position, asked
// of each of its moves: most of them touch no line to the general and are answered at a glance;
// only the rest are tried out.
#include "rules/moves.hpp"

namespace xq::rules {

class Safety {
public:
    /// For the moves of the side to move in `p`.
    explicit Safety(const Position& p);

    /// Whether `m`, which follows its piece's movement, leaves the general safe.
    bool safe(Move m) {
        if (m.from == general_ || from_.contains(m.from) || to_.contains(m.to)) return tried(m);
        return !in_check_;
    }
    bool in_check() const { return in_check_; }

private:
    void look_along(std::size_t direction);
    void look_for_leapers();
    bool tried(Move m);

    Placement board_;
    Side side_;
    Point general_;
    bool in_check_ = false;
    /// Not in check: leaving or reaching these points may expose the general.
    /// In check: only leaving or reaching these may answer it.
    PointSet from_;
    PointSet to_;
};

}  // namespace xq::rules
