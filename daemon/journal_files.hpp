#pragma once
// The journal's directory: its lock, the names of its files, and what a file is still good for
// after a crash. Used at start-up and when a game begins, io thread.
#include "protocol/sensor_log.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace xq::daemon {

/// Makes the directory (mode 0750) where it is missing, and holds it against a second daemon:
/// throws std::runtime_error with one sentence for people where one is there. What the disk refuses
/// is a `fault`, and no reason not to play.
class JournalDirectory {
public:
    explicit JournalDirectory(std::filesystem::path path);
    JournalDirectory(const JournalDirectory&) = delete;
    JournalDirectory& operator=(const JournalDirectory&) = delete;
    ~JournalDirectory();

    const std::filesystem::path& path() const { return path_; }
    /// Why nothing can be kept here, one sentence; empty: all is well.
    const std::string& fault() const { return fault_; }
    /// A path for a new game that names no file yet: BOARD-20261130T093000Z-g003.xsl.
    std::string new_file(const std::string& board, protocol::Millis start_utc, int game) const;

private:
    std::filesystem::path path_;
    std::string fault_;
    int lock_ = -1;
};

/// This board's journals, the newest game last. Throws std::filesystem::filesystem_error.
std::vector<std::filesystem::path> journals(const std::filesystem::path& directory,
                                            const std::string& board);
/// The number of the game in a journal's name, 0 where there is none.
int game_number(const std::string& name);

/// The game that the daemon was stopped in.
struct Unfinished {
    std::string path;
    std::uint64_t size = 0;  ///< of what is good in the file; the rest has been cut off
    protocol::LogHeader header;
    std::vector<protocol::Timed> events;
};
struct Recovery {
    std::optional<Unfinished> game;    ///< the newest; nothing where there is none
    int next_game = 1;                 ///< a number above those of all games in the directory
    std::vector<std::string> notices;  ///< what was repaired, a sentence each
};
/// Reads the newest game of this board and repairs its file. A torn tail, which a power cut leaves,
/// is cut off. A damaged line with good ones behind it is no torn tail: the file is kept aside
/// (`.damaged`) and the good lines before the damage go on under the old name. A file whose head or
/// opening was never completed is put aside (`.incomplete`), for nothing of it was announced.
/// Where the disk does not let it, that is among the notices.
Recovery recover(const JournalDirectory& directory, const std::string& board);

/// The comment behind a new journal's opening: from here on its game has begun.
inline constexpr std::string_view begun_comment = "begun";

}  // namespace xq::daemon
