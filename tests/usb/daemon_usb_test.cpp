// The shipped daemon with unmodified libusb against virtual boards; what it makes of them is read
// from its broadcast.
#include "rules/fen.hpp"
#include "rules/notation.hpp"
#include "tests/usb/shipped_daemon.hpp"
#include "tests/usb/virtual_board.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <thread>

namespace xq::test {
namespace {

namespace wire = protocol::wire;
namespace event = protocol::event;
using namespace std::chrono_literals;
using protocol::Seen;
using testing::HasSubstr;

wire::Hello hello(const std::string& serial) {
    return {.can = {.press = true, .buttons = true}, .serial = serial, .firmware = "test"};
}

class DaemonUsb : public testing::Test {
protected:
    void SetUp() override { set_up(board); }

    void set_up(VirtualBoard& b) {
        protocol::Reading reading;
        for (rules::Point p = 0; p < rules::points; ++p) {
            reading[static_cast<std::size_t>(p)] = Seen(position.at(p));
        }
        b.lose(event::Board{reading});
    }
    void begin(const std::string& sensor = "", const std::string& game = "") {
        daemon.emplace(sensor, game);
        spectator.emplace(daemon->port());
    }
    void connect(int number = 7) {
        board.plug(number);
        ASSERT_TRUE(spectator->link("online")) << daemon->log();
    }

    static rules::Move the(const std::string& iccs) { return *rules::read_iccs(iccs); }
    void lift(rules::Point p) { board.happen(event::Lift{p}); }
    void drop(rules::Move m) { board.happen(event::Drop{m.to, Seen(position.at(m.from))}); }
    void press() {
        board.happen(event::Press{rules::other(position.turn())});
        std::this_thread::sleep_for(100ms);
    }
    /// The mover's hand: a capture lifts the enemy's piece second.
    void carry(rules::Move m) {
        lift(m.from);
        std::this_thread::sleep_for(120ms);
        if (!position.at(m.to).empty()) {
            lift(m.to);
            std::this_thread::sleep_for(120ms);
        }
        drop(m);
        position.apply(m);
        std::this_thread::sleep_for(100ms);
    }
    void play(const std::string& iccs) {
        carry(the(iccs));
        press();
        const auto move = spectator->move(iccs);
        ASSERT_TRUE(move) << iccs << "\n" << daemon->log();
        const auto fen = std::string(move->at("fen").as_string());
        EXPECT_EQ(fen.substr(0, fen.find(' ')), rules::write_placement(position.placement()));
    }
    /// No ruling of foul or worse, and nothing shown that was not played.
    void nothing_amiss() {
        for (const auto& m : spectator->seen) {
            if (!says(m, "type", "ruling")) continue;
            EXPECT_THAT(std::string(m.at("severity").as_string()),
                        testing::AnyOf("info", "warning"));
        }
    }

