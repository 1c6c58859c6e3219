// The clock's lever: what a press ends, and what it means where no move is seen.
#include "daemon/referee/table_impl.hpp"

#include "rules/notation.hpp"

#include <algorithm>

namespace xq::referee {

void Table::Impl::press(Side who) {
    if (over()) {
        if (who == Side::Black && set_up_again()) next_game();
        came_home.reset();
        return;
    }
    if (paused || unlawful || question || silent) return;
    if (who != side()) {
        press_by_other(who);
        return;
    }
    if (regulations.completion == Completion::Settle && !turn.provisional) return;
    if (turn.press) return;
    turn.press = now;
    resolve_now(now);
}

/// Whether the pieces have been set up for another game since the last press. Who plays on after
/// the result sets one piece a press, his own; where nothing was set, the array must have stood for
/// a while, so that a lever that is pressed twice begins nothing.
bool Table::Impl::set_up_again() const {
    const Placement array = Position::start().placement();
    if (!sensing.begun() || differences(array, sensing.believed(), masked()).any()) return false;
    if (came_home.none()) return now - std::max(ended_at, sensing.last_report()) >= set_up_ms;
    if (came_home.count() > 1) return true;
    for (std::size_t p = 0; p < array.size(); ++p)
        if (came_home.test(p)) return array[p].is(Side::Red);
    return false;
}

/// All pieces are home again, and Black presses.
void Table::Impl::next_game() {
    ++start.number;
    start.start_fen.clear();
    begin_game(Position::start());
    opening.push_back({0, protocol::event::Press{Side::Black}});
    clock.start(Side::Red, now);
    last_clock = now;  // the state shows it
    say_state();
}

void Table::Impl::press_by_other(Side who) {
    if (game.ply() == 0 && who == Side::Black && !clock.begun() && !turn.out_of_turn &&
        !turn.provisional) {
        clock.start(Side::Red, now);
        if (clock.running()) say_clock();
        return;
    }
    if (moveless && moveless->side == side() && !told_since_ply) {
        silent_board();
        return;
    }
    // A reply that is pressed has been made, and so has the move before it.
    if (judging() && may_be_two() && seek_return(true)) {
        if (judging() && turn.provisional) finalize(now, true);
        return;
    }
    if (game.ply() == 0 && turn.out_of_turn && !turn.out_of_turn->said) {
        turn.out_of_turn->said = true;
        const Move m = turn.out_of_turn->move;
        rule({Code::ColoursReversed,
              who,
              Severity::Warning,
              {},
              rules::iccs(m),
              "the first move was " + rules::iccs(m),
              {{"iccs", rules::iccs(m)}, {"restart_within_ms", turn.began + reversed_ms - now}}});
    }
    // Anything else is a late press of the other side: ignored, never a fault.
}

/// Two moveless presses, one by each side, and not a word from the board: it is silent.
void Table::Impl::silent_board() {
    silent = true;
    if (moveless->ruling > 0) dismiss(moveless->ruling);
    moveless.reset();
    turn.press.reset();
    say_board();
}

/// Ends the ply of a waiting press as soon as the board explains it beyond doubt.
bool Table::Impl::resolve_now(Millis pressed) {
    if (!sensing.begun() || restoring) return false;
    if (!turn.provisional) return false;
    turn.press.reset();
    if (lost())
        ask_return();
    else if (const auto both = between_points(); both.size() > 1)
        ask(both, pressed);
    else
        finalize(pressed, true);
    return true;
}

/// A piece that reads on two points side by side, both of which it could have gone to, lies between
/// them (5.10).
std::vector<Explanation> Table::Impl::between_points() const {
    const Move m = turn.provisional->ply.move;
    const Position& before = game.position();
    const Seen lies = sensing.believed()[at(m.to)];
    std::vector<Explanation> both{{m, Illegal::None, Sight::Whole, {}}};
    if (lies.empty()) return both;
    const PointSet unsure = masked() | sensing.flickering();
    for (const Point q : neighbours(m.to)) {
        if (!expected[at(q)].empty() || unsure.test(at(q)) || sensing.raw(q) != lies ||
            sensing.believed()[at(q)] != lies || now - changed_at[at(q)] < bounce_ms ||
            changed_at[at(q)] < changed_at[at(m.from)] || !rules::is_legal(before, Move(m.from, q)))
            continue;
        both.push_back({Move(m.from, q), Illegal::None, Sight::Whole, {}});
    }
    return both;
}

void Table::Impl::resolve_press() {
    const Millis pressed = *turn.press;
    turn.press.reset();
    if (sensing.begun()) judge_odd_press(pressed);
}

void Table::Impl::judge_odd_press(Millis pressed) {
    const PointSet mask = masked();
    const Reading then = reading_at(pressed + told_late_ms);
    Reading seen = then;
    const auto accept = [&](Move m) {
        restoring = false;
        propose(m, recovered(m));
        turn.provisional->arrived =
            std::min(pressed, std::max(changed_at[at(m.from)], changed_at[at(m.to)]));
        finalize(pressed, true);
    };
    const PointSet d = differences(scene(seen, mask));
    if (d.none()) {
        if (!restoring) press_without_move(pressed);
        return;
    }
    const auto found = best(explain(scene(seen, mask), side()));
    const bool missed_plies =
        found.empty() ? may_be_plies(d).any()
                      : std::any_of(found.begin(), found.end(), [&](const Explanation& e) {
                            return may_be_plies(e.rest).any() ||
                                   (e.why != Illegal::None && recovered(e.move));
                        });
    if (missed_plies) {
        ask_return();
        return;
    }
    if (found.size() == 1 && found[0].why == Illegal::None && found[0].rest.count() <= 4) {
        accept(found[0].move);
        return;
    }
    if (found.size() > 1 && found[0].why == Illegal::None) {
        ask(found, pressed);
        return;
    }
    if (!found.empty() && found[0].why == Illegal::None) {  // much is in disorder besides
        accept(found[0].move);
        return;
    }
    // A piece misread where it stands: the record knows which one left (REPORTS: a second queen).
    for (std::size_t p = 0; p < seen.size(); ++p)
        if (d.test(p) && !seen[p].empty()) seen[p] = Seen::some();
    const auto again = best(explain(scene(seen, mask), side()));
    if (again.size() == 1 && again[0].why == Illegal::None && again[0].rest.none() &&
        found.empty()) {
        accept(again[0].move);
        return;
    }
    seen = then;
    if (restoring) return;
    if (found.size() == 1 && certain(found[0])) {
        unlawful_move(found[0], pressed);
        return;
    }
    bool in_hand = true;
    int gone = 0;
    for (std::size_t p = 0; p < d.size(); ++p)
        if (d.test(p)) {
            in_hand = in_hand && seen[p].empty() && expected[p].is(side());
            ++gone;
        }
    if (in_hand && gone == 1) {
        press_without_move(pressed);
        return;
    }
    if (displaced(d, turn.expected) >= sweep_pieces) {
        rule({Code::KnockedPressed,
              side(),
              Severity::Loss,
              {},
              point_list(d),
              "pressed over " + point_list(d),
              {{"points", point_list(d)}}});
        return;
    }
    // Nothing explains it: told point by point, for the arbiter to say.
    differs_since = std::min(differs_since, now - difference_ms);
    say_board();
}

void Table::Impl::unlawful_move(const Explanation& e, Millis pressed) {
    const Side mover = side();
    const bool suicide = rules::is_suicide(e.why);
    retract("the move breaks the rules");
    unlawful = Unlawful{e.move, e.why, pressed};
    clock.stop(pressed);
    const bool second = conduct.count(Code::IllegalMove, mover) > 0;
    const bool loses = suicide || regulations.level == Level::National || second;
    const boost::json::object evidence{{"iccs", rules::iccs(e.move)},
                                       {"why", std::string(rules::text(e.why))},
                                       {"zh", rules::chinese(game.position(), e.move)}};
    rule({suicide ? Code::Suicide : Code::IllegalMove, mover,
          loses ? Severity::Loss : Severity::Foul,
          suicide                                          ? std::string_view{}
          : regulations.level == Level::National || second ? "4.1.8"
                                                           : "9.1.8",
          rules::chinese(game.position(), e.move) + "，" + std::string(rules::text_zh(e.why)),
          rules::iccs(e.move) + ", " + std::string(rules::text(e.why)), evidence});
    if (!over()) say_clock();
}

void Table::Impl::ask(const std::vector<Explanation>& candidates, Millis pressed) {
    Question q;
    q.pressed = pressed;
    for (const Explanation& e : candidates) q.candidates.push_back(e.move);
    retract("several moves explain the board");
    q.spent = clock.complete_move(side(), pressed);
    const bool between = std::all_of(candidates.begin(), candidates.end(), [&](auto& e) {
        return e.move.from == candidates.front().move.from && e.sight == Sight::Whole;
    });
    question = std::move(q);
    if (between) {
        std::string points;
        boost::json::array list;
        for (const Explanation& e : candidates) {
            points += (points.empty() ? "" : ", ") + rules::name(e.move.to);
            list.emplace_back(rules::name(e.move.to));
        }
        rule({Code::BetweenPoints,
              side(),
              Severity::Warning,
              {},
              points,
              points,
              {{"from", rules::name(candidates.front().move.from)}, {"points", list}}});
    }
    say_board();
    if (clock.running()) say_clock();
}

void Table::Impl::press_without_move(Millis pressed) {
    const Side who = side();
    const bool second = conduct.count(Code::PressWithoutMove, who) > 0;
    const int id = rule({Code::PressWithoutMove,
                         who,
                         second ? Severity::Loss : Severity::Foul,
                         second ? "4.1.9" : "9.1.7",
                         {},
                         {},
                         {{"pressed", pressed}}});
    moveless = Moveless{who, id};
}

}  // namespace xq::referee
