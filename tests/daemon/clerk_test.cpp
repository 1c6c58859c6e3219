#include "daemon/clerk.hpp"

#include "config/load.hpp"
#include "daemon/from_settings.hpp"
#include "fake_disk.hpp"
#include "hal/games.hpp"
#include "hal/hand.hpp"
#include "protocol/json_rpc.hpp"
#include "support.hpp"

#include <gmock/gmock.h>
#include <algorithm>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <condition_variable>
#include <random>

namespace xq::daemon {
namespace {

using namespace std::chrono_literals;
using protocol::Timed;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
namespace event = protocol::event;

constexpr Millis start_utc = 1'777'626'000'000;

/// The clerk as the app drives it: the journal's reports come through a queue to this thread.
class Office {
public:
    explicit Office(Medium& medium, config::Settings settings = {}, Millis begins = 0)
        : directory(folder.path()),
          journal(std::make_unique<FakeDisk>(medium),
                  [this](const JournalReport& report) {
                      const std::lock_guard lock(mutex_);
                      reports_.push_back(report);
                      durable_ = report.durable;
                      told_.notify_all();
                  }),
          clerk(std::move(settings), 1, directory, journal, metrics,
                {.announce =
                     [this](const Batch& batch, std::optional<Millis> at) {
                         for (const auto& m : batch.messages) announced.push_back(m.line);
                         announced_at.push_back(at);
                         welcome = batch.welcome;
                     },
                 .command = [](const auto&) {},
                 .notice = [this](const std::string& text) { notices.push_back(text); },
                 .utc = [this] { return start_utc + now; },
                 .stopwatch = [this] { return std::chrono::milliseconds(now); }}),
          now(begins) {}

    void begin(Recovery found = {}) { clerk.start(std::move(found), now); }

    /// The journal's thread has a second of the time that a test makes up, as in life.
    void move_to(Millis t) {
        if (in_step && t - synced_at_ >= 1000) {
            EXPECT_TRUE(reach_the_disk());
            deliver();
            synced_at_ = t;
        }
        now = std::max(now, t);
    }
    /// Time passes, as the app tells it, until `t`.
    void pass(Millis t) {
        while (true) {
            const auto next = clerk.next_tick();
            if (!next || *next > t) break;
            move_to(*next);
            clerk.tick(now);
            deliver();
        }
        move_to(t);
    }
    void take(const Timed& input) {
        pass(input.t);
        clerk.take(input, now);
        deliver();
    }
    /// Hands the journal's reports on that have come.
    void deliver() {
        std::vector<JournalReport> reports;
        {
            const std::lock_guard lock(mutex_);
            reports.swap(reports_);
        }
        for (const auto& report : reports) clerk.on_journal(report);
    }
    /// Waits until all that was said is announced.
    bool settle() {
        const auto limit = std::chrono::steady_clock::now() + 5s;
        while (clerk.waiting() > 0) {
            std::unique_lock lock(mutex_);
            told_.wait_for(lock, 10ms, [&] { return !reports_.empty(); });
            lock.unlock();
            deliver();
            if (std::chrono::steady_clock::now() > limit) return false;
        }
        return true;
    }
    /// Waits until the disk has all that was journaled.
    bool reach_the_disk() {
        journal.flush(true);
        std::unique_lock lock(mutex_);
        return told_.wait_for(lock, 5s, [&] { return durable_ >= journal.last(); });
    }
    std::string last_like(const std::string& text) const {
        const auto line = std::find_if(announced.rbegin(), announced.rend(), [&](const auto& one) {
            return one.find(text) != std::string::npos;
        });
        return line == announced.rend() ? std::string() : *line;
    }

