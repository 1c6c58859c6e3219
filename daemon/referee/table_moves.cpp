// Plies: from what the board shows to what the record holds.
#include "daemon/referee/table_impl.hpp"

#include "rules/notation.hpp"

#include <algorithm>

namespace xq::referee {

namespace message = protocol::message;

// ---------------------------------------------------------------- seeking

void Table::Impl::seek_move(const Scene& s) {
    if (turn.provisional) {
        // It stands as long as its own two points say so, whatever happens elsewhere.
        const Provisional& p = *turn.provisional;
        const Move m = p.ply.move;
        const bool left = s.masked.test(at(m.from)) || s.reading[at(m.from)].empty();
        const bool there = s.masked.test(at(m.to)) || s.reading[at(m.to)].fits(p.after.at(m.to));
        // Unless one of them only flickered, and a move between points that do not is seen whole.
        const auto better = [&] {
            const auto found = best(explain(s, side()));
            return found.size() == 1 && found[0].why == Illegal::None && found[0].move != m &&
                   found[0].sight == Sight::Whole && !found[0].doubtful &&
                   !s.doubtful.test(at(found[0].move.to));
        };
        const PointSet unsure = s.masked | s.doubtful;
        if (left && there && !((unsure.test(at(m.from)) || unsure.test(at(m.to))) && better()))
            return;
        withdraw();
    }
    const PointSet differs_now = differences(s);
    if (differs_now.none()) {
        if (shown) retract("the piece was set back");
        if (turn.unreleased) {
            const Move m = turn.unreleased->ply.move;
            turn.unreleased.reset();
            rule({Code::TookBack,
                  side(),
                  Severity::Warning,
                  {},
                  rules::chinese(game.position(), m),
                  rules::iccs(m) + " was released and set back",
                  {{"iccs", rules::iccs(m)}}});
        }
        turn.odd.reset();
        return;
    }
    const auto found = best(explain(s, side()));
    // A ply counts as seen when its points told of it; what is only supposed waits for the press.
    if (found.size() == 1 && found[0].why == Illegal::None &&
        (found[0].sight == Sight::Whole || (found[0].sight == Sight::Lifted && !arriving(s)))) {
        const Move m = found[0].move;
        const Millis began = changed_at[at(m.from)];
        const Millis arrived = std::max(changed_at[at(m.from)], changed_at[at(m.to)]);
        // Points left over must have stood so before the piece was lifted, or be the reply's.
        // What nobody heard may be plies more.
        bool alone = may_be_plies(found[0].rest).none();
        for (Point p = 0; alone && p < rules::points; ++p) {
            if (!found[0].rest.test(at(p))) continue;
            const bool reply = s.reading[at(p)].empty() &&
                               s.expected[at(p)].is(rules::other(side())) &&
                               changed_at[at(p)] >= arrived;
            const bool before = changed_at[at(p)] + before_press_ms < began;
            alone = reply || before;
        }
        if (alone) {
            propose(m, recovered(m));
            turn.provisional->arrived = arrived;
            turn.odd.reset();
            return;
        }
    }
    if (regulations.completion == Completion::Settle && found.size() == 1 &&
        found[0].why != Illegal::None && certain(found[0]) && !recovered(found[0].move)) {
        if (!turn.odd || turn.odd->move != found[0].move)
            turn.odd = Turn::Other{found[0].move, changed_at[at(found[0].move.to)], false};
    } else {
        turn.odd.reset();
    }
}

/// Whether some point begins to read a piece where none was: it may be the one that is sought.
bool Table::Impl::arriving(const Scene& s) const {
    for (Point p = 0; p < rules::points; ++p)
        if (sensing.believed()[at(p)].empty() && !sensing.raw(p).empty() && !s.masked.test(at(p)) &&
            !s.doubtful.test(at(p)))
            return true;
    return false;
}

/// Whether an illegal move is beyond doubt: nothing else differs, and the piece reads as itself as
/// far as this board can tell.
bool Table::Impl::certain(const Explanation& e) const {
    const Seen there = reading()[at(e.move.to)];
    const auto sensed = board ? board->sensing : protocol::Sensing::Identity;
    return e.rest.none() && e.sight == Sight::Whole &&
           there == Seen::of(expected[at(e.move.from)], sensed);
}

/// The one legal move that explains a board at rest but for a piece that stands wrong besides.
std::optional<Move> Table::Impl::move_at_rest() const {
    const PointSet mask = masked();
    const Reading seen = reading();
    const auto found = best(explain(scene(seen, mask), side()));
    if (found.size() != 1 || found[0].why != Illegal::None) return {};
    const bool seen_well = found[0].sight <= Sight::Untold;
    if (!seen_well || displaced(found[0].rest, expected) > 1) return {};
    const PointSet rest = found[0].rest & ~impossible(found[0].rest);
    if (may_be_plies(rest).any() || (recovered(found[0].move) && rest.any())) return {};
    return found[0].move;
}

void Table::Impl::accept_at_rest() {
    const auto m = move_at_rest();
    if (!m) return;
    propose(*m, recovered(*m));
    turn.provisional->arrived = std::max(changed_at[at(m->from)], changed_at[at(m->to)]);
    evaluate();
}

/// The board never showed the official position, and play goes on all the same: a new legal move is
/// made beside one or two pieces that have stood wrong all the time (a dead point, a pawn ajar).
void Table::Impl::play_on() {
    const PointSet mask = masked();
    const Reading seen = reading();
    const auto found = best(explain(scene(seen, mask), side()));
    if (found.size() != 1 || found[0].why != Illegal::None || found[0].sight > Sight::Untold)
        return;
    const Explanation& e = found[0];
    if (stood.test(at(e.move.from)) || stood.test(at(e.move.to)) || (e.rest & ~stood).any() ||
        displaced(e.rest, expected) >= sweep_pieces)
        return;
    restoring = false;
    unjudged = e.rest;
    freeze(e.rest);
    misplaced(e.rest);
    accept_at_rest();
}

void Table::Impl::seek_out_of_turn(const Scene& s) {
    const auto found = best(explain(s, rules::other(side())));
    const auto moved = [&]() -> std::optional<Move> {
        if (found.size() != 1 || found[0].sight != Sight::Whole) return {};
        if (may_be_plies(found[0].rest).any()) return {};
        for (std::size_t p = 0; p < found[0].rest.size(); ++p)
            if (found[0].rest.test(p) && !s.reading[p].empty()) return {};
        return found[0].move;
    }();
    if (moved && amend(*moved)) return;
    const bool may = moved && (found[0].why == Illegal::None || rules::is_suicide(found[0].why));
    const bool back =
        moved && game.ply() > 0 && game.plies().back().move == Move(moved->to, moved->from);
    if (!back && !may) {
        turn.out_of_turn.reset();
        return;
    }
    if (recovered(*moved)) return;
    if (turn.out_of_turn && turn.out_of_turn->move == *moved) return;
    turn.out_of_turn = Turn::Other{*moved, changed_at[at(moved->to)], false};
    for (Lift& l : turn.lifts)
        if (l.point == moved->from && !l.returned) l.elsewhere = true;
}

/// The piece of the last ply was not released there, or its way was not heard to the end: the ply
/// is amended to where it went, as long as the reply has not begun (a correction of the same ply).
bool Table::Impl::amend(Move further) {
    if (game.ply() == 0) return false;
    for (const Lift& l : turn.lifts)
        if (l.piece.is(side()) && l.point != further.to) return false;  // unless it was taken
    const Ply last = game.plies().back();
    const bool interrupted =
        broken_from >= last_ply.arrived && broken_from - last_ply.arrived < regulations.released_ms;
    const bool unreleased =
        regulations.completion == Completion::Settle &&
        changed_at[at(further.from)] - last_ply.arrived < regulations.released_ms;
    const Position& before = game.after(game.ply() - 1);
    const Move whole(last.move.from, further.to);
    if (further.from != last.move.to || last_ply.pressed || !(interrupted || unreleased) ||
        !rules::is_legal(before, whole))
        return false;
    Ply ply = make_ply(before, whole);
    ply.spent_ms = last.spent_ms;
    ply.recovered = last.recovered || interrupted;
    game.take_back(game.ply() - 1);
    game.add(ply);
    expected = game.position().placement();
    turn.expected = expected;
    turn.lifts.clear();
    last_ply.arrived = changed_at[at(further.to)];
    say(ply_body(ply, true));
    after_ply();
    evaluate();
    return true;
}

void Table::Impl::propose(Move m, bool recovered) {
    Provisional p{make_ply(game.position(), m), game.position().after(m), now};
    p.ply.recovered = recovered;
    if (turn.unreleased) {
        if (turn.unreleased->ply.move != m) {
            const Move was = turn.unreleased->ply.move;
            rule({Code::TookBack,
                  side(),
                  Severity::Warning,
                  {},
                  rules::chinese(game.position(), was),
                  rules::iccs(was) + " was released, then " + rules::iccs(m),
                  {{"iccs", rules::iccs(was)}, {"moved", rules::iccs(m)}}});
        }
        turn.unreleased.reset();
    }
    const bool again = shown && shown->ply.move == m && shown->ply.recovered == recovered;
    turn.provisional = p;
    shown = p;
    if (again) return;
    say(ply_body(p.ply, false));
}

/// The piece is lifted again: nothing is told before it is set down somewhere.
void Table::Impl::withdraw() {
    const Move m = turn.provisional->ply.move;
    const Millis lifted = std::max(changed_at[at(m.to)], changed_at[at(m.from)]);
    // How long it rested is known only if the board was heard all the time.
    if (lifted - turn.provisional->arrived >= regulations.released_ms &&
        turn.provisional->arrived > broken_at && !turn.unreleased)
        turn.unreleased = turn.provisional;
    turn.provisional.reset();
}

void Table::Impl::retract(std::string_view reason) {
    if (!shown) return;
    shown.reset();
    say(message::Retract{game.ply(), std::string(reason)});
}

// ---------------------------------------------------------------- when a ply ends

std::optional<Millis> Table::Impl::settle_due() const {
    if (regulations.completion != Completion::Settle || !turn.provisional || !judging()) return {};
    if (lost()) return {};
    const Move m = turn.provisional->ply.move;
    // What was not heard to the end begins to rest with the first reading after the break.
    const Millis rest = std::max({turn.provisional->arrived, broken_at, sensing.last_report(m.to),
                                  sensing.last_report(m.from)});
    return rest + regulations.settle_ms;
}

std::optional<Millis> Table::Impl::mate_due() const {
    if (!turn.provisional || !judging() || lost()) return {};
    if (rules::status(turn.provisional->after) == rules::Status::Playing) return {};
    return std::max(turn.provisional->arrived, broken_at) + mate_rest_ms;
}

std::optional<Millis> Table::Impl::odd_due() const {
    if (!turn.odd || turn.odd->said || !judging()) return {};
    return std::max(turn.odd->since, broken_at) +
           std::max(regulations.settle_ms, regulations.released_ms);
}

std::optional<Millis> Table::Impl::out_of_turn_due() const {
    if (!turn.out_of_turn || turn.out_of_turn->said || !judging()) return {};
    return std::max(turn.out_of_turn->since, broken_at) + regulations.released_ms;
}

/// A piece that was brushed aside: it reads beside its point sooner than a hand could set it.
bool Table::Impl::brushed(const Lift& l) const {
    if (l.returned) return false;
    const auto close = neighbours(l.point);
    return std::any_of(close.begin(), close.end(), [&](Point q) {
        return differs.test(at(q)) && !sensing.believed()[at(q)].empty() &&
               changed_at[at(q)] >= l.t - bounce_ms && changed_at[at(q)] <= l.t + brush_ms;
    });
}

/// Whether a lift is the opponent's first touch of a piece of his own after a ply that is complete:
/// it ends that ply.
bool Table::Impl::counts_as_reply(const Lift& l) const {
    if (!turn.provisional || !l.piece.is(rules::other(side())) || l.elsewhere) return false;
    if (l.t < turn.provisional->arrived || l.point == turn.provisional->ply.move.to) return false;
    if (l.returned && *l.returned - l.t < regulations.lift_ms) return false;
    return !brushed(l);
}

std::optional<Millis> Table::Impl::reply_due() const {
    if (!turn.provisional || !judging() || lost()) return {};
    for (const Lift& l : turn.lifts)
        if (counts_as_reply(l)) return l.t + std::max(regulations.lift_ms, reply_ms);
    return {};
}

message::Ply ply_body(const Ply& ply, bool final) {
    message::Ply body;
    body.move = ply.move;
    body.zh = ply.zh;
    body.wxf = ply.wxf;
    body.captured = ply.captured;
    body.final = final;
    if (final) body.spent_ms = ply.spent_ms;
    body.recovered = ply.recovered;
    return body;
}

void Table::Impl::finalize(Millis end, bool pressed, const Question* asked) {
    const Provisional done = *turn.provisional;
    const Side mover = side();
    const Position before = game.position();
    const Move m = done.ply.move;
    auto touched = touches();
    // Hands that were seen only after an unheard ply may be of either side.
    if (recovered(m)) std::erase_if(touched, [&](const Touch& l) { return l.t >= broken_from; });
    const auto pressed_over = differences(done.after.placement(), reading(), masked());

    Ply ply = done.ply;
    ply.spent_ms = asked != nullptr ? asked->spent : clock.complete_move(mover, end);

    shown.reset();
    game.add(ply);
    expected[at(m.to)] = expected[at(m.from)];
    expected[at(m.from)] = Piece();
    if (conduct.offer() == rules::other(mover)) conduct.end_offer();
    adjusting[static_cast<std::size_t>(mover)] = false;
    say(ply_body(ply, true));

    judge_touches(std::move(touched), ply, before);

    // What the reply has begun with belongs to the next turn.
    Turn next;
    next.began = end;
    for (const Lift& l : turn.lifts)
        if (l.piece.is(rules::other(mover)) && l.t >= done.arrived && l.point != m.to)
            next.lifts.push_back(l);
    const Placement turn_expected = turn.expected;
    turn = std::move(next);
    turn.expected = expected;
    told_since_ply = false;
    moveless.reset();
    last_ply = {done.arrived, pressed};

    // Pieces that stand wrong since before the end of this ply were disturbed in it.
    PointSet rest = restoring ? PointSet() : pressed_over & ~unheard;
    for (const Lift& l : turn.lifts)
        if (!l.returned) rest.reset(at(l.point));
    PointSet settled;
    PointSet fresh;
    for (Point p = 0; p < rules::points; ++p) {
        if (!rest.test(at(p))) continue;
        if (expected[at(p)] != game.position().at(p)) continue;  // known already
        (changed_at[at(p)] + before_press_ms <= end ? settled : fresh).set(at(p));
    }
    if (displaced(settled | fresh, expected) >= sweep_pieces) {
        const Placement& base = turn_expected;
        if (displaced(settled | fresh, base) >= sweep_pieces) {
            rule({Code::KnockedPressed,
                  mover,
                  Severity::Loss,
                  {},
                  point_list(settled | fresh),
                  "pressed over " + point_list(settled | fresh),
                  {{"points", point_list(settled | fresh)}}});
        }
    }
    // A point that flickered before it stuck is at fault, not a piece that drifted.
    const PointSet flickers = sensing.flickering() | flickered;
    stuck |= ((settled | (pressed_over & unheard)) & flickers) | impossible(settled);
    settled &= ~stuck;
    unjudged = settled;
    differs_since = now;
    noted = false;
    // A piece that stood wrong before the end is no move of the reply's.
    if (settled.any() && judging()) {
        const PointSet kept = settled;
        freeze(kept);
    }
    if (!over()) after_ply();
    if (clock.running()) say_clock();
    evaluate();
}

void Table::Impl::after_ply() {
    check_end();
    if (!over()) check_repetition();
    if (!over()) check_limit();
}

}  // namespace xq::referee
