#pragma once
// The clerk between the board and the world: writes each input into the journal, then hands it to
// the referee, and lets out what the referee says, in order: at once, or where it counts when the
// journal's disk has it. Starts a new journal for each game and takes an unfinished one up again.
// Owned by the app, io thread. It reads no clock and sets no timer: it is told.
//
// Times that come and go here are in ms of the daemon's monotonic clock since its start, unless
// they are called T: ms since the start of the game's log.
#include "config/settings.hpp"
#include "daemon/batch.hpp"
#include "daemon/journal.hpp"
#include "daemon/journal_files.hpp"
#include "daemon/metrics.hpp"
#include "daemon/referee/table.hpp"

#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace xq::daemon {

using protocol::Millis;

/// The referee is told of time only up to so long before now: a press that was stamped before a
/// flag fell may still be on its way from the board. Longer than a board's scan and a
/// few USB frames, shorter than anybody notices.
inline constexpr Millis grace = 200;

/// What counts is announced after so long even if the disk has not answered, marked as not
/// durable: a game cannot wait for a dying SD card. By the stopwatch: a disk keeps its own speed
/// when a game is played faster than life.
inline constexpr std::chrono::milliseconds disk_patience{2000};

/// While a clock runs the journal notes this often that the daemon lives, so that a restart knows
/// how long it was stopped, to the second (`[clock] outage`), however long the player has thought.
inline constexpr Millis sign_of_life = 2000;

/// Where the clerk's work goes.
struct Outlets {
    /// To everybody who may know. `at` is the moment it belongs to, for the broadcast's delay;
    /// nothing: it is past already.
    std::function<void(const Batch& batch, std::optional<Millis> at)> announce;
    /// To the board: its lights and its clock.
    std::function<void(const protocol::wire::Command&)> command;
    /// To the administrator, a line each.
    std::function<void(const std::string&)> notice;
    /// What the wall clock says, UTC ms: asked once a game.
    std::function<Millis()> utc;
    /// A finer clock, which no game's speed bends: for the disk's patience and for measurements.
    std::function<std::chrono::microseconds()> stopwatch;
};

class Clerk {
public:
    using Reply = std::function<void(std::string json)>;

    /// `epoch` tells this run from others.
    Clerk(config::Settings settings, std::uint64_t epoch, const JournalDirectory& directory,
          Journal& journal, Metrics& metrics, Outlets outlets);

    /// Begins: takes up the game that was found unfinished, or one of the number `next_game`.
    void start(Recovery found, Millis now);

    /// An event of the board, stamped by its driver, which arrives `now`.
    void take(const protocol::Timed& input, Millis now);
    /// A call that changes the game, as `protocol::signed_call` made it. The reply comes when the
    /// call is durable; nothing is replied to a notification.
    void call(const std::string& json, Millis now, Reply reply);
    /// Time has come to `now`.
    void tick(Millis now);
    /// When `tick` is wanted next.
    std::optional<Millis> next_tick() const;
    /// In how long `tick` is wanted because the disk does not answer.
    std::optional<std::chrono::microseconds> patience_left() const;
    /// What the journal's thread reported.
    void on_journal(const JournalReport& report);

    /// What games from the next one on are played by.
    void set_settings(config::Settings settings) { settings_ = std::move(settings); }

    const referee::Table& table() const { return *table_; }
    /// What is wrong with the journal; empty: what is announced is durable.
    const std::string& journal_fault() const { return journal_fault_; }
    const std::string& journal_file() const { return file_; }
    std::uint64_t last_seq() const { return seq_; }
    /// Batches that are not yet let out.
    std::size_t waiting() const { return waiting_.size(); }

private:
    struct Waiting {
        Batch batch;
        Ticket ticket;                      ///< that must be durable; 0: none
        Millis at;                          ///< when it came here
        std::chrono::microseconds arrived;  ///< the same, by the stopwatch
        Reply reply;
        std::string answer;  ///< for `reply`
    };

    void begin_game(Millis at);
    void resume(Unfinished game, Millis now);
    /// Feeds what the journal holds, of which the public has seen the part up to T `shown`; the T
    /// of its last event.
    Millis replay(const std::vector<protocol::Timed>& events, Millis shown);
    void adopt_settings(const Unfinished& game);

    void feed(const protocol::Timed& input, Millis now, Reply reply);
    /// Lets out what the referee said, when `ticket` is durable where it must be.
    void carry_out(referee::Output out, Ticket ticket, Millis now,
                   std::chrono::microseconds arrived, Reply reply);
    void let_out();
    Ticket write(const protocol::Timed& input);
    bool clock_runs() const;
    Batch batch_of(const std::vector<protocol::Message>& messages);
    Batch state();
    std::shared_ptr<const Welcome> welcome();
    void count(const protocol::Message& message);
    Millis log_time(Millis time) const { return std::max(last_, time - origin_); }

    config::Settings settings_;  ///< of the next game
    config::Settings playing_;   ///< of the game at hand
    std::uint64_t epoch_;
    const JournalDirectory& directory_;
    Journal& journal_;
    Metrics& metrics_;
    Outlets outlets_;

    std::optional<referee::Table> table_;
    Recorder recorder_;
    int game_ = 0;       ///< number of the game whose journal is being written
    Millis origin_ = 0;  ///< when the log's T was 0
    Millis t0_ = 0;      ///< the same as UTC ms
    Millis last_ = 0;    ///< T that the table was last told
    Millis noted_ = 0;   ///< T of the journal's last line
    std::uint64_t seq_ = 0;
    std::string file_;
    std::deque<Waiting> waiting_;
    Ticket durable_ = 0;
    std::string journal_fault_;
};

}  // namespace xq::daemon
