// Rulings: what was found becomes a message, and takes effect at once or when the arbiter confirms.
#include "daemon/referee/table_impl.hpp"

#include "protocol/ruling_texts.hpp"
#include "rules/natural_limit.hpp"
#include "rules/repetition.hpp"
#include "rules/rulebook/rulebook.hpp"

namespace xq::referee {

namespace message = protocol::message;

using protocol::Outcome;

namespace {

std::string_view name_zh(Side s) {
    return s == Side::Red ? "红方" : "黑方";
}
std::string_view name_en(Side s) {
    return s == Side::Red ? "Red" : "Black";
}

}  // namespace

/// Enters what was found, tells it, and lets it take effect where nothing need be confirmed.
int Table::Impl::rule(Found f) {
    const auto& text = protocol::about(f.code);
    Ruling r;
    r.ply = game.ply();
    r.shown.code = f.code;
    r.shown.article = f.article.empty() ? text.article : f.article;
    r.shown.side = f.side;
    r.shown.severity = f.severity;
    r.shown.evidence = std::move(f.evidence);
    const bool at_once =
        f.severity == Severity::Info || f.agreed || (regulations.automatic && !f.doubtful);
    r.shown.status = at_once ? RulingStatus::Confirmed : RulingStatus::Proposed;
    if (f.side) {
        r.shown.zh = std::string(name_zh(*f.side)) + "：";
        r.shown.en = std::string(name_en(*f.side)) + ": ";
    }
    r.shown.zh += text.zh;
    r.shown.en += text.en;
    if (!f.zh.empty()) r.shown.zh += "（" + f.zh + "）";
    if (!f.en.empty()) r.shown.en += " (" + f.en + ")";
    const Ruling& entered = conduct.enter(std::move(r));
    const int id = entered.shown.id;
    say_ruling(entered);
    if (f.severity >= Severity::Foul && board && board->can.buzzer)
        out->commands.emplace_back(protocol::wire::Beep{300});
    if (at_once) take_effect(id);
    return id;
}

void Table::Impl::say_ruling(const Ruling& r) {
    say(r.shown);
}

/// A confirmed ruling does what its severity says: a foul counts, a loss or a draw ends the game.
void Table::Impl::take_effect(int id) {
    const Ruling r = *conduct.find(id);
    if (over()) return;
    const Side who = r.shown.side.value_or(side());
    switch (r.shown.severity) {
        case Severity::Info:
            return;
        case Severity::Warning:
            // He is told to change when the arbiter says so (23.5.2).
            if (repeating && repeating->ruling == id) repeating->warned = game.ply();
            return;
        case Severity::Loss:
            end(protocol::lost_by(who), r.shown.code);
            return;
        case Severity::Draw:
            end(Outcome::Draw, r.shown.code);
            return;
        case Severity::Foul:
            break;
    }
    if (r.shown.code == Code::IllegalMove && unlawful) {
        // Replayed from the position before; the piece counts as touched (5.8.3).
        turn.bound.push_back({now, unlawful->move.from, game.position().at(unlawful->move.from)});
        turn.lifts.clear();
        unlawful.reset();
        set_restoring();
        clock.start(who, now);
        say_clock();
    }
    if (r.shown.code == Code::FalseClaim) {
        clock.deduct(who, false_claim_ms, now);
        say_clock();
        if (!clock.none() && clock.left(who, now) == 0) {
            fall(who, now);
            return;
        }
    }
    if (conduct.fouls(who) >= foul_limit)
        rule({Code::FoulLimit, who, Severity::Loss, {}, {}, {}, {{"fouls", conduct.fouls(who)}}});
}

void Table::Impl::dismiss(int id) {
    Ruling* r = conduct.find(id);
    if (r == nullptr || r->shown.status == RulingStatus::Dismissed) return;
    r->shown.status = RulingStatus::Dismissed;
    say_ruling(*r);
    if ((r->shown.code == Code::IllegalMove || r->shown.code == Code::Suicide) && unlawful) {
        unlawful.reset();
        set_restoring();
        clock.start(side(), now);
        say_clock();
    }
    if (r->shown.code == Code::FlagFall) flag_fallen = false;
}

void Table::Impl::end(Outcome outcome, Code reason) {
    clock.stop(now);
    retract("the game is over");
    turn.provisional.reset();
    turn.press.reset();
    question.reset();
    conduct.end_offer();
    result = outcome;
    result_reason = reason;
    ended_at = now;
    came_home.reset();
    say(message::Result{reason});
}

/// A flag has fallen at `t` (4.1.6, 21).
void Table::Impl::fall(Side who, Millis t) {
    if (over() || flag_fallen) return;
    flag_fallen = true;
    clock.stop(t);
    rule({Code::FlagFall, who, Severity::Loss, {}, {}, {}, {{"fell_at", t}}});
    if (!over()) say_clock();
}

void Table::Impl::check_end() {
    const Position& p = game.position();
    switch (rules::status(p)) {
        case rules::Status::Checkmate:
            clock.stop(now);
            rule({Code::Checkmate, p.turn(), Severity::Loss});
            return;
        case rules::Status::Stalemate:
            clock.stop(now);
            rule({Code::Stalemate, p.turn(), Severity::Loss});
            return;
        case rules::Status::Playing:
            break;
    }
    if (rules::no_winner_possible(p)) rule({Code::NoWinnerPossible, std::nullopt, Severity::Draw});
}

// ---------------------------------------------------------------- resignation, offers

void Table::Impl::resign(Side who, bool agreed) {
    if (over()) return;
    // Who resigns at once after a foul gets none (9.2).
    for (const Ruling& r : conduct.all())
        if (r.shown.side == who && r.shown.severity == Severity::Foul &&
            r.shown.status != RulingStatus::Dismissed && r.ply == game.ply())
            dismiss(r.shown.id);
    rule({Code::Resign, who, Severity::Loss, {}, {}, {}, {}, agreed});
}

/// An offer is made on one's own time and cannot be withdrawn (22.1); one that brings the count two
/// above the opponent's is a foul (9.1.3). The answer says why it was refused.
std::optional<std::string> Table::Impl::draw_offer(Side who) {
    if (over()) return "the game is over";
    if (who != side()) return "an offer is made on one's own time (8.3, 22.1)";
    if (conduct.offer() == who) return "this offer stands already";
    conduct.make_offer(who);
    rule({Code::DrawOffers,
          who,
          Severity::Info,
          "22.1",
          "提和",
          "a draw is offered",
          {{"red", conduct.offers(Side::Red)}, {"black", conduct.offers(Side::Black)}}});
    const int surplus = conduct.offers(who) - conduct.offers(rules::other(who));
    if (surplus >= regulations.draw_offer_surplus)
        rule({Code::DrawOffers,
              who,
              Severity::Foul,
              {},
              {},
              {},
              {{"red", conduct.offers(Side::Red)}, {"black", conduct.offers(Side::Black)}}});
    return {};
}

std::optional<std::string> Table::Impl::draw_accept(Side who) {
    if (over()) return "the game is over";
    if (conduct.offer() != rules::other(who)) return "no offer of the other side stands";
    rule({Code::DrawAgreed, std::nullopt, Severity::Draw, {}, {}, {}, {}, true});
    return {};
}

std::optional<std::string> Table::Impl::draw_decline(Side who) {
    if (over()) return "the game is over";
    if (conduct.offer() != rules::other(who)) return "no offer of the other side stands";
    conduct.end_offer();
    return {};
}

// ---------------------------------------------------------------- natural limit, repetition

namespace {

rules::History history(const Game& g, const std::vector<Move>& moves) {
    return {g.start(), moves};
}

boost::json::object limit_evidence(const rules::Stage& s, Side claimant, int limit) {
    return {{"rounds", s.rounds_for(claimant)},
            {"limit", limit},
            {"plies", s.plies},
            {"red_checks", s.red_checks},
            {"black_checks", s.black_checks}};
}

}  // namespace

void Table::Impl::check_limit() {
    const auto moves = game.moves();
    const rules::Stage stage = rules::natural_stage(history(game, moves));
    if (stage.plies < 2 * regulations.natural_limit) {
        limit_said = -1;
        return;
    }
    if (limit_said >= 0) return;
    limit_said = game.ply();
    rule({Code::NaturalLimit,
          std::nullopt,
          Severity::Info,
          {},
          std::to_string(stage.plies / 2) + "回合未吃子",
          std::to_string(stage.plies / 2) + " rounds without a capture; a draw on a claim",
          limit_evidence(stage, side(), regulations.natural_limit)});
}

std::optional<std::string> Table::Impl::claim_limit(Side who) {
    if (over()) return "the game is over";
    if (who != side()) return "a claim is made on one's own time (8.3)";
    const auto moves = game.moves();
    const rules::Stage stage = rules::natural_stage(history(game, moves));
    const auto evidence = limit_evidence(stage, who, regulations.natural_limit);
    if (stage.reached(who, regulations.natural_limit)) {
        rule({Code::NaturalLimit, std::nullopt, Severity::Draw, {}, {}, {}, evidence});
        return {};
    }
    const bool second = conduct.count_since(Code::FalseClaim, who, stage.from_ply - 2) > 0;
    rule({Code::FalseClaim,
          who,
          second ? Severity::Loss : Severity::Foul,
          second ? "4.1.11, 22.2" : "9.1.4, 22.2",
          {},
          {},
          evidence});
    return {};
}

/// The procedure of 23.5, step by step as the cycle goes on: each step is told once, and what the
/// arbiter has dismissed is not told again of the same cycle.
void Table::Impl::check_repetition() {
    const rules::RuleBook* book = rules::find_rule_book(regulations.rulebook);
    if (book == nullptr) return;
    const auto moves = game.moves();
    const auto warned = repeating ? repeating->warned : std::nullopt;
    const auto found = rules::find_repetition(*book, history(game, moves), warned);
    if (!found) {
        repeating.reset();
        return;
    }
    const rules::Verdict& v = found->verdict;
    const auto whom = rules::against(v.outcome);
    if (repeating) {
        const Ruling* before = conduct.find(repeating->ruling);
        const bool same = repeating->outcome == v.outcome && repeating->final == v.final;
        const bool waived = before->shown.status == RulingStatus::Dismissed &&
                            rules::against(repeating->outcome) == whom;
        if (same || waived) return;
    }
    boost::json::array classes;
    for (const auto& m : found->plies)
        classes.push_back({{"iccs", rules::name(m.move.from) + rules::name(m.move.to)},
                           {"side", std::string(rules::name(m.side))},
                           {"class", std::string(rules::name(m.cls))},
                           {"article", m.article},
                           {"zh", m.zh},
                           {"en", m.en},
                           {"proven", m.proven}});
    std::string articles;
    for (const auto& a : v.articles) articles += (articles.empty() ? "" : ", ") + a;
    const bool here = regulations.rulebook == "cxa-2010";
    Severity severity = Severity::Info;
    if (v.final)
        severity = whom ? Severity::Loss : Severity::Draw;
    else if (whom)
        severity = Severity::Warning;
    repeating = Repeating{v.outcome, v.final, game.ply(), 0, warned};
    if (severity == Severity::Warning) repeating->warned = game.ply();
    repeating->ruling =
        rule({.code = Code::Repetition,
              .side = whom,
              .severity = severity,
              .article = here ? std::string_view(articles) : std::string_view(regulations.rulebook),
              .zh = v.zh,
              .en = v.en,
              .evidence = {{"from_ply", found->cycle.from_ply},
                           {"length", found->cycle.length},
                           {"times", found->cycle.times},
                           {"plies_from", found->plies_from},
                           {"articles", articles},
                           {"outcome", std::string(rules::name(v.outcome))},
                           {"classes", classes}},
              .doubtful = !v.proven});
}

/// Plies behind `to_ply` have not been played, nor what was said of them.
void Table::Impl::forget_repetition(int to_ply) {
    if (repeating && repeating->said_at > to_ply) repeating.reset();
}

/// Fewer than three whole cycles: refused, no foul (23.3). More: the daemon has ruled already, and
/// says what waits.
std::optional<std::string> Table::Impl::claim_repetition(Side who) const {
    if (over()) return "the game is over";
    if (who != side()) return "a claim is made on one's own time (8.3)";
    const rules::RuleBook* book = rules::find_rule_book(regulations.rulebook);
    const auto moves = game.moves();
    const auto found =
        book == nullptr ? std::nullopt : rules::find_repetition(*book, history(game, moves));
    if (!found) return "fewer than three whole cycles (23.3)";
    return {};
}

}  // namespace xq::referee
