#include "rules/threats.hpp"

#include "rules/geometry.hpp"

#include <algorithm>

namespace xq::rules {
namespace {

bool is_strong(Kind k) {
    return k == Kind::Rook || k == Kind::Knight || k == Kind::Cannon;
}

bool counts(const Position& p, Point at) {
    const Piece piece = p.at(at);
    return !piece.empty() &&
           (piece.kind() != Kind::Pawn || geometry::across_river(piece.side(), at));
}

bool gives_check(const Position& p, Move m) {
    const Position next = p.after(m);
    return in_check(next, next.turn());
}

/// The pieces of `s` that could go to `at` by the rules of movement, with whether it is legal.
struct Taker {
    Point from;
    bool legal;
};
std::vector<Taker> takers(const Position& p, Point at) {
    std::vector<Taker> found;
    for (const Point from : p.pieces(p.turn()))
        if (follows_movement(p, Move(from, at)) && !p.at(at).empty())
            found.push_back({from, is_legal(p, Move(from, at))});
    return found;
}

class Study {
public:
    Study(const Position& before, Move m)
        : budget_(ply_budget),
          before_(before),
          after_(before.after(m)),
          passed_(after_.passed()),
          move_(m),
          side_(before.turn()) {}

    Facts run(const Position* previous) {
        Facts f;
        f.before = before_;
        f.after = after_;
        f.move = move_;
        f.check = in_check(after_, after_.turn());
        f.answers_check = in_check(before_, side_);
        if (f.check) return f;
        find_exchanges(f);
        find_threats(f);
        find_kill(f, previous);
        find_free_capture(f);
        f.proven = f.proven && !budget_.spent();
        return f;
    }

private:
    /// Where the piece that now stands on `p` stood before the ply.
    Point was(Point p) const { return p == move_.to ? Point{move_.from} : p; }
    bool attacked_before(Point attacker, Point target) const {
        return attacks(before_, was(attacker), target);
    }

    void find_exchanges(Facts& f) {
        for (const Point ours : passed_.pieces(side_)) {
            const Kind kind = passed_.at(ours).kind();
            if (!is_strong(kind)) continue;
            for (const Point theirs : passed_.pieces(other(side_))) {
                if (passed_.at(theirs).kind() != kind) continue;
                const Move take(ours, theirs);
                const Move accept(theirs, ours);
                if (!is_legal(passed_, take) || !is_legal(after_, accept)) continue;
                Exchange e;
                e.ours = ours;
                e.theirs = theirs;
                e.fresh = !attacked_before(ours, theirs);
                e.accepted = follow_up(after_, accept, budget_);
                f.exchanges.push_back(std::move(e));
            }
        }
    }

    void find_threats(Facts& f) {
        MoveList moves;
        legal_moves(passed_, moves);
        for (const Move first : moves) {
            const bool takes = counts(passed_, first.to);
            if (!takes && !gives_check(passed_, first)) continue;
            if (takes) consider_direct(f, first);
            consider_line(f, first);
        }
        std::stable_sort(f.threats.begin(), f.threats.end(), [](const Threat& a, const Threat& b) {
            return a.line.score > b.line.score;
        });
    }

    /// A capture that this ply made possible: what the piece itself is worth and costs counts, not
    /// what else the capturer protects (26.5), unless he shields it (26.6).
    void consider_direct(Facts& f, Move first) {
        if (attacked_before(first.from, first.to)) return;
        Threat t;
        t.line = exchange_on(passed_, first, budget_);
        if (!t.line.gains()) return;
        const Position taken = passed_.after(first);
        if (mate_by_checks(taken, budget_, 5)) return;  // 25.3: mated at once
        t.direct = true;
        t.fresh = true;
        finish(f, std::move(t), first);
    }

    void consider_line(Facts& f, Move first) {
        Threat t;
        t.line = follow_up(passed_, first, budget_);
        if (!t.line.gains() || t.line.taken.empty()) return;
        t.direct = !passed_.at(first.to).empty();
        finish(f, std::move(t), first);
    }

    void finish(Facts& f, Threat t, Move first) {
        t.attacker = first.from;
        t.mates = t.line.score > -Line::mated;
        const Taken* best = &t.line.taken.front();
        for (const Taken& taken : t.line.taken)
            if (value_of(taken.piece.kind()) > value_of(best->piece.kind())) best = &taken;
        t.target.point = best->origin;
        t.target.piece = best->piece;
        root_of(t);
        t.stood = !t.fresh && winnable_before(best->origin);
        t.general_or_pawn = only_general_or_pawn(t.line);
        t.like_kind = is_exchange(f, t);
        for (Threat& known : f.threats) {
            if (known.target.point != t.target.point ||
                known.general_or_pawn != t.general_or_pawn || known.like_kind != t.like_kind ||
                known.stood != t.stood)
                continue;
            if (known.fresh || (known.direct && !t.direct)) return;
            if (t.fresh || (t.direct && !known.direct)) {
                known = std::move(t);
                return;
            }
            return;
        }
        f.threats.push_back(std::move(t));
    }

