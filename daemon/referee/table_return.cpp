// After a gap, an absence or a restart: what the board shows that nobody heard happen. One or two
// plies that alone explain it are accepted as recovered; all else is the arbiter's to say.
#include "daemon/referee/table_impl.hpp"

#include <algorithm>

namespace xq::referee {

/// Something may have happened that nobody told.
void Table::Impl::lose_sight() {
    if (!returning) {
        broken_from = now;
        sensing.cut_off(now);
    }
    returning = true;
    broken_at = now;
}

/// Whether nobody heard this move, or one end of it.
bool Table::Impl::recovered(Move m) const {
    return unheard.test(at(m.from)) || unheard.test(at(m.to));
}

/// Unheard points that neither the record nor the provisional ply accounts for.
PointSet Table::Impl::missed() const {
    if (unheard.none()) return {};
    Placement wanted = expected;
    if (turn.provisional) {
        const Move m = turn.provisional->ply.move;
        wanted[at(m.to)] = turn.provisional->after.at(m.to);
        wanted[at(m.from)] = Piece();
    }
    return may_be_plies(differences(wanted, reading(), masked()));
}

/// Those of the points left over that may be plies that nobody heard: not what flickers, nor a
/// piece too many.
PointSet Table::Impl::may_be_plies(const PointSet& rest) const {
    if ((rest & unheard).none()) return {};
    return rest & unheard & ~sensing.flickering() & ~impossible(rest);
}

/// Whether plies may have been missed: nothing counts as seen before it is known which.
bool Table::Impl::lost() const {
    const PointSet open = missed();
    return open.any() && !ordinary(open);
}

/// Whether two plies may stand where one is looked for: some went unheard, or the piece of one that
/// was told has gone, and the reply may have taken it.
bool Table::Impl::may_be_two() const {
    return missed().any() || (shown && !turn.provisional);
}

/// Whether one of the points tells something that is not yet believed.
bool Table::Impl::unsettled(const PointSet& points) const {
    for (Point p = 0; p < rules::points; ++p)
        if (points.test(at(p)) && sensing.raw(p) != sensing.believed()[at(p)]) return true;
    return false;
}

/// Two plies that alone explain the board. The first is final, the second ends as any other.
bool Table::Impl::seek_return(bool at_rest) {
    const PointSet mask = masked();
    const Reading seen = reading();
    const Scene s = scene(seen, mask);
    const auto pairs = explain_two(s);
    if (pairs.size() != 1) return false;
    const Pair& two = pairs.front();
    // Of what was all heard, only a ply whose piece the reply has taken is two.
    if (missed().none() &&
        !(shown && shown->ply.move == two.first && two.second.to == two.first.to))
        return false;
    // No reply leaves its point before the move does.
    if (changed_at[at(two.second.from)] < changed_at[at(two.first.from)]) return false;
    // Where no reply was seen to arrive, a hand may hold the pieces, unless they were gone before
    // anybody listened, and still are.
    const PointSet d = differences(s);
    if (two.sight == Sight::Supposed && (d & ~unheard).any()) return false;
    const Piece replied = game.position().at(two.second.from);
    const auto sensed = board ? board->sensing : protocol::Sensing::Identity;
    if (!at_rest && (two.sight != Sight::Whole || unsettled(d) ||
                     seen[at(two.second.to)] != Seen::of(replied, sensed)))
        return false;
    const auto told = shown && shown->ply.move == two.first ? shown : std::nullopt;
    propose(two.first, recovered(two.first) || (told && told->ply.recovered));
    if (told) turn.provisional->arrived = told->arrived;  // what was lifted since is the reply's
    finalize(now);
    if (judging() && !turn.provisional) propose(two.second, recovered(two.second));
    return true;
}

/// The legal moves that leave nothing over, as they are: what is left may be a piece too many.
std::vector<Move> Table::Impl::whole_moves() const {
    const PointSet mask = masked();
    const Reading seen = reading();
    std::vector<Move> found;
    for (const Explanation& e : explain(scene(seen, mask), side()))
        if (e.why == Illegal::None && (e.rest & ~impossible(e.rest)).none())
            found.push_back(e.move);
    return found;
}

/// The board is the arbiter's word: one or two plies that alone explain it are final. False where
/// none do.
bool Table::Impl::accept_moves() {
    const PointSet mask = masked();
    const Reading seen = reading();
    const Scene s = scene(seen, mask);
    std::vector<Move> played = whole_moves();
    if (const auto pairs = explain_two(s); played.empty() && pairs.size() == 1)
        played = {pairs.front().first, pairs.front().second};
    if (played.empty()) return false;
    std::vector<bool> unseen;
    unseen.reserve(played.size());
    for (const Move m : played) unseen.push_back(recovered(m));
    question.reset();
    unlawful.reset();
    restoring = true;  // what stands beside the first of two is the second, not disorder
    for (std::size_t i = 0; i < played.size() && !over(); ++i) {
        propose(played[i], unseen[i]);
        finalize(now, true);
    }
    set_restoring();
    return true;
}

/// What was played is the arbiter's to say: with `game.move`, `position.set` or `board.accept`.
void Table::Impl::ask_return() {
    const PointSet mask = masked();
    const Reading seen = reading();
    const Scene s = scene(seen, mask);
    Question q{whole_moves(), {}, {}};
    if (q.candidates.size() == 1) return;  // one move says it all, and waits for its press
    if (q.candidates.empty())
        for (const Pair& two : explain_two(s))
            if (std::find(q.candidates.begin(), q.candidates.end(), two.first) ==
                q.candidates.end())
                q.candidates.push_back(two.first);
    retract("plies may have been missed");
    turn.provisional.reset();
    turn.unreleased.reset();
    turn.press.reset();
    question = std::move(q);
    evaluate();
    differs_since = std::min(differs_since, now - difference_ms);
    say_board();
}

}  // namespace xq::referee
