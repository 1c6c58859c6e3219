#include "daemon/token_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace xq::daemon {

namespace {

// A line is 150 bytes; a thousand arbiters are no board's.
constexpr std::size_t largest_file = std::size_t{128} << 10U;

constexpr mode_t by_others = 0007;
constexpr mode_t by_group = 0070;
constexpr mode_t group_may_read = 0040;
constexpr mode_t owner_alone = 0600;

class File {
public:
    explicit File(int fd) : fd_(fd) {}
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    ~File() {
        if (fd_ >= 0) close(fd_);
    }
    int fd() const { return fd_; }
    bool good() const { return fd_ >= 0; }

private:
    int fd_;
};

std::string because(const std::string& path) {
    return path + ": " + std::strerror(errno);
}

/// systemd keeps credentials in a directory of the service's own, and may have to let a service in
/// by a list of rights that looks like the group's.
bool is_credential(const std::string& path) {
    const char* const directory =
        std::getenv("CREDENTIALS_DIRECTORY");  // NOLINT(concurrency-mt-unsafe): nobody sets it
    return directory != nullptr && path.starts_with(std::string(directory) + '/');
}

/// Whom the file that is to be written belongs to.
void give_to_owner(int fd, const std::string& path, const std::filesystem::path& directory) {
    struct stat there {};
    if (stat(path.c_str(), &there) != 0 && stat(directory.c_str(), &there) != 0) return;
    // Only root can give files away; others own what they write already.
    if (geteuid() == 0 && fchown(fd, there.st_uid, there.st_gid) != 0) return;
}

bool write_all(int fd, std::string_view bytes) {
    while (!bytes.empty()) {
        const auto n = write(fd, bytes.data(), bytes.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(n));
    }
    return fsync(fd) == 0;
}

}  // namespace

Result<std::string> read_secret(const std::string& path) {
    const File file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
    struct stat is {};
    if (!file.good() || fstat(file.fd(), &is) != 0) return Fault{0, because(path)};
    if (!S_ISREG(is.st_mode)) return Fault{0, path + ": is no file"};
    const mode_t forbidden =
        by_others | (is_credential(path) ? by_group & ~group_may_read : by_group);
    if ((is.st_mode & forbidden) != 0) {
        return Fault{0, path + ": others than its owner may open it; chmod 600"};
    }
    std::string text(largest_file + 1, '\0');
    const auto size = read(file.fd(), text.data(), text.size());
    if (size < 0) return Fault{0, because(path)};
    text.resize(static_cast<std::size_t>(size));
    if (text.size() > largest_file) return Fault{0, path + ": is too large for a token file"};
    return text;
}

Result<std::vector<TokenEntry>> load_tokens(const std::string& path) {
    const auto text = read_secret(path);
    if (!text) return text.error();
    auto entries = read_tokens(*text);
    if (!entries) return Fault{0, path + ": " + entries.error().what};
    return entries;
}

std::string save_secret(const std::string& path, const std::string& text) {
    const auto directory = std::filesystem::absolute(path).parent_path();
    std::string fresh = path + ".XXXXXX";
    const File file(mkostemp(fresh.data(), O_CLOEXEC));
    if (!file.good()) return because(path);
    give_to_owner(file.fd(), path, directory);
    if (fchmod(file.fd(), owner_alone) == 0 && write_all(file.fd(), text) &&
        std::rename(fresh.c_str(), path.c_str()) == 0) {
        const File around(open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        if (around.good()) fsync(around.fd());
        return {};
    }
    std::string fault = because(path);
    unlink(fresh.c_str());
    return fault;
}

}  // namespace xq::daemon
