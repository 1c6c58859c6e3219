#pragma once
// A disk in memory that does what a test tells it: fill up, fail, hang, or lose its power in the
// middle of a write.
#include "daemon/disk.hpp"

#include <atomic>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

namespace xq::daemon {

/// What the medium holds; shared by the disk and the test.
struct Medium {
    std::mutex mutex;
    std::map<std::string, std::string> written;  ///< by path: as a reader of the file sees it
    std::map<std::string, std::string> durable;  ///< and as it is after a power cut
    int syncs = 0;
    std::errc fails{};              ///< what every call answers; none: all is well
    bool fails_after_half = false;  ///< a failing write writes half of its bytes first
    std::atomic<bool> hangs = false;

    std::string text(const std::string& path) {
        const std::lock_guard lock(mutex);
        return durable[path];
    }
};

class FakeDisk : public Disk {
public:
    explicit FakeDisk(Medium& medium) : medium_(medium) {}

    int open(const std::string& path, std::error_code& error) override {
        const std::lock_guard lock(medium_.mutex);
        error = answer();
        if (error) return -1;
        medium_.written.try_emplace(path);
        paths_.push_back(path);
        return static_cast<int>(paths_.size()) - 1;
    }
    std::error_code write(int file, std::uint64_t offset, std::string_view bytes) override {
        const std::lock_guard lock(medium_.mutex);
        std::string& text = medium_.written[paths_[static_cast<std::size_t>(file)]];
        const auto error = answer();
        if (error && medium_.fails_after_half) bytes = bytes.substr(0, bytes.size() / 2);
        if (error && !medium_.fails_after_half) return error;
        text.resize(std::max<std::size_t>(text.size(), offset + bytes.size()));
        text.replace(offset, bytes.size(), bytes);
        return error;
    }
    std::error_code sync(int file) override {
        while (medium_.hangs) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        const std::lock_guard lock(medium_.mutex);
        ++medium_.syncs;
        if (const auto error = answer()) return error;
        const std::string& path = paths_[static_cast<std::size_t>(file)];
        medium_.durable[path] = medium_.written[path];
        return {};
    }
    void close(int /*file*/) override {}

private:
    std::error_code answer() const {
        return medium_.fails == std::errc{} ? std::error_code{}
                                            : std::make_error_code(medium_.fails);
    }
    Medium& medium_;
    std::vector<std::string> paths_;
};

}  // namespace xq::daemon
