#include "rules/study.hpp"

#include "rules/checking.hpp"
#include "rules/geometry.hpp"

#include <algorithm>
#include <tuple>

namespace xq::rules {
namespace {

bool is_strong(Kind k) {
    return k == Kind::Rook || k == Kind::Knight || k == Kind::Cannon;
}

/// A piece whose capture can be a gain: pawns count from the river on (26.7).
bool counts(const Position& p, Point at) {
    const Piece piece = p.at(at);
    return !piece.empty() &&
           (piece.kind() != Kind::Pawn || geometry::across_river(piece.side(), at));
}

struct Taker {
    Point from;
    bool legal;
};
/// The pieces of the side to move that could take on `at` by how they go.
std::vector<Taker> takers(const Position& p, Point at) {
    std::vector<Taker> found;
    for (const Point from : p.pieces(p.turn()))
        if (attacks(p, from, at)) found.push_back({from, is_legal(p, Move(from, at))});
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
        if (previous != nullptr) spare_crossing(*previous);
        find_exchanges(f);
        find_threats(f);
        find_kill(f, previous);
        find_free_capture(f);
        find_parried(f);
        f.proven = f.proven && !budget_.spent();
        return f;
    }

private:
    /// Where the piece that now stands on `p` stood before the ply.
    Point was(Point p) const { return p == move_.to ? Point{move_.from} : p; }
    bool attacked_before(Point attacker, Point target) const {
        return attacks(before_, was(attacker), target);
    }

    /// A pawn that crossed with the opponent's last move is no gain if taken at once (26.7).
    void spare_crossing(const Position& previous) {
        const Side enemy = other(side_);
        for (const Point p : passed_.pieces(enemy)) {
            const Point home = p - geometry::forward(enemy);
            if (!passed_.at(p).is(enemy, Kind::Pawn) || !geometry::across_river(enemy, p) ||
                geometry::across_river(enemy, home))
                continue;
            if (previous.at(home) != passed_.at(p) || !before_.at(home).empty()) continue;
            if (previous.at(p) == passed_.at(p)) continue;
            crossing_ = p;
            spared_.add(p);
        }
    }

    void find_exchanges(Facts& f) {
        for (const Point ours : passed_.pieces(side_)) {
            const Kind kind = passed_.at(ours).kind();
            if (!is_strong(kind)) continue;
            for (const Point theirs : passed_.pieces(other(side_))) {
                if (passed_.at(theirs).kind() != kind || !attacks(passed_, ours, theirs)) continue;
                const Move accept(theirs, ours);
                if (!is_legal(passed_, Move(ours, theirs)) || !is_legal(after_, accept)) continue;
                Exchange e;
                e.ours = ours;
                e.theirs = theirs;
                e.fresh = !attacked_before(ours, theirs) || rook_joins(theirs);
                e.accepted = follow_up(after_, accept, side_, budget_);
                e.in_order = e.accepted.score <= 0 && only_kindred(e);
                if (e.in_order) spared_.add(theirs);
                const auto roots = takers(after_.after(accept), ours);
                e.rooted =
                    std::any_of(roots.begin(), roots.end(), [](const Taker& r) { return r.legal; });
                f.exchanges.push_back(std::move(e));
            }
        }
    }

    /// The moved rook newly attacks `theirs`.
    bool rook_joins(Point theirs) const {
        return passed_.at(move_.to).kind() == Kind::Rook && attacks(passed_, move_.to, theirs) &&
               !attacked_before(move_.to, theirs);
    }

    /// Nothing attacks the partner but its like and rooks; where a rook does, it must have a root
    /// (26.11.1).
    bool only_kindred(const Exchange& e) const {
        const Kind kind = passed_.at(e.ours).kind();
        bool with_rook = false;
        for (const Taker& a : takers(passed_, e.theirs)) {
            if (!a.legal) continue;
            const Kind attacker = passed_.at(a.from).kind();
            if (attacker != kind && attacker != Kind::Rook) return false;
            with_rook = with_rook || attacker != kind;
        }
        if (!with_rook) return true;
        const Position taken = passed_.after(Move(e.ours, e.theirs));
        const auto roots = takers(taken, e.theirs);
        return std::any_of(roots.begin(), roots.end(), [](const Taker& r) { return r.legal; });
    }

    void find_threats(Facts& f) {
        MoveList moves;
        legal_moves(passed_, moves);
        const CheckSieve sieve(passed_);
        for (const Move first : moves) {
            const bool takes = counts(passed_, first.to) && first.to != crossing_;
            if (takes && !attacked_before(first.from, first.to)) consider_fresh(f, first);
            if (takes || gives_check(passed_, sieve, first)) consider_line(f, first);
        }
        // The heaviest first; among equals what an arbiter sees first: new, direct, by one piece.
        const auto weight = [](const Threat& t) {
            return std::tuple(t.line.score, t.fresh, t.direct, !t.target.joint);
        };
        std::stable_sort(f.threats.begin(), f.threats.end(),
                         [&](const Threat& a, const Threat& b) { return weight(a) > weight(b); });
    }

