#include "daemon/clerk.hpp"

#include "config/load.hpp"
#include "daemon/from_settings.hpp"

#include <algorithm>
#include <boost/json/serialize.hpp>

namespace xq::daemon {

namespace event = protocol::event;

namespace {

std::string line(std::string_view content) {
    return protocol::with_checksum(content) + '\n';
}

bool momentary(const protocol::Message& m) {
    return std::holds_alternative<protocol::message::ClockTick>(m.body) ||
           std::holds_alternative<protocol::message::Heartbeat>(m.body);
}

/// Whether something comes about by time alone that a replay could not know of without being told
/// the time. Clock messages and heartbeats follow any time that is told later.
bool needs_time_line(const std::vector<protocol::Message>& messages) {
    return !std::all_of(messages.begin(), messages.end(), momentary);
}

}  // namespace

Clerk::Clerk(config::Settings settings, std::uint64_t epoch, const JournalDirectory& directory,
             Journal& journal, Metrics& metrics, Outlets outlets)
    : settings_(std::move(settings)),
      playing_(settings_),
      epoch_(epoch),
      directory_(directory),
      journal_(journal),
      metrics_(metrics),
      outlets_(std::move(outlets)) {}

// ---------------------------------------------------------------- games and their journals

void Clerk::start(Recovery found, Millis now) {
    if (found.game) {
        resume(std::move(*found.game), now);
        return;
    }
    table_.emplace(regulations(settings_), game_start(settings_, found.next_game));
    recorder_.take(table_->newcomer().front());
    begin_game(now);
    outlets_.announce(state(), {});  // that a game begins is no secret
    journal_.flush(true);
}

/// A journal for the table's game, and a fresh table as a replay of that journal would make it, so
/// that what follows is the same whether the daemon is stopped in between or not.
void Clerk::begin_game(Millis at) {
    const referee::GameStart game = table_->game();
    const auto opening = table_->opening();
    playing_ = settings_;
    game_ = game.number;
    t0_ = std::max(t0_ + last_, outlets_.utc());
    origin_ = at;
    last_ = noted_ = 0;

    table_.emplace(regulations(playing_), game);
    referee::Output said_already;
    std::string text;
    for (const auto& head : protocol::write_header(log_header(playing_, game, t0_))) {
        text += line(head);
    }
    for (const auto& input : opening) {
        text += line(protocol::write_log_line(input));
        table_->handle(input, said_already);
    }
    text += line("# " + std::string(begun_comment));
    file_ = directory_.new_file(playing_.board, t0_, game_);
    journal_.begin(file_, 0);
    journal_.append(text);
}

/// The game at hand goes on by what it began with.
void Clerk::adopt_settings(const Unfinished& game) {
    const config::Loaded loaded = config::read_json(game.header.config);
    if (!loaded.ok()) {
        outlets_.notice(game.path + ": its configuration is not understood (" +
                        loaded.problems.front().what + "): the game goes on by the present one");
        return;
    }
    playing_.event = loaded.settings.event;
    playing_.game = loaded.settings.game;
    playing_.clock = loaded.settings.clock;
}

void Clerk::resume(Unfinished game, Millis now) {
    adopt_settings(game);
    t0_ = game.header.start.value_or(outlets_.utc());
    game_ = game.header.game.value_or(1);
    file_ = game.path;
    table_.emplace(regulations(playing_), game_start(game.header, playing_));

    // A machine without a battery may wake with an old clock; time never falls within a log.
    const Millis last = game.events.empty() ? 0 : game.events.back().t;
    const Millis restart = std::max(last, outlets_.utc() - t0_);
    origin_ = now - restart;
    last_ = replay(game.events, restart - playing_.broadcast.delay);
    journal_.begin(game.path, game.size);
    if (table_->game().number != game_) {
        // It was stopped after the next game had been called and before its journal was there.
        begin_game(now);
        outlets_.announce(state(), now);
        journal_.flush(true);
        return;
    }
    last_ = noted_ = restart;
    const Ticket ticket = journal_.append(line(protocol::restart_comment(t0_ + restart)));
    referee::Output out;
    table_->handle({restart, event::Restart{}}, out);
    carry_out(std::move(out), ticket, now, outlets_.stopwatch(), {});
}

/// The journal's events go to the table unheard, for they have been announced, but for those behind
/// T `shown`: the public waits for them still, and they pass through the broadcast's delay again.
Millis Clerk::replay(const std::vector<protocol::Timed>& events, Millis shown) {
    bool heard = false;
    recorder_.take(table_->newcomer().front());
    for (const auto& input : events) {
        if (!heard && input.t > shown) {
            outlets_.announce(state(), {});
            heard = true;
        }
        referee::Output out;
        table_->handle(input, out);
        for (const auto& message : out.messages) recorder_.take(message);
        if (heard && !out.messages.empty()) {
            outlets_.announce(batch_of(out.messages), input.t + origin_);
        }
    }
    if (!heard) outlets_.announce(state(), {});
    return events.empty() ? 0 : events.back().t;
}

// ---------------------------------------------------------------- inputs

void Clerk::take(const protocol::Timed& input, Millis now) {
    // Of a log that is played: the board that it stands for goes on, and this daemon was not
    // stopped when that one was.
    if (std::holds_alternative<event::End>(input.event) ||
        std::holds_alternative<event::Restart>(input.event)) {
        return;
    }
    ++metrics_.sensor_events;
    metrics_.unplugs += std::holds_alternative<event::Unplug>(input.event) ? 1 : 0;
    if (const auto* const gap = std::get_if<event::Gap>(&input.event)) {
        metrics_.lost_packets += static_cast<std::uint64_t>(gap->packets);
    }
    feed({log_time(input.t), input.event}, now, {});
}

void Clerk::call(const std::string& json, Millis now, Reply reply) {
    ++metrics_.calls;
    // As far back as time has not yet been told: a press from before the call may be on its way.
    feed({log_time(now - grace), event::Call{json}}, now, std::move(reply));
}

void Clerk::feed(const protocol::Timed& input, Millis now, Reply reply) {
    const auto arrived = outlets_.stopwatch();
    const Ticket ticket = write(input);
    last_ = input.t;
    referee::Output out;
    table_->handle(input, out);
    carry_out(std::move(out), ticket, now, arrived, std::move(reply));
}

Ticket Clerk::write(const protocol::Timed& input) {
    noted_ = input.t;
    return journal_.append(line(protocol::write_log_line(input)));
}

bool Clerk::clock_runs() const {
    return table_->newcomer().front().clock.running.has_value();
}

void Clerk::tick(Millis now) {
    const Millis until = log_time(now - grace);
    const auto due = table_->next_deadline();
    if (due && *due <= until) {
        const auto arrived = outlets_.stopwatch();
        referee::Output out;
        table_->advance(until, out);
        last_ = until;
        Ticket ticket = journal_.last();
        if (needs_time_line(out.messages) || (until - noted_ >= sign_of_life && clock_runs())) {
            ticket = write({until, event::Time{}});
        }
        carry_out(std::move(out), ticket, now, arrived, {});
    }
    let_out();
}

std::optional<Millis> Clerk::next_tick() const {
    const auto due = table_->next_deadline();
    return due ? std::optional(*due + origin_ + grace) : std::nullopt;
}

std::optional<std::chrono::microseconds> Clerk::patience_left() const {
    if (waiting_.empty()) return {};
    return waiting_.front().arrived + disk_patience - outlets_.stopwatch();
}

// ---------------------------------------------------------------- what is said about them

void Clerk::carry_out(referee::Output out, Ticket ticket, Millis now,
                      std::chrono::microseconds arrived, Reply reply) {
    for (const auto& command : out.commands) outlets_.command(command);
    for (const auto& message : out.messages) {
        recorder_.take(message);
        count(message);
    }
    std::string answer;
    if (reply && out.reply) answer = boost::json::serialize(*out.reply);
    const bool next_game = table_->game().number != game_;
    bool must_wait = next_game || !answer.empty();

    Batch batch = batch_of(out.messages);
    if (next_game) {
        begin_game(last_ + origin_);
        batch.welcome = welcome();
        ticket = journal_.last();
    }
    for (const auto& message : batch.messages) must_wait |= message.counts;
    journal_.flush(must_wait);
    if (batch.messages.empty() && answer.empty()) return;
    waiting_.push_back({std::move(batch), must_wait ? ticket : 0, now, arrived, std::move(reply),
                        std::move(answer)});
    let_out();
}

Batch Clerk::batch_of(const std::vector<protocol::Message>& messages) {
    Batch batch;
    const std::string_view rulebook = text(playing_.game.rulebook);
    for (const auto& message : messages) {
        const std::uint64_t seq = ++seq_;
        batch.messages.push_back(
            {seq,
             protocol::encode(message, seq,
                              {.board = playing_.board, .rulebook = rulebook, .t0 = t0_}),
             protocol::counts(message), momentary(message)});
    }
    batch.welcome = welcome();
    return batch;
}

std::shared_ptr<const Welcome> Clerk::welcome() {
    return std::make_shared<const Welcome>(
        Welcome{hello(*table_, playing_, static_cast<std::int64_t>(epoch_)), table_->newcomer(),
                seq_, t0_, recorder_.score()});
}

Batch Clerk::state() {
    return batch_of({table_->newcomer().front()});
}

/// In the order in which it was said: what may go at once waits behind what must be durable first.
void Clerk::let_out() {
    while (!waiting_.empty()) {
        Waiting& first = waiting_.front();
        const bool durable = first.ticket <= durable_;
        if (!durable && journal_fault_.empty() && patience_left()->count() > 0) return;
        if (!durable) {
            for (auto& message : first.batch.messages) {
                if (!message.counts) continue;
                message.line = not_durable(std::move(message.line));
                ++metrics_.not_durable;
            }
        }
        metrics_.announcement.add(outlets_.stopwatch() - first.arrived);
        if (!first.batch.messages.empty()) outlets_.announce(first.batch, first.at);
        if (first.reply && !first.answer.empty()) first.reply(first.answer);
        waiting_.pop_front();
    }
}

void Clerk::on_journal(const JournalReport& report) {
    durable_ = report.durable;
    if (report.sync.count() > 0) metrics_.sync.add(report.sync);
    if (report.fault != journal_fault_) {
        outlets_.notice(report.fault.empty()
                            ? "the journal is complete again: what is announced is durable"
                            : "the journal cannot be written (" + report.fault +
                                  "): the game goes on, what is announced is not durable");
        journal_fault_ = report.fault;
    }
    let_out();
}

void Clerk::count(const protocol::Message& message) {
    ++metrics_.messages;
    if (const auto* const ply = std::get_if<protocol::message::Ply>(&message.body)) {
        metrics_.plies += ply->final ? 1 : 0;
    } else if (const auto* const ruling = std::get_if<protocol::message::Ruling>(&message.body)) {
        ++metrics_.rulings[ruling->code];
    }
}

}  // namespace xq::daemon
