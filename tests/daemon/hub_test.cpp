#include "daemon/hub.hpp"

#include "support.hpp"

#include <gmock/gmock.h>
#include <boost/asio/io_context.hpp>

namespace xq::daemon {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

struct Stage {
    explicit Stage(std::chrono::milliseconds delay) : hub(io.get_executor(), feed, crowd, delay) {}
    std::string shown() const { return std::string(feed.ring(Framing::Line).from(0)); }

    boost::asio::io_context io{1};
    Doorkeeper door{10, 10};
    Feed feed{1};
    Crowd crowd{io.get_executor(), feed, door};
    Hub hub;
};

TEST(Hub, ShowsAtOnceWithoutADelay) {
    Stage stage(0ms);
    stage.hub.announce(batch(1, "one"), std::chrono::steady_clock::now());
    EXPECT_EQ(stage.shown(), "one\n");
}

TEST(Hub, HoldsThePublicBackAndNobodyElse) {
    Stage stage(60ms);
    std::vector<std::string> watched;
    stage.hub.watch([&](const Encoded& message) { watched.push_back(message.line); });
    const Instant now = std::chrono::steady_clock::now();
    stage.hub.announce(batch(1, "old", 1), now - 60ms);
    EXPECT_EQ(stage.shown(), "old\n");
    stage.hub.announce(batch(2, "new", 2), now);
    EXPECT_THAT(watched, ElementsAre("old", "new"));
    EXPECT_EQ(stage.shown(), "old\n");
    // A newcomer sees the game as it was a delay ago.
    EXPECT_NE(stage.feed.state(Framing::Line)->find(R"("game":1,)"), std::string::npos);
    while (stage.hub.delayed() > 0) stage.io.run_one();
    EXPECT_GE(std::chrono::steady_clock::now() - now, 60ms);
    EXPECT_EQ(stage.shown(), "old\nnew\n");
    EXPECT_NE(stage.feed.state(Framing::Line)->find(R"("game":2,)"), std::string::npos);
}

TEST(Hub, ShowsThePublisherWhatThePublicIsShownAndWhen) {
    Stage stage(20ms);
    std::vector<std::string> published;
    stage.hub.show_to([&](const Batch& shown) {
        for (const auto& message : shown.messages) published.push_back(message.line);
        published.push_back(std::to_string(shown.welcome->seq));
    });
    const Instant now = std::chrono::steady_clock::now();
    stage.hub.announce(batch(1, "old"), now - 20ms);
    stage.hub.announce(batch(2, "new"), now);
    EXPECT_THAT(published, ElementsAre("old", "1"));
    while (stage.hub.delayed() > 0) stage.io.run_one();
    EXPECT_GE(std::chrono::steady_clock::now() - now, 20ms);
    EXPECT_THAT(published, ElementsAre("old", "1", "new", "2"));
}

TEST(Hub, ReleasesABurstBehindAGapInOrder) {
    Stage stage(20ms);
    const Instant now = std::chrono::steady_clock::now();
    stage.hub.announce(batch(1, "a"), now - 30ms);
    for (std::uint64_t seq = 2; seq <= 5; ++seq) {
        stage.hub.announce(batch(seq, std::to_string(seq)), now);
    }
    while (stage.hub.delayed() > 0) stage.io.run_one();
    EXPECT_EQ(stage.shown(), "a\n2\n3\n4\n5\n");
}

TEST(Hub, LeavesOutTheOldestWhenTooMuchWaits) {
    Stage stage(1h);
    const Instant now = std::chrono::steady_clock::now();
    for (std::uint64_t seq = 1; seq <= most_delayed + 10; ++seq) {
        stage.hub.announce(batch(seq, "x"), now);
    }
    EXPECT_EQ(stage.hub.delayed(), most_delayed);
}

TEST(Hub, TellsAWatcherNoMoreWhenItHasLeft) {
    Stage stage(0ms);
    int told = 0;
    Hub::WatcherId id = 0;
    id = stage.hub.watch([&](const Encoded&) {
        ++told;
        stage.hub.unwatch(id);
    });
    stage.hub.announce(batch(1, "one"), {});
    stage.hub.announce(batch(2, "two"), {});
    EXPECT_EQ(told, 1);
}

}  // namespace
}  // namespace xq::daemon