    /// A capture that this ply made possible. What the piece is worth on its point counts, not what
    /// else the capturer protects (26.5); if he shields something, even is still a gain (26.6).
    void consider_fresh(Facts& f, Move first) {
        Threat t;
        t.line = exchange_on(passed_, first, Reply::TakeBack, budget_);
        if (!t.line.gains()) return;
        Line shielding = exchange_on(passed_, first, Reply::Uncovered, budget_);
        if (shielding.score <= 0) {
            t.shield = shielding.score < 0 ? Shield::Loses : Shield::Even;
            t.line.moves = std::move(shielding.moves);
        }
        if (mate_by_checks(passed_.after(first), budget_, 1)) return;  // 25.3: mated at once
        t.fresh = true;
        describe(f, t, t.line.taken.front());
        f.threats.push_back(std::move(t));
    }

    void consider_line(Facts& f, Move first) {
        Threat t;
        t.line = follow_up(passed_, first, side_, budget_, spared_);
        t.by_run = !t.line.gains() && passed_.at(first.to).empty();
        if (t.by_run) {
            t.line = run_of_checks(passed_, first, budget_, spared_);
            if (!t.line.gains_piece()) return;  // 26.7: a pawn floats, all that comes of it counts
        }
        if (!t.line.gains() || t.line.taken.empty()) return;
        describe(f, t, prey_of(t.line));
        const auto same = std::find_if(f.threats.begin(), f.threats.end(), [&](const Threat& k) {
            return k.target.point == t.target.point && k.like_kind == t.like_kind &&
                   by_general_or_pawn(after_, k) == by_general_or_pawn(after_, t);
        });
        if (same == f.threats.end())
            f.threats.push_back(std::move(t));
        else if (!same->fresh && t.line.score > same->line.score)
            *same = std::move(t);
    }

    /// The piece that a line is about: the cheapest taken that makes up what is won, else the
    /// dearest; a pawn only if nothing else is taken.
    static const Taken& prey_of(const Line& line) {
        const auto price = [](const Taken& t) {
            return t.piece.kind() == Kind::Pawn ? 0 : 8 * value_of(t.piece.kind());
        };
        const Taken* best = &line.taken.front();
        for (const Taken& t : line.taken) {
            const bool enough = price(*best) >= line.score;
            if (enough ? price(t) >= line.score && price(t) < price(*best)
                       : price(t) > price(*best))
                best = &t;
        }
        return *best;
    }

    void describe(const Facts& f, Threat& t, const Taken& prey) {
        t.target.point = prey.origin;
        t.target.piece = prey.piece;
        t.taker = prey.taker;
        t.direct = prey.index == 0;
        t.mates = t.line.score > -Line::mated;
        const Position at_capture = play(t.line, prey.index);
        const Move capture = t.line.moves[prey.index];
        find_root(t, at_capture, capture);
        const Position taken = at_capture.after(capture);
        t.opens_check = in_check(taken, taken.turn()) &&
                        !attacks(taken, capture.to, taken.general(taken.turn()));
        t.target.joint = t.target.joint || hands(t.line) > 1;
        for (const Exchange& e : f.exchanges) {
            t.like_kind = t.like_kind || (e.in_order && e.theirs == t.first().to);
            t.of_partner = t.of_partner || (e.ours == t.taker && e.theirs == t.target.point);
        }
        t.by_moved = takes_part(t.line);
        t.standing =
            !passed_.at(t.first().to).empty() && attacked_before(t.first().from, t.first().to);
        t.stood = !t.fresh && stood(t);
        t.gives_pawn = pawns_given(t.line);
    }

    /// Whether the moved piece plays in the line, or stands between its first move's ends.
    bool takes_part(const Line& line) const {
        const Point at{move_.to};
        const Move first = line.moves.front();
        const auto lies_between = [&](int a, int b, int x) { return (a < x) != (b < x) && x != a; };
        if (rank_of(first.from) == rank_of(at) && rank_of(first.to) == rank_of(at) &&
            lies_between(file_of(first.from), file_of(first.to), file_of(at)))
            return true;
        if (file_of(first.from) == file_of(at) && file_of(first.to) == file_of(at) &&
            lies_between(rank_of(first.from), rank_of(first.to), rank_of(at)))
            return true;
        for (std::size_t i = 0; i < line.moves.size(); i += 2)
            if (line.moves[i].from == at) return true;
        return false;
    }

    /// Whether the line costs more crossed pawns than it wins.
    bool pawns_given(const Line& line) const {
        Tally tally;
        Position p = passed_;
        for (const Move m : line.moves) {
            const bool crossed = counts(p, m.to);
            p.turn() == side_ ? tally.win(p.at(m.to), crossed) : tally.lose(p.at(m.to), crossed);
            p.apply(m);
        }
        return tally.pawns < 0;
    }

