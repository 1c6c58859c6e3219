#include "daemon/commands/replay_record.hpp"

#include "rules/fen.hpp"

#include <algorithm>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <charconv>

namespace xq::replay {

namespace event = protocol::event;
using protocol::Millis;

namespace {

/// What a hand needs for a ply, from the lift to the press: longer than a point must be empty to
/// count as touched, shorter than a blink.
constexpr Millis lift_before_press = 600;
constexpr Millis taken_before_press = 400;
constexpr Millis drop_before_press = 200;
constexpr Millis least_spent = 1000;

protocol::Reading reading_of(const rules::Placement& placement) {
    protocol::Reading reading;
    std::transform(placement.begin(), placement.end(), reading.begin(),
                   [](rules::Piece piece) { return protocol::Seen(piece); });
    return reading;
}

/// PGN's "30/3600:10/600" as the configuration writes it: "60m/30,10m/10".
std::string control_text(std::string_view pgn) {
    std::string out;
    while (!pgn.empty()) {
        const auto colon = std::min(pgn.find(':'), pgn.size());
        std::string_view period = pgn.substr(0, colon);
        pgn.remove_prefix(std::min(colon + 1, pgn.size()));
        const auto slash = period.find('/');
        const auto moves = slash == std::string_view::npos ? "" : period.substr(0, slash);
        if (slash != std::string_view::npos) period.remove_prefix(slash + 1);
        const auto plus = std::min(period.find('+'), period.size());
        Millis seconds = 0;
        std::from_chars(period.data(), period.data() + plus, seconds);
        out += (out.empty() ? "" : ",") + config::write_duration(seconds * config::second);
        if (!moves.empty()) out += "/" + std::string(moves);
        if (plus < period.size()) out += std::string(period.substr(plus)) + "s";
    }
    return out;
}

}  // namespace

daemon::PastLog log_of(const rules::record::GameRecord& record) {
    daemon::PastLog log;
    const auto add = [&](Millis t, protocol::Event e) { log.events.push_back({t, std::move(e)}); };
    rules::Position p = record.start;
    log.header.fen = rules::write_fen(p);
    protocol::Capabilities can;
    can.press = true;
    add(0, event::Hello{protocol::Sensing::Identity, can});
    add(0, event::Board{reading_of(p.placement())});
    Millis t = 0;
    for (const auto& ply : record.plies()) {
        const auto [from, to] = ply.move;
        t += std::max(ply.spent_ms.value_or(least_spent), least_spent);
        add(t - lift_before_press, event::Lift{from});
        if (!p.at(to).empty()) add(t - taken_before_press, event::Lift{to});
        add(t - drop_before_press, event::Drop{to, protocol::Seen(p.at(from))});
        add(t, event::Press{p.turn()});
        p.apply(ply.move);
    }
    t += least_spent;
    if (record.result != "*")
        add(t, event::Call{boost::json::serialize(boost::json::object{
                   {"jsonrpc", "2.0"},
                   {"method", "game.result"},
                   {"params", {{"result", record.result}, {"reason", "arbiter"}}},
                   {"by", "record"}})});
    add(t, event::End{});
    return log;
}

config::Settings settings_of(const rules::record::GameRecord& record) {
    config::Settings settings;
    settings.event = {std::string(record.tag("Event")), std::string(record.tag("Round")),
                      std::string(record.tag("Red")), std::string(record.tag("Black"))};
    std::string fault;
    const auto control = config::read_time_control(control_text(record.tag("TimeControl")), fault);
    if (control)
        settings.clock.control = *control;
    else
        settings.clock.source = config::ClockSource::None;
    return settings;
}

}  // namespace xq::replay