    Testbed testbed;
    VirtualBoard board{testbed, hello("B-1"), {.usb_serial = "B-1"}};
    rules::Position position = rules::Position::start();
    std::optional<ShippedDaemon> daemon;
    std::optional<Spectator> spectator;
};

TEST_F(DaemonUsb, AGameIsShownMoveByMove) {
    board.plug(7);
    begin();
    ASSERT_TRUE(spectator->link("online")) << daemon->log();
    for (const auto* move : {"h2e2", "h9g7", "e2e6", "g7e6", "h0g2", "b9c7"}) play(move);
    nothing_amiss();
    EXPECT_EQ(daemon->end(2s), 0) << daemon->log();
    EXPECT_EQ(board.flying(), 0);
}

TEST_F(DaemonUsb, ServesWithoutABoardAndTakesTheOneThatComes) {
    begin();
    ASSERT_TRUE(spectator->await([](const auto& m) { return says(m, "type", "hello"); }));
    const auto state = spectator->await([](const auto& m) { return says(m, "type", "state"); });
    ASSERT_TRUE(state);
    EXPECT_FALSE(says(*state, "link", "online"));
    connect();
    play("b2e2");
    nothing_amiss();
}

TEST_F(DaemonUsb, UnpluggedInTheMiddleOfACaptureAndReplugged) {
    begin();
    connect(7);
    play("h2e2");
    play("h9g7");
    const auto capture = the("e2e6");
    lift(capture.from);
    std::this_thread::sleep_for(120ms);
    lift(capture.to);
    std::this_thread::sleep_for(50ms);
    board.unplug();
    ASSERT_TRUE(spectator->await([](const auto& m) {
        return says(m, "type", "board") && !says(m, "link", "online");
    })) << daemon->log();
    board.lose(event::Drop{capture.to, Seen(position.at(capture.from))});
    position.apply(capture);
    board.plug(8);
    ASSERT_TRUE(spectator->link("online")) << daemon->log();
    std::this_thread::sleep_for(500ms);
    press();
    ASSERT_TRUE(spectator->move("e2e6")) << daemon->log();
    play("g7e6");
    nothing_amiss();
    EXPECT_THAT(daemon->log(), HasSubstr("unplugged"));
}

TEST_F(DaemonUsb, LostDamagedAndUnknownPacketsCostNoMove) {
    begin();
    connect();
    play("h2e2");
    board.send_raw({0x03, 0x00});
    const auto reply = the("h9g7");
    board.lose(event::Lift{reply.from});
    board.lose(event::Drop{reply.to, Seen(position.at(reply.from))});
    position.apply(reply);
    board.send_raw(wire::Bytes(64, 0xEE));
    std::this_thread::sleep_for(300ms);
    press();
    ASSERT_TRUE(spectator->move("h9g7")) << daemon->log();
    play("h0g2");
    nothing_amiss();
    const auto commands = board.commands();
    EXPECT_GE(std::ranges::count(commands, wire::Command(wire::SendBoard{})), 1);
}

TEST_F(DaemonUsb, StallsAndTransferErrorsCostNoMove) {
    begin();
    connect();
    play("h2e2");
    const auto reply = the("h9g7");
    lift(reply.from);
    board.fail_next(-EPIPE);
    std::this_thread::sleep_for(200ms);
    board.fail_next(-EPROTO);
    board.fail_next(-EOVERFLOW);
    drop(reply);
    position.apply(reply);
    std::this_thread::sleep_for(200ms);
    press();
    ASSERT_TRUE(spectator->move("h9g7")) << daemon->log();
    const auto calls = board.calls();
    EXPECT_THAT(calls, testing::Contains(Call::ClearHalt));
    play("h0g2");
    nothing_amiss();
}

TEST_F(DaemonUsb, ABoardThatFallsSilentIsReportedAndBroughtBack) {
    begin();
    connect();
    play("h2e2");
    board.set_mood(Mood::Silent, Call::Reset);
    ASSERT_TRUE(spectator->await(
        [](const auto& m) { return says(m, "type", "board") && !says(m, "link", "online"); }, 25s))
        << daemon->log();
    ASSERT_TRUE(spectator->link("online")) << daemon->log();
    play("h9g7");
    nothing_amiss();
    EXPECT_THAT(daemon->log(), HasSubstr("silent"));
}

TEST_F(DaemonUsb, OfTwoBoardsTheWantedOneIsPlayedOn) {
    VirtualBoard other(testbed, hello("B-0"), {.port = "1-2", .usb_serial = "B-0"});
    set_up(other);
    other.plug(5);
    board.plug(7);
    begin("serial = \"B-1\"");
    ASSERT_TRUE(spectator->link("online")) << daemon->log();
    play("h2e2");
    EXPECT_FALSE(other.streaming());
    nothing_amiss();
}

TEST_F(DaemonUsb, ABoardOfAnotherVersionIsSaidAndNotUsed) {
    auto later = hello("V-2");
    later.major = 2;
    VirtualBoard other(testbed, later, {.port = "1-2"});
    other.plug(5);
    begin();
    ASSERT_TRUE(other.wait([](const auto& b) { return b.streaming(); }));
    ASSERT_TRUE(other.wait([](const auto& b) { return b.flying() == 0; }));
    EXPECT_THAT(daemon->log(), HasSubstr("version 2"));
    connect();
    play("h2e2");
}

TEST_F(DaemonUsb, ATurnedBoardIsReadFromTheOtherSide) {
    protocol::Reading turned;
    for (rules::Point p = 0; p < rules::points; ++p) {
        turned[static_cast<std::size_t>(rules::rotated(p))] = Seen(position.at(p));
    }
    board.lose(event::Board{turned});
    begin("rotated = true");
    connect();
    const auto move = the("h2e2");
    lift(rules::rotated(move.from));
    std::this_thread::sleep_for(120ms);
    board.happen(event::Drop{rules::rotated(move.to), Seen(position.at(move.from))});
    std::this_thread::sleep_for(100ms);
    board.happen(event::Press{rules::Side::Red});
    EXPECT_TRUE(spectator->move("h2e2")) << daemon->log();
}

TEST_F(DaemonUsb, HundredsOfReplugsLeaveItAsItWas) {
    begin();
    connect(2);
    play("h2e2");
    const auto files = daemon->open_files();
    for (int cycle = 0; cycle < 200; ++cycle) {
        board.unplug();
        board.plug(3 + cycle % 120);
        ASSERT_TRUE(board.wait([](const auto& b) { return b.flying() == 3; })) << daemon->log();
        if (cycle % 4 == 0) std::this_thread::sleep_for(50ms);
    }
    std::this_thread::sleep_for(1s);
    play("h9g7");
    EXPECT_LE(daemon->open_files(), files + 3);
    EXPECT_EQ(daemon->end(3s), 0) << daemon->log();
}

}  // namespace
}  // namespace xq::test
