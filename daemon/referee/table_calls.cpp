// The arbiter's calls. A call is either carried out whole or refused with the reason
// and changes nothing.
#include "daemon/referee/table_impl.hpp"

#include "protocol/json_rpc.hpp"
#include "rules/fen.hpp"
#include "rules/geometry.hpp"
#include "rules/notation.hpp"

#include <algorithm>

namespace xq::referee {

namespace call = protocol::call;

namespace {

/// Carries a typed call out on the table; the answer is why it was refused.
class Calls {
public:
    using Refusal = std::optional<std::string>;

    explicit Calls(Table::Impl& t) : t_(t) {}

    Refusal operator()(const call::GameNew& c) {
        ++t_.start.number;
        const Position from = c.start.value_or(Position::start());
        t_.start.start_fen = c.start ? rules::write_fen(*c.start) : std::string();
        if (c.red) t_.start.red = *c.red;
        if (c.black) t_.start.black = *c.black;
        if (c.event) t_.start.event = *c.event;
        t_.begin_game(from);
        t_.say_state();
        t_.say_board();
        return {};
    }

    Refusal operator()(const call::GamePause&) {
        if (t_.over()) return "the game is over";
        if (t_.paused) return "the game is paused already";
        t_.paused = true;
        t_.clock.stop(t_.now);
        t_.say_clock();
        return {};
    }

    Refusal operator()(const call::GameResume&) {
        if (t_.over()) return "the game is over";
        t_.paused = false;
        // After a stop of the daemon it is plies that the board may show, not disorder.
        if (t_.missed().none()) t_.set_restoring();
        t_.turn.lifts.clear();
        t_.clock.start(t_.side(), t_.now);
        t_.say_clock();
        t_.evaluate();
        return {};
    }

    Refusal operator()(const call::GameResult& c) {
        t_.result.reset();
        t_.end(c.outcome, c.reason);
        return {};
    }

    Refusal operator()(const call::GameTakeback& c) {
        if (t_.over()) return "the game is over: nothing is reopened (5.8)";
        const int last = t_.game.ply() + (t_.shown ? 1 : 0);
        if (c.to_ply < 0 || c.to_ply > t_.game.ply() || (c.to_ply == last && !t_.unlawful))
            return "to_ply must be below " + std::to_string(last);
        t_.take_back(c.to_ply);
        return {};
    }

    Refusal operator()(const call::GameStand& c) {
        if (!t_.unlawful) return "no illegal move waits to be ruled";
        if (c.ply != t_.game.ply() + 1)
            return "the illegal move is ply " + std::to_string(t_.game.ply() + 1);
        const auto stands = *t_.unlawful;
        t_.unlawful.reset();
        // The foul counts even so.
        for (const Ruling& r : t_.conduct.all())
            if (r.shown.status == RulingStatus::Proposed && r.shown.severity == Severity::Foul &&
                r.shown.code == Code::IllegalMove) {
                confirm(r.shown.id);
                break;
            }
        if (t_.over()) return {};
        for (const Ruling& r : t_.conduct.all())
            if (r.shown.status == RulingStatus::Proposed && r.shown.severity == Severity::Loss &&
                (r.shown.code == Code::IllegalMove || r.shown.code == Code::Suicide))
                t_.dismiss(r.shown.id);
        t_.propose(stands.move, false);
        t_.finalize(t_.now, true);
        return {};
    }

    Refusal operator()(const call::GameMove& c) {
        if (t_.over()) return "the game is over";
        if (c.ply && *c.ply != t_.game.ply() + 1) return replace(*c.ply, c.move);
        if (t_.question) {
            const auto q = *t_.question;
            if (!rules::is_legal(t_.game.position(), c.move) &&
                std::find(q.candidates.begin(), q.candidates.end(), c.move) == q.candidates.end())
                return rules::iccs(c.move) + " is none of the candidates and no legal move";
            answer(c.move);
            return {};
        }
        if (!rules::is_legal(t_.game.position(), c.move))
            return rules::iccs(c.move) + " is not legal: " +
                   std::string(rules::text(rules::why_illegal(t_.game.position(), c.move)));
        t_.propose(c.move, false);
        t_.finalize(t_.now, true);
        t_.set_restoring();
        return {};
    }

