// What a first move wins: captures, whole exchanges and runs of checks, played out by both sides.
#include "rules/checking.hpp"
#include "rules/forcing.hpp"
#include "rules/geometry.hpp"

#include <algorithm>
#include <array>

namespace xq::rules {

void Tally::win(Piece taken, bool crossed) {
    pieces += value_of(taken.kind());
    pawns += taken.kind() == Kind::Pawn && crossed ? 1 : 0;
    rooks += taken.kind() == Kind::Rook ? 1 : 0;
}

void Tally::lose(Piece taken, bool crossed) {
    pieces -= value_of(taken.kind());
    pawns -= taken.kind() == Kind::Pawn && crossed ? 1 : 0;
    rooks -= taken.kind() == Kind::Rook ? 1 : 0;
}

int Tally::score() const {
    constexpr int scale = 8;  // so that pawns, five at most, never outweigh a piece
    if (pawns >= 0 || pieces < 0) return pieces * scale + pawns;
    return rooks > 0 && pieces > 0 ? pieces * scale + pawns : pawns;
}

namespace {

/// Plies of a line, six moves of each: the other side has the last word.
constexpr int deepest = 12;

/// Which piece stands where, by where it stood when the line began.
using Origins = std::array<std::int8_t, points>;

class FollowUp {
public:
    enum class Scope : std::uint8_t { Everything, Caused, OnePoint, OnePointAndUncovered };
    FollowUp(const Position& p, Side side, Budget& budget, Scope scope, const PointSet& spared)
        : position_(p), start_(p), side_(side), budget_(budget), scope_(scope), spared_(spared) {
        for (Point q = 0; q < points; ++q) {
            origins_[geometry::index(q)] = static_cast<std::int8_t>(q);
            const Piece piece = p.at(q);
            crossed_[geometry::index(q)] =
                piece.kind() == Kind::Pawn && geometry::across_river(piece.side(), q);
        }
    }

    Line run(Move first) {
        Line line;
        point_ = Point{first.to};
        line.score = play(first, 0, -infinity, infinity, State{});
        line.moves.assign(best_[0].begin(), best_[0].begin() + length_[0]);
        line.proven = !budget_.spent();
        describe(line);
        return line;
    }

private:
    static constexpr int infinity = 100000;
    enum class Run : std::uint8_t { Open, Running, Over };
    struct State {
        Tally tally;
        bool checking = true;     ///< the threatening side has only checked so far
        Run other = Run::Open;    ///< the other side's own run of checks
        bool taken_back = false;  ///< the other side has just taken
    };

    /// Plays `m` at `ply` and gives what comes of it, from the threatening side.
    int play(Move m, int ply, int alpha, int beta, State s) {
        const bool ours = position_.turn() == side_;
        const Piece taken = position_.at(m.to);
        if (!taken.empty()) {
            const bool crossed = crossed_[geometry::index(origin(m.to))];
            if (ours)
                s.tally.win(taken, crossed);
            else if (is_price(m))
                s.tally.lose(taken, crossed);
        }
        const std::int8_t at_from = origins_[geometry::index(m.from)];
        const std::int8_t at_to = origins_[geometry::index(m.to)];
        origins_[geometry::index(m.to)] = at_from;
        const Undo undo = position_.apply(m);
        last_ = Point{m.to};
        const bool check = in_check(position_, position_.turn());
        s.taken_back = !ours && !taken.empty();
        if (ours)
            s.checking = s.checking && check;
        else if (check)
            s.other = Run::Running;
        else if (s.other == Run::Running)
            s.other = Run::Over;
        path_[static_cast<std::size_t>(ply)] = position_.key();
        const int score = node(ply + 1, alpha, beta, s, check);
        position_.undo(m, undo);
        origins_[geometry::index(m.from)] = at_from;
        origins_[geometry::index(m.to)] = at_to;
        record(m, ply);
        return score;
    }

    int node(int ply, int alpha, int beta, const State& s, bool check) {
        length_[static_cast<std::size_t>(ply)] = ply;
        const bool ours = position_.turn() == side_;
        const int stand = s.tally.score();
        if (!budget_.take() || ply >= deepest || repeated(ply)) return stand;
        MoveList moves;
        legal_moves(position_, moves);
        // Who takes back and is mated for it guarded nothing (25.16).
        if (ours && s.taken_back && !check && mates_at_once(position_)) return infinity - ply - 1;
        if (moves.empty()) return ours ? -infinity + ply : infinity - ply;
        int best = ours ? -infinity : infinity;
        if (!check) {
            best = stand;
            (ours ? alpha : beta) = ours ? std::max(alpha, stand) : std::min(beta, stand);
            if (alpha >= beta) return best;
            const bool may_check = ours ? s.checking : s.other != Run::Over;
            const CheckSieve sieve(position_);
            moves.keep_if([&](Move m) {
                if (ours && spared_.contains(m.to) && origin(m.to) == m.to) return false;
                if (scope_ == Scope::Caused && !ours) return caused(m);
                if (scope_ == Scope::Everything || scope_ == Scope::Caused)
                    return worth(m) || (may_check && gives_check(position_, sieve, m));
                if (m.to == point_ || (ours && m.to == last_)) return true;
                return scope_ == Scope::OnePointAndUncovered && !ours && uncovered(m);
            });
        }
        order(moves);
        std::array<Move, deepest + 1> keep{};
        int kept = ply;
        for (const Move m : moves) {
            const int score = play(m, ply, alpha, beta, s);
            if (ours ? score > best : score < best) {
                best = score;
                kept = length_[static_cast<std::size_t>(ply)];
                std::copy(best_[static_cast<std::size_t>(ply)].begin() + ply,
                          best_[static_cast<std::size_t>(ply)].begin() + kept, keep.begin() + ply);
            }
            (ours ? alpha : beta) = ours ? std::max(alpha, best) : std::min(beta, best);
            if (alpha >= beta) break;
        }
        length_[static_cast<std::size_t>(ply)] = kept;
        std::copy(keep.begin() + ply, keep.begin() + kept,
                  best_[static_cast<std::size_t>(ply)].begin() + ply);
        return best;
    }

