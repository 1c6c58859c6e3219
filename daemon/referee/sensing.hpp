#pragma once
// From what a board tells to what stands on it: contact bounce, neighbours that show for a moment,
// points that flicker. A reading is believed when it has lasted; a certain piece that arrives is
// believed at once, because no noise reads as a certain piece where there was none.
// A value inside the Table; knows the time only from its callers.
#include "protocol/sensor_event.hpp"

#include <array>
#include <bitset>
#include <deque>
#include <optional>
#include <vector>

namespace xq::referee {

using protocol::Millis;
using protocol::Reading;
using protocol::Seen;
using rules::Point;
using PointSet = std::bitset<rules::points>;

/// A reading must last this long to be believed: contacts bounce for up to 30 ms, a neighbour shows
/// for up to 60 ms, and no hand lifts a piece for less than 100 ms.
constexpr Millis bounce_ms = 80;
/// A point that is disturbed for a moment this often, or believed to change six times (three times
/// away and back) ...
constexpr int flicker_blips = 3;
constexpr int flicker_changes = 6;
/// ... within this time, flickers, until it has been quiet for the longer one. What is too short to
/// be believed does no harm; a point that is believed to toggle so is not listened to.
constexpr Millis flicker_window_ms = 3000;
constexpr Millis flicker_quiet_ms = 10000;
/// Bounces of one contact follow each other closer than this and are one disturbance.
constexpr Millis disturbance_ms = 40;

/// A believed change of a point; `t` is when the new reading began.
struct Change {
    Millis t;
    Point point;
    Seen was;
    Seen now;
};

class Sensing {
public:
    /// `lift_ms`: how long a point must be empty to count (the shorter of it and `bounce_ms`).
    explicit Sensing(Millis lift_ms) : empty_ms_(std::min(bounce_ms, lift_ms)) {}

    /// The first whole reading: believed as it is.
    void begin(const Reading& reading);
    bool begun() const { return begun_; }
    /// A point reads so from `t` on. Changes that are believed at once are appended.
    void read(Millis t, Point p, Seen seen, std::vector<Change>& out);
    /// Time has come to `t`: what has lasted is believed.
    void settle(Millis t, std::vector<Change>& out);
    /// Nobody listens from `t` on: a point that was about to flicker is taken to do so.
    void cut_off(Millis t);
    /// When a reading will have lasted or a flickering point will have been quiet.
    std::optional<Millis> next_deadline() const;

    const Reading& believed() const { return believed_; }
    Seen raw(Point p) const { return raw_[static_cast<std::size_t>(p)]; }
    /// When the point last told anything; before the first, a time long ago.
    Millis last_report(Point p) const { return points_[static_cast<std::size_t>(p)].last; }
    /// When any point last told anything.
    Millis last_report() const { return last_; }
    /// Reports of a point in the minute before `t` (the self-test's measure).
    int changes_per_minute(Point p, Millis t) const;
    /// Points that flicker now, and those of them that are not listened to.
    PointSet flickering() const { return blinking_ | toggling_; }
    const PointSet& toggling() const { return toggling_; }

private:
    struct Watch {
        Millis since = 0;  ///< the raw reading began
        Millis last = -1'000'000;
        bool pending = false;  ///< the raw reading differs from the believed one
        Millis disturbed = -1'000'000;
        std::deque<Millis> reports;  ///< of the last minute
        std::deque<Millis> blips;    ///< disturbances that ended as they began
        std::deque<Millis> changes;  ///< believed ones
    };

    Millis hold(Point p, Seen seen) const;
    void believe(Point p, std::vector<Change>& out);

    Millis empty_ms_;
    bool begun_ = false;
    Millis last_ = -1'000'000;
    Reading raw_{};
    Reading believed_{};
    std::array<Watch, rules::points> points_{};
    PointSet blinking_;
    PointSet toggling_;
};

}  // namespace xq::referee
