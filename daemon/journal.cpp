#include "daemon/journal.hpp"

#include <pthread.h>
#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace xq::daemon {

using namespace std::chrono_literals;

namespace {

// A line that nothing waits for is durable after so long; each sync wears an SD card.
constexpr auto lazy_sync = 1s;
// A disk that refused is asked again after so long.
constexpr auto retry = 1s;
// A disk that has not answered by then will not; the daemon must stop within two seconds.
constexpr auto usual_patience = 1500ms;

struct Item {
    std::string path;  ///< begin of a file; else lines
    std::uint64_t size = 0;
    std::string lines;
};

/// A file and those of its bytes that are not known to be durable.
struct File {
    std::string path{};
    std::uint64_t durable = 0;  ///< offset
    std::string tail{};         ///< what belongs behind it
    std::size_t written = 0;    ///< of `tail`, handed to the disk and not yet synced
    int handle = -1;
    bool given_up = false;
};

/// Says for as long as it exists that the thread waits for the disk.
class AtDisk {
public:
    explicit AtDisk(std::atomic<bool>& flag) : flag_(flag) { flag_ = true; }
    AtDisk(const AtDisk&) = delete;
    AtDisk& operator=(const AtDisk&) = delete;
    ~AtDisk() { flag_ = false; }

private:
    std::atomic<bool>& flag_;
};

}  // namespace

/// What both threads know; it outlives the journal if the disk hangs.
struct Journal::Shared {
    Shared(std::unique_ptr<Disk> the_disk, Listener the_listener)
        : disk(std::move(the_disk)), listener(std::move(the_listener)) {}

    void run();
    void take(std::vector<Item>& items);
    bool write_all();
    bool write(File& file);
    bool sync_all();
    bool fails(File& file, const std::error_code& error);
    bool clean() const;

    const std::unique_ptr<Disk> disk;
    const Listener listener;

    std::mutex mutex;
    std::condition_variable wake;
    std::condition_variable ended;
    // Under the mutex.
    std::vector<Item> queue;
    Ticket handed_over = 0;
    bool flush = false;
    bool urgent = false;
    bool closing = false;
    bool done = false;
    bool asked = false;  ///< to show that it lives

    std::atomic<bool> at_disk = false;

    // The thread's own.
    std::deque<File> files;  ///< the last one is being written; those before it could not yet be
    JournalReport report;
};

Journal::Journal(std::unique_ptr<Disk> disk, Listener listener)
    : shared_(std::make_shared<Shared>(std::move(disk), std::move(listener))) {
    std::thread thread([shared = shared_] { shared->run(); });
    pthread_setname_np(thread.native_handle(), "journal");
    thread.detach();  // it may hang in the disk for ever; `close` waits for it, but not so long
}

Journal::~Journal() {
    close(usual_patience);
}

void Journal::begin(std::string path, std::uint64_t size) {
    const std::lock_guard lock(shared_->mutex);
    shared_->queue.push_back({std::move(path), size, {}});
}

Ticket Journal::append(std::string_view lines) {
    const std::lock_guard lock(shared_->mutex);
    shared_->queue.push_back({{}, 0, std::string(lines)});
    shared_->handed_over = ++last_;
    return last_;
}

void Journal::flush(bool urgent) {
    const std::lock_guard lock(shared_->mutex);
    shared_->flush = true;
    shared_->urgent |= urgent;
    shared_->wake.notify_one();
}

bool Journal::answers() {
    const std::lock_guard lock(shared_->mutex);
    const bool silent = std::exchange(shared_->asked, true);
    shared_->wake.notify_one();
    return !silent || shared_->at_disk;
}

bool Journal::close(std::chrono::milliseconds patience) {
    std::unique_lock lock(shared_->mutex);
    shared_->closing = true;
    shared_->wake.notify_one();
    return shared_->ended.wait_for(lock, patience, [&] { return shared_->done; });
}