    /// The line through `m` becomes the line at `ply`: what lies behind it is at `ply + 1`.
    void record(Move m, int ply) {
        const auto i = static_cast<std::size_t>(ply);
        best_[i][i] = m;
        length_[i] = std::max(length_[i + 1], ply + 1);
        std::copy(best_[i + 1].begin() + ply + 1, best_[i + 1].begin() + length_[i],
                  best_[i].begin() + ply + 1);
    }

    Point origin(Point p) const { return origins_[geometry::index(p)]; }
    /// Taking a piece that counts. A pawn at home, or one that crossed in the line, does not.
    bool worth(Move m) const {
        const Piece target = position_.at(m.to);
        if (target.empty()) return false;
        return target.kind() != Kind::Pawn || crossed_[geometry::index(origin(m.to))];
    }
    /// A capture that the line gave occasion for: of what has moved in it, or one that was not
    /// possible where the line began.
    bool caused(Move m) const {
        return worth(m) && (origin(m.to) != m.to || !attacks(start_, origin(m.from), m.to));
    }
    /// Whether what the other side takes by `m` is charged to the line.
    bool is_price(Move m) const {
        if (scope_ == Scope::Everything) return true;
        if (scope_ == Scope::Caused) return caused(m);
        return m.to == point_ || uncovered(m);
    }
    /// A capture that was not possible where the line began.
    bool uncovered(Move m) const {
        return worth(m) && origin(m.from) == m.from && origin(m.to) == m.to &&
               !attacks(start_, m.from, m.to);
    }
    void order(MoveList& moves) const {
        moves.order_by([&](Move m) {
            const int victim = value_of(position_.at(m.to).kind());
            return victim == 0 ? 0 : -(victim * 32 - value_of(position_.at(m.from).kind()));
        });
    }
    bool repeated(int ply) const {
        const auto* const last = path_.begin() + ply - 1;
        return std::find(path_.begin(), last, position_.key()) != last;
    }

    void describe(Line& line) {
        Position p = position_;
        Origins origins = origins_;
        line.checks_only = true;
        for (std::size_t i = 0; i < line.moves.size(); ++i) {
            const Move m = line.moves[i];
            const bool ours = p.turn() == side_;
            if (ours && !p.at(m.to).empty())
                line.taken.push_back({origins[geometry::index(m.to)], p.at(m.to),
                                      origins[geometry::index(m.from)], i});
            origins[geometry::index(m.to)] = origins[geometry::index(m.from)];
            p.apply(m);
            if (ours && i + 2 < line.moves.size())
                line.checks_only = line.checks_only && in_check(p, p.turn());
        }
    }

    Position position_;
    Position start_;
    Side side_;
    Budget& budget_;
    Scope scope_;
    PointSet spared_;
    Point point_ = no_point;  ///< where the line began
    Point last_ = no_point;   ///< where the last move went
    Origins origins_{};
    std::array<bool, points> crossed_{};
    std::array<std::uint64_t, deepest + 1> path_{};
    std::array<std::array<Move, deepest + 1>, deepest + 2> best_{};
    std::array<int, deepest + 2> length_{};
};

}  // namespace

Line follow_up(const Position& p, Move first, Side side, Budget& budget, const PointSet& spared) {
    return FollowUp(p, side, budget, FollowUp::Scope::Everything, spared).run(first);
}

Line run_of_checks(const Position& p, Move first, Budget& budget, const PointSet& spared) {
    return FollowUp(p, p.turn(), budget, FollowUp::Scope::Caused, spared).run(first);
}

Line exchange_on(const Position& p, Move first, Reply reply, Budget& budget) {
    const auto scope = reply == Reply::TakeBack ? FollowUp::Scope::OnePoint
                                                : FollowUp::Scope::OnePointAndUncovered;
    return FollowUp(p, p.turn(), budget, scope, {}).run(first);
}

}  // namespace xq::rules
