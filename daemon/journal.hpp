#pragma once
// The journal: one sensor log a game, written by a thread of its own in the order in which lines
// were handed over. All that waits is synced at once (group commit), and what has become durable is
// reported. Owned by the app; the methods are called on the io thread, the listener on the
// journal's.
//
// A disk that fails, fills up or hangs never stops the game: lines wait in memory and are tried
// again each second, from the last byte known to be durable, because after a failed sync nobody
// knows what the medium holds. The memory has a cap; beyond it the record of the game at hand is
// given up, which is reported, and the next game's file begins afresh.
#include "daemon/disk.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace xq::daemon {

/// Counts what was handed over; a ticket is durable when all up to it is.
using Ticket = std::uint64_t;

struct JournalReport {
    Ticket durable = 0;
    std::string fault;                  ///< what the disk says is wrong; empty: all is well
    std::chrono::microseconds sync{0};  ///< what the last sync took
};

class Journal {
public:
    using Listener = std::function<void(const JournalReport&)>;

    Journal(std::unique_ptr<Disk> disk, Listener listener);
    Journal(const Journal&) = delete;
    Journal& operator=(const Journal&) = delete;
    /// As `close` with its usual patience.
    ~Journal();

    /// What follows goes to this file, behind its first `size` bytes.
    void begin(std::string path, std::uint64_t size);
    /// Hands over whole lines; nothing is done with them before `flush`.
    Ticket append(std::string_view lines);
    /// Lets the thread write what was handed over, and sync it: at once where it is `urgent`, else
    /// within a second.
    void flush(bool urgent);
    Ticket last() const { return last_; }

    /// Asks the thread to show that it lives; whether it did since the last time. One that hangs in
    /// the disk counts as alive: no restart mends a disk, and the game goes on without.
    bool answers();

    /// Writes and syncs the rest. False: the disk did not answer in time; the thread is left to
    /// its fate and the process should end.
    bool close(std::chrono::milliseconds patience);

private:
    struct Shared;
    std::shared_ptr<Shared> shared_;
    Ticket last_ = 0;
};

/// What may wait in memory for a disk that does not take it: a hundred games.
inline constexpr std::size_t most_unwritten = std::size_t{16} << 20U;

}  // namespace xq::daemon
