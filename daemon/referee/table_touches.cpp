// Touch-move at the table: which lifts are touches, and the duty they lay on a side.
#include "daemon/referee/table_impl.hpp"

#include "rules/notation.hpp"

#include <algorithm>

namespace xq::referee {

std::vector<Touch> Table::Impl::touches() const {
    std::vector<Touch> found = turn.bound;
    for (const Lift& l : turn.lifts) {
        if (l.announced || l.elsewhere) continue;
        if (l.returned && *l.returned - l.t < regulations.lift_ms) continue;
        if (!l.returned && now - l.t < regulations.lift_ms) continue;
        if (turn.provisional && l.t >= turn.provisional->arrived) continue;
        if (straightened(l)) continue;
        const auto together = std::count_if(turn.lifts.begin(), turn.lifts.end(), [&](auto& o) {
            return std::abs(o.t - l.t) <= sweep_ms;
        });
        if (together >= sweep_pieces) continue;  // knocked over (5.9)
        found.push_back({l.t, l.point, l.piece});
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const Touch& a, const Touch& b) { return a.t < b.t; });
    return found;
}

namespace {

boost::json::array touch_list(const std::vector<Touch>& touches) {
    boost::json::array a;
    for (const Touch& t : touches)
        a.push_back({{"t", t.t},
                     {"point", rules::name(t.point)},
                     {"piece", std::string(1, t.piece.fen())}});
    return a;
}

boost::json::object duty_evidence(const Duty& d) {
    boost::json::object o;
    if (d.own != rules::no_point) o["own"] = rules::name(d.own);
    if (d.enemy != rules::no_point) o["enemy"] = rules::name(d.enemy);
    return o;
}

std::string duty_text(const Duty& d) {
    switch (d.kind) {
        case Duty::Kind::Free:
            return "free to move";
        case Duty::Kind::Move:
            return rules::name(d.own) + " must move";
        case Duty::Kind::Take:
            return rules::name(d.enemy) + " must be taken";
        case Duty::Kind::TakeBy:
            return rules::name(d.own) + " must take " + rules::name(d.enemy);
    }
    return {};
}

std::string duty_text_zh(const Duty& d) {
    switch (d.kind) {
        case Duty::Kind::Free:
            return "可另行走子";
        case Duty::Kind::Move:
            return rules::name(d.own) + "必须走动";
        case Duty::Kind::Take:
            return rules::name(d.enemy) + "必须吃掉";
        case Duty::Kind::TakeBy:
            return rules::name(d.own) + "必须吃" + rules::name(d.enemy);
    }
    return {};
}

}  // namespace

/// The duty that the touches laid on the mover, held against the ply he made (5.1-5.5, 9.1.5).
void Table::Impl::judge_touches(std::vector<Touch> all, const Ply& ply, const Position& before) {
    const Side mover = before.turn();
    // Pieces in the air: those of the move itself, and what was nobody's choice yet.
    std::erase_if(all, [&](const Touch& t) {
        return std::any_of(turn.lifts.begin(), turn.lifts.end(), [&](const Lift& l) {
            return l.t == t.t && l.point == t.point && !l.returned;
        });
    });
    if (all.empty()) return;
    const Duty d = duty(before, all);
    if (!d.impossible.empty()) {
        std::string points;
        for (const Touch& t : d.impossible)
            points += (points.empty() ? "" : ", ") + rules::name(t.point);
        rule({Code::TouchImpossible,
              mover,
              Severity::Foul,
              "9.1.5, " + std::string(d.article),
              points,
              points,
              {{"touches", touch_list(all)}}});
    }
    if (!over() && !d.allows(ply.move))
        rule({Code::TouchMove,
              mover,
              Severity::Warning,
              d.article,
              duty_text_zh(d),
              duty_text(d) + ", moved " + rules::iccs(ply.move),
              {{"touches", touch_list(all)},
               {"duty", duty_evidence(d)},
               {"moved", rules::iccs(ply.move)}}});
}

std::string Table::Impl::duty_now() const {
    const auto all = touches();
    if (all.empty() || turn.provisional || !judging()) return {};
    const Duty d = duty(game.position(), all);
    return d.kind == Duty::Kind::Free ? std::string() : duty_text(d);
}

/// A duty that stands is shown while the piece is back on its point and nothing has moved.
void Table::Impl::show_duty() {
    if (!turn.lifts.empty() && !turn.lifts.back().returned) return;
    const std::string now_due = duty_now();
    if (now_due.empty() || now_due == turn.duty_said) return;
    turn.duty_said = now_due;
    const auto all = touches();
    const Duty d = duty(game.position(), all);
    rule({Code::TouchMove,
          side(),
          Severity::Info,
          d.article,
          duty_text_zh(d),
          duty_text(d),
          {{"touches", touch_list(all)}, {"duty", duty_evidence(d)}}});
}

}  // namespace xq::referee
