#include "hal/board_session.hpp"

#include "hal/board_model.hpp"
#include "hal/hand.hpp"
#include "rules/notation.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace xq::hal {
namespace {

namespace wire = protocol::wire;
namespace event = protocol::event;
using protocol::Event;
using protocol::Millis;
using protocol::Seen;
using rules::Side;

rules::Point at(std::string_view name) {
    return *rules::point_named(name);
}
Seen piece(char fen) {
    return Seen(*rules::Piece::from_fen(fen));
}

protocol::Reading start_reading(protocol::Sensing sensing = protocol::Sensing::Identity) {
    protocol::Reading reading;
    for (rules::Point p = 0; p < rules::points; ++p) {
        reading[static_cast<std::size_t>(p)] = Seen::of(rules::Position::start().at(p), sensing);
    }
    return reading;
}

/// A session with a board at the other end whose packets arrive at once, unless told otherwise.
class BoardSessionTest : public testing::Test {
protected:
    explicit BoardSessionTest(bool rotated = false) : session(rotated) {
        model.happen({0, event::Board{start_reading()}});
    }

    void connect(const std::string& serial = {}) {
        BoardSession::Out out;
        session.connected(serial, out);
        take(out);
    }
    void deliver(const BoardModel::Packets& packets) {
        for (const auto& packet : packets) deliver(packet);
    }
    void deliver(const wire::Bytes& packet) {
        BoardSession::Out out;
        session.received(packet, now, out);
        take(out);
    }
    void happen(Event e) { deliver(model.happen({now, std::move(e)})); }
    /// What the board sends is lost on its way.
    void lose(Event e) { model.happen({now, std::move(e)}); }
    void unplug() {
        BoardSession::Out out;
        session.disconnected(now, out);
        take(out);
        model.happen({now, event::Unplug{}});
    }
    std::vector<Event> events() {
        std::vector<Event> all;
        for (auto& timed : std::exchange(told, {})) all.push_back(std::move(timed.event));
        return all;
    }
    int asked_for_board() {
        return static_cast<int>(std::ranges::count(commands, wire::Command(wire::SendBoard{})));
    }