    Refusal operator()(const call::PositionSet& c) {
        if (t_.over()) return "the game is over";
        t_.new_start(c.position);
        return {};
    }

    Refusal operator()(const call::BoardAccept&) {
        if (t_.over()) return "the game is over";
        if (!t_.sensing.begun()) return "the board has not been read yet";
        if (t_.whole_moves().size() > 1) return "more than one move explains it; use game.move";
        if (t_.accept_moves()) return {};
        const Reading seen = t_.reading();
        Position p = t_.game.position();
        std::vector<Piece> gone;
        for (Point i = 0; i < rules::points; ++i)
            if (!seen[at(i)].fits(t_.expected[at(i)]) && !t_.expected[at(i)].empty())
                gone.push_back(t_.expected[at(i)]);
        PointSet untold;
        for (Point i = 0; i < rules::points; ++i) {
            const Seen s = seen[at(i)];
            const bool as_before = s.fits(t_.expected[at(i)]);
            untold.set(at(i), !as_before && !s.empty() && !s.piece());
            p.put(i, as_before ? t_.expected[at(i)] : s.piece().value_or(Piece()));
            if (const auto it = std::find(gone.begin(), gone.end(), p.at(i));
                !as_before && it != gone.end())
                gone.erase(it);
        }
        for (Point i = 0; i < rules::points; ++i) {
            const Seen s = seen[at(i)];
            if (!untold.test(at(i))) continue;
            const auto fits = [&](Piece g) { return s.fits(g); };
            const auto which = std::find_if(gone.begin(), gone.end(), fits);
            if (which == gone.end())
                return "no piece is known for " + rules::name(i) + "; use position.set";
            const auto other = [&](Piece g) { return fits(g) && g != *which; };
            if (std::any_of(gone.begin(), gone.end(), other))
                return "more than one piece may stand on " + rules::name(i) + "; use position.set";
            p.put(i, *which);
            gone.erase(which);
        }
        if (!gone.empty() && !t_.tells_pieces())
            return "the board cannot tell which piece was taken; use position.set";
        for (const Side s : {Side::Red, Side::Black})
            if (!rules::geometry::in_palace(s, p.general(s)))
                return "a general is not in its palace; use position.set";
        t_.new_start(p);
        return {};
    }

    Refusal operator()(const call::BoardDesignate& c) {
        if (!t_.question || !t_.question->pressed) return "no piece stands between two points";
        const auto& list = t_.question->candidates;
        const auto there = [&](Move k) { return k.to == c.point; };
        const auto m = std::find_if(list.begin(), list.end(), there);
        if (std::count_if(list.begin(), list.end(), there) > 1)
            return "more than one piece may have gone to " + rules::name(c.point) +
                   "; use game.move";
        if (m == list.end()) return rules::name(c.point) + " is none of the points in question";
        answer(*m);
        return {};
    }

    Refusal operator()(const call::TouchAdjust& c) {
        if (t_.over()) return "the game is over";
        if (c.side != t_.side()) return "pieces are set straight on one's own time (5.6)";
        t_.adjusting[static_cast<std::size_t>(c.side)] = true;
        return {};
    }

    Refusal operator()(const call::ClockSet& c) {
        if (t_.clock.none()) return "this game has no clock";
        if (t_.over()) return "the game is over";
        t_.clock.set(c.red_ms, c.black_ms, c.running, t_.now);
        t_.flag_fallen = false;
        if (c.running) t_.paused = false;
        t_.say_clock();
        return {};
    }

    Refusal operator()(const call::RulingConfirm& c) {
        const Ruling* r = t_.conduct.find(c.id);
        if (r == nullptr) return "there is no ruling " + std::to_string(c.id);
        if (r->shown.status != RulingStatus::Proposed)
            return "ruling " + std::to_string(c.id) + " does not wait";
        confirm(c.id);
        return {};
    }

    Refusal operator()(const call::RulingDismiss& c) {
        const Ruling* r = t_.conduct.find(c.id);
        if (r == nullptr) return "there is no ruling " + std::to_string(c.id);
        if (r->shown.status == RulingStatus::Dismissed)
            return "ruling " + std::to_string(c.id) + " is dismissed already";
        if (r->shown.status == RulingStatus::Confirmed && r->shown.severity >= Severity::Loss)
            return "ruling " + std::to_string(c.id) + " has ended the game (5.8)";
        t_.dismiss(c.id);
        return {};
    }

