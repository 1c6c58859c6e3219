#include "daemon/disk.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <filesystem>

namespace xq::daemon {

namespace {

std::error_code last_error() {
    return {errno, std::generic_category()};
}

class RealDisk : public Disk {
public:
    int open(const std::string& path, std::error_code& error) override {
        constexpr mode_t others_cannot_read = 0640;
        const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, others_cannot_read);
        if (file < 0 || !sync_directory(std::filesystem::path(path).parent_path())) {
            error = last_error();
            if (file >= 0) ::close(file);
            return -1;
        }
        error.clear();
        return file;
    }

    std::error_code write(int file, std::uint64_t offset, std::string_view bytes) override {
        while (!bytes.empty()) {
            const auto n = pwrite(file, bytes.data(), bytes.size(), static_cast<off_t>(offset));
            if (n < 0 && errno == EINTR) continue;
            if (n < 0) return last_error();
            if (n == 0) return std::make_error_code(std::errc::no_space_on_device);
            bytes.remove_prefix(static_cast<std::size_t>(n));
            offset += static_cast<std::uint64_t>(n);
        }
        return {};
    }

    std::error_code sync(int file) override {
        return fdatasync(file) == 0 ? std::error_code{} : last_error();
    }

    void close(int file) override { ::close(file); }

private:
    static bool sync_directory(const std::filesystem::path& path) {
        const int directory = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (directory < 0) return false;
        const bool ok = fsync(directory) == 0;
        ::close(directory);
        return ok;
    }
};

}  // namespace

std::unique_ptr<Disk> real_disk() {
    return std::make_unique<RealDisk>();
}

}  // namespace xq::daemon
