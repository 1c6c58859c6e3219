// Fuzzes the referee: whatever a board and an arbiter say, line by line of a sensor log, a Table
// never crashes, never loops, never lets time fall, and all it says can be encoded and is JSON.
// The first byte picks the regulations, the rest is the log without its first line.
#include "daemon/referee/table.hpp"
#include "protocol/sensor_log.hpp"

#include <array>
#include <boost/json.hpp>
#include <cstdlib>

namespace {

using namespace xq;
using referee::ClockSource;
using referee::Completion;
using referee::Level;
using referee::Regulations;

/// An hour of game, that a run stays short: a table says something every second.
constexpr protocol::Millis longest = 3'600'000;

void require(bool holds) {
    if (!holds) std::abort();
}

Regulations regulations(std::uint8_t pick) {
    Regulations r{.rulebook = "cxa-2010",
                  .level = Level::National,
                  .automatic = (pick & 1) != 0,
                  .completion = (pick & 2) != 0 ? Completion::Settle : Completion::Press,
                  .settle_ms = 400,
                  .lift_ms = 80,
                  .released_ms = 2000,
                  .natural_limit = 2,
                  .draw_offer_surplus = 2,
                  .clock_source = ClockSource::Daemon,
                  .control_text = "1m+5s",
                  .control = {{60'000, 0, 5'000}},
                  .red_extra_ms = 0,
                  .outage_ms = 10'000};
    if ((pick & 4) != 0) {
        r.level = Level::Youth;
        r.rulebook = "asian";
        r.control = {{5'000, 2, 0}, {3'000, 1, 1'000}};
        r.red_extra_ms = 7'000;
    }
    if ((pick & 8) != 0) r.clock_source = ClockSource::Board;
    if ((pick & 16) != 0) r.clock_source = ClockSource::None;
    if ((pick & 32) != 0) {
        r.rulebook = "cxa-1999";
        r.control = {{0, 1, 1'000}, {2'000, 0, 0}, {1'000, 0, 0}};
        r.lift_ms = 1;
        r.settle_ms = 1;
        r.released_ms = 1;
    }
    return r;
}

/// What a table says is complete: it encodes, reads back, and its time has not fallen.
void check(referee::Output& out, protocol::Millis& last) {
    for (const protocol::Message& m : out.messages) {
        require(m.t >= last);
        last = m.t;
        require(m.clock.red_ms >= 0 && m.clock.black_ms >= 0);
        boost::system::error_code error;
        boost::json::parse(protocol::encode(m, 1, {"b", "cxa-2010", 0}), error);
        require(!error);
    }
    if (out.reply) require(!boost::json::serialize(*out.reply).empty());
    out = {};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
    referee::Table table(regulations(data[0]), {});
    referee::Output out;
    protocol::LogReader reader;
    require(reader.next(protocol::log_first_line).has_value());
    protocol::Millis last = 0;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const auto read = reader.next(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (!read || !*read) continue;
        if ((*read)->t > longest) break;
        table.handle(**read, out);
        check(out, last);
    }
    table.advance(std::min(reader.last(), longest) + 10'000, out);
    check(out, last);
    for (const protocol::Message& m : table.newcomer()) {
        protocol::encode(m, 1, {"b", "cxa-2010", 0});
    }
    require(!boost::json::serialize(table.status()).empty());
    require(!boost::json::serialize(table.board_status()).empty());
    return 0;
}