void Journal::Shared::run() {
    using Clock = std::chrono::steady_clock;
    constexpr auto never = Clock::time_point::max();
    Clock::time_point due = never;  // the next lazy sync or retry
    Ticket written = 0;
    for (bool last_round = false; !last_round;) {
        std::vector<Item> items;
        bool now = false;
        {
            std::unique_lock lock(mutex);
            const auto called = [&] {
                asked = false;
                return flush || closing;
            };
            wake.wait_until(lock, due, called);
            items.swap(queue);
            written = handed_over;
            now = std::exchange(urgent, false) || closing;
            flush = false;
            last_round = closing;
        }
        take(items);
        const bool time_is_up = Clock::now() >= due;
        const bool sync_now = now || time_is_up;
        const bool was_well = report.fault.empty();
        // While the disk is at fault only the clock asks it again, not every line that comes.
        if (!was_well && !time_is_up && !last_round) continue;
        const bool well = write_all() && (!sync_now || sync_all());
        if (well) report.fault.clear();
        if (well && sync_now) report.durable = written;
        if (!well) {
            due = Clock::now() + retry;
        } else if (clean()) {
            due = never;
        } else if (due == never || sync_now) {
            due = Clock::now() + lazy_sync;
        }
        if (sync_now || was_well != well) listener(report);
    }
    for (File& file : files) {
        if (file.handle >= 0) disk->close(file.handle);
    }
    const std::lock_guard lock(mutex);
    done = true;
    ended.notify_all();
}

void Journal::Shared::take(std::vector<Item>& items) {
    for (auto& item : items) {
        if (!item.path.empty()) {
            std::erase_if(files, [](const File& file) { return file.given_up; });
            files.push_back({.path = std::move(item.path), .durable = item.size});
        } else if (!files.empty() && !files.back().given_up) {
            files.back().tail += item.lines;
        }
    }
    std::size_t unwritten = 0;
    for (const File& file : files) unwritten += file.tail.size();
    if (unwritten <= most_unwritten) return;
    for (File& file : files) {
        if (file.handle >= 0) disk->close(file.handle);
        file = {.path = file.path, .given_up = true};
    }
}

/// Whether nothing waits for the disk.
bool Journal::Shared::clean() const {
    return std::all_of(files.begin(), files.end(),
                       [](const File& file) { return file.tail.empty(); });
}

/// Gives the disk all that it has not got, oldest file first.
bool Journal::Shared::write_all() {
    for (File& file : files) {
        if (!write(file)) return false;
    }
    return true;
}

bool Journal::Shared::write(File& file) {
    if (file.given_up) {
        report.fault = "the record of this game is incomplete: the disk took nothing for too long";
        return false;
    }
    const AtDisk here(at_disk);
    std::error_code error;
    if (file.handle < 0) file.handle = disk->open(file.path, error);
    if (error) return fails(file, error);
    const auto rest = std::string_view(file.tail).substr(file.written);
    if (rest.empty()) return true;
    error = disk->write(file.handle, file.durable + file.written, rest);
    if (error) return fails(file, error);
    file.written = file.tail.size();
    return true;
}

/// One sync for all that waits; finished files are closed.
bool Journal::Shared::sync_all() {
    const AtDisk here(at_disk);
    const auto start = std::chrono::steady_clock::now();
    while (!files.empty()) {
        File& file = files.front();
        if (!file.tail.empty()) {
            if (const auto error = disk->sync(file.handle)) return fails(file, error);
            file.durable += std::exchange(file.tail, {}).size();
            file.written = 0;
        }
        if (files.size() == 1) break;
        disk->close(file.handle);
        files.pop_front();
    }
    report.sync = std::chrono::duration_cast<std::chrono::microseconds>(
        std::chrono::steady_clock::now() - start);
    return true;
}

bool Journal::Shared::fails(File& file, const std::error_code& error) {
    file.written = 0;
    report.fault = file.path + ": " + error.message();
    return false;
}

}  // namespace xq::daemon
