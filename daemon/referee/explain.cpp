#include "daemon/referee/explain.hpp"

#include <algorithm>
#include <tuple>

namespace xq::referee {

using rules::Illegal;
using rules::Move;
using rules::Piece;
using rules::Placement;
using rules::Position;
using rules::Side;

namespace {

constexpr std::size_t at(Point p) {
    return static_cast<std::size_t>(p);
}

Illegal judged(const Position& position, Move m, Side side) {
    if (position.turn() == side) return rules::why_illegal(position, m);
    return rules::why_illegal(position.passed(), m);
}

/// How surely a piece is seen to have gone to `to`; nothing where the reading speaks against it.
std::optional<Sight> sight_of(const Scene& s, const PointSet& differs, Piece piece, Point to) {
    if (s.masked.test(at(to))) return Sight::Masked;
    const Seen seen = s.reading[at(to)];
    if (seen.empty() || !seen.fits(piece)) return {};
    if (differs.test(at(to))) {
        if (seen.piece()) return Sight::Whole;
        if (s.doubtful.test(at(to))) return Sight::Masked;
        return s.tells_pieces ? Sight::Untold : Sight::Whole;
    }
    // The point reads as the enemy piece would: only a capture can hide here.
    if (!s.expected[at(to)].is(rules::other(piece.side()))) return {};
    if (s.refilled.test(at(to))) return Sight::Lifted;
    return s.stirred.test(at(to)) ? Sight::Stirred : Sight::Supposed;
}

/// How many points strictly between the two, on a straight line, told something.
int trail(const PointSet& stirred, Point from, Point to) {
    const int df = rules::file_of(to) - rules::file_of(from);
    const int dr = rules::rank_of(to) - rules::rank_of(from);
    if (df != 0 && dr != 0) return 0;
    const Point step = df != 0 ? (df > 0 ? 1 : -1) : (dr > 0 ? rules::files : -rules::files);
    int n = 0;
    for (Point p = from + step; p != to; p += step) n += stirred.test(at(p)) ? 1 : 0;
    return n;
}

/// Whether something was seen to arrive.
bool arrived(Sight s) {
    return s == Sight::Whole || s == Sight::Untold;
}

auto rank(const Explanation& e) {
    // Of what nothing surely tells, that goes first which leaves least over, flickering or not.
    return std::tuple(e.left_over, e.why != Illegal::None, rules::is_suicide(e.why) ? 0 : 1,
                      std::min(e.sight, Sight::Supposed), e.rest.count(), e.sight, e.doubtful,
                      -e.trail);
}

}  // namespace

PointSet differences(const Placement& expected, const Reading& reading, const PointSet& masked) {
    PointSet out;
    for (std::size_t p = 0; p < out.size(); ++p)
        if (!masked.test(p) && !reading[p].fits(expected[p])) out.set(p);
    return out;
}

PointSet differences(const Scene& s) {
    return differences(s.expected, s.reading, s.masked);
}

Reading plausible(const Reading& reading, const Placement& expected) {
    std::array<int, 16> surplus{};
    for (std::size_t p = 0; p < reading.size(); ++p) {
        if (const auto piece = reading[p].piece()) ++surplus[piece->code()];
        if (!expected[p].empty()) --surplus[expected[p].code()];
    }
    Reading out = reading;
    for (std::size_t p = 0; p < reading.size(); ++p) {
        const auto piece = reading[p].piece();
        if (piece && *piece != expected[p] && surplus[piece->code()] > 0) out[p] = Seen::some();
    }
    return out;
}

std::vector<Explanation> explain(const Scene& s, Side side) {
    const PointSet differs = differences(s);
    std::vector<Explanation> out;
    for (Point from = 0; from < rules::points; ++from) {
        const Piece piece = s.expected[at(from)];
        if (!piece.is(side) || piece != s.position.at(from)) continue;
        const bool masked_from = s.masked.test(at(from));
        if (!masked_from && !s.reading[at(from)].empty()) continue;
        for (Point to = 0; to < rules::points; ++to) {
            if (to == from) continue;
            auto sight = sight_of(s, differs, piece, to);
            if (!sight) continue;
            if (masked_from) {
                if (!arrived(*sight)) continue;
                sight = Sight::Masked;
            }
            Explanation e{Move(from, to),
                          judged(s.position, Move(from, to), side),
                          *sight,
                          differs,
                          trail(s.stirred, from, to),
                          s.doubtful.test(at(from))};
            // Only what a piece can do is supposed of points that tell nothing themselves.
            if (!arrived(e.sight) && e.why != Illegal::None) continue;
            e.rest.reset(at(from));
            e.rest.reset(at(to));
            e.left_over = static_cast<int>((e.rest & ~s.doubtful).count());
            out.push_back(e);
        }
    }
    std::stable_sort(out.begin(), out.end(),
                     [](const Explanation& a, const Explanation& b) { return rank(a) < rank(b); });
    return out;
}

std::vector<Explanation> best(std::vector<Explanation> all) {
    std::size_t n = 0;
    while (n < all.size() && rank(all[n]) == rank(all.front())) ++n;
    all.resize(n);
    return all;
}

std::vector<Pair> explain_two(const Scene& s) {
    std::vector<Pair> found;
    const PointSet differs = differences(s);
    // Two moves change four points at most.
    if (differs.none() || differs.count() > 4) return found;
    for (const Move first : rules::legal_moves(s.position)) {
        // The piece left its point, and that is seen – unless the reply came there and looks alike.
        const bool left = differs.test(at(first.from));
        if (!left && (s.masked.test(at(first.from)) || s.reading[at(first.from)].side())) continue;
        const Position middle = s.position.after(first);
        for (const Move second : rules::legal_moves(middle)) {
            if (!left && second.to != first.from) continue;
            if (!differs.test(at(second.from))) continue;  // nothing came there after it
            const Position end = middle.after(second);
            bool fits = true;
            for (Point p = 0; fits && p < rules::points; ++p) {
                if (s.masked.test(at(p))) continue;
                const bool moved =
                    p == first.from || p == first.to || p == second.from || p == second.to;
                fits = s.reading[at(p)].fits(moved ? end.at(p) : s.expected[at(p)]);
            }
            if (!fits) continue;
            const Sight sight = differs.test(at(second.to))      ? Sight::Whole
                                : s.refilled.test(at(second.to)) ? Sight::Lifted
                                                                 : Sight::Supposed;
            found.push_back({first, second, sight});
        }
    }
    const auto lifted = [](const Pair& p) { return p.sight == Sight::Lifted; };
    if (std::any_of(found.begin(), found.end(), lifted))
        std::erase_if(found, [&](const Pair& p) { return !lifted(p); });
    return found;
}

}  // namespace xq::referee
