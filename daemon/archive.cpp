#include "daemon/archive.hpp"

#include "daemon/journal_files.hpp"
#include "daemon/past_game.hpp"

#include <algorithm>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fstream>
#include <iterator>

namespace xq::daemon {

namespace fs = std::filesystem;

std::vector<fs::path> Archive::files() const {
    try {
        auto all = journals(directory_, board_);
        std::reverse(all.begin(), all.end());
        return all;
    } catch (const fs::filesystem_error&) {
        return {};  // a disk that is gone holds no games
    }
}

/// Ids are compared with the names that are there; none of them ever becomes a path.
std::optional<fs::path> Archive::file(const std::string& id, int below) const {
    for (const auto& path : files())
        if (path.stem() == id && game_number(id) < below) return path;
    return std::nullopt;
}

const KeptGame* Archive::read(const fs::path& path) {
    const std::string id = path.stem();
    if (const auto known = read_.find(id); known != read_.end()) return &known->second;
    const auto log = read_past_log(path);
    if (!log) return nullptr;
    if (read_.size() >= most_listed) read_.erase(read_.begin());
    return &read_.emplace(id, games_of(*log, settings_of(log->header)).front()).first->second;
}

std::vector<ArchivedGame> Archive::before(int number) {
    std::vector<ArchivedGame> games;
    for (const auto& path : files()) {
        if (game_number(path.stem()) >= number) continue;
        if (games.size() == most_listed) break;
        const KeptGame* const game = read(path);
        if (game != nullptr && (!game->score->plies.empty() || game->score->result))
            games.push_back({path.stem(), *game});
    }
    return games;
}

std::optional<std::string> Archive::id_of(int number) const {
    for (const auto& path : files())
        if (game_number(path.stem()) == number) return path.stem();
    return std::nullopt;
}

std::optional<KeptGame> Archive::find(const std::string& id, int below) {
    const auto path = file(id, below);
    const KeptGame* const game = path ? read(*path) : nullptr;
    return game == nullptr ? std::nullopt : std::optional(*game);
}

std::optional<std::string> Archive::log(const std::string& id, int below) const {
    const auto path = file(id, below);
    if (!path) return std::nullopt;
    std::ifstream in(*path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    if (!in.is_open() || in.bad()) return std::nullopt;
    return public_log(text);
}

std::string public_log(std::string_view journal) {
    std::string out;
    while (!journal.empty()) {
        const auto end = std::min(journal.find('\n'), journal.size());
        const auto line = protocol::checked(journal.substr(0, end));
        journal.remove_prefix(std::min(end + 1, journal.size()));
        if (!line) break;  // a damaged line ends what can be trusted
        const auto parsed = protocol::read_log_line(*line);
        const auto* const timed = parsed ? std::get_if<protocol::Timed>(&*parsed) : nullptr;
        const auto* const call =
            timed != nullptr ? std::get_if<protocol::event::Call>(&timed->event) : nullptr;
        if (call == nullptr) {
            out += protocol::with_checksum(*line) + '\n';
            continue;
        }
        boost::system::error_code bad;
        auto json = boost::json::parse(call->json, bad);
        if (bad || !json.is_object()) continue;
        json.get_object().erase("by");
        out += protocol::with_checksum(protocol::write_log_line(
                   {timed->t, protocol::event::Call{boost::json::serialize(json)}})) +
               '\n';
    }
    return out;
}

}  // namespace xq::daemon
