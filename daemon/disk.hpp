#pragma once
// The few things that the journal asks of a disk, so that a test can hand it one that is full, slow
// or torn. Used on the journal's thread alone.
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>

namespace xq::daemon {

class Disk {
public:
    Disk() = default;
    Disk(const Disk&) = delete;
    Disk& operator=(const Disk&) = delete;
    virtual ~Disk() = default;

    /// Opens a file for writing, making it where there is none (mode 0640, and its directory synced
    /// so that the name survives). Gives its handle.
    virtual int open(const std::string& path, std::error_code& error) = 0;
    /// Writes all the bytes at this offset. On an error some of them may be written.
    virtual std::error_code write(int file, std::uint64_t offset, std::string_view bytes) = 0;
    /// Returns when what was written is on the medium.
    virtual std::error_code sync(int file) = 0;
    virtual void close(int file) = 0;
};

std::unique_ptr<Disk> real_disk();

}  // namespace xq::daemon