    void root_of(Threat& t) {
        Position p = passed_;
        for (const Move m : t.line.moves) {  // up to the capture of the target
            if (m.to == t.target.point && p.turn() == side_ && p.at(m.to) == t.target.piece) break;
            p.apply(m);
        }
        if (p.turn() != side_ || p.at(t.target.point) != t.target.piece) return;
        const auto attackers = takers(p, t.target.point);
        Move capture;
        for (const Move m : t.line.moves)
            if (m.to == t.target.point) {
                capture = m;
                break;
            }
        if (capture.from == no_point || p.at(capture.from).empty()) return;
        const Position taken = p.after(capture);
        int legal = 0;
        bool held_by_another = false;
        const auto protectors = takers(taken, t.target.point);
        for (const Taker& r : protectors) {
            legal += r.legal ? 1 : 0;
            held_by_another =
                held_by_another || (!r.legal && taken.at(r.from).kind() == Kind::General);
        }
        const auto able = std::count_if(attackers.begin(), attackers.end(),
                                        [](const Taker& a) { return a.legal; });
        if (legal == 0)
            t.target.root = protectors.empty() ? Root::None : Root::False;
        else
            t.target.root = legal < able ? Root::Few : Root::Whole;
        t.target.joint =
            legal > 0 ? value_of(t.target.piece.kind()) <= value_of(taken.at(t.target.point).kind())
                      : held_by_another;
    }

    bool only_general_or_pawn(const Line& line) const {
        Position p = passed_;
        for (const Move m : line.moves) {
            const Kind kind = p.at(m.from).kind();
            const bool ours = p.turn() == side_;
            const bool takes = !p.at(m.to).empty();
            if (ours && takes && kind != Kind::General && kind != Kind::Pawn) return false;
            p.apply(m);
        }
        return true;
    }

    bool is_exchange(const Facts& f, const Threat& t) const {
        const Point first_taken = t.line.moves.front().to;
        return std::any_of(f.exchanges.begin(), f.exchanges.end(), [&](const Exchange& e) {
            if (e.theirs != first_taken || !e.harmless()) return false;
            const auto attackers = takers(passed_, e.theirs);
            return std::all_of(attackers.begin(), attackers.end(), [&](const Taker& a) {
                const Kind kind = passed_.at(a.from).kind();
                return !a.legal || kind == Kind::Rook || kind == passed_.at(e.ours).kind();
            });
        });
    }

    bool winnable_before(Point target) {
        if (!looked_before_) {
            looked_before_ = true;
            MoveList moves;
            legal_moves(before_, moves);
            for (const Move first : moves) {
                if (!counts(before_, first.to) && !gives_check(before_, first)) continue;
                const Line line = follow_up(before_, first, budget_);
                if (!line.gains()) continue;
                for (const Taken& taken : line.taken) won_before_.add(taken.origin);
            }
        }
        return won_before_.contains(target);
    }

    void find_kill(Facts& f, const Position* previous) {
        std::vector<Move> barred;
        for (const Move m : legal_moves(passed_))
            if (is_strong(passed_.at(m.to).kind())) barred.push_back(m);
        f.kill = mate_by_checks(passed_, budget_, longest_mate, barred);
        f.proven = f.proven && f.kill.proven;
        if (!f.kill || !f.answers_check || previous == nullptr) return;
        const Mate stood = mate_by_checks(*previous, budget_, longest_mate, {});
        f.kill_is_new = !stood || stood.line.front() != f.kill.line.front();
    }

    void find_free_capture(Facts& f) {
        f.taken_free.score = Line::mated;
        for (const Taker& t : takers(after_, move_.to)) {
            if (!t.legal) continue;
            Line line = follow_up(after_, Move(t.from, move_.to), budget_);
            if (line.score > f.taken_free.score) f.taken_free = std::move(line);
        }
    }

    Budget budget_;
    Position before_;
    Position after_;
    Position passed_;
    Move move_;
    Side side_;
    bool looked_before_ = false;
    PointSet won_before_;
};

}  // namespace

Facts facts_of(const Position& before, Move m, const Position* previous) {
    return Study(before, m).run(previous);
}

}  // namespace xq::rules
