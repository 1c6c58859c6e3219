#include "rules/threats.hpp"

#include "rules/geometry.hpp"

#include <algorithm>

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

bool gives_check(const Position& p, Move m) {
    const Position next = p.after(m);
    return in_check(next, next.turn());
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
                if (passed_.at(theirs).kind() != kind || !attacks(passed_, ours, theirs)) continue;
                const Move accept(theirs, ours);
                if (!is_legal(passed_, Move(ours, theirs)) || !is_legal(after_, accept)) continue;
                Exchange e;
                e.ours = ours;
                e.theirs = theirs;
                e.fresh = !attacked_before(ours, theirs);
                e.accepted = follow_up(after_, accept, budget_);
                e.in_order = e.accepted.score >= 0 && only_kindred(e);
                f.exchanges.push_back(std::move(e));
            }
        }
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
        for (const Move first : moves) {
            const bool takes = counts(passed_, first.to);
            if (takes && !attacked_before(first.from, first.to)) consider_fresh(f, first);
            if (takes || gives_check(passed_, first)) consider_line(f, first);
        }
        std::stable_sort(f.threats.begin(), f.threats.end(), [](const Threat& a, const Threat& b) {
            return a.line.score > b.line.score;
        });
    }

    /// A capture that this ply made possible. What the piece is worth on its point counts, not what
    /// else the capturer protects (26.5); if he shields something, even is still a gain (26.6).
    void consider_fresh(Facts& f, Move first) {
        Threat t;
        t.line = exchange_on(passed_, first, Reply::TakeBack, budget_);
        if (!t.line.gains()) return;
        Line shielding = exchange_on(passed_, first, Reply::Uncovered, budget_);
        if (shielding.score < 0) return;
        if (shielding.score < t.line.score) t.line.moves = std::move(shielding.moves);
        if (mate_by_checks(passed_.after(first), budget_, 1)) return;  // 25.3: mated at once
        t.fresh = true;
        describe(f, t);
        t.target.point = first.to;
        t.target.piece = passed_.at(first.to);
        f.threats.push_back(std::move(t));
    }

    void consider_line(Facts& f, Move first) {
        Threat t;
        t.line = follow_up(passed_, first, budget_);
        if (!t.line.gains() || t.line.taken.empty()) return;
        describe(f, t);
        const auto same = std::find_if(f.threats.begin(), f.threats.end(), [&](const Threat& k) {
            return k.target.point == t.target.point && k.like_kind == t.like_kind &&
                   is_general_or_pawn(k.taker) == is_general_or_pawn(t.taker);
        });
        if (same == f.threats.end())
            f.threats.push_back(std::move(t));
        else if (!same->fresh && t.line.score > same->line.score)
            *same = std::move(t);
    }

    bool is_general_or_pawn(Point p) const {
        return passed_.at(p).kind() == Kind::General || passed_.at(p).kind() == Kind::Pawn;
    }

    static const Taken& heaviest(const Line& line) {
        return *std::max_element(line.taken.begin(), line.taken.end(),
                                 [](const Taken& a, const Taken& b) {
                                     return value_of(a.piece.kind()) < value_of(b.piece.kind());
                                 });
    }

    void describe(const Facts& f, Threat& t) {
        const Taken& prey = heaviest(t.line);
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
        t.target.joint = t.target.joint || t.opens_check || hands(t.line) > 1;
        t.like_kind = std::any_of(f.exchanges.begin(), f.exchanges.end(), [&](const Exchange& e) {
            return e.in_order && e.theirs == t.first().to;
        });
        t.stood = !t.fresh && stood(t);
    }

    Position play(const Line& line, std::size_t plies) const {
        Position p = passed_;
        for (std::size_t i = 0; i < plies; ++i) p.apply(line.moves[i]);
        return p;
    }

    /// How many of the mover's pieces take part in a line.
    static std::size_t hands(const Line& line) {
        PointSet at;
        std::size_t n = 0;
        for (std::size_t i = 0; i < line.moves.size(); i += 2) {
            const Move m = line.moves[i];
            if (at.contains(m.from))
                at.remove(m.from);
            else
                ++n;
            at.add(m.to);
        }
        return n;
    }

    /// The roots of the target at the moment it is taken (25.15, 25.16), and whether it takes more
    /// than one piece to win it on its point (25.17).
    void find_root(Threat& t, const Position& p, Move capture) const {
        const Position taken = p.after(capture);
        int roots = 0;
        bool guarded = false;
        bool any = false;
        for (const Taker& r : takers(taken, capture.to)) {
            any = true;
            roots += r.legal ? 1 : 0;
            const bool general = taken.at(r.from).kind() == Kind::General;
            guarded = guarded || (!r.legal && general);
        }
        const auto attackers = takers(p, capture.to);
        const auto able = std::count_if(attackers.begin(), attackers.end(),
                                        [](const Taker& a) { return a.legal; });
        if (roots == 0)
            t.target.root = any ? Root::False : Root::None;
        else
            t.target.root = roots < able ? Root::Few : Root::Whole;
        const bool costs = value_of(p.at(capture.from).kind()) >= value_of(t.target.piece.kind());
        t.target.joint = roots > 0 ? costs : guarded;
    }

    /// Whether the target could be won as well before the ply.
    bool stood(const Threat& t) {
        if (in_check(before_, side_)) {  // then as if the check had not been given
            const Move same(was(t.first().from), t.first().to);
            return t.direct && attacks(before_, same.from, same.to) &&
                   exchange_on(before_, same, Reply::TakeBack, budget_).gains();
        }
        look_before();
        const auto was_worth =
            std::find_if(before_worth_.begin(), before_worth_.end(),
                         [&](const auto& w) { return w.first == t.target.point; });
        return was_worth != before_worth_.end() && was_worth->second >= t.line.score;
    }

    void look_before() {
        if (looked_before_) return;
        looked_before_ = true;
        MoveList moves;
        legal_moves(before_, moves);
        for (const Move first : moves) {
            if (!counts(before_, first.to) && !gives_check(before_, first)) continue;
            const Line line = follow_up(before_, first, budget_);
            if (!line.gains() || line.taken.empty()) continue;
            before_worth_.emplace_back(heaviest(line).origin, line.score);
        }
        std::stable_sort(before_worth_.begin(), before_worth_.end(),
                         [](const auto& a, const auto& b) { return a.second > b.second; });
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
    std::vector<std::pair<Point, int>> before_worth_;
};

}  // namespace

Facts facts_of(const Position& before, Move m, const Position* previous) {
    return Study(before, m).run(previous);
}

}  // namespace xq::rules
