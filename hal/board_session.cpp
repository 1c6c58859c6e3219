#include "hal/board_session.hpp"

#include <algorithm>
#include <utility>

namespace xq::hal {

namespace wire = protocol::wire;
namespace event = protocol::event;
using protocol::Millis;

namespace {

constexpr std::size_t header_size = 8;
/// Seq differences above this are not losses but a step back: the board counts anew.
constexpr unsigned step_back = 0x8000;
/// A player's game can last four hours more; time enough to bring a charger.
constexpr int battery_warning = 15;
constexpr int battery_well = 25;
/// Longer than a board needs to answer, shorter than anybody waits for.
constexpr Millis ask_interval = 200;

/// Whether the packet is whole but of a type that a later minor version may have added.
bool of_unknown_type(std::span<const std::uint8_t> bytes) {
    constexpr std::uint8_t first_type = 0x01;
    constexpr std::uint8_t last_type = 0x07;
    return bytes.size() >= header_size && (bytes[0] < first_type || bytes[0] > last_type);
}

std::uint16_t seq_of(std::span<const std::uint8_t> bytes) {
    return static_cast<std::uint16_t>(bytes[2] | (bytes[3] << 8U));
}

}  // namespace

/// Asks at once, but never so often that a board whose every packet is wrong fills the bus.
void BoardSession::ask_for_board(Out& out) {
    if (asked_ && now_ - *asked_ < ask_interval) return;
    asked_ = now_;
    out.commands.emplace_back(wire::SendBoard{});
}

void BoardSession::tick(Millis now, Out& out) {
    now_ = now;
    if (online() && (owed_ || doubted_)) ask_for_board(out);
}

void BoardSession::connected(const std::string& serial, Out& out) {
    serial_ = serial;
    asked_.reset();
    time_.begin();
    hello_.reset();
    next_seq_.reset();
    owed_ = true;
    doubted_ = false;
    complained_ = false;
    refused_ = false;
    battery_low_ = false;
    out.commands.emplace_back(wire::Stream{true});
}

void BoardSession::disconnected(Millis now, Out& out) {
    if (link_ != Link::Offline) out.events.push_back({time_.at_least(now), event::Unplug{}});
    link_ = Link::Offline;
}

void BoardSession::received(std::span<const std::uint8_t> bytes, Millis arrived, Out& out) {
    if (refused_) return;
    now_ = arrived;
    const auto packet = wire::decode(bytes);
    if (!packet) {
        unreadable(bytes, packet.error().what, out);
        return;
    }
    if (time_.fell(packet->uptime_ms)) {
        // It has started anew without leaving the bus, and knows nothing of us any more.
        next_seq_.reset();
        if (online()) out.events.push_back({time_.at_least(arrived), event::Gap{1}});
        owed_ = true;
        out.commands.emplace_back(wire::Stream{true});
    }
    const Millis t = time_.map(packet->uptime_ms, arrived);
    follow_seq(packet->seq, t, out);
    std::visit([&](const auto& body) { take(body, t, out); }, packet->body);
}

/// A packet that is damaged is lost, and the next one's seq will say so; one of a type that we do
/// not know has come, but may have told of a change.
void BoardSession::unreadable(std::span<const std::uint8_t> bytes, const std::string& why,
                              Out& out) {
    if (of_unknown_type(bytes) && next_seq_ == seq_of(bytes)) ++*next_seq_;
    if (!std::exchange(complained_, true)) {
        out.notices.push_back("the board sent a packet that cannot be read (" + why +
                              "); its whole reading is asked for; if this goes on, check cable and "
                              "firmware");
    }
    ask_for_board(out);
}

void BoardSession::follow_seq(std::uint16_t seq, Millis t, Out& out) {
    const auto expected = std::exchange(next_seq_, static_cast<std::uint16_t>(seq + 1));
    if (!expected || *expected == seq) return;
    const unsigned ahead = static_cast<std::uint16_t>(seq - *expected);
    ask_for_board(out);
    owed_ = true;
    if (online()) {
        out.events.push_back({t, event::Gap{ahead < step_back ? static_cast<int>(ahead) : 1}});
    }
}

void BoardSession::take(const wire::Hello& hello, Millis t, Out& out) {
    const auto refuse = [&](const std::string& why) {
        refused_ = out.refused = true;
        out.notices.push_back("the board is not used: " + why);
    };
    if (hello.major != wire::major_version) {
        refuse("it speaks version " + std::to_string(hello.major) +
               " of the board wire, xiangqid " + "speaks version " +
               std::to_string(wire::major_version) + "; update its firmware or xiangqid");
        return;
    }
    if (!serial_.empty() && hello.serial != serial_) {
        refuse("its serial number is " + hello.serial + ", not " + serial_);
        return;
    }
    hello_ = event::Hello{hello.sensing, hello.can};
    if (!online() || told_hello_ == hello_) return;
    told_hello_ = hello_;
    out.events.push_back({t, *hello_});
    ask_for_board(out);
}

void BoardSession::take(const wire::Board& board, Millis t, Out& out) {
    out.board_heard = true;
    if (!hello_) {  // without it the codes cannot be understood
        out.commands.emplace_back(wire::SendHello{});
        ask_for_board(out);
        return;
    }
    protocol::Reading reading;
    for (rules::Point p = 0; p < rules::points; ++p) {
        reading[static_cast<std::size_t>(turned(p))] =
            wire::seen(board.codes[static_cast<std::size_t>(p)], hello_->sensing);
    }
    if (!online()) {
        link_ = Link::Online;
        out.events.push_back({t, event::Plug{}});
        if (std::exchange(told_hello_, hello_) != hello_) out.events.push_back({t, *hello_});
        clock_.reset();
    } else if (!owed_) {
        const bool differs = reading != reading_;
        if (differs && !std::exchange(doubted_, true)) {
            ask_for_board(out);
            return;
        }
        doubted_ = false;
        if (!differs) return;
    }
    owed_ = false;
    doubted_ = false;
    reading_ = reading;
    out.events.push_back({t, event::Board{reading}});
}

void BoardSession::take(const wire::Changes& changes, Millis t, Out& out) {
    if (!online() || !hello_) return;
    for (const auto& change : changes.changes) {
        const rules::Point p = turned(change.point);
        const auto seen = wire::seen(change.code, hello_->sensing);
        if (std::exchange(reading_[static_cast<std::size_t>(p)], seen) == seen) continue;
        if (seen.empty())
            out.events.push_back({t, event::Lift{p}});
        else
            out.events.push_back({t, event::Drop{p, seen}});
    }
}

void BoardSession::take(const wire::Clock& clock, Millis t, Out& out) {
    // An invalid reading is told once, whatever stands behind it.
    const auto told = clock.valid ? clock : wire::Clock{};
    if (!online() || std::exchange(clock_, told) == told) return;
    if (clock.valid) {
        out.events.push_back({t, event::Clock{clock.red_ms, clock.black_ms, clock.running}});
    } else {
        out.events.push_back({t, event::ClockInvalid{}});
    }
}

void BoardSession::take(const wire::Press& press, Millis t, Out& out) const {
    if (online()) out.events.push_back({t, event::Press{press.side}});
}

void BoardSession::take(const wire::Button& button, Millis t, Out& out) const {
    if (online()) out.events.push_back({t, event::Button{button.side, button.what}});
}

/// A HEALTH names all that is wrong now; told are the differences.
void BoardSession::take(const wire::Health& health, Millis t, Out& out) {
    if (health.battery) {
        const int charge = *health.battery;
        const bool was_low = battery_low_;
        battery_low_ = charge < (was_low ? battery_well : battery_warning);
        if (battery_low_ && !was_low) {
            out.notices.push_back("the board's battery is at " + std::to_string(charge) +
                                  " %: charge it");
        }
    }
    if (!online()) return;
    std::vector<event::Health> faults;
    faults.reserve(health.faults.size());
    for (const auto& fault : health.faults) faults.push_back({turned(fault.point), fault.fault});
    const auto tell = [&](const event::Health& h) { out.events.push_back({t, h}); };
    for (const auto& old : faults_) {
        if (std::ranges::find(faults, old.point, &event::Health::point) == faults.end()) {
            tell({old.point, protocol::PointFault::None});
        }
    }
    for (const auto& fault : faults) {
        if (std::ranges::find(faults_, fault) == faults_.end()) tell(fault);
    }
    faults_ = std::move(faults);
}

std::optional<wire::Command> BoardSession::prepared(const wire::Command& command) const {
    if (!hello_ || refused_) return {};
    if (const auto* leds = std::get_if<wire::Leds>(&command)) {
        if (!hello_->can.leds) return {};
        wire::Leds out = *leds;
        if (rotated_) std::ranges::reverse(out.on);
        return out;
    }
    if (std::holds_alternative<wire::Beep>(command) && !hello_->can.buzzer) return {};
    if (std::holds_alternative<wire::ClockSet>(command) && !hello_->can.clock) return {};
    return command;
}

}  // namespace xq::hal