    Position play(const Line& line, std::size_t plies) const {
        Position p = passed_;
        for (std::size_t i = 0; i < plies; ++i) p.apply(line.moves[i]);
        return p;
    }

    /// How many of the mover's pieces take part in a line: by moving, or by giving the check that
    /// another one uncovers.
    std::size_t hands(const Line& line) const {
        PointSet at;
        std::size_t n = 0;
        Position p = passed_;
        for (std::size_t i = 0; i < line.moves.size(); ++i) {
            const Move m = line.moves[i];
            p.apply(m);
            if (i % 2 != 0) continue;
            if (at.contains(m.from))
                at.remove(m.from);
            else
                ++n;
            at.add(m.to);
            if (in_check(p, p.turn()) && !attacks(p, m.to, p.general(p.turn()))) ++n;
        }
        return n;
    }

    /// The roots of the target at the moment it is taken (25.15, 25.16), and whether it takes more
    /// than one piece to win it on its point (25.17).
    static void find_root(Threat& t, const Position& p, Move capture) {
        const Position taken = p.after(capture);
        int roots = 0;
        bool held = false;  // a protector is pinned or mated for taking, or the general may not
        for (const Taker& r : takers(taken, capture.to)) {
            const bool real = r.legal && !mates_at_once(taken.after(Move(r.from, capture.to)));
            roots += real ? 1 : 0;
            held = held || !real;
        }
        const auto attackers = takers(p, capture.to);
        const auto able = std::count_if(attackers.begin(), attackers.end(),
                                        [](const Taker& a) { return a.legal; });
        if (roots == 0)
            t.target.root = held ? Root::False : Root::None;
        else
            t.target.root = roots < able ? Root::Few : Root::Whole;
        const bool costs = value_of(p.at(capture.from).kind()) >= value_of(t.target.piece.kind());
        t.target.joint = roots > 0 ? costs : held;
    }

    /// Whether the target could be won as well before the ply.
    bool stood(const Threat& t) {
        if (in_check(before_, side_)) {  // then as if the check had not been given
            const Move same(was(t.first().from), t.first().to);
            return t.direct && attacks(before_, same.from, same.to) &&
                   exchange_on(before_, same, Reply::TakeBack, budget_).gains();
        }
        const Move same(was(t.first().from), t.first().to);
        if (!is_legal(before_, same)) return false;
        Line line = follow_up(before_, same, side_, budget_, spared_);
        if (t.by_run && !line.gains()) line = run_of_checks(before_, same, budget_, spared_);
        return line.gains() && !line.taken.empty() && prey_of(line).origin == t.target.point;
    }

    void find_kill(Facts& f, const Position* previous) {
        PointSet barred;
        for (const Move m : legal_moves(passed_))
            if (is_strong(passed_.at(m.to).kind())) barred.add(m.to);
        f.kill = mate_by_checks(passed_, budget_, longest_mate, barred);
        f.proven = f.proven && f.kill.proven;
        if (!f.kill || !f.answers_check || previous == nullptr) return;
        const Mate stood = mate_by_checks(*previous, budget_);
        f.kill_stood = stood && stood.line.front() == f.kill.line.front();
    }

    void find_free_capture(Facts& f) {
        f.taken_free.score = Line::mated;
        for (const Taker& t : takers(after_, move_.to)) {
            if (!t.legal) continue;
            const auto back = takers(after_.after(Move(t.from, move_.to)), move_.to);
            f.offered = f.offered || std::none_of(back.begin(), back.end(),
                                                  [](const Taker& b) { return b.legal; });
            Line line = follow_up(after_, Move(t.from, move_.to), other(side_), budget_);
            if (line.score > f.taken_free.score) f.taken_free = std::move(line);
        }
    }

    void find_parried(Facts& f) {
        if (f.answers_check || f.kill) return;
        const bool only_weak = std::all_of(f.threats.begin(), f.threats.end(), [](const Threat& t) {
            return t.stood || value_of(t.target.piece.kind()) == value_of(Kind::Advisor);
        });
        if (!only_weak) return;
        f.parried = mate_by_checks(before_.passed(), budget_);
        if (f.parried && mate_by_checks(after_, budget_)) f.parried = {};
    }

    Budget budget_;
    Position before_;
    Position after_;
    Position passed_;
    Move move_;
    Side side_;
    Point crossing_ = no_point;  ///< the opponent's pawn that has just crossed
    PointSet spared_;            ///< partners of exchanges in order, and that pawn
};

}  // namespace

bool by_general_or_pawn(const Position& after, const Threat& t) {
    const auto one_of_them = [&](Point p) {
        return after.at(p).kind() == Kind::General || after.at(p).kind() == Kind::Pawn;
    };
    return one_of_them(t.taker) &&
           (attacks(after, t.taker, t.target.point) ||
            std::all_of(t.line.taken.begin(), t.line.taken.end(),
                        [&](const Taken& taken) { return one_of_them(taken.taker); }));
}

Facts study(const Position& before, Move m, const Position* previous) {
    return Study(before, m).run(previous);
}

}  // namespace xq::rules
