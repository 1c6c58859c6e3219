#include "daemon/journal_files.hpp"

#include "protocol/utc.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace xq::daemon {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view suffix = ".xsl";

[[noreturn]] void fail(const fs::path& path, const std::string& what) {
    throw std::runtime_error(path.string() + ": " + what);
}

[[noreturn]] void fail(const fs::path& path) {
    fail(path, std::strerror(errno));
}

/// A board's name as part of a file's name.
std::string file_safe(const std::string& board) {
    std::string safe = board;
    for (char& c : safe) {
        const auto u = static_cast<unsigned char>(c);
        if (u < 0x80 && std::isalnum(u) == 0 && c != '-' && c != '.') c = '_';
    }
    return safe;
}

}  // namespace

/// What stands behind the last "-g".
int game_number(const std::string& name) {
    const auto at = name.rfind("-g");
    int number = 0;
    if (at != std::string::npos) {
        std::from_chars(name.data() + at + 2, name.data() + name.size(), number);
    }
    return number;
}

/// By the number of the game, for the clock of a machine without a battery may have been wrong when
/// the name was made.
std::vector<fs::path> journals(const fs::path& directory, const std::string& board) {
    std::vector<fs::path> files;
    const std::string prefix = file_safe(board) + '-';
    for (const auto& entry : fs::directory_iterator(directory)) {
        const std::string name = entry.path().filename();
        if (entry.is_regular_file() && name.starts_with(prefix) && name.ends_with(suffix)) {
            files.push_back(entry.path());
        }
    }
    std::sort(files.begin(), files.end(), [](const fs::path& a, const fs::path& b) {
        const std::string x = a.filename(), y = b.filename();
        return std::pair(game_number(x), x) < std::pair(game_number(y), y);
    });
    return files;
}

namespace {

struct Contents {
    Unfinished good;
    bool begun = false;
    bool more_behind = false;  ///< good lines behind the first bad one
    std::size_t bad_line = 0;  ///< number of the first bad line; 0: none
    std::uint64_t size = 0;    ///< of the file
    std::string text;
};

Contents read(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    Contents contents;
    contents.text.assign(std::istreambuf_iterator<char>(in), {});
    if (!in.is_open() || in.bad()) fail(path);
    contents.size = contents.text.size();
    contents.good.path = path;

    const std::string_view text = contents.text;
    protocol::LogReader reader;
    std::size_t from = 0;
    while (from < text.size()) {
        const auto end = text.find('\n', from);
        if (end == std::string_view::npos) break;  // written in part
        const auto line = text.substr(from, end - from);
        auto event = reader.next(line);
        if (!event || !reader.journal()) break;
        if (*event) contents.good.events.push_back(std::move(**event));
        contents.begun |= reader.comment() == begun_comment;
        from = end + 1;
    }
    contents.good.header = reader.header();
    contents.good.size = from;
    if (from == text.size()) return contents;
    contents.bad_line =
        1 + static_cast<std::size_t>(
                std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(from), '\n'));
    while (from < text.size() && !contents.more_behind) {
        const auto end = std::min(text.find('\n', from), text.size());
        contents.more_behind = protocol::checked(text.substr(from, end - from)).has_value();
        from = end + 1;
    }
    return contents;
}

void sync(const fs::path& path, int flags) {
    const int fd = open(path.c_str(), flags | O_CLOEXEC);
    if (fd < 0 || fsync(fd) != 0) fail(path);
    close(fd);
}

void sync_directory_of(const fs::path& path) {
    sync(path.parent_path(), O_RDONLY | O_DIRECTORY);
}

void cut(const Contents& contents) {
    fs::resize_file(contents.good.path, contents.good.size);
    sync(contents.good.path, O_WRONLY);
}

/// A name that is free, made of this one and an ending.
fs::path aside(const fs::path& path, const std::string& ending) {
    fs::path free = path.string() + ending;
    for (int i = 2; fs::exists(free); ++i) free = path.string() + ending + std::to_string(i);
    return free;
}

