#pragma once
// Simulated hands of an evening: they play a game, set up the pieces and play the next. What the
// simulated board and the board simulator tell. A pure generator: times count from the beginning.
#include "hal/games.hpp"
#include "hal/hand.hpp"

#include <cstddef>
#include <deque>
#include <optional>

namespace xq::hal {

class Series {
public:
    /// The games are played in turn, for ever or as many as `limit` says. The first one goes on
    /// from after its ply `from_ply`: so far it has been played already.
    Series(std::vector<Game> games, HandOptions hands, std::size_t limit = 0,
           std::size_t from_ply = 0);

    /// What happens next. Lines of a log, with the arbiter's calls that begin the games from the
    /// second one on; nothing when all games are played.
    std::optional<protocol::Timed> next();

private:
    void next_game();
    void append(std::vector<protocol::Timed> log);

    std::vector<Game> games_;
    HandOptions hands_;
    std::size_t limit_;
    std::size_t from_ply_;
    std::size_t played_ = 0;
    std::deque<protocol::Timed> script_;
};

}  // namespace xq::hal
