#pragma once
// The points under simulated hands: pieces arrive and leave with the noise that contacts make. The
// base of the hands, which know what they do; the points know only how badly it is sensed. Pure.
#include "hal/dice.hpp"
#include "hal/hand.hpp"

#include <optional>
#include <span>
#include <vector>

namespace xq::hal {

class NoisyPoints {
protected:
    explicit NoisyPoints(const HandOptions& options)
        : o_(options), dice_(options.seed), t_(options.from) {}

    protocol::Seen told(rules::Piece p) const { return protocol::Seen::of(p, o_.sensing); }
    bool usable(rules::Point p) const { return p != bad_point_; }

    void say(protocol::Millis t, protocol::Event e) { log_.push_back({t, std::move(e)}); }
    void show(protocol::Millis t, rules::Point p, protocol::Seen seen);
    void wait(protocol::Millis low, protocol::Millis high) { t_ += dice_.between(low, high); }

    /// The point comes to read `seen`, or to read nothing, at once or after bouncing.
    void arrive(rules::Point p, protocol::Seen seen);
    void leave(rules::Point p, protocol::Seen seen);
    /// What the point says of a piece it cannot tell rightly; nothing where it tells it rightly.
    std::optional<protocol::Seen> misreading(rules::Piece p);
    /// A neighbour of the point reached may read a piece for a moment.
    void couple(rules::Move m, const rules::Position& before);

    /// Perhaps chooses a point that no move of the game needs, so that the game stays readable.
    void choose_bad_point(std::span<const rules::Move> moves);
    /// Toggles it for a second or three, and leaves it wrong for good in half of the games.
    void bad_point_acts(protocol::Seen right, protocol::Millis from, protocol::Millis until);

    HandOptions o_;
    Dice dice_;
    protocol::Millis t_;                ///< how far the hands have come
    std::vector<protocol::Timed> log_;  ///< not in order: some noise comes later by itself
    rules::Point bad_point_ = rules::no_point;

private:
    void toggle(rules::Point p, protocol::Seen first, protocol::Seen second);
};

}  // namespace xq::hal
