#include "daemon/journal.hpp"

#include "fake_disk.hpp"

#include <gmock/gmock.h>
#include <condition_variable>
#include <future>
#include <thread>

namespace xq::daemon {
namespace {

using namespace std::chrono_literals;

/// Hears the journal's reports and waits for what it wants of them.
class Ear {
public:
    Journal::Listener listener() {
        return [this](const JournalReport& report) {
            const std::lock_guard lock(mutex_);
            last_ = report;
            told_.notify_all();
        };
    }
    template <class Wanted>
    bool hears(Wanted wanted) {
        std::unique_lock lock(mutex_);
        return told_.wait_for(lock, 5s, [&] { return wanted(last_); });
    }
    bool durable(Ticket ticket) {
        return hears([&](const JournalReport& r) { return r.durable >= ticket; });
    }

private:
    std::mutex mutex_;
    std::condition_variable told_;
    JournalReport last_;
};

struct Stage {
    Medium medium;
    Ear ear;
    Journal journal{std::make_unique<FakeDisk>(medium), ear.listener()};
};

TEST(Journal, ReportsWhatIsDurable) {
    Stage s;
    s.journal.begin("a", 0);
    s.journal.append("one\n");
    const Ticket ticket = s.journal.append("two\n");
    s.journal.flush(true);
    ASSERT_TRUE(s.ear.durable(ticket));
    EXPECT_EQ(s.medium.text("a"), "one\ntwo\n");
}

TEST(Journal, SyncsAllThatWaitsAtOnce) {
    Stage s;
    s.journal.begin("a", 0);
    for (int i = 0; i < 1000; ++i) s.journal.append("line\n");
    s.journal.flush(true);
    ASSERT_TRUE(s.ear.durable(1000));
    EXPECT_LE(s.medium.syncs, 2);
}

TEST(Journal, SyncsSoonWhatNobodyWaitsFor) {
    Stage s;
    s.journal.begin("a", 0);
    const Ticket ticket = s.journal.append("idle\n");
    s.journal.flush(false);
    ASSERT_TRUE(s.ear.durable(ticket));
}

TEST(Journal, GoesOnBehindWhatAFileHolds) {
    Stage s;
    s.medium.written["a"] = "old\n";
    s.journal.begin("a", 4);
    const Ticket ticket = s.journal.append("new\n");
    s.journal.flush(true);
    ASSERT_TRUE(s.ear.durable(ticket));
    EXPECT_EQ(s.medium.text("a"), "old\nnew\n");
}

TEST(Journal, KeepsTheOrderOfFiles) {
    Stage s;
    s.journal.begin("a", 0);
    s.journal.append("last of a\n");
    s.journal.begin("b", 0);
    const Ticket ticket = s.journal.append("first of b\n");
    s.journal.flush(true);
    ASSERT_TRUE(s.ear.durable(ticket));
    EXPECT_EQ(s.medium.text("a"), "last of a\n");
    EXPECT_EQ(s.medium.text("b"), "first of b\n");
}

TEST(Journal, SaysThatTheDiskIsFullAndWritesEverythingWhenItIsNot) {
    Stage s;
    s.journal.begin("a", 0);
    ASSERT_TRUE((s.journal.append("first\n"), s.journal.flush(true), s.ear.durable(1)));
    {
        const std::lock_guard lock(s.medium.mutex);
        s.medium.fails = std::errc::no_space_on_device;
        s.medium.fails_after_half = true;
    }
    s.journal.append("second\n");
    s.journal.flush(true);
    ASSERT_TRUE(s.ear.hears([](const JournalReport& r) { return !r.fault.empty(); }));
    s.journal.append("third\n");
    s.journal.begin("b", 0);
    const Ticket ticket = s.journal.append("fourth\n");
    s.journal.flush(true);
    EXPECT_TRUE(s.ear.hears([](const JournalReport& r) {
        return r.fault == "a: No space left on device" && r.durable == 1;
    }));
    EXPECT_EQ(s.medium.text("a"), "first\n");
    {
        const std::lock_guard lock(s.medium.mutex);
        s.medium.fails = {};
    }
    ASSERT_TRUE(s.ear.durable(ticket));
    EXPECT_EQ(s.medium.text("a"), "first\nsecond\nthird\n");
    EXPECT_EQ(s.medium.text("b"), "fourth\n");
    EXPECT_TRUE(s.ear.hears([](const JournalReport& r) { return r.fault.empty(); }));
}

TEST(Journal, GivesUpAGameRatherThanTheMemoryAndBeginsTheNextOne) {
    Stage s;
    {
        const std::lock_guard lock(s.medium.mutex);
        s.medium.fails = std::errc::read_only_file_system;
    }
    s.journal.begin("a", 0);
    s.journal.append(std::string(most_unwritten + 1, 'x'));
    s.journal.flush(true);
    ASSERT_TRUE(s.ear.hears(
        [](const JournalReport& r) { return r.fault.find("incomplete") != std::string::npos; }));
    {
        const std::lock_guard lock(s.medium.mutex);
        s.medium.fails = {};
    }
    s.journal.begin("b", 0);
    const Ticket ticket = s.journal.append("next game\n");
    s.journal.flush(true);
    ASSERT_TRUE(s.ear.durable(ticket));
    EXPECT_EQ(s.medium.text("b"), "next game\n");
    EXPECT_EQ(s.medium.text("a"), "");
}

TEST(Journal, DoesNotWaitForADiskThatHangs) {
    Medium medium;
    Ear ear;
    {
        Journal journal(std::make_unique<FakeDisk>(medium), ear.listener());
        medium.hangs = true;
        journal.begin("a", 0);
        journal.append("x\n");
        journal.flush(true);
        EXPECT_FALSE(journal.close(50ms));
        medium.hangs = false;
        EXPECT_TRUE(journal.close(5s));
    }
    EXPECT_EQ(medium.text("a"), "x\n");
}

/// Whether the journal's thread answers, asked so many times.
bool answers(Journal& journal, int times) {
    journal.answers();
    for (int i = 0; i < times; ++i) {
        std::this_thread::sleep_for(10ms);
        if (journal.answers()) return true;
    }
    return false;
}

TEST(Journal, ShowsThatItsThreadLives) {
    Stage s;
    EXPECT_TRUE(answers(s.journal, 500));
    s.medium.hangs = true;
    s.journal.begin("a", 0);
    const Ticket ticket = s.journal.append("line\n");
    s.journal.flush(true);
    EXPECT_TRUE(answers(s.journal, 500)) << "a disk that hangs is no thread that hangs";
    s.medium.hangs = false;
    EXPECT_TRUE(s.ear.durable(ticket));
}

TEST(Journal, ShowsThatItsThreadHangs) {
    Medium medium;
    std::promise<void> hangs;
    std::promise<void> go_on;
    bool once = true;
    Journal journal(std::make_unique<FakeDisk>(medium),
                    [&, wait = go_on.get_future().share()](const JournalReport&) {
                        if (!std::exchange(once, false)) return;
                        hangs.set_value();
                        wait.wait();
                    });
    journal.begin("a", 0);
    journal.append("line\n");
    journal.flush(true);
    ASSERT_EQ(hangs.get_future().wait_for(5s), std::future_status::ready);
    EXPECT_FALSE(answers(journal, 20));
    go_on.set_value();
}

TEST(Journal, WritesTheRestWhenItIsClosed) {
    Medium medium;
    {
        Journal journal(std::make_unique<FakeDisk>(medium), [](const JournalReport&) {});
        journal.begin("a", 0);
        journal.append("rest\n");
    }
    EXPECT_EQ(medium.text("a"), "rest\n");
}

}  // namespace
}  // namespace xq::daemon
