// Inputs and time: what is told, in order, and what falls due in between.
#include "daemon/referee/table_impl.hpp"

#include "rules/fen.hpp"

#include <algorithm>

namespace xq::referee {

namespace event = protocol::event;
namespace message = protocol::message;

namespace {

void earlier(std::optional<Millis>& a, std::optional<Millis> b) {
    if (b && (!a || *b < *a)) a = b;
}

Position start_of(const GameStart& s) {
    if (!s.start_fen.empty())
        if (const auto p = rules::read_fen(s.start_fen)) return *p;
    return Position::start();
}

}  // namespace

Table::Table(Regulations regulations, GameStart start)
    : impl_(std::make_unique<Impl>(std::move(regulations), std::move(start))) {}
Table::Table(Table&&) noexcept = default;
Table& Table::operator=(Table&&) noexcept = default;
Table::~Table() = default;

void Table::handle(const protocol::Timed& input, Output& out) {
    impl_->handle(input, out);
}
void Table::advance(Millis t, Output& out) {
    impl_->advance(t, out);
}
std::optional<Millis> Table::next_deadline() const {
    return impl_->next_deadline();
}
const GameStart& Table::game() const {
    return impl_->start;
}
const std::vector<protocol::Timed>& Table::opening() const {
    return impl_->opening;
}

std::vector<protocol::Message> Table::newcomer() const {
    std::vector<protocol::Message> out;
    out.push_back(impl_->message(impl_->state_body()));
    if (impl_->said_board != message::Board{true, impl_->link, {}, {}, {}, {}})
        out.push_back(impl_->message(impl_->said_board));
    for (const Ruling& r : impl_->conduct.all())
        if (r.shown.status == RulingStatus::Proposed) out.push_back(impl_->message(r.shown));
    return out;
}

protocol::Hello Table::hello() const {
    protocol::Hello h;
    h.event = impl_->start.event;
    h.red = impl_->start.red;
    h.black = impl_->start.black;
    h.rulebook = impl_->regulations.rulebook;
    h.time_control = impl_->clock.none() ? "" : impl_->regulations.control_text;
    if (impl_->board) h.sensing = impl_->board->sensing;
    return h;
}

Table::Impl::Impl(Regulations r, GameStart s)
    : regulations(std::move(r)),
      start(std::move(s)),
      sensing(regulations.lift_ms),
      game(start_of(start)),
      clock(regulations) {
    changed_at.fill(-1'000'000);
    begin_game(game.start());
}

void Table::Impl::begin_game(Position from) {
    game = Game(from);
    expected = from.placement();
    clock = GameClock(regulations);
    conduct = Conduct();
    turn = Turn();
    turn.began = now;
    turn.expected = expected;
    adjusting = {};
    shown.reset();
    result.reset();
    result_reason.reset();
    paused = false;
    unlawful.reset();
    question.reset();
    moveless.reset();
    silent = false;
    told_since_ply = false;
    flag_fallen = false;
    unjudged.reset();
    limit_said = -1;
    repeating.reset();
    opening.clear();
    if (board) opening.push_back({0, *board});
    if (sensing.begun()) opening.push_back({0, event::Board{sensing.believed()}});
    for (Point p = 0; p < rules::points; ++p)
        if (health[at(p)] != protocol::PointFault::None)
            opening.push_back({0, event::Health{p, health[at(p)]}});
    if (link == Link::Searching) opening.push_back({0, event::Unplug{}});
    set_restoring();
    differs = sensing.begun() ? differences(from.placement(), reading(), masked()) : PointSet();
    differs_since = sensing.last_report();
    noted = false;
    said_board = {};
    said_board.link = link;
    said_board.in_sync = differs.none() || !settled();
}

// ---------------------------------------------------------------- messages

const Position& Table::Impl::shown_position() const {
    return shown ? shown->after : game.position();
}

protocol::Message Table::Impl::message(protocol::Body body) const {
    const Position& p = shown_position();
    protocol::Message m;
    m.t = now;
    m.game = start.number;
    m.ply = game.ply() + (shown ? 1 : 0);
    m.fen = rules::write_fen(p);
    m.turn = p.turn();
    m.check = rules::in_check(p, p.turn());
    if (shown)
        m.last = shown->ply.move;
    else if (game.ply() > 0)
        m.last = game.plies().back().move;
    m.clock = clock.face(now);
    m.result = result;
    m.body = std::move(body);
    return m;
}

void Table::Impl::say(protocol::Body body) {
    out->messages.push_back(message(std::move(body)));
    last_said = now;
}

void Table::Impl::say_clock() {
    last_clock = now;
    say(message::ClockTick{});
    if (board && board->can.clock && !clock.told_by_board() && !clock.none()) {
        const auto face = clock.face(now);
        out->commands.emplace_back(
            protocol::wire::ClockSet{face.running, static_cast<std::uint32_t>(face.red_ms),
                                     static_cast<std::uint32_t>(face.black_ms)});
    }
}

message::State Table::Impl::state_body() const {
    message::State s;
    s.moves = game.moves();
    if (shown) s.moves.push_back(shown->ply.move);
    s.start_fen = rules::write_fen(game.start());
    s.red_fouls = conduct.fouls(Side::Red);
    s.black_fouls = conduct.fouls(Side::Black);
    s.in_sync = said_board.in_sync;
    s.link = link;
    return s;
}

void Table::Impl::say_state() {
    say(state_body());
}

// ---------------------------------------------------------------- time

std::optional<Millis> Table::Impl::next_deadline() const {
    std::optional<Millis> next = last_said + heartbeat_ms;
    if (clock.running() && !over()) earlier(next, last_clock + tick_ms);
    if (!flag_fallen && !over() && !turn.press) earlier(next, clock.falls_at());
    if (sensing.begun()) earlier(next, sensing.next_deadline());
    if (turn.press) earlier(next, *turn.press + press_grace_ms);
    earlier(next, reply_due());
    earlier(next, settle_due());
    earlier(next, mate_due());
    earlier(next, odd_due());
    earlier(next, out_of_turn_due());
    earlier(next, difference_due());
    // What is overdue is due now.
    return std::max(*next, now);
}

void Table::Impl::run_until(Millis t) {
    for (auto due = next_deadline(); due && *due <= t; due = next_deadline()) {
        now = *due;
        fire();
    }
    now = std::max(now, t);
}

void Table::Impl::fire() {
    if (sensing.begun()) {
        std::vector<Change> changes;
        sensing.settle(now, changes);
        on_changes(changes);
        if (!changes.empty()) evaluate();
    }
    const auto is_due = [&](std::optional<Millis> d) { return d && *d <= now; };
    // The moment of an earlier touch ends a ply before a later flag can fall.
    if (is_due(reply_due())) {
        const auto reply = std::find_if(turn.lifts.begin(), turn.lifts.end(),
                                        [&](const Lift& l) { return counts_as_reply(l); });
        if (reply != turn.lifts.end()) finalize(reply->t);
    }
    if (is_due(mate_due())) finalize(now);
    if (is_due(settle_due())) finalize(now);
    if (turn.press && *turn.press + press_grace_ms <= now) resolve_press();
    if (!flag_fallen && !over() && !turn.press && is_due(clock.falls_at())) tell_flag();
    if (is_due(odd_due())) {
        const auto found = turn.odd;
        turn.odd->said = true;
        unlawful_move(
            {found->move, rules::why_illegal(game.position(), found->move), Sight::Whole, {}}, now);
    }
    if (is_due(out_of_turn_due())) {
        turn.out_of_turn->said = true;
        const Move m = turn.out_of_turn->move;
        const bool back = game.ply() > 0 && game.plies().back().move == Move(m.to, m.from);
        rule({back ? Code::TookBack : Code::OutOfTurn,
              rules::other(side()),
              Severity::Warning,
              {},
              rules::name(m.from) + "-" + rules::name(m.to),
              rules::name(m.from) + "-" + rules::name(m.to) + "; the hand was not seen",
              {{"iccs", rules::name(m.from) + rules::name(m.to)}, {"hand_seen", false}}});
    }
    if (is_due(difference_due())) note_differences();
    if (clock.running() && !over() && last_clock + tick_ms <= now) say_clock();
    if (last_said + heartbeat_ms <= now) say(message::Heartbeat{});
}

void Table::Impl::tell_flag() {
    const Millis t = *clock.falls_at();
    if (clock.next_period(t)) return;
    if (turn.provisional && rules::status(turn.provisional->after) != rules::Status::Playing) {
        finalize(t);  // 21.6: a move that ends the game stands
        return;
    }
    fall(*clock.running(), t);
}

void Table::Impl::handle(const protocol::Timed& input, Output& o) {
    out = &o;
    // A long stop of the daemon is nobody's thinking time: both clocks stood.
    if (std::holds_alternative<event::Restart>(input.event) &&
        input.t - now > regulations.outage_ms && clock.running()) {
        clock.stop(now);
        paused = true;
    }
    // Nobody was there to be told that time passed.
    if (std::holds_alternative<event::Restart>(input.event)) last_said = last_clock = input.t;
    run_until(input.t);
    std::visit([this](const auto& e) { on(e); }, input.event);
}

void Table::Impl::advance(Millis t, Output& o) {
    out = &o;
    run_until(t);
}

// ---------------------------------------------------------------- inputs

void Table::Impl::on(const event::Hello& e) {
    board = e;
    if (game.ply() == 0 && opening.empty()) opening.push_back({0, e});
    if (link != Link::Online) {
        link = Link::Online;
        say_board();
    }
}

void Table::Impl::on(const event::Board& e) {
    if (link != Link::Online) {
        link = Link::Online;
        say_board();
    }
    if (!sensing.begun()) {
        sensing.begin(e.reading);
        if (game.ply() == 0) opening.push_back({0, e});
        set_restoring();
        evaluate();
        return;
    }
    const bool heard = !std::exchange(returning, false);
    for (Point p = 0; p < rules::points; ++p) read(p, e.reading[at(p)], heard);
    evaluate();
}

void Table::Impl::on(const event::Lift& e) {
    if (!sensing.begun()) return;
    read(e.point, Seen());
    evaluate();
}

void Table::Impl::on(const event::Drop& e) {
    if (!sensing.begun()) return;
    read(e.point, e.seen);
    evaluate();
}

void Table::Impl::on(const event::Press& e) {
    press(e.side);
}

void Table::Impl::on(const event::Clock& e) {
    if (!clock.told_by_board() || over()) return;
    const auto before = clock.face(now);
    clock.board_reading(e, now);
    const auto after = clock.face(now);
    if (before.running != after.running || before.valid != after.valid ||
        last_clock + tick_ms <= now)
        say_clock();
    if (const auto fallen = clock.board_fallen(); fallen && !flag_fallen) fall(*fallen, now);
}

void Table::Impl::on(const event::ClockInvalid&) {
    if (!clock.told_by_board()) return;
    clock.board_invalid();
    say_clock();
}

void Table::Impl::on(const event::Button& e) {
    const Side who = e.side.value_or(side());
    if (over()) return;
    switch (e.what) {
        case protocol::ButtonKind::Adjust:
            // Only on one's own time (5.6); the other's button says nothing.
            if (who == side()) adjusting[static_cast<std::size_t>(who)] = true;
            break;
        case protocol::ButtonKind::Draw:
            if (conduct.offer() == rules::other(who))
                draw_accept(who);
            else
                draw_offer(who);
            break;
        case protocol::ButtonKind::Resign:
            resign(who, false);
            break;
        case protocol::ButtonKind::Arbiter:
            rule({Code::Arbiter,
                  who,
                  Severity::Info,
                  {},
                  "棋手呼叫裁判",
                  "a player calls the arbiter"});
            break;
    }
}

void Table::Impl::on(const event::Unplug&) {
    link = Link::Searching;
    lose_sight();
    say_board();
}

void Table::Impl::on(const event::Plug&) {
    link = Link::Online;
    lose_sight();
    say_board();
}

void Table::Impl::on(const event::Gap&) {
    lose_sight();
}

void Table::Impl::on(const event::Health& e) {
    health[at(e.point)] = e.fault;
    say_board();
    evaluate();
}

void Table::Impl::on(const event::Call& e) {
    call(e.json);
}
void Table::Impl::on(const event::Time&) {}
void Table::Impl::on(const event::End&) {}

void Table::Impl::on(const event::Restart&) {
    lose_sight();
    link = Link::Searching;
    say_state();
}

}  // namespace xq::referee
