#pragma once
// A log through a Table, and what an attentive client has of it at the end. Shared by the tests of
// the referee.
#include "daemon/referee/table.hpp"
#include "hal/hand.hpp"

#include <map>
#include <string>
#include <vector>

namespace xq::test {

/// Regulations as the configuration's defaults have them (tests/referee may not ask config/).
referee::Regulations regulations();

/// What one game of a broadcast came to.
struct Followed {
    std::vector<rules::Move> moves;
    bool all_final = true;
    std::vector<protocol::message::Ruling> rulings;  ///< the last word on each
    std::optional<protocol::Outcome> result;
    std::string fen;
    bool in_sync = true;
    protocol::ClockFace clock;
};

/// What a board of this sensing reads where `p` stands.
protocol::Reading reading_of(const rules::Position& p, protocol::Sensing sensing);

/// Everything a table said to a log, in order.
struct Replayed {
    std::vector<protocol::Message> messages;
    std::vector<std::string> replies;
    Followed last() const;  ///< the last game
    /// Rulings of a code in the last game, the last word on each.
    std::vector<protocol::message::Ruling> rulings(protocol::Code code) const;
};

Replayed replay(const referee::Regulations& r, const std::vector<protocol::Timed>& log,
                protocol::Millis until);

/// A log as text, one event a line without the first line; faults fail the test.
std::vector<protocol::Timed> log(std::string_view text);

/// Real games (tests/games): start and moves.
struct RealGame {
    rules::Position start;
    std::vector<rules::Move> moves;
};
std::vector<RealGame> real_games(std::string_view file);

/// The games that are simulated in number; a seed plays the one at seed modulo their number.
std::vector<RealGame> games_to_simulate();
/// A seed's hands, with heavy noise; every fourth identity board has no press.
hal::HandOptions noisy_hands(protocol::Sensing sensing, std::uint64_t seed);
/// One simulated game with noise held against its truth: empty, or what is wrong.
std::string simulate(const RealGame& game, const hal::HandOptions& options);

}  // namespace xq::test