    Folder folder;
    JournalDirectory directory;
    Metrics metrics;
    std::vector<std::string> announced;
    std::vector<std::optional<Millis>> announced_at;
    std::vector<std::string> notices;
    std::shared_ptr<const Welcome> welcome;
    bool in_step = false;  ///< the disk keeps up with the test's time

private:
    std::mutex mutex_;
    std::condition_variable told_;
    std::vector<JournalReport> reports_;
    Ticket durable_ = 0;
    Millis synced_at_ = 0;

public:
    Journal journal;  // behind what its listener uses
    Clerk clerk;
    Millis now;
};

hal::Play game(std::uint64_t seed, Millis from = 0) {
    const auto& built_in = hal::built_in_game();
    return hal::play(built_in.start, built_in.moves,
                     {.seed = seed, .from = from, .starts_clock = true});
}

/// Plays a game's log up to its first ply, pressed.
void play_one_ply(Office& office) {
    for (const auto& input : game(1).log) {
        office.take(input);
        const auto* const press = std::get_if<event::Press>(&input.event);
        if (press != nullptr && press->side == rules::Side::Red) break;
    }
    office.pass(office.now + 1000);
}

TEST(Clerk, AnnouncesAProvisionalPlyAtOnceAndAFinalOneWhenItIsDurable) {
    Medium medium;
    Office office(medium);
    office.begin();
    ASSERT_TRUE(office.settle());
    medium.hangs = true;
    play_one_ply(office);
    EXPECT_THAT(office.last_like(R"("type":"move")"), HasSubstr(R"("status":"provisional")"));
    EXPECT_GT(office.clerk.waiting(), 0U);
    medium.hangs = false;
    ASSERT_TRUE(office.settle());
    EXPECT_THAT(office.last_like(R"("type":"move")"), HasSubstr(R"("status":"final")"));
    EXPECT_THAT(office.last_like(R"("type":"move")"), Not(HasSubstr("durable")));
}

TEST(Clerk, AnnouncesInOrderOfNumbers) {
    Medium medium;
    Office office(medium);
    office.begin();
    for (const auto& input : game(2).log) office.take(input);
    ASSERT_TRUE(office.settle());
    std::uint64_t seq = 0;
    for (const auto& line : office.announced) {
        EXPECT_THAT(line, HasSubstr("\"seq\":" + std::to_string(++seq) + ","));
    }
    EXPECT_EQ(seq, office.clerk.last_seq());
    EXPECT_GT(seq, 100U);
}

TEST(Clerk, DoesNotWaitForADiskForEver) {
    Medium medium;
    Office office(medium);
    office.begin();
    ASSERT_TRUE(office.settle());
    medium.hangs = true;
    play_one_ply(office);
    EXPECT_GT(office.clerk.waiting(), 0U);
    office.pass(office.now + disk_patience.count());
    office.clerk.tick(office.now);
    EXPECT_EQ(office.clerk.waiting(), 0U);
    const std::string ply = office.last_like(R"("type":"move")");
    EXPECT_THAT(ply, HasSubstr(R"("status":"final")"));
    EXPECT_TRUE(ply.ends_with(R"(,"durable":false})")) << ply;
    EXPECT_NO_THROW(boost::json::parse(ply));
    EXPECT_EQ(office.metrics.not_durable, 1U);
    medium.hangs = false;
}

TEST(Clerk, PlaysOnWhenTheDiskIsFullAndSaysSo) {
    Medium medium;
    Office office(medium);
    medium.fails = std::errc::no_space_on_device;
    office.begin();
    ASSERT_TRUE(office.settle());
    play_one_ply(office);
    ASSERT_TRUE(office.settle());
    EXPECT_TRUE(office.last_like(R"("type":"move")").ends_with(R"(,"durable":false})"));
    ASSERT_EQ(office.notices.size(), 1U);
    EXPECT_THAT(office.notices[0], HasSubstr("No space left on device"));
    EXPECT_THAT(office.clerk.journal_fault(), HasSubstr("No space"));
}

TEST(Clerk, RepliesWhenTheCallIsDurable) {
    Medium medium;
    Office office(medium);
    office.begin();
    ASSERT_TRUE(office.settle());
    medium.hangs = true;
    std::string reply;
    office.clerk.call(
        protocol::signed_call(R"({"jsonrpc":"2.0","id":4,"method":"game.pause"})", "unix:anna"),
        office.now, [&](std::string json) { reply = std::move(json); });
    office.deliver();
    EXPECT_EQ(reply, "");
    medium.hangs = false;
    ASSERT_TRUE(office.settle());
    EXPECT_THAT(reply, HasSubstr(R"("id":4)"));
    EXPECT_THAT(medium.text(office.clerk.journal_file()), HasSubstr(R"("by":"unix:anna")"));
}

/// Puts what the medium holds where `recover` looks for it.
void lay_out(Medium& medium, const std::filesystem::path& folder, double torn_share) {
    const std::lock_guard lock(medium.mutex);
    for (const auto& [path, written] : medium.written) {
        const std::string& durable = medium.durable[path];
        // Of what was not synced any part may have reached the disk.
        std::string text = written.substr(
            0, durable.size() +
                   static_cast<std::size_t>(torn_share *
                                            static_cast<double>(written.size() - durable.size())));
        write(folder / std::filesystem::path(path).filename(), text);
    }
}

TEST(Clerk, BeginsAJournalForEachGameAndAReplayOfItStandsWhereTheTableStands) {
    Medium medium;
    Office office(medium);
    office.begin();
    for (const auto& input : game(3).log) office.take(input);
    ASSERT_TRUE(office.settle());
    const std::string first_file = office.clerk.journal_file();
    office.clerk.call(
        R"({"jsonrpc":"2.0","id":1,"method":"game.new","params":{"red":"R"},"by":"x"})", office.now,
        {});
    ASSERT_TRUE(office.settle());
    EXPECT_NE(office.clerk.journal_file(), first_file);
    EXPECT_EQ(office.clerk.table().game().number, 2);
    EXPECT_THAT(office.announced.back(), HasSubstr(R"("game":2)"));
    office.take({office.now + 100, event::Lift{rules::point(7, 2)}});
    office.pass(office.now + 500);
    ASSERT_TRUE(office.journal.close(5s));

    Folder copy;
    lay_out(medium, copy.path(), 1);
    const JournalDirectory directory(copy.path());
    auto found = recover(directory, "table-01");
    ASSERT_TRUE(found.game);
    EXPECT_THAT(found.notices, IsEmpty());
    const auto& g = *found.game;
    const auto settings = config::read_json(g.header.config).settings;
    referee::Table table(regulations(settings), game_start(g.header, settings));
    referee::Output out;
    for (const auto& input : g.events) table.handle(input, out);
    table.advance(g.events.back().t + 300, out);
    EXPECT_EQ(boost::json::serialize(table.status()),
              boost::json::serialize(office.clerk.table().status()));
    EXPECT_EQ(table.game().number, 2);
}

TEST(Clerk, ShowsThePublicAfterARestartWhatItHadNotYetSeen) {
    config::Settings settings;
    settings.broadcast.delay = 60'000;
    Medium medium;
    Folder copy;
    const auto log = game(4).log;
    Millis stopped = 0;
    std::size_t said = 0;
    {
        Office office(medium, settings);
        office.begin();
        for (const auto& input : log) {
            if (input.t > 200'000) break;
            office.take(input);
        }
        ASSERT_TRUE(office.settle());
        said = office.announced.size();
        stopped = office.now;
        ASSERT_TRUE(office.journal.close(5s));
        lay_out(medium, copy.path(), 1);
    }
    Medium other;
    Office office(other, settings, stopped);
    const JournalDirectory directory(copy.path());
    office.begin(recover(directory, "table-01"));
    ASSERT_TRUE(office.settle());
    // First the state of a minute ago, then what has happened since.
    EXPECT_THAT(office.announced.front(), HasSubstr(R"("type":"state")"));
    EXPECT_EQ(office.announced_at.front(), std::nullopt);
    EXPECT_GT(office.announced.size(), 10U);
    EXPECT_LT(office.announced.size(), said);
    EXPECT_TRUE(std::is_sorted(office.announced_at.begin(), office.announced_at.end()));
    EXPECT_THAT(office.announced.back(), HasSubstr(R"("type":"state")"));
}

/// What a spectator knows: the moves that have been announced as final and durable.
struct Spectator {
    std::vector<std::string> final_moves;
    std::optional<std::string> contradiction;

    void hear(const std::string& line) {
        const auto message = boost::json::parse(line).as_object();
        const auto& type = message.at("type").as_string();
        if (type == "state") {
            const auto& moves = message.at("moves").as_array();
            if (moves.size() < final_moves.size()) contradiction = "moves were lost: " + line;
            for (std::size_t i = 0; i < std::min(moves.size(), final_moves.size()); ++i) {
                if (!final_moves[i].empty() && moves[i].as_string() != final_moves[i]) {
                    contradiction = "another move: " + line;
                }
            }
        } else if (type == "retract") {
            contradiction = "retracted: " + line;
        } else if (type == "move" && message.at("status").as_string() == "final" &&
                   !message.contains("durable")) {
            const auto ply = static_cast<std::size_t>(message.at("ply").as_int64());
            const std::string iccs(message.at("iccs").as_string());
            if (final_moves.size() < ply) final_moves.resize(ply);
            std::string& known = final_moves[ply - 1];
            if (known.empty()) known = iccs;
            if (known != iccs) contradiction = "another move: " + line;
        }
    }
};

// 1000 power cuts at random moments of simulated games, each losing any part of what was not yet
// durable: nothing that was announced is lost or contradicted, and the record ends as the game did.
TEST(Clerk, LosesNothingThatWasAnnouncedWhenThePowerIsCut) {
    constexpr int games = 20;
    constexpr int cuts_a_game = 50;
    for (std::uint64_t seed = 1; seed <= games; ++seed) {
        std::mt19937_64 random(seed);
        const auto play = game(seed);
        // Where it is cut: before these events.
        std::vector<std::size_t> cuts(cuts_a_game);
        for (auto& cut : cuts) {
            cut = std::uniform_int_distribution<std::size_t>(3, play.log.size() - 1)(random);
        }
        std::sort(cuts.begin(), cuts.end());

        Spectator spectator;
        auto medium = std::make_unique<Medium>();
        auto office = std::make_unique<Office>(*medium);
        office->in_step = true;
        office->begin();
        ASSERT_TRUE(office->reach_the_disk());
        protocol::Reading reading{};
        std::size_t heard = 0;
        const auto listen = [&] {
            for (; heard < office->announced.size(); ++heard) {
                spectator.hear(office->announced[heard]);
            }
        };
        auto cut = cuts.begin();
        for (std::size_t i = 0; i < play.log.size(); ++i) {
            for (; cut != cuts.end() && *cut == i; ++cut) {
                listen();
                Folder folder;
                const double torn = static_cast<double>(random() % 1001) / 1000;
                lay_out(*medium, folder.path(), torn);
                const Millis now = office->now;
                office.reset();
                auto fresh = std::make_unique<Medium>();
                office = std::make_unique<Office>(*fresh, config::Settings{}, now);
                office->in_step = true;
                medium = std::move(fresh);
                const JournalDirectory directory(folder.path());
                auto found = recover(directory, "table-01");
                ASSERT_TRUE(found.game);
                // The new office goes on in a copy of the repaired file.
                medium->written[found.game->path] = medium->durable[found.game->path] =
                    contents(found.game->path);
                office->begin(std::move(found));
                heard = 0;
                for (const event::Hello hello{protocol::Sensing::Identity, {.press = true}};
                     const auto& e : {protocol::Event(event::Plug{}), protocol::Event(hello),
                                      protocol::Event(event::Board{reading})}) {
                    office->take({now, e});
                }
            }
            const auto& input = play.log[i];
            if (const auto* const b = std::get_if<event::Board>(&input.event)) reading = b->reading;
            if (const auto* const l = std::get_if<event::Lift>(&input.event)) {
                reading[static_cast<std::size_t>(l->point)] = {};
            }
            if (const auto* const d = std::get_if<event::Drop>(&input.event)) {
                reading[static_cast<std::size_t>(d->point)] = d->seen;
            }
            office->take(input);
        }
        office->pass(play.ends + 2000);
        ASSERT_TRUE(office->settle());
        listen();
        ASSERT_FALSE(spectator.contradiction)
            << "seed " << seed << ": " << *spectator.contradiction;
        std::vector<std::string> wanted;
        for (const auto move : hal::built_in_game().moves) {
            wanted.push_back(rules::name(move.from) + rules::name(move.to));
        }
        const auto state = office->clerk.table().newcomer().front();
        std::vector<std::string> record;
        for (const auto move : std::get<protocol::message::State>(state.body).moves) {
            record.push_back(rules::name(move.from) + rules::name(move.to));
        }
        ASSERT_EQ(record, wanted) << "seed " << seed;
    }
}

}  // namespace
}  // namespace xq::daemon
