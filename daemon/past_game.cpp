#include "daemon/past_game.hpp"

#include "config/load.hpp"
#include "daemon/from_settings.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

namespace xq::daemon {

Result<PastLog> read_past_log(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    if (!in.is_open() || in.bad())
        return Fault{0, path + ": cannot be read: " + std::strerror(errno)};
    PastLog log;
    protocol::LogReader reader;
    for (std::size_t from = 0; from < text.size() && log.damage.empty();) {
        const std::size_t end = std::min(text.find('\n', from), text.size());
        auto event = reader.next(std::string_view(text).substr(from, end - from));
        if (!event)
            log.damage = event.error().what;
        else if (*event)
            log.events.push_back(std::move(**event));
        from = end + 1;
    }
    log.header = reader.header();
    return log;
}

config::Settings settings_of(const protocol::LogHeader& header) {
    config::Settings settings;
    if (header.config.empty()) return settings;
    const auto loaded = config::read_json(header.config);
    return loaded.ok() ? loaded.settings : settings;
}

std::vector<KeptGame> games_of(const PastLog& log, const config::Settings& settings) {
    referee::Table table(regulations(settings), game_start(log.header, settings));
    Recorder recorder;
    std::vector<KeptGame> games;
    const auto begin = [&] {
        games.push_back({{}, hello(table, settings, 0), log.header.start.value_or(0), {}});
    };
    recorder.take(table.newcomer().front());
    begin();
    referee::Output out;
    for (const auto& event : log.events) {
        table.handle(event, out);
        for (const auto& message : out.messages) {
            if (message.game != recorder.game()) {
                games.back().score = recorder.score();
                begin();
            }
            recorder.take(message);
        }
        out.messages.clear();
    }
    games.back().score = recorder.score();
    games.back().damage = log.damage;
    return games;
}

}  // namespace xq::daemon
