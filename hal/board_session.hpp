#pragma once
// What passes between us and a board, without the USB: packets in, events and commands out
// (BOARD_WIRE.md). It trusts no packet: a gap, a packet that cannot be read, or a whole reading
// that differs from the deltas makes it ask for the board anew, and it never guesses. It outlives
// connections, so that what is known already is not told again. Pure; io thread.
#include "hal/uptime.hpp"
#include "protocol/board_wire.hpp"
#include "protocol/sensor_event.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace xq::hal {

class BoardSession {
public:
    struct Out {
        std::vector<protocol::Timed> events;
        std::vector<protocol::wire::Command> commands;
        std::vector<std::string> notices;
        bool board_heard = false;  ///< a BOARD was read: the board is alive
        bool refused = false;      ///< the board cannot be used; it stays so until it is replaced
    };

    /// `rotated`: the board's a0 lies at Black's right hand, so points are turned round both ways;
    /// sides are the players' and stay.
    explicit BoardSession(bool rotated) : rotated_(rotated) {}

    /// A device was opened. Where `serial` is given its HELLO must name that serial number.
    void connected(const std::string& serial, Out& out);
    /// It sent this; `arrived` by the daemon's clock.
    void received(std::span<const std::uint8_t> bytes, protocol::Millis arrived, Out& out);
    /// Time passes: asks again for a reading that is owed.
    void tick(protocol::Millis now, Out& out);
    /// There is no device (any more). Told once, also where there was none from the beginning.
    void disconnected(protocol::Millis now, Out& out);

    /// A command as this board takes it; nothing where it lacks the capability.
    std::optional<protocol::wire::Command> prepared(const protocol::wire::Command& command) const;
    bool online() const { return link_ == Link::Online; }

private:
    enum class Link : std::uint8_t { Unknown, Online, Offline };

    void take(const protocol::wire::Hello& hello, protocol::Millis t, Out& out);
    void take(const protocol::wire::Board& board, protocol::Millis t, Out& out);
    void take(const protocol::wire::Changes& changes, protocol::Millis t, Out& out);
    void take(const protocol::wire::Clock& clock, protocol::Millis t, Out& out);
    void take(const protocol::wire::Press& press, protocol::Millis t, Out& out) const;
    void take(const protocol::wire::Button& button, protocol::Millis t, Out& out) const;
    void take(const protocol::wire::Health& health, protocol::Millis t, Out& out);
    void unreadable(std::span<const std::uint8_t> bytes, const std::string& why, Out& out);
    void ask_for_board(Out& out);
    void follow_seq(std::uint16_t seq, protocol::Millis t, Out& out);
    rules::Point turned(rules::Point p) const { return rotated_ ? rules::rotated(p) : p; }

    bool rotated_;
    UptimeMap time_;
    // What has been told, over all connections.
    Link link_ = Link::Unknown;
    std::optional<protocol::event::Hello> told_hello_;
    protocol::Reading reading_{};
    std::optional<protocol::wire::Clock> clock_;
    std::vector<protocol::event::Health> faults_;
    // This connection.
    std::string serial_;  ///< that it must have; empty: any
    std::optional<protocol::event::Hello> hello_;
    std::optional<std::uint16_t> next_seq_;
    protocol::Millis now_ = 0;
    std::optional<protocol::Millis> asked_;  ///< when a BOARD was asked for last
    bool owed_ = false;                      ///< a reading must follow, whether it is news or not
    bool doubted_ = false;  ///< the last BOARD differed from the deltas; the next one is believed
    bool complained_ = false;
    bool refused_ = false;
    bool battery_low_ = false;
};

}  // namespace xq::hal
