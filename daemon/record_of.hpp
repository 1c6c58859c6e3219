#pragma once
// From the score of a refereed game to a game record: names, times and fouls as tags, rulings as
// comments. Plain functions, any thread.
#include "daemon/score.hpp"
#include "rules/record/game_record.hpp"
#include "rules/words.hpp"

namespace xq::daemon {

/// A game as it can be written down: its score, and what the stream says of it.
struct KeptGame {
    std::shared_ptr<const Score> score;
    protocol::Hello hello;
    Millis t0 = 0;       ///< UTC ms of T = 0; 0: not known
    std::string damage;  ///< what of the journal could not be read, one sentence; empty: nothing
};

/// Comments and the reason of the result are in `language`. Dates and times of day are those of the
/// machine's time zone.
rules::record::GameRecord record_of(const KeptGame& game, rules::Language language);

}  // namespace xq::daemon