    Refusal operator()(const call::FoulAdd& c) {
        if (t_.over()) return "the game is over";
        t_.rule({Code::Conduct,
                 c.side,
                 Severity::Foul,
                 {},
                 c.reason,
                 c.reason,
                 {{"reason", c.reason}},
                 true});
        return {};
    }

    Refusal operator()(const call::DrawOffer& c) { return t_.draw_offer(c.side); }
    Refusal operator()(const call::DrawAccept& c) { return t_.draw_accept(c.side); }
    Refusal operator()(const call::DrawDecline& c) { return t_.draw_decline(c.side); }

    Refusal operator()(const call::Resign& c) {
        if (t_.over()) return "the game is over";
        t_.resign(c.side, true);
        return {};
    }

    Refusal operator()(const call::ClaimNaturalLimit& c) { return t_.claim_limit(c.side); }
    Refusal operator()(const call::ClaimRepetition& c) { return t_.claim_repetition(c.side); }

    /// The calls that change nothing are the shell's to answer.
    template <class Other>
    Refusal operator()(const Other&) {
        return "this call is not answered by the table";
    }

private:
    void confirm(int id) {
        Ruling* r = t_.conduct.find(id);
        r->shown.status = RulingStatus::Confirmed;
        t_.say_ruling(*r);
        t_.take_effect(id);
    }

    void answer(Move m) {
        const Question asked = *t_.question;
        t_.question.reset();
        t_.propose(m, false);
        if (asked.pressed) {
            t_.finalize(*asked.pressed, true, &asked);
        } else {
            t_.finalize(t_.now, true);
            // What it leaves unexplained he knows of.
            if (!t_.question && t_.missed().any()) t_.set_restoring();
        }
        t_.say_board();
    }

    Refusal replace(int ply, Move m) {
        if (ply < 1 || ply > t_.game.ply())
            return "ply must be 1 .. " + std::to_string(t_.game.ply() + 1);
        const Position& before = t_.game.after(ply - 1);
        if (!rules::is_legal(before, m))
            return rules::iccs(m) +
                   " is not legal: " + std::string(rules::text(rules::why_illegal(before, m)));
        // What followed must still be possible, or it is for the arbiter to take back.
        std::vector<Move> rest;
        Position p = before.after(m);
        for (int n = ply + 1; n <= t_.game.ply(); ++n) {
            const Move next = t_.game.plies()[static_cast<std::size_t>(n) - 1].move;
            if (!rules::is_legal(p, next))
                return "ply " + std::to_string(n) + " (" + rules::iccs(next) +
                       ") is not possible after it; take it back first";
            p.apply(next);
            rest.push_back(next);
        }
        t_.replace_from(ply, m, rest);
        return {};
    }

