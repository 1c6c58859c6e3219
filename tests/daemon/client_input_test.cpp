#include "daemon/client_input.hpp"

#include <gmock/gmock.h>

namespace xq::daemon {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Kind = Heard::Kind;

Heard line(std::string text) {
    return {Kind::Line, std::move(text)};
}

std::string frame(unsigned first, std::string_view payload) {
    const std::string mask = "\x11\x22\x33\x44";
    std::string bytes{static_cast<char>(first)};
    if (payload.size() < 126) {
        bytes += static_cast<char>(0x80U | payload.size());
    } else {
        bytes += static_cast<char>(0x80U | 126U);
        bytes += static_cast<char>(payload.size() >> 8U);
        bytes += static_cast<char>(payload.size() & 0xFFU);
    }
    bytes += mask;
    for (std::size_t i = 0; i < payload.size(); ++i) {
        bytes += static_cast<char>(payload[i] ^ mask[i % 4]);
    }
    return bytes;
}

TEST(Resume, ReadsWhereAClientLeftOff) {
    EXPECT_EQ(read_resume(R"({"since": 7, "epoch": 9})"), (Resume{7, 9}));
    EXPECT_EQ(read_resume(R"({"epoch":281474976710656,"since":0,"x":[1]})"),
              (Resume{0, 281474976710656}));
    EXPECT_EQ(read_event_id("9:7"), (Resume{7, 9}));
}

TEST(Resume, RefusesEverythingElse) {
    for (const auto* text : {"", "{}", "7", "[7, 9]", R"({"since": 7})",
                             R"({"since": -7, "epoch": 9})", R"({"since": "7", "epoch": 9})",
                             R"({"since": 7.5, "epoch": 9})", R"({"since": 7, "epoch": 9)"}) {
        EXPECT_EQ(read_resume(text), std::nullopt) << text;
    }
    for (const auto* text : {"", "7", ":", "9:", ":7", "9:7 ", "-9:7", "9:7:1"}) {
        EXPECT_EQ(read_event_id(text), std::nullopt) << text;
    }
}

TEST(ClientInput, PutsLinesTogether) {
    ClientInput input;
    EXPECT_THAT(input.take("one\ntw", Framing::Line), ElementsAre(line("one")));
    EXPECT_THAT(input.take("o", Framing::Line), IsEmpty());
    EXPECT_THAT(input.take("\n\n", Framing::Line), ElementsAre(line("two"), line("")));
}

TEST(ClientInput, EndsWithALineThatIsTooLong) {
    ClientInput input;
    EXPECT_THAT(input.take(std::string(longest_input, 'x') + "\n", Framing::Line),
                ElementsAre(line(std::string(longest_input, 'x'))));
    EXPECT_THAT(input.take(std::string(longest_input, 'x'), Framing::Line), IsEmpty());
    EXPECT_THAT(input.take("x", Framing::Line), ElementsAre(Heard{Kind::End, ""}));
}

TEST(ClientInput, ReadsFramesHoweverTheyAreCut) {
    const std::string bytes = frame(0x81, "hello") + frame(0x89, "ping") + frame(0x8A, "") +
                              frame(0x82, "binary") + frame(0x81, std::string(300, 'y'));
    for (std::size_t cut = 1; cut <= bytes.size(); ++cut) {
        ClientInput input;
        std::vector<Heard> heard;
        for (std::size_t from = 0; from < bytes.size(); from += cut) {
            for (auto& h :
                 input.take(std::string_view(bytes).substr(from, cut), Framing::WebSocket)) {
                heard.push_back(std::move(h));
            }
        }
        EXPECT_THAT(heard,
                    ElementsAre(line("hello"), Heard{Kind::Ping, "ping"}, Heard{Kind::Ignored, ""},
                                Heard{Kind::Ignored, ""}, line(std::string(300, 'y'))))
            << cut;
    }
}

TEST(ClientInput, EndsWhereAFrameBreaksTheRules) {
    const std::string not_masked = "\x81\x02hi";
    const std::string reserved = frame(0xC1, "x");
    const std::string unknown = frame(0x83, "x");
    const std::string split_ping = frame(0x09, "x");
    const std::string long_ping = frame(0x89, std::string(126, 'x'));
    const std::string too_long = frame(0x81, std::string(longest_input + 1, 'x'));
    const std::string close = frame(0x88, "");
    const std::string huge = "\x81\xFF";
    for (const auto& bytes :
         {not_masked, reserved, unknown, split_ping, long_ping, too_long, close, huge}) {
        ClientInput input;
        EXPECT_THAT(input.take(bytes, Framing::WebSocket), ElementsAre(Heard{Kind::End, ""}));
    }
}

TEST(ClientInput, ExpectsNothingFromAListenerToEvents) {
    ClientInput input;
    EXPECT_THAT(input.take("anything\n", Framing::ServerSent), IsEmpty());
}

}  // namespace
}  // namespace xq::daemon
