#pragma once
// What the configuration means to the referee and to the stream: the one place where settings
// become regulations, a game's names and the facts of a `hello`. Plain functions, used by the
// daemon and by the replay alike.
#include "config/settings.hpp"
#include "daemon/referee/table.hpp"
#include "protocol/sensor_log.hpp"

namespace xq::daemon {

referee::Regulations regulations(const config::Settings& settings);

/// The game as the configuration names it, before any call or journal says otherwise.
referee::GameStart game_start(const config::Settings& settings, int number = 1);

/// What a journal's head must say so that a fresh table can take up this game again. `start_utc_ms`
/// is the moment of T = 0.
protocol::LogHeader log_header(const config::Settings& settings, const referee::GameStart& game,
                               protocol::Millis start_utc_ms);
/// The game that a journal's head names, over what its settings say.
referee::GameStart game_start(const protocol::LogHeader& header, const config::Settings& settings);

/// The facts of the stream, as the table knows them, with what only the shell knows.
protocol::Hello hello(const referee::Table& table, const config::Settings& settings,
                      std::int64_t epoch);

/// "xiangqid 1.2.3"
std::string_view server_name();

}  // namespace xq::daemon