    Table::Impl& t_;
};

}  // namespace

void Table::Impl::take_back(int to_ply) {
    shown.reset();
    unlawful.reset();
    question.reset();
    game.take_back(to_ply);
    expected = game.position().placement();
    turn = Turn();
    turn.began = now;
    turn.expected = expected;
    unjudged.reset();
    limit_said = -1;
    forget_repetition(to_ply);
    set_restoring();
    say(protocol::message::Retract{to_ply, "taken back by the arbiter"});
    if (clock.running() && clock.running() != side()) {
        clock.start(side(), now);
        say_clock();
    }
    evaluate();
}

/// The game goes on from another position: fouls, offers and clocks stay.
void Table::Impl::new_start(Position p) {
    shown.reset();
    unlawful.reset();
    question.reset();
    game = Game(p);
    expected = p.placement();
    turn = Turn();
    turn.began = now;
    turn.expected = expected;
    unjudged.reset();
    limit_said = -1;
    repeating.reset();
    set_restoring();
    evaluate();
    say_state();
    say_board();
    if (clock.running() && clock.running() != side()) {
        clock.start(side(), now);
        say_clock();
    }
}

/// Another move was made at `ply`; what followed stays.
void Table::Impl::replace_from(int ply, Move m, const std::vector<Move>& rest) {
    const std::vector<Ply> old(game.plies().begin() + ply, game.plies().end());
    const auto spent = game.plies()[static_cast<std::size_t>(ply) - 1].spent_ms;
    shown.reset();
    turn.provisional.reset();
    game.take_back(ply - 1);
    forget_repetition(ply - 1);
    std::vector<Move> all{m};
    all.insert(all.end(), rest.begin(), rest.end());
    for (std::size_t i = 0; i < all.size(); ++i) {
        Ply p = make_ply(game.position(), all[i]);
        p.spent_ms = i == 0 ? spent : old[i - 1].spent_ms;
        game.add(p);
        say(ply_body(p, true));
    }
    expected = game.position().placement();
    turn.expected = expected;
    set_restoring();
    evaluate();
}

void Table::Impl::call(const std::string& json) {
    const auto parsed = protocol::parse_call(json);
    if (!parsed) {
        out->reply = protocol::error_reply(parsed.error());
        return;
    }
    noted = false;
    const auto refusal = std::visit(Calls(*this), parsed->call);
    if (!parsed->id) return;
    if (refusal) {
        out->reply = protocol::error_reply(*parsed->id, protocol::RpcCode::Refused, *refusal);
        return;
    }
    boost::json::object done{
        {"ply", game.ply()}, {"fen", rules::write_fen(game.position())}, {"result", nullptr}};
    if (result) done["result"] = std::string(protocol::text(*result));
    out->reply = protocol::result_reply(*parsed->id, std::move(done));
}

// ---------------------------------------------------------------- what may be asked

boost::json::object Table::status() const {
    const Impl& t = *impl_;
    const auto face = t.clock.face(t.now);
    boost::json::object o{
        {"game", t.start.number},
        {"event", t.start.event},
        {"red", t.start.red},
        {"black", t.start.black},
        {"ply", t.game.ply()},
        {"fen", rules::write_fen(t.game.position())},
        {"turn", std::string(rules::name(t.side()))},
        {"provisional", nullptr},
        {"result", nullptr},
        {"paused", t.paused},
        {"restoring", t.restoring},
        {"clock",
         {{"red_ms", face.red_ms},
          {"black_ms", face.black_ms},
          {"running", nullptr},
          {"valid", face.valid}}},
        {"fouls", {{"red", t.conduct.fouls(Side::Red)}, {"black", t.conduct.fouls(Side::Black)}}},
        {"offer", nullptr},
        {"duty", nullptr}};
    if (t.shown) o["provisional"] = rules::iccs(t.shown->ply.move);
    if (t.result) o["result"] = std::string(protocol::text(*t.result));
    if (face.running) o["clock"].as_object()["running"] = std::string(rules::name(*face.running));
    if (t.conduct.offer()) o["offer"] = std::string(rules::name(*t.conduct.offer()));
    if (const auto d = t.duty_now(); !d.empty()) o["duty"] = d;
    boost::json::array waiting;
    for (const Ruling& r : t.conduct.all())
        if (r.shown.status == RulingStatus::Proposed)
            waiting.push_back({{"id", r.shown.id},
                               {"code", std::string(protocol::text(r.shown.code))},
                               {"zh", r.shown.zh},
                               {"en", r.shown.en}});
    o["proposed"] = std::move(waiting);
    return o;
}

boost::json::object Table::board_status() const {
    const Impl& t = *impl_;
    boost::json::array points;
    for (Point p = 0; p < rules::points && t.sensing.begun(); ++p) {
        const PointSet masked = t.masked();
        points.push_back({{"point", rules::name(p)},
                          {"expected", std::string(1, t.game.position().at(p).fen())},
                          {"reads", std::string(1, t.sensing.raw(p).letter())},
                          {"changes_per_minute", t.sensing.changes_per_minute(p, t.now)},
                          {"masked", masked.test(at(p))}});
    }
    const auto note = t.board_note();
    boost::json::array faults;
    for (const auto& f : note.faults)
        faults.push_back(
            {{"point", f.point == rules::no_point ? boost::json::value(nullptr)
                                                  : boost::json::value(rules::name(f.point))},
             {"fault", std::string(f.fault)}});
    return {{"in_sync", note.in_sync},
            {"link", t.link == Link::Online      ? "online"
                     : t.link == Link::Searching ? "searching"
                                                 : "offline"},
            {"points", std::move(points)},
            {"faults", std::move(faults)}};
}

}  // namespace xq::referee
