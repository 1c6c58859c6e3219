#pragma once
// A journal, or any sensor log, read back into the games that were played in it, by replaying it
// through the same referee. Plain functions; a long game takes tens of milliseconds, so the daemon
// calls them on its worker's thread.
#include "config/settings.hpp"
#include "daemon/record_of.hpp"
#include "protocol/sensor_log.hpp"

#include <vector>

namespace xq::daemon {

struct PastLog {
    protocol::LogHeader header;
    std::vector<protocol::Timed> events;
    std::string damage;  ///< where reading stopped and why; empty: it was read to its end
};

/// Reads as far as the log is good. A fault is one line for people: the file cannot be opened.
Result<PastLog> read_past_log(const std::string& path);

/// The settings that a journal's head names, over the defaults.
config::Settings settings_of(const protocol::LogHeader& header);

/// The games of a log in their order. A journal holds one, and at its end perhaps the call that
/// began the next.
std::vector<KeptGame> games_of(const PastLog& log, const config::Settings& settings);

}  // namespace xq::daemon