/// Keeps the damaged file under another name; the good lines go on under the old one.
fs::path split(const Contents& contents) {
    const fs::path path = contents.good.path;
    fs::path kept = aside(path, ".damaged");
    const fs::path fresh = path.string() + ".new";
    constexpr mode_t others_cannot_read = 0640;
    const int fd =
        open(fresh.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, others_cannot_read);
    const auto size = static_cast<std::size_t>(contents.good.size);
    const bool ok = fd >= 0 &&
                    write(fd, contents.text.data(), size) == static_cast<ssize_t>(size) &&
                    fsync(fd) == 0;
    if (!ok) fail(fresh);
    close(fd);
    // A link first: at no moment is the old name without a file.
    fs::create_hard_link(path, kept);
    fs::rename(fresh, path);
    sync_directory_of(path);
    return kept;
}

}  // namespace

JournalDirectory::JournalDirectory(fs::path path) : path_(std::move(path)) {
    std::error_code error;
    if (!fs::exists(path_, error)) {
        constexpr mode_t others_cannot_look = 0750;
        fs::create_directories(path_, error);
        chmod(path_.c_str(), others_cannot_look);
    }
    const fs::path lock = path_ / "lock";
    constexpr mode_t ours_alone = 0600;
    lock_ = open(lock.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, ours_alone);
    // Of a disk that is read-only the lock of an earlier run will do.
    if (lock_ < 0) lock_ = open(lock.c_str(), O_RDONLY | O_CLOEXEC);
    if (lock_ < 0) {
        fault_ = "no journal can be kept in " + path_.string() + ": " + std::strerror(errno);
    } else if (flock(lock_, LOCK_EX | LOCK_NB) != 0) {
        close(lock_);
        fail(path_, "another xiangqid keeps its journal here");
    }
}

JournalDirectory::~JournalDirectory() {
    if (lock_ >= 0) close(lock_);
}

std::string JournalDirectory::new_file(const std::string& board, protocol::Millis start_utc,
                                       int game) const {
    // 2026-11-30T09:30:00.000Z without what a file's name does not need.
    std::string time = protocol::utc_text(start_utc).substr(0, 19) + 'Z';
    std::erase_if(time, [](char c) { return c == '-' || c == ':'; });
    std::string number = std::to_string(game);
    number.insert(0, number.size() < 3 ? 3 - number.size() : 0, '0');
    const std::string stem = file_safe(board) + '-' + time + "-g" + number;
    fs::path path = path_ / (stem + std::string(suffix));
    for (int i = 2; fs::exists(path); ++i) {
        path = path_ / (stem + '-' + std::to_string(i) + std::string(suffix));
    }
    return path;
}

namespace {

/// Repairs the file of which this is the content and says what was done.
std::string repair(const Contents& contents) {
    const std::string name = contents.good.path;
    const std::string line = "line " + std::to_string(contents.bad_line);
    if (contents.more_behind) {
        const fs::path kept = split(contents);
        return name + ": damaged at " + line +
               ": the game is taken up before it, the whole file is kept as " + kept.string();
    }
    cut(contents);
    return name + ": the torn end at " + line + " was cut off (" +
           std::to_string(contents.size - contents.good.size) + " bytes)";
}

void recover(const JournalDirectory& directory, const std::string& board, Recovery& recovery) {
    auto files = journals(directory.path(), board);
    if (!files.empty()) recovery.next_game = game_number(files.back().filename()) + 1;
    for (; !files.empty(); files.pop_back()) {
        const fs::path path = files.back();
        Contents contents = read(path);
        if (contents.begun) {
            if (contents.bad_line > 0) recovery.notices.push_back(repair(contents));
            recovery.game = std::move(contents.good);
            return;
        }
        const fs::path kept = aside(path, ".incomplete");
        fs::rename(path, kept);
        sync_directory_of(path);
        recovery.notices.push_back(kept.string() + ": put aside: its game had not yet begun");
    }
}

}  // namespace

Recovery recover(const JournalDirectory& directory, const std::string& board) {
    Recovery recovery;
    if (!directory.fault().empty()) return recovery;
    try {
        recover(directory, board, recovery);
    } catch (const std::exception& error) {
        recovery.notices.push_back(std::string("the journal could not be taken up: ") +
                                   error.what());
    }
    return recovery;
}

}  // namespace xq::daemon
