#include "daemon/score.hpp"

#include "rules/fen.hpp"

#include <algorithm>

namespace xq::daemon {

namespace message = protocol::message;

namespace {

std::size_t index(rules::Side side) {
    return static_cast<std::size_t>(side);
}

Millis left(const protocol::ClockFace& face, rules::Side side) {
    return side == rules::Side::Red ? face.red_ms : face.black_ms;
}

}  // namespace

int Score::fouls(rules::Side side) const {
    return static_cast<int>(std::count_if(notes.begin(), notes.end(), [&](const Note& note) {
        return note.ruling.severity == protocol::Severity::Foul &&
               note.ruling.status == protocol::RulingStatus::Confirmed && note.ruling.side == side;
    }));
}

std::shared_ptr<const Score> Recorder::score() {
    handed_out_ = true;
    return score_;
}

/// A score that nobody else has seen.
Score& Recorder::change() {
    if (handed_out_) score_ = std::make_shared<Score>(*score_);
    handed_out_ = false;
    return *score_;
}

void Recorder::take(const protocol::Message& m) {
    const bool is_state = std::holds_alternative<message::State>(m.body);
    if (m.game != score_->game && !is_state) return;
    listen_to_clock(m);
    std::visit([&](const auto& body) { on(m, body); }, m.body);
    told_at_ = m.t;
    told_ = m.clock;
}

/// Time passes for the side whose clock runs. What the clock lost otherwise (a deduction, a time
/// that was set) or did not lose (a stop of the daemon) is nobody's thinking.
void Recorder::listen_to_clock(const protocol::Message& m) {
    if (!told_.running || m.game != score_->game) return;
    const Millis fallen = left(told_, *told_.running) - left(m.clock, *told_.running);
    thinking_ += std::clamp<Millis>(fallen, 0, std::max<Millis>(m.t - told_at_, 0));
}

void Recorder::on(const protocol::Message& m, const message::State& state) {
    const bool fresh = m.game != score_->game;
    const bool set_up = !fresh && state.moves.size() < score_->plies.size();
    const bool elsewhere = !fresh && state.start_fen != rules::write_fen(score_->start);
    if (!fresh && !set_up && !elsewhere) return;
    Score& score = change();
    if (fresh) {
        score = Score{};
        score.game = m.game;
        thinking_ = 0;
    } else {
        auto& before = score.earlier.emplace_back(Score::Earlier{score.start, {}});
        for (const auto& ply : score.plies) before.moves.push_back(ply.move);
        score.plies.clear();
        for (auto& note : score.notes) note.ply = 0;
    }
    const auto start = rules::read_fen(state.start_fen);
    score.start = start ? *start : rules::Position::start();
}

void Recorder::on(const protocol::Message& m, const message::Ply& ply) {
    if (!ply.final || m.ply < 1) return;
    const auto n = static_cast<std::size_t>(m.ply);
    if (n > score_->plies.size() + 1) return;  // one was missed; the stream is never so
    Score& score = change();
    if (n <= score.plies.size()) {  // another move was made at this ply
        score.plies[n - 1].move = ply.move;
        return;
    }
    const rules::Side mover = rules::other(m.turn);
    const bool timed = score.clock || m.clock.running;
    score.plies.push_back({ply.move, ply.spent_ms, {}});
    if (timed) {
        score.plies.back().clock_ms = left(m.clock, mover);
        score.clock = m.clock;
    }
    score.used_ms[index(mover)] += ply.spent_ms.value_or(0);
    thinking_ = 0;
    if (!score.began) score.began = m.t;
}

void Recorder::on(const protocol::Message& /*m*/, const message::Retract& retract) {
    const auto to = static_cast<std::size_t>(retract.to_ply);
    const auto later = [&](const Score::Note& note) { return note.ply > retract.to_ply; };
    const auto& notes = score_->notes;
    if (to >= score_->plies.size() && std::none_of(notes.begin(), notes.end(), later)) return;
    Score& score = change();
    if (to < score.plies.size()) score.plies.resize(to);
    for (auto& note : score.notes) note.ply = std::min(note.ply, retract.to_ply);
}

void Recorder::on(const protocol::Message& m, const message::Ruling& ruling) {
    Score& score = change();
    const auto known = std::find_if(score.notes.begin(), score.notes.end(),
                                    [&](const auto& note) { return note.ruling.id == ruling.id; });
    Score::Note& note =
        known == score.notes.end() ? score.notes.emplace_back(Score::Note{m.ply, {}}) : *known;
    note.ruling = ruling;
    note.ruling.evidence.clear();
}

void Recorder::on(const protocol::Message& m, const message::Result& result) {
    Score& score = change();
    const bool first = !score.result;
    score.result = m.result;
    score.reason = result.reason;
    if (!first) return;  // the arbiter corrects it; the game ended when it did
    score.ended = m.t;
    if (score.clock) score.clock = m.clock;
    if (told_.running) score.used_ms[index(*told_.running)] += thinking_;
    thinking_ = 0;
}

}  // namespace xq::daemon
