#pragma once
// Simulated hands: how a real game looks through the points of a sensor board, and the clock's
// lever, when people play it on a real set. A pure generator: the same game, options and seed give
// the same log, and the game given is the truth about it. Whatever the noise, the players keep the
// rules: nothing in such a log is a foul. Used by the simulated board, the board simulator and the
// property tests of the referee.
#include "protocol/sensor_event.hpp"
#include "rules/position.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace xq::hal {

/// What hands and sensors get wrong; shares are 0..1 of the moves where nothing else is said.
struct Noise {
    double bounce = 0;     ///< of the arrivals and departures: contact bounce, 3-30 ms
    double slide = 0;      ///< of the long moves: the piece shows on every point it passes
    double early = 0;      ///< the point reached reads before the point left does
    double coupling = 0;   ///< of the arrivals: a neighbouring point reads a piece for a moment
    double misread = 0;    ///< the piece reads as another, or untold, until that heals
    double hesitate = 0;   ///< pieces are lifted for up to 45 ms: no touch
    double touch = 0;      ///< a real touch (150 ms and more) that the rules allow
    double revise = 0;     ///< set down elsewhere, not released, and moved on
    double hasty = 0;      ///< the reply begins before the mover has pressed
    double bad_point = 0;  ///< chance in a game: a point that no move needs flickers or sticks
    int breaks = 0;        ///< times in a game: packets are lost or the plug is pulled

    /// Every kind at about the rate of a bad evening.
    static Noise heavy();
};

struct HandOptions {
    protocol::Sensing sensing = protocol::Sensing::Identity;
    /// `press`: moves end with the lever; without it with a rest. `clock`: the clock's readings
    /// are told (one hour and 30 s a move). `buttons`: adjusting is announced by button.
    protocol::Capabilities can{.press = true, .buttons = true};
    Noise noise{};
    std::uint64_t seed = 1;
    protocol::Millis from = 0;         ///< when the log begins
    protocol::Millis think_ms = 3000;  ///< a player's usual thought before a move
    bool starts_clock = false;         ///< Black presses before the first move
};

struct Play {
    /// Hello, (game.new where the game does not begin with the start array,) board, what happens.
    /// No end: the log may be added to, from `ends` on.
    std::vector<protocol::Timed> log;
    std::vector<protocol::Millis> done;  ///< by ply: when its last piece stood
    rules::Point bad_point = rules::no_point;
    protocol::Millis ends = 0;  ///< some seconds after the last event: the board is at rest
};

/// Plays `moves`, each of which its piece must be able to make, from `start`.
Play play(const rules::Position& start, std::span<const rules::Move> moves,
          const HandOptions& options);

/// Sets the pieces up for another game: from `standing` to `wanted`, beginning at `options.from`.
std::vector<protocol::Timed> set_up(const rules::Placement& standing,
                                    const rules::Placement& wanted, const HandOptions& options);

}  // namespace xq::hal
