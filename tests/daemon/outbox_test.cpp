#include "daemon/outbox.hpp"

#include "support.hpp"

#include <gmock/gmock.h>
#include <poll.h>

namespace xq::daemon {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Batch momentary(std::uint64_t seq, const std::string& line) {
    return {{{seq, line, false, true}}, welcome(seq)};
}

std::vector<std::string> lines(const std::deque<Encoded>& events) {
    std::vector<std::string> lines;
    lines.reserve(events.size());
    for (const auto& event : events) lines.push_back(event.line);
    return lines;
}

bool rings(const Outbox& outbox) {
    pollfd bell{outbox.bell(), POLLIN, 0};
    return poll(&bell, 1, 0) == 1;
}

TEST(Outbox, GivesEventsInOrderAndTheStateBehindThem) {
    Outbox outbox;
    EXPECT_FALSE(rings(outbox));
    for (std::uint64_t seq = 1; seq <= 3; ++seq) outbox.put(batch(seq, std::to_string(seq)));
    EXPECT_TRUE(rings(outbox));
    outbox.hush();
    EXPECT_FALSE(rings(outbox));

    auto parcel = outbox.take(2, true);
    EXPECT_THAT(lines(parcel.events), ElementsAre("1", "2"));
    EXPECT_EQ(parcel.welcome, nullptr);
    parcel = outbox.take(2, false);
    EXPECT_THAT(lines(parcel.events), ElementsAre("3"));
    EXPECT_EQ(parcel.welcome, nullptr);
    EXPECT_FALSE(outbox.empty());
    parcel = outbox.take(2, true);
    ASSERT_NE(parcel.welcome, nullptr);
    EXPECT_EQ(parcel.welcome->seq, 3U);
    EXPECT_TRUE(outbox.empty());
    EXPECT_EQ(outbox.take(2, true).welcome, nullptr);
}

TEST(Outbox, KeepsTheNewestEventsOnly) {
    Outbox outbox(3);
    for (std::uint64_t seq = 1; seq <= 5; ++seq) outbox.put(batch(seq, std::to_string(seq)));
    const auto parcel = outbox.take(10, true);
    EXPECT_THAT(lines(parcel.events), ElementsAre("3", "4", "5"));
    EXPECT_EQ(parcel.welcome->seq, 5U);
}

TEST(Outbox, KeepsWhatWasNotAcknowledgedButNoClockOfAnOutage) {
    Outbox outbox(3);
    outbox.put(momentary(1, "tick before"));
    EXPECT_THAT(outbox.take(10, true).events, IsEmpty());
    outbox.online();
    outbox.put(momentary(2, "tick"));
    outbox.put(batch(3, "move"));
    auto parcel = outbox.take(10, true);
    EXPECT_THAT(lines(parcel.events), ElementsAre("tick", "move"));
    outbox.put(momentary(4, "tick"));
    outbox.put(batch(5, "reply"));
    outbox.offline(std::move(parcel.events));
    outbox.put(momentary(6, "tick"));
    parcel = outbox.take(10, true);
    EXPECT_THAT(lines(parcel.events), ElementsAre("move", "reply"));
    // Sent to the broker that went away, it is sent to the one that comes back.
    EXPECT_EQ(parcel.welcome->seq, 6U);
    outbox.offline({});
    EXPECT_NE(outbox.take(10, true).welcome, nullptr);
}

TEST(Outbox, RingsWhenItIsClosed) {
    Outbox outbox;
    outbox.close();
    EXPECT_TRUE(rings(outbox));
    EXPECT_TRUE(outbox.closed());
}

}  // namespace
}  // namespace xq::daemon
