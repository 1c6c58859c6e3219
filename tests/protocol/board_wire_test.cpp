// The board wire: every packet and command byte by byte, and what a decoder must not swallow.
#include "protocol/board_wire.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

namespace xq::protocol::wire {
namespace {

using rules::Side;

constexpr rules::Point e2 = rules::point(4, 2);
constexpr rules::Point h2 = rules::point(7, 2);

Hello hello() {
    return {1, 0, Sensing::Colour, {.press = true, .buttons = true}, 50, "XQ-0001", "fw 1.4"};
}

Board board() {
    Board b;
    std::iota(b.codes.begin(), b.codes.begin() + 16, std::uint8_t{0});
    b.codes[89] = 9;
    return b;
}

std::vector<Packet> packets() {
    return {{1, 1000, hello()},
            {2, 1001, board()},
            {3, 1002, Changes{{{h2, 0}, {e2, 6}}}},
            {4, 1003, Clock{true, Side::Black, 3599000, 3600000}},
            {5, 1004, Clock{}},
            {6, 1005, Press{Side::Red}},
            {7, 1006, Button{{}, ButtonKind::Arbiter}},
            {65535, 0xFFFFFFFF, Health{80, {{h2, PointFault::Stuck}, {0, PointFault::Unreadable}}}},
            {0, 0, Health{}}};
}

std::vector<Command> commands() {
    Leds leds{Led::Blink, {}};
    leds.on[0] = leds.on[h2] = leds.on[89] = true;
    return {SendHello{},
            SendBoard{},
            leds,
            Beep{300},
            Stream{true},
            Stream{false},
            ClockSet{Side::Red, 3600000, 0xFFFFFFFF},
            ClockSet{}};
}

TEST(BoardWire, LaysPacketsOutAsTheContractSays) {
    EXPECT_EQ(encode(Packet{0x0203, 0x04050607, Changes{{{h2, 0}, {e2, 6}}}}),
              (Bytes{0x03, 0, 0x03, 0x02, 0x07, 0x06, 0x05, 0x04, 2, 25, 0, 22, 6}));
    EXPECT_EQ(encode(Packet{1, 2, Clock{true, Side::Black, 0x01020304, 5}}),
              (Bytes{0x04, 0, 1, 0, 2, 0, 0, 0, 1, 2, 0, 0, 4, 3, 2, 1, 5, 0, 0, 0}));
    EXPECT_EQ(encode(Packet{1, 2, Press{Side::Black}}), (Bytes{0x05, 0, 1, 0, 2, 0, 0, 0, 2}));
    EXPECT_EQ(encode(Packet{1, 2, Button{Side::Red, ButtonKind::Draw}}),
              (Bytes{0x06, 0, 1, 0, 2, 0, 0, 0, 1, 2}));
    EXPECT_EQ(encode(Packet{1, 2, Health{{}, {{h2, PointFault::Flicker}}}}),
              (Bytes{0x07, 0, 1, 0, 2, 0, 0, 0, 255, 1, 25, 2}));

    const Bytes b = encode(Packet{1, 2, board()});
    ASSERT_EQ(b.size(), 53U);
    EXPECT_EQ(b[8], 0x10) << "point 0 lies in the low nibble of the first byte";
    EXPECT_EQ(b[9], 0x32);
    EXPECT_EQ(b[52], 0x90);

    const Bytes h = encode(Packet{1, 2, hello()});
    ASSERT_EQ(h.size(), 46U);
    EXPECT_EQ(Bytes(h.begin() + 8, h.begin() + 17), (Bytes{1, 0, 2, 0x11, 50, 0, 'X', 'Q', '-'}));
    EXPECT_EQ(h[29], 0);
    EXPECT_EQ(h[30], 'f');
}

TEST(BoardWire, LaysCommandsOutAsTheContractSays) {
    EXPECT_EQ(encode(Command{SendHello{}}), (Bytes{0x81}));
    EXPECT_EQ(encode(Command{SendBoard{}}), (Bytes{0x82}));
    EXPECT_EQ(encode(Command{Beep{0x0102}}), (Bytes{0x84, 2, 1}));
    EXPECT_EQ(encode(Command{Stream{true}}), (Bytes{0x85, 1}));
    EXPECT_EQ(encode(Command{ClockSet{Side::Black, 1, 2}}),
              (Bytes{0x86, 2, 1, 0, 0, 0, 2, 0, 0, 0}));
    EXPECT_EQ(encode(commands()[2]), (Bytes{0x83, 2, 1, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 2}));
}

TEST(BoardWire, GoesBothWaysWithAndWithoutPadding) {
    for (const Packet& packet : packets()) {
        Bytes bytes = encode(packet);
        const auto exact = decode(bytes);
        ASSERT_TRUE(exact) << packet.seq << ": " << exact.error().what;
        EXPECT_EQ(*exact, packet) << packet.seq;
        bytes.resize(packet_size);
        const auto padded = decode(bytes);
        ASSERT_TRUE(padded) << packet.seq << ": " << padded.error().what;
        EXPECT_EQ(*padded, packet) << packet.seq;
    }
    for (const Command& command : commands()) {
        Bytes bytes = encode(command);
        ASSERT_TRUE(decode_command(bytes)) << command.index();
        EXPECT_EQ(*decode_command(bytes), command) << command.index();
        bytes.resize(packet_size);
        ASSERT_TRUE(decode_command(bytes)) << command.index();
        EXPECT_EQ(*decode_command(bytes), command) << command.index();
    }
}

TEST(BoardWire, RefusesEveryPacketCutShort) {
    for (const Packet& packet : packets()) {
        const Bytes bytes = encode(packet);
        for (std::size_t size = 0; size < bytes.size(); ++size) {
            EXPECT_FALSE(decode(std::span(bytes).first(size))) << packet.seq << " cut to " << size;
        }
    }
    for (const Command& command : commands()) {
        const Bytes bytes = encode(command);
        for (std::size_t size = 0; size < bytes.size(); ++size) {
            EXPECT_FALSE(decode_command(std::span(bytes).first(size))) << command.index();
        }
    }
}

TEST(BoardWire, RefusesWhatStandsBehindThePayload) {
    for (const Packet& packet : packets()) {
        Bytes bytes = encode(packet);
        const std::size_t end = bytes.size();
        bytes.push_back(7);
        ASSERT_FALSE(decode(bytes)) << packet.seq;
        EXPECT_EQ(decode(bytes).error().at, end);
        bytes[end] = 0;
        bytes.resize(packet_size + 1);
        ASSERT_FALSE(decode(bytes)) << packet.seq;
        EXPECT_EQ(decode(bytes).error().what, "more than 64 bytes");
    }
    Bytes stream = encode(Command{Stream{true}});
    stream.push_back(1);
    EXPECT_FALSE(decode_command(stream));
}

struct Absurd {
    const char* what;
    Body body;
    std::size_t at;  ///< offset of the byte that is made absurd
    std::uint8_t value;
};
void PrintTo(const Absurd& a, std::ostream* out) {
    *out << a.what << ' ' << int{a.value};
}

class BoardWireRefuses : public testing::TestWithParam<Absurd> {};

TEST_P(BoardWireRefuses, AValueThatCannotBe) {
    Bytes bytes = encode(Packet{1, 2, GetParam().body});
    ASSERT_TRUE(decode(bytes));
    bytes[GetParam().at] = GetParam().value;
    const auto packet = decode(bytes);
    ASSERT_FALSE(packet);
    EXPECT_EQ(packet.error().at, GetParam().at) << packet.error().what;
    EXPECT_NE(packet.error().what.find(GetParam().what), std::string::npos) << packet.error().what;
}

INSTANTIATE_TEST_SUITE_P(
    Values, BoardWireRefuses,
    testing::Values(
        Absurd{"unknown packet type", Press{}, 0, 0}, Absurd{"unknown packet type", Press{}, 0, 8},
        Absurd{"sensing", Hello{}, 10, 0}, Absurd{"sensing", Hello{}, 10, 4},
        Absurd{"number of changes", Changes{{{h2, 0}}}, 8, 0},
        Absurd{"number of changes", Changes{{{h2, 0}}}, 8, 28},
        Absurd{"a point", Changes{{{h2, 0}}}, 9, 90}, Absurd{"a point", Changes{{{h2, 0}}}, 9, 255},
        Absurd{"a code", Changes{{{h2, 0}}}, 10, 16}, Absurd{"valid", Clock{true, {}, 0, 0}, 8, 2},
        Absurd{"a side", Clock{true, {}, 0, 0}, 9, 3}, Absurd{"a side", Press{}, 8, 0},
        Absurd{"a side", Press{}, 8, 3}, Absurd{"a side", Button{}, 8, 3},
        Absurd{"a button", Button{}, 9, 0}, Absurd{"a button", Button{}, 9, 5},
        Absurd{"battery", Health{}, 8, 101}, Absurd{"number of faults", Health{}, 9, 28},
        Absurd{"a point", Health{{}, {{h2, PointFault::Stuck}}}, 10, 90},
        Absurd{"a fault", Health{{}, {{h2, PointFault::Stuck}}}, 11, 0},
        Absurd{"a fault", Health{{}, {{h2, PointFault::Stuck}}}, 11, 4}));

TEST(BoardWire, RefusesAbsurdCommands) {
    EXPECT_FALSE(decode_command(Bytes{0x80}));
    EXPECT_FALSE(decode_command(Bytes{0x87}));
    EXPECT_FALSE(decode_command(Bytes{0x85, 2}));
    EXPECT_FALSE(decode_command(Bytes{0x86, 3, 0, 0, 0, 0, 0, 0, 0, 0}));
    Bytes leds = encode(Command{Leds{}});
    leds[1] = 3;
    EXPECT_FALSE(decode_command(leds));
}

TEST(BoardWire, IgnoresFlagsAndCapabilitiesItDoesNotKnow) {
    Bytes bytes = encode(Packet{1, 2, hello()});
    bytes[1] = 0xFF;
    bytes[11] |= 0xC0;
    const auto packet = decode(bytes);
    ASSERT_TRUE(packet);
    EXPECT_EQ(std::get<Hello>(packet->body), hello());
}

TEST(BoardWire, AnInvalidClockTellsNothingElse) {
    Bytes bytes = encode(Packet{1, 2, Clock{true, Side::Red, 7, 8}});
    bytes[8] = 0;
    bytes[9] = 77;
    const auto packet = decode(bytes);
    ASSERT_TRUE(packet);
    EXPECT_EQ(std::get<Clock>(packet->body), Clock{});
}

TEST(BoardWire, AHelloOfAnotherVersionStillSaysWhichOne) {
    const Bytes bytes{0x01, 0, 1, 0, 2, 0, 0, 0, 2, 7, 0xFF, 0xFF, 0xFF};
    const auto packet = decode(bytes);
    ASSERT_TRUE(packet);
    EXPECT_EQ(std::get<Hello>(packet->body).major, 2);
    EXPECT_EQ(std::get<Hello>(packet->body).minor, 7);
}

TEST(BoardWire, ALaterMinorVersionMayAddToHello) {
    Hello later = hello();
    later.minor = 3;
    Bytes bytes = encode(Packet{1, 2, later});
    bytes.insert(bytes.end(), {1, 2, 3});
    const auto packet = decode(bytes);
    ASSERT_TRUE(packet);
    EXPECT_EQ(std::get<Hello>(packet->body), later);
}

TEST(BoardWire, NamesFillTheirRoomAndStayPrintable) {
    Hello long_names = hello();
    long_names.serial = "0123456789abcdefgh";
    long_names.firmware = std::string("a\n\x7f\xe7", 4);
    const auto packet = decode(encode(Packet{1, 2, long_names}));
    ASSERT_TRUE(packet);
    EXPECT_EQ(std::get<Hello>(packet->body).serial, "0123456789abcdef");
    EXPECT_EQ(std::get<Hello>(packet->body).firmware, "a???");
}

TEST(BoardWire, TwentySevenChangesFillThePacket) {
    Changes most{std::vector<Change>(most_changes, Change{h2, 6})};
    const Bytes bytes = encode(Packet{1, 2, most});
    EXPECT_LE(bytes.size(), packet_size);
    ASSERT_TRUE(decode(bytes));
    EXPECT_EQ(std::get<Changes>(decode(bytes)->body), most);
}

TEST(BoardWire, ACodeSaysNoMoreThanTheBoardSenses) {
    const Seen red_cannon(rules::Piece(Side::Red, rules::Kind::Cannon));
    EXPECT_EQ(seen(6, Sensing::Identity), red_cannon);
    EXPECT_EQ(seen(1, Sensing::Colour), Seen::some(Side::Red));
    EXPECT_EQ(seen(9, Sensing::Colour), Seen::some(Side::Black));
    EXPECT_EQ(seen(14, Sensing::Colour), Seen::some(Side::Black));
    EXPECT_EQ(seen(8, Sensing::Occupancy), Seen::some());
    EXPECT_EQ(seen(6, Sensing::Occupancy), Seen::some());
    for (const Sensing s : {Sensing::Identity, Sensing::Colour, Sensing::Occupancy}) {
        EXPECT_TRUE(seen(0, s).empty());
        EXPECT_EQ(seen(8, s), Seen::some());
        for (unsigned c = 0; c < 16; ++c) {
            const Seen once = seen(static_cast<std::uint8_t>(c), s);
            EXPECT_EQ(seen(code(once, s), s), once) << c;
        }
    }
    EXPECT_EQ(code(red_cannon, Sensing::Identity), 6);
    EXPECT_EQ(code(red_cannon, Sensing::Colour), 1);
    EXPECT_EQ(code(red_cannon, Sensing::Occupancy), 8);
    EXPECT_EQ(code(Seen::some(Side::Black), Sensing::Identity), 8);
}

TEST(BoardWire, WhateverIsReadFromNoiseIsWrittenBackTheSame) {
    std::mt19937 random(1);  // NOLINT(cert-msc51-cpp): the same noise each run
    int read = 0;
    for (int round = 0; round < 20000; ++round) {
        Bytes bytes(random() % (packet_size + 2));
        for (auto& b : bytes) b = static_cast<std::uint8_t>(random() % 4 == 0 ? random() : 0);
        if (!bytes.empty()) bytes[0] = static_cast<std::uint8_t>(random() % 9);
        const auto packet = decode(bytes);
        if (!packet) continue;
        ++read;
        ASSERT_TRUE(decode(encode(*packet)));
        EXPECT_EQ(*decode(encode(*packet)), *packet);
    }
    EXPECT_GT(read, 100);
}

}  // namespace
}  // namespace xq::protocol::wire
