#pragma once
// The games that are over, read from the journals of this board. Belongs to the worker's thread: it
// replays whole games. What it has read it keeps, for the journal of a past game does not change.
#include "daemon/record_of.hpp"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace xq::daemon {

struct ArchivedGame {
    std::string id;  ///< the journal's name without its ending
    KeptGame game;
};

class Archive {
public:
    Archive(std::filesystem::path directory, std::string board)
        : directory_(std::move(directory)), board_(std::move(board)) {}

    /// The games with a number below this one, the newest first, at most `most_listed`; but for
    /// those in which nothing was played and nothing decided.
    std::vector<ArchivedGame> before(int number);
    /// The id of the journal of this game; nothing where there is none.
    std::optional<std::string> id_of(int number) const;
    /// A game with a number below this one, by its id.
    std::optional<KeptGame> find(const std::string& id, int below);
    /// Its log as the public may have it: who called is left out.
    std::optional<std::string> log(const std::string& id, int below) const;

    static constexpr std::size_t most_listed = 500;

private:
    std::vector<std::filesystem::path> files() const;
    std::optional<std::filesystem::path> file(const std::string& id, int below) const;
    const KeptGame* read(const std::filesystem::path& path);

    std::filesystem::path directory_;
    std::string board_;
    std::map<std::string, KeptGame> read_;  ///< by id
};

/// A journal without the names of those who called, with new checksums. It replays to the same
/// stream.
std::string public_log(std::string_view journal);

}  // namespace xq::daemon