    Millis now = 1000;
    BoardModel model{{.can = {.press = true, .leds = true}, .serial = "B-1", .firmware = "1.0"}};
    BoardSession session;
    std::vector<protocol::Timed> told;
    std::vector<wire::Command> commands;
    std::vector<std::string> notices;
    bool refused = false;
    bool answers = true;  ///< the board carries out what it is asked

private:
    void take(BoardSession::Out& out) {
        told.insert(told.end(), out.events.begin(), out.events.end());
        notices.insert(notices.end(), out.notices.begin(), out.notices.end());
        refused = refused || out.refused;
        for (const auto& command : out.commands) {
            commands.push_back(command);
            if (answers) deliver(model.command(command, now));
        }
    }
};

TEST_F(BoardSessionTest, AConnectionBeginsWithStreamHelloAndBoard) {
    connect();
    ASSERT_FALSE(commands.empty());
    EXPECT_EQ(commands.front(), wire::Command(wire::Stream{true}));
    const auto e = events();
    ASSERT_EQ(e.size(), 3U);
    EXPECT_EQ(e[0], Event(event::Plug{}));
    EXPECT_EQ(e[1],
              Event(event::Hello{protocol::Sensing::Identity, {.press = true, .leds = true}}));
    EXPECT_EQ(e[2], Event(event::Board{start_reading()}));
    EXPECT_TRUE(session.online());
}

TEST_F(BoardSessionTest, TellsChangesAndWhatPlayersPress) {
    connect();
    events();
    happen(event::Lift{at("h2")});
    happen(event::Drop{at("e2"), piece('C')});
    happen(event::Press{Side::Red});
    happen(event::Button{Side::Black, protocol::ButtonKind::Draw});
    happen(event::Button{{}, protocol::ButtonKind::Arbiter});
    const std::vector<Event> expected{event::Lift{at("h2")}, event::Drop{at("e2"), piece('C')},
                                      event::Press{Side::Red},
                                      event::Button{Side::Black, protocol::ButtonKind::Draw},
                                      event::Button{{}, protocol::ButtonKind::Arbiter}};
    EXPECT_EQ(events(), expected);
}

TEST_F(BoardSessionTest, ARepeatedBoardOrChangeIsNoEvent) {
    connect();
    events();
    deliver(model.board(now));
    happen(event::Drop{at("h2"), piece('C')});
    EXPECT_TRUE(events().empty());
    EXPECT_EQ(asked_for_board(), 0);
}

TEST_F(BoardSessionTest, LostPacketsAreCountedAndTheBoardIsAskedFor) {
    connect();
    events();
    lose(event::Lift{at("h2")});
    lose(event::Drop{at("e2"), piece('C')});
    happen(event::Press{Side::Red});
    const auto e = events();
    ASSERT_EQ(e.size(), 3U);
    EXPECT_EQ(e[0], Event(event::Gap{2}));
    EXPECT_TRUE(std::holds_alternative<event::Board>(e[1]) ||
                std::holds_alternative<event::Board>(e[2]));
    EXPECT_EQ(asked_for_board(), 1);
}

TEST_F(BoardSessionTest, AfterAGapTheBoardFollowsEvenIfNothingChanged) {
    connect();
    events();
    lose(event::Press{Side::Red});
    happen(event::Press{Side::Black});
    const auto e = events();
    ASSERT_EQ(e.size(), 3U);
    EXPECT_EQ(std::ranges::count(e, Event(event::Board{start_reading()})), 1);
}

TEST_F(BoardSessionTest, SeqWrapsWithoutAGap) {
    model.set_seq(0xFFFE);
    connect();
    events();
    for (int i = 0; i < 5; ++i) happen(event::Press{Side::Red});
    EXPECT_EQ(events().size(), 5U);
    EXPECT_EQ(asked_for_board(), 0);
}

TEST_F(BoardSessionTest, AGapOverTheWrapIsCounted) {
    model.set_seq(0xFFFD);
    connect();
    events();
    for (int i = 0; i < 3; ++i) lose(event::Press{Side::Red});
    happen(event::Press{Side::Red});
    EXPECT_EQ(events().at(0), Event(event::Gap{3}));
}

TEST_F(BoardSessionTest, ADamagedPacketIsALostOne) {
    connect();
    events();
    auto packet = model.happen({now, event::Lift{at("h2")}}).at(0);
    packet.resize(5);
    deliver(packet);
    EXPECT_EQ(asked_for_board(), 1);
    ASSERT_EQ(notices.size(), 1U);
    protocol::Reading lifted = start_reading();
    lifted[static_cast<std::size_t>(at("h2"))] = {};
    const std::vector<Event> expected{event::Gap{1}, event::Board{lifted}};
    EXPECT_EQ(events(), expected);
}

TEST_F(BoardSessionTest, AnUnknownPacketIsNoGapButTheBoardIsAskedFor) {
    connect();
    events();
    auto packet = model.happen({now, event::Press{Side::Red}}).at(0);
    packet[0] = 0x42;
    deliver(packet);
    happen(event::Press{Side::Black});
    EXPECT_EQ(events(), std::vector<Event>{event::Press{Side::Black}});
    EXPECT_EQ(asked_for_board(), 1);
}

TEST_F(BoardSessionTest, AnEmptyPacketIsSurvived) {
    connect();
    deliver(wire::Bytes{});
    EXPECT_EQ(asked_for_board(), 1);
}

TEST_F(BoardSessionTest, AFloodOfDamageDoesNotFloodTheBoard) {
    answers = false;
    connect();
    for (int i = 0; i < 1000; ++i, ++now) deliver(wire::Bytes{0x99});
    EXPECT_LE(asked_for_board(), 6);
    EXPECT_GE(asked_for_board(), 4);
    EXPECT_EQ(notices.size(), 1U) << "people are told once";
}

TEST_F(BoardSessionTest, ABoardThatDiffersFromTheDeltasIsAskedForAgainBeforeItIsBelieved) {
    connect();
    events();
    answers = false;
    auto reading = start_reading();
    reading[static_cast<std::size_t>(at("e3"))] = {};
    happen(event::Board{reading});
    EXPECT_TRUE(events().empty());
    EXPECT_EQ(asked_for_board(), 1);
    happen(event::Board{reading});
    EXPECT_EQ(events(), std::vector<Event>{event::Board{reading}});
}

TEST_F(BoardSessionTest, ADifferenceThatHealsIsNeverTold) {
    connect();
    events();
    answers = false;
    auto reading = start_reading();
    reading[static_cast<std::size_t>(at("e3"))] = {};
    happen(event::Board{reading});
    happen(event::Board{start_reading()});
    happen(event::Board{reading});
    EXPECT_TRUE(events().empty());
}

TEST_F(BoardSessionTest, AnOwedBoardIsAskedForUntilItComes) {
    connect();
    answers = false;
    lose(event::Press{Side::Red});
    happen(event::Press{Side::Red});
    EXPECT_EQ(asked_for_board(), 1);
    BoardSession::Out out;
    session.tick(now + 50, out);
    EXPECT_TRUE(out.commands.empty());
    session.tick(now + 300, out);
    EXPECT_EQ(out.commands, std::vector<wire::Command>{wire::SendBoard{}});
}

TEST_F(BoardSessionTest, UnplugAndPlugAreToldOnceAndABoardFollows) {
    connect();
    events();
    unplug();
    unplug();
    EXPECT_EQ(events(), std::vector<Event>{event::Unplug{}});
    lose(event::Plug{});
    now += 5000;
    connect();
    const std::vector<Event> expected{event::Plug{}, event::Board{start_reading()}};
    EXPECT_EQ(events(), expected) << "the hello is known, the board follows";
}

TEST_F(BoardSessionTest, WithoutABoardThatIsSaidOnce) {
    unplug();
    unplug();
    EXPECT_EQ(events(), std::vector<Event>{event::Unplug{}});
}

TEST_F(BoardSessionTest, AnotherSensingIsToldWithItsReading) {
    connect();
    events();
    unplug();
    events();
    BoardModel colour({.sensing = protocol::Sensing::Colour, .serial = "B-2"});
    colour.happen({now, event::Board{start_reading(protocol::Sensing::Colour)}});
    model = colour;
    connect();
    const std::vector<Event> expected{event::Plug{}, event::Hello{protocol::Sensing::Colour, {}},
                                      event::Board{start_reading(protocol::Sensing::Colour)}};
    EXPECT_EQ(events(), expected);
}

TEST_F(BoardSessionTest, AnotherMajorVersionIsSaidAndNotUsed) {
    model = BoardModel({.major = 2, .serial = "B-9"});
    connect();
    EXPECT_TRUE(refused);
    EXPECT_FALSE(session.online());
    EXPECT_TRUE(events().empty());
    ASSERT_EQ(notices.size(), 1U);
    EXPECT_NE(notices[0].find("version 2"), std::string::npos) << notices[0];
    happen(event::Press{Side::Red});
    EXPECT_TRUE(events().empty());
}

TEST_F(BoardSessionTest, TheHelloMustNameTheWantedSerial) {
    connect("B-2");
    EXPECT_TRUE(refused);
    EXPECT_TRUE(events().empty());
    refused = false;
    connect("B-1");
    EXPECT_FALSE(refused);
    EXPECT_TRUE(session.online());
}

TEST_F(BoardSessionTest, ABoardThatRestartsInPlaceIsGreetedAnew) {
    now = 100'000;
    connect();
    events();
    now = 101'000;
    model = BoardModel(model.hello(), now - 50);  // its uptime begins again
    model.happen({now, event::Board{start_reading()}});
    deliver(model.command(wire::SendHello{}, now));
    model.command(wire::Stream{true}, now);
    commands.clear();
    deliver(model.board(now));
    EXPECT_EQ(std::ranges::count(commands, wire::Command(wire::Stream{true})), 1);
    const auto e = events();
    ASSERT_FALSE(e.empty());
    EXPECT_EQ(e[0], Event(event::Gap{1}));
    EXPECT_TRUE(std::holds_alternative<event::Board>(e.back()));
}

TEST_F(BoardSessionTest, EventsBearTheBoardsTimeNotTheArrivals) {
    connect();
    told.clear();
    const auto lift = model.happen({now + 10, event::Lift{at("h2")}}).at(0);
    const auto drop = model.happen({now + 400, event::Drop{at("e2"), piece('C')}}).at(0);
    now += 900;  // both come late, together
    deliver(lift);
    deliver(drop);
    ASSERT_EQ(told.size(), 2U);
    EXPECT_EQ(told[0].t, 1010);
    EXPECT_EQ(told[1].t, 1400);
}

TEST_F(BoardSessionTest, TheClockIsToldWhenItChanges) {
    connect();
    events();
    happen(event::Clock{1000, 2000, Side::Red});
    happen(event::Clock{1000, 2000, Side::Red});
    happen(event::ClockInvalid{});
    happen(event::ClockInvalid{});
    happen(event::Clock{900, 2000, Side::Red});
    const std::vector<Event> expected{event::Clock{1000, 2000, Side::Red}, event::ClockInvalid{},
                                      event::Clock{900, 2000, Side::Red}};
    EXPECT_EQ(events(), expected);
}

TEST_F(BoardSessionTest, HealthIsToldPointByPoint) {
    connect();
    events();
    happen(event::Health{at("h2"), protocol::PointFault::Stuck});
    happen(event::Health{at("a0"), protocol::PointFault::Flicker});
    happen(event::Health{at("h2"), protocol::PointFault::None});
    const std::vector<Event> expected{event::Health{at("h2"), protocol::PointFault::Stuck},
                                      event::Health{at("a0"), protocol::PointFault::Flicker},
                                      event::Health{at("h2"), protocol::PointFault::None}};
    EXPECT_EQ(events(), expected);
}

TEST_F(BoardSessionTest, ALowBatteryIsToldOnce) {
    connect();
    for (const int charge : {80, 16, 14, 13, 16, 14, 30, 9}) {
        deliver(wire::encode(wire::Packet{static_cast<std::uint16_t>(0), 2000,
                                          wire::Health{static_cast<std::uint8_t>(charge), {}}}));
    }
    EXPECT_EQ(std::ranges::count_if(
                  notices, [](const auto& n) { return n.find("battery") != std::string::npos; }),
              2);
}

TEST_F(BoardSessionTest, ABoardWithoutACapabilityIsNotSentItsCommand) {
    EXPECT_FALSE(session.prepared(wire::Leds{})) << "no hello yet";
    connect();
    EXPECT_TRUE(session.prepared(wire::Leds{}));
    EXPECT_FALSE(session.prepared(wire::Beep{100}));
    EXPECT_FALSE(session.prepared(wire::ClockSet{}));
    EXPECT_TRUE(session.prepared(wire::SendBoard{}));
}

class RotatedBoard : public BoardSessionTest {
protected:
    RotatedBoard() : BoardSessionTest(true) {}
};

TEST_F(RotatedBoard, PointsAreTurnedRoundBothWays) {
    connect();
    auto e = events();
    auto turned = start_reading();
    std::ranges::reverse(turned);
    EXPECT_EQ(e.at(2), Event(event::Board{turned}));
    happen(event::Lift{at("h2")});
    happen(event::Health{at("a0"), protocol::PointFault::Stuck});
    const std::vector<Event> expected{event::Lift{at("b7")},
                                      event::Health{at("i9"), protocol::PointFault::Stuck}};
    EXPECT_EQ(events(), expected);
    wire::Leds leds{wire::Led::On, {}};
    leds.on[static_cast<std::size_t>(at("b7"))] = true;
    const auto sent = session.prepared(leds);
    ASSERT_TRUE(sent);
    EXPECT_TRUE(std::get<wire::Leds>(*sent).on[static_cast<std::size_t>(at("h2"))]);
}

TEST_F(RotatedBoard, SidesAreThePlayersAndStay) {
    model = BoardModel{{.can = {.press = true, .clock = true, .buttons = true}, .serial = "B-1"}};
    connect();
    events();
    happen(event::Press{Side::Red});
    happen(event::Button{Side::Black, protocol::ButtonKind::Draw});
    happen(event::Clock{1000, 2000, Side::Black});
    happen(event::Drop{at("h2"), protocol::Seen(*rules::Piece::from_fen('c'))});
    const std::vector<Event> expected{
        event::Press{Side::Red}, event::Button{Side::Black, protocol::ButtonKind::Draw},
        event::Clock{1000, 2000, Side::Black},
        event::Drop{at("b7"), protocol::Seen(*rules::Piece::from_fen('c'))}};
    EXPECT_EQ(events(), expected);
    const auto sent = session.prepared(wire::ClockSet{Side::Red, 1000, 2000});
    EXPECT_EQ(sent, wire::Command(wire::ClockSet{Side::Red, 1000, 2000}));
}

/// Whatever noise a game has, what comes out of the wire is what went in.
TEST(BoardSessionGame, TheWireGivesBackTheHandsOwnLog) {
    for (const auto sensing :
         {protocol::Sensing::Identity, protocol::Sensing::Colour, protocol::Sensing::Occupancy}) {
        std::vector<rules::Move> moves;
        for (const auto* text : {"h2e2", "h9g7", "e2e6", "d9e8", "h0g2", "g7e6"}) {
            moves.push_back(*rules::read_iccs(text));
        }
        const auto log = play(rules::Position::start(), moves,
                              {.sensing = sensing,
                               .can = {.press = true, .buttons = true},
                               .noise = Noise::heavy(),
                               .seed = 11})
                             .log;
        BoardModel model({.sensing = sensing, .can = {.press = true, .buttons = true}});
        BoardSession session(false);
        std::vector<protocol::Timed> told;
        const auto carry_out = [&](auto&& self, BoardSession::Out& out, Millis t) -> void {
            told.insert(told.end(), out.events.begin(), out.events.end());
            for (const auto& command : out.commands) {
                for (const auto& packet : model.command(command, t)) {
                    BoardSession::Out more;
                    session.received(packet, t, more);
                    self(self, more, t);
                }
            }
        };
        bool connected = false;
        for (const auto& line : log) {
            BoardSession::Out out;
            if (std::holds_alternative<event::Unplug>(line.event)) {
                session.disconnected(line.t, out);
                connected = false;
            }
            for (const auto& packet : model.happen(line)) session.received(packet, line.t, out);
            if (std::holds_alternative<event::Board>(line.event) && !connected) {
                connected = true;
                session.connected({}, out);
            }
            carry_out(carry_out, out, line.t);
        }
        std::vector<protocol::Timed> expected = log;
        expected.insert(expected.begin(), {log.front().t, event::Plug{}});
        EXPECT_EQ(told, expected);
    }
}

}  // namespace
}  // namespace xq::hal
