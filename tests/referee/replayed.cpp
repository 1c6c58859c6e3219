#include "tests/referee/replayed.hpp"

#include "hal/games.hpp"
#include "protocol/sensor_log.hpp"
#include "rules/fen.hpp"
#include "rules/moves.hpp"
#include "rules/notation.hpp"

#include <boost/json.hpp>
#include <sstream>
#include <stdexcept>

namespace xq::test {

namespace message = protocol::message;
using protocol::Code;
using protocol::Severity;

referee::Regulations regulations() {
    return {.rulebook = "cxa-2010",
            .level = referee::Level::National,
            .automatic = false,
            .completion = referee::Completion::Press,
            .settle_ms = 400,
            .lift_ms = 80,
            .released_ms = 2000,
            .natural_limit = 60,
            .draw_offer_surplus = 2,
            .clock_source = referee::ClockSource::Daemon,
            .control_text = "60m+30s",
            .control = {{3'600'000, 0, 30'000}},
            .red_extra_ms = 0,
            .outage_ms = 10'000};
}

protocol::Reading reading_of(const rules::Position& p, protocol::Sensing sensing) {
    protocol::Reading r{};
    for (rules::Point i = 0; i < rules::points; ++i)
        r[static_cast<std::size_t>(i)] = protocol::Seen::of(p.at(i), sensing);
    return r;
}

Followed Replayed::last() const {
    Followed f;
    const int game = messages.empty() ? 1 : messages.back().game;
    std::vector<bool> final_plies;
    for (const protocol::Message& m : messages) {
        if (m.game != game) continue;
        f.fen = m.fen;
        f.result = m.result;
        f.clock = m.clock;
        if (const auto* s = std::get_if<message::State>(&m.body)) {
            f.moves = s->moves;
            final_plies.assign(f.moves.size(), true);
            f.in_sync = s->in_sync;
        } else if (const auto* p = std::get_if<message::Ply>(&m.body)) {
            const auto n = static_cast<std::size_t>(m.ply);
            f.moves.resize(n);
            final_plies.resize(n);
            f.moves[n - 1] = p->move;
            final_plies[n - 1] = p->final;
        } else if (const auto* r = std::get_if<message::Retract>(&m.body)) {
            f.moves.resize(static_cast<std::size_t>(r->to_ply));
            final_plies.resize(f.moves.size());
        } else if (const auto* b = std::get_if<message::Board>(&m.body)) {
            f.in_sync = b->in_sync;
        } else if (const auto* u = std::get_if<message::Ruling>(&m.body)) {
            const auto i = static_cast<std::size_t>(u->id);
            if (f.rulings.size() < i) f.rulings.resize(i);
            f.rulings[i - 1] = *u;
        }
    }
    for (const bool b : final_plies) f.all_final = f.all_final && b;
    return f;
}

std::vector<message::Ruling> Replayed::rulings(Code code) const {
    std::vector<message::Ruling> out;
    for (const auto& r : last().rulings)
        if (r.code == code) out.push_back(r);
    return out;
}

Replayed replay(const referee::Regulations& r, const std::vector<protocol::Timed>& log,
                protocol::Millis until) {
    referee::Table table(r, {});
    Replayed result;
    referee::Output out;
    const auto take = [&] {
        for (auto& m : out.messages) result.messages.push_back(std::move(m));
        if (out.reply) result.replies.push_back(boost::json::serialize(*out.reply));
        out = {};
    };
    for (const protocol::Timed& e : log) {
        table.handle(e, out);
        take();
    }
    table.advance(until, out);
    take();
    return result;
}

std::vector<protocol::Timed> log(std::string_view text) {
    std::vector<protocol::Timed> out;
    std::istringstream lines{std::string(text)};
    for (std::string line; std::getline(lines, line);) {
        const auto first = line.find_first_not_of(' ');
        if (first == std::string::npos) continue;
        const auto read = protocol::read_log_line(std::string_view(line).substr(first));
        if (!read) throw std::runtime_error(line + ": " + read.error().what);
        if (const auto* t = std::get_if<protocol::Timed>(&*read)) out.push_back(*t);
    }
    return out;
}

std::vector<RealGame> real_games(std::string_view file) {
    const auto games = hal::load_games(std::string(XQ_TESTS "/games/").append(file));
    if (!games) throw std::runtime_error(games.error().what);
    std::vector<RealGame> out;
    for (const hal::Game& g : *games) out.push_back({g.start, g.moves});
    return out;
}

std::vector<RealGame> games_to_simulate() {
    auto games = real_games("full.jsonl");
    for (auto& game : real_games("ended_on_the_board.jsonl")) games.push_back(std::move(game));
    return games;
}

hal::HandOptions noisy_hands(protocol::Sensing sensing, std::uint64_t seed) {
    hal::HandOptions hands;
    hands.sensing = sensing;
    hands.noise = hal::Noise::heavy();
    hands.seed = seed;
    if (seed % 4 == 0 && sensing == protocol::Sensing::Identity) hands.can.press = false;
    return hands;
}

std::string simulate(const RealGame& game, const hal::HandOptions& options) {
    const hal::Play play = hal::play(game.start, game.moves, options);
    referee::Regulations r = regulations();
    if (!options.can.press) {
        r.completion = referee::Completion::Settle;
        r.clock_source = referee::ClockSource::None;
    }
    const Replayed replayed = replay(r, play.log, play.ends + 3000);
    const Followed f = replayed.last();
    for (std::size_t i = 0; i < game.moves.size(); ++i) {
        if (i >= f.moves.size()) return "move " + std::to_string(i + 1) + " is missing";
        if (f.moves[i] != game.moves[i])
            return "move " + std::to_string(i + 1) + " is " + rules::iccs(f.moves[i]) + ", not " +
                   rules::iccs(game.moves[i]);
    }
    if (f.moves.size() > game.moves.size())
        return "a move too many: " + rules::iccs(f.moves[game.moves.size()]);
    if (!f.all_final) return "the last moves are not final";
    for (const auto& u : f.rulings) {
        if (u.severity < Severity::Foul) {
            // A warning is a false alarm too, where the hands kept the rules.
            if (u.severity == Severity::Warning && u.code != Code::Repetition)
                return "false alarm: " + u.en;
            continue;
        }
        if (u.code == Code::Checkmate || u.code == Code::Stalemate || u.code == Code::Repetition ||
            u.code == Code::NoWinnerPossible)
            continue;
        return "ruling too many: " + u.en;
    }
    return {};
}

}  // namespace xq::test
