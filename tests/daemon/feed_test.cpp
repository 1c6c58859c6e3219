#include "daemon/feed.hpp"

#include "support.hpp"

#include <gtest/gtest.h>

namespace xq::daemon {
namespace {

constexpr std::size_t page = 4096;
constexpr std::uint64_t epoch = 77;

TEST(Ring, KeepsTheNewestBytesInOnePiece) {
    Ring ring(page);
    std::string all;
    for (int i = 0; i < 1000; ++i) {
        const std::string line = "line " + std::to_string(i) + "\n";
        ring.append(line);
        all += line;
        ASSERT_EQ(ring.head(), all.size());
        ASSERT_EQ(ring.from(ring.tail()), std::string_view(all).substr(ring.tail()));
    }
    EXPECT_EQ(ring.head() - ring.tail(), page);
}

TEST(Feed, FramesAMessageForEachTransport) {
    Feed feed(epoch);
    feed.append(1, "{}");
    EXPECT_EQ(feed.ring(Framing::Line).from(0), "{}\n");
    EXPECT_EQ(feed.ring(Framing::WebSocket).from(0), "\x81\x02{}");
    EXPECT_EQ(feed.ring(Framing::ServerSent).from(0), "id: 77:1\ndata: {}\n\n");
}

TEST(Feed, FramesOfEverySizeSayTheirSize) {
    using namespace std::string_literals;
    EXPECT_EQ(websocket_text(std::string(125, 'a')).substr(0, 2), "\x81\x7D"s);
    EXPECT_EQ(websocket_text(std::string(126, 'a')).substr(0, 4), "\x81\x7E\x00\x7E"s);
    EXPECT_EQ(websocket_text(std::string(65535, 'a')).substr(0, 4), "\x81\x7E\xFF\xFF"s);
    EXPECT_EQ(websocket_text(std::string(65536, 'a')).substr(0, 10),
              "\x81\x7F\x00\x00\x00\x00\x00\x01\x00\x00"s);
}

TEST(Feed, KnowsWhereAClientLeftOff) {
    Feed feed(epoch);
    EXPECT_EQ(feed.place_after(0, epoch, Framing::Line), std::nullopt);
    for (std::uint64_t seq = 5; seq <= 9; ++seq) feed.append(seq, "message " + std::to_string(seq));
    const auto place = feed.place_after(7, epoch, Framing::Line);
    ASSERT_TRUE(place);
    EXPECT_EQ(feed.ring(Framing::Line).from(*place), "message 8\nmessage 9\n");
    const auto end = feed.place_after(9, epoch, Framing::Line);
    ASSERT_TRUE(end);
    EXPECT_EQ(feed.ring(Framing::Line).from(*end), "");
    EXPECT_EQ(feed.place_after(10, epoch, Framing::Line), std::nullopt);
    EXPECT_EQ(feed.place_after(4, epoch, Framing::Line), std::nullopt);
    EXPECT_EQ(feed.place_after(7, epoch + 1, Framing::Line), std::nullopt);
}

TEST(Feed, ForgetsWhatTheRingHasDropped) {
    Feed feed(epoch, page);
    const std::string line(99, 'x');
    for (std::uint64_t seq = 1; seq <= 1000; ++seq) feed.append(seq, line);
    EXPECT_EQ(feed.place_after(900, epoch, Framing::Line), std::nullopt);
    const auto place = feed.place_after(990, epoch, Framing::Line);
    ASSERT_TRUE(place);
    EXPECT_EQ(feed.ring(Framing::Line).from(*place).size(), 10U * 100U);
}

TEST(Feed, FindsTheRestOfAMessage) {
    Feed feed(epoch);
    feed.append(1, "first");
    feed.append(2, "second");
    EXPECT_EQ(feed.rest_of_message(2, Framing::Line), "rst\n");
    EXPECT_EQ(feed.rest_of_message(6, Framing::Line), "");
    EXPECT_EQ(feed.rest_of_message(9, Framing::Line), "ond\n");
    EXPECT_EQ(feed.rest_of_message(13, Framing::Line), "");
}

TEST(Feed, LeavesOutAMessageThatIsTooLargeForTheRing) {
    Feed feed(epoch, page);
    feed.append(1, std::string(page, 'x'));
    feed.append(2, "small");
    EXPECT_EQ(feed.ring(Framing::Line).from(0), "small\n");
}

TEST(Feed, WelcomesWithTheNumberOfTheLastMessage) {
    Feed feed(epoch);
    feed.set_welcome(welcome(12));
    EXPECT_NE(feed.hello(Framing::Line)->find(R"("type":"hello")"), std::string::npos);
    EXPECT_NE(feed.state(Framing::Line)->find(R"("type":"state","seq":12,)"), std::string::npos);
    EXPECT_TRUE(feed.state(Framing::ServerSent)->starts_with("id: 77:12\ndata: {"));
    EXPECT_EQ(feed.state(Framing::Line), feed.state(Framing::Line));  // made once
    feed.set_welcome(welcome(13));
    EXPECT_NE(feed.state(Framing::Line)->find(R"("seq":13,)"), std::string::npos);
}

}  // namespace
}  // namespace xq::daemon
