#include "daemon/report.hpp"

#include "daemon/from_settings.hpp"

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

namespace xq::daemon {

namespace {

std::string_view text(protocol::Link link) {
    switch (link) {
        case protocol::Link::Online:
            return "online";
        case protocol::Link::Searching:
            return "searching";
        case protocol::Link::Offline:
            break;
    }
    return "offline";
}

struct Now {
    protocol::Message message;
    protocol::message::State state;
};
Now now(const Report& report) {
    Now now{report.clerk.table().newcomer().front(), {}};
    now.state = std::get<protocol::message::State>(now.message.body);
    return now;
}

}  // namespace

std::string status_line(const Report& report) {
    const auto [message, state] = now(report);
    std::string line = "game " + std::to_string(message.game) + ", ply " +
                       std::to_string(message.ply) + "; board " + std::string(text(state.link));
    if (!state.in_sync) line += ", its pieces differ from the record";
    line += "; " + std::to_string(report.door.inside()) + " spectators";
    if (!report.clerk.journal_fault().empty()) line += "; JOURNAL: " + report.clerk.journal_fault();
    return line;
}

std::string health(const Report& report) {
    const auto [message, state] = now(report);
    const bool durable = report.clerk.journal_fault().empty();
    const bool well = durable && state.link == protocol::Link::Online && state.in_sync;
    const boost::json::object object{{"status", well ? "ok" : "attention"},
                                     {"server", server_name()},
                                     {"board", report.settings.board},
                                     {"game", message.game},
                                     {"ply", message.ply},
                                     {"link", text(state.link)},
                                     {"in_sync", state.in_sync},
                                     {"journal_durable", durable},
                                     {"spectators", report.door.inside()}};
    return boost::json::serialize(object) + '\n';
}

std::string metrics_text(const Report& report) {
    const auto [message, state] = now(report);
    const Metrics& m = report.metrics;
    const CrowdCounts& c = report.crowd.counts();
    MetricsText text;
    const auto counter = [&](std::string_view name, std::string_view help, std::uint64_t value) {
        text.add(name, "counter", help, static_cast<double>(value));
    };
    const auto gauge = [&](std::string_view name, std::string_view help, double value) {
        text.add(name, "gauge", help, value);
    };
    counter("xiangqi_messages_total", "Broadcast messages.", m.messages);
    counter("xiangqi_plies_total", "Final plies.", m.plies);
    std::vector<std::pair<std::string_view, std::uint64_t>> rulings;
    for (const auto& [code, n] : m.rulings) rulings.emplace_back(protocol::text(code), n);
    text.add("xiangqi_rulings_total", "counter", "Ruling messages by code.", "code", rulings);
    counter("xiangqi_not_durable_total", "Messages announced although the journal had failed.",
            m.not_durable);
    counter("xiangqi_calls_total", "Arbiter's calls that change the game.", m.calls);
    counter("xiangqi_sensor_events_total", "Events of the board.", m.sensor_events);
    counter("xiangqi_unplugs_total", "Times that the board went away.", m.unplugs);
    counter("xiangqi_lost_packets_total", "Packets of the board that were missing.",
            m.lost_packets);
    gauge("xiangqi_board_online", "Whether the board is connected.",
          state.link == protocol::Link::Online ? 1 : 0);
    gauge("xiangqi_board_in_sync", "Whether its pieces stand as the record says.",
          state.in_sync ? 1 : 0);
    gauge("xiangqi_journal_durable", "Whether the journal's disk takes what it is given.",
          report.clerk.journal_fault().empty() ? 1 : 0);
    gauge("xiangqi_game", "Number of the game.", message.game);
    gauge("xiangqi_ply", "Moves made in it.", message.ply);
    gauge("xiangqi_spectators", "Connected spectators.", report.door.inside());
    gauge("xiangqi_delayed_batches", "What waits for the broadcast's delay to pass.",
          static_cast<double>(report.hub.delayed()));
    counter("xiangqi_spectators_admitted_total", "Spectators let in.", c.admitted);
    counter("xiangqi_spectators_refused_total", "Turned away by a limit.", c.refused);
    counter("xiangqi_spectators_evicted_total", "Ended for want of progress.", c.evicted);
    counter("xiangqi_spectators_fell_behind_total", "Given a fresh state: too slow.",
            c.fell_behind);
    counter("xiangqi_spectators_resumed_total", "Taken up where they had left off.", c.resumed);
    counter("xiangqi_spectator_input_ignored_total", "Lines that no spectator needs to send.",
            c.ignored_input);
    counter("xiangqi_accept_errors_total", "Connections that could not be accepted.",
            c.accept_errors);
    text.add(m.announcement.text("xiangqi_announcement_seconds",
                                 "From an event's arrival to its announcement."));
    text.add(m.sync.text("xiangqi_journal_sync_seconds", "What the journal's disk takes."));
    return text.text();
}

}  // namespace xq::daemon
