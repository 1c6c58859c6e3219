// The driver with unmodified libusb against virtual boards, in this process.
#include "hal/usb_board.hpp"

#include "rules/position.hpp"
#include "tests/usb/virtual_board.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/capability.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <future>
#include <iterator>
#include <thread>

namespace xq::hal {
namespace {

namespace wire = protocol::wire;
namespace event = protocol::event;
using namespace std::chrono_literals;
using protocol::Event;
using protocol::Seen;
using test::Call;
using test::Mood;
using test::VirtualBoard;
using testing::HasSubstr;

rules::Point at(std::string_view name) {
    return *rules::point_named(name);
}
Seen piece(char fen) {
    return Seen(*rules::Piece::from_fen(fen));
}
wire::Hello hello(const std::string& serial) {
    return {.can = {.press = true, .leds = true}, .serial = serial, .firmware = "test"};
}
protocol::Reading start_reading() {
    protocol::Reading reading;
    for (rules::Point p = 0; p < rules::points; ++p) {
        reading[static_cast<std::size_t>(p)] = Seen(rules::Position::start().at(p));
    }
    return reading;
}
template <class T>
auto is() {
    return [](const Event& e) { return std::holds_alternative<T>(e); };
}
std::size_t open_files() {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator("/proc/self/fd"),
                      std::filesystem::directory_iterator()));
}

class UsbBoardTest : public testing::Test {
protected:
    UsbBoardTest() : work(io.get_executor()) {}

    void SetUp() override { board.lose(event::Board{start_reading()}); }

    void start(UsbFilter filter = {}) {
        const auto began = std::chrono::steady_clock::now();
        source = std::make_unique<UsbBoard>(
            io.get_executor(),
            [began] {
                return std::chrono::duration_cast<std::chrono::milliseconds>(
                           std::chrono::steady_clock::now() - began)
                    .count();
            },
            std::move(filter), false);
        source->start([this](protocol::Timed line) { told.push_back(std::move(line)); },
                      [this](std::string text) { notices.push_back(std::move(text)); });
    }
    /// Runs the io thread until `condition` holds; false after `limit`.
    template <class Condition>
    bool until(Condition condition, std::chrono::milliseconds limit = 15s) {
        const auto end = std::chrono::steady_clock::now() + limit;
        while (!condition()) {
            if (std::chrono::steady_clock::now() > end) return false;
            io.run_one_for(20ms);
        }
        return true;
    }
    bool until_told(std::size_t events, std::chrono::milliseconds limit = 15s) {
        return until([&] { return told.size() >= events; }, limit);
    }
    bool until_noticed(const std::string& part, std::chrono::milliseconds limit = 15s) {
        return until(
            [&] {
                return std::ranges::any_of(
                    notices, [&](const auto& n) { return n.find(part) != std::string::npos; });
            },
            limit);
    }
    void let_pass(std::chrono::milliseconds time) {
        until([] { return false; }, time);
    }
    std::vector<Event> events() {
        std::vector<Event> all;
        for (auto& timed : std::exchange(told, {})) all.push_back(std::move(timed.event));
        return all;
    }
    /// Plugs the board in and waits for plug, hello and board.
    void connect(int number = 7) {
        board.plug(number);
        ASSERT_TRUE(until_told(3));
        EXPECT_TRUE(std::holds_alternative<event::Board>(told[2].event));
        told.clear();
    }
    long asked_for_board() const {
        const auto commands = board.commands();
        return std::ranges::count(commands, wire::Command(wire::SendBoard{}));
    }

    test::Testbed testbed;
    VirtualBoard board{testbed, hello("B-1"), {.usb_serial = "B-1"}};
    boost::asio::io_context io;
    boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work;
    std::vector<protocol::Timed> told;
    std::vector<std::string> notices;
    std::unique_ptr<UsbBoard> source;
};

TEST_F(UsbBoardTest, ConnectsToABoardThatIsThereAlready) {
    board.plug(7);
    start();
    ASSERT_TRUE(until_told(3));
    EXPECT_EQ(board.commands().at(0), wire::Command(wire::Stream{true}));
    EXPECT_TRUE(board.wait([](const auto& b) { return b.flying() == 3; })) << "three in flight";
    const std::vector<Event> expected{
        event::Plug{}, event::Hello{protocol::Sensing::Identity, {.press = true, .leds = true}},
        event::Board{start_reading()}};
    EXPECT_EQ(events(), expected);
    EXPECT_THAT(notices, testing::ElementsAre(HasSubstr("well")));
}

TEST_F(UsbBoardTest, ConnectsToABoardThatComesLater) {
    start();
    let_pass(100ms);
    EXPECT_TRUE(told.empty());
    connect();
}

TEST_F(UsbBoardTest, SaysOnceThatThereIsNoBoard) {
    start();
    ASSERT_TRUE(until_told(1));
    EXPECT_EQ(told[0].event, Event(event::Unplug{}));
    EXPECT_THAT(notices, testing::ElementsAre(HasSubstr("no board is attached")));
    let_pass(3s);
    EXPECT_EQ(notices.size(), 1U);
}

TEST_F(UsbBoardTest, TellsWhatHappensInOrder) {
    start();
    connect();
    board.happen(event::Lift{at("h2")});
    board.happen(event::Drop{at("e2"), piece('C')});
    board.happen(event::Press{rules::Side::Red});
    ASSERT_TRUE(until_told(3));
    const std::vector<Event> expected{event::Lift{at("h2")}, event::Drop{at("e2"), piece('C')},
                                      event::Press{rules::Side::Red}};
    EXPECT_EQ(events(), expected);
}

TEST_F(UsbBoardTest, SendsCommandsThatTheBoardCanTake) {
    start();
    connect();
    board.forget();
    wire::Leds leds{wire::Led::Blink, {}};
    leds.on[3] = true;
    source->send(leds);
    source->send(wire::Beep{200});
    ASSERT_TRUE(board.wait([](const auto& b) { return !b.commands().empty(); }));
    let_pass(200ms);
    EXPECT_EQ(board.commands(), std::vector<wire::Command>{leds}) << "it has no beeper";
    EXPECT_EQ(board.undecoded(), 0U);
}

TEST_F(UsbBoardTest, UnpluggedInACaptureAndReplugged) {
    start();
    connect(7);
    board.happen(event::Lift{at("h2")});
    board.unplug();
    ASSERT_TRUE(until_told(2));
    EXPECT_EQ(events(), (std::vector<Event>{event::Lift{at("h2")}, event::Unplug{}}));
    EXPECT_TRUE(until_noticed("unplugged"));
    board.lose(event::Lift{at("h9")});
    board.lose(event::Drop{at("h9"), piece('C')});
    board.plug(8);
    ASSERT_TRUE(until_told(2));
    auto after = start_reading();
    after[static_cast<std::size_t>(at("h2"))] = {};
    after[static_cast<std::size_t>(at("h9"))] = piece('C');
    EXPECT_EQ(events(), (std::vector<Event>{event::Plug{}, event::Board{after}}));
}

TEST_F(UsbBoardTest, AQuickReplugIsAWholeNewConnection) {
    start();
    connect(7);
    board.forget();
    board.unplug();
    board.plug(8);
    ASSERT_TRUE(until_told(3));
    EXPECT_EQ(events(),
              (std::vector<Event>{event::Unplug{}, event::Plug{}, event::Board{start_reading()}}));
    EXPECT_EQ(board.commands().at(0), wire::Command(wire::Stream{true}));
}

TEST_F(UsbBoardTest, LostDamagedAndUnknownPacketsLeadToTheBoardNotToAGuess) {
    start();
    connect();
    board.forget();
    board.lose(event::Lift{at("h2")});
    board.happen(event::Drop{at("e2"), piece('C')});
    ASSERT_TRUE(until_told(3));
    auto e = events();
    EXPECT_EQ(e[0], Event(event::Gap{1}));
    EXPECT_EQ(std::ranges::count_if(e, is<event::Board>()), 1);
    EXPECT_GE(asked_for_board(), 1);

    board.forget();
    let_pass(250ms);
    board.send_raw({0x03, 0, 1});
    ASSERT_TRUE(until([&] { return asked_for_board() == 1; }));
    let_pass(250ms);
    board.send_raw(wire::Bytes(64, 0xEE));
    ASSERT_TRUE(until([&] { return asked_for_board() == 2; }));
    let_pass(250ms);
    EXPECT_TRUE(events().empty()) << "the board said what was known";
}

TEST_F(UsbBoardTest, AHaltedEndpointIsCleared) {
    start();
    connect();
    board.forget();
    board.fail_next(-EPIPE);
    board.happen(event::Press{rules::Side::Red});
    ASSERT_TRUE(until_told(1));
    EXPECT_EQ(told[0].event, Event(event::Press{rules::Side::Red}));
    EXPECT_THAT(board.calls(), testing::Contains(Call::ClearHalt));
}

TEST_F(UsbBoardTest, TransferErrorsArePassedOver) {
    start();
    connect();
    for (const int status : {-EPROTO, -EOVERFLOW, -EILSEQ}) board.fail_next(status);
    board.happen(event::Press{rules::Side::Red});
    ASSERT_TRUE(until_told(1));
    EXPECT_EQ(told[0].event, Event(event::Press{rules::Side::Red}));
    EXPECT_TRUE(board.wait([](const auto& b) { return b.flying() == 3; }));
}

TEST_F(UsbBoardTest, ABoardThatOnlyFailsIsReopened) {
    start();
    connect();
    for (int i = 0; i < 40; ++i) board.fail_next(-EPROTO);
    ASSERT_TRUE(until_told(3));
    EXPECT_EQ(events(),
              (std::vector<Event>{event::Unplug{}, event::Plug{}, event::Board{start_reading()}}));
}

/// The rung of the ladder that brings a silent board back, and the calls that came before it.
class SilentBoard : public UsbBoardTest, public testing::WithParamInterface<Call> {};

TEST_P(SilentBoard, IsWokenByTheLadder) {
    board.set_mood(Mood::Silent, GetParam());
    start();
    board.plug(7);
    ASSERT_TRUE(board.wait([](const auto& b) { return b.flying() == 3; }));
    board.forget();
    ASSERT_TRUE(until([&] {
        return std::ranges::any_of(
            told, [](const auto& t) { return std::holds_alternative<event::Board>(t.event); });
    }));
    EXPECT_THAT(board.calls(), testing::Contains(GetParam()));
    EXPECT_TRUE(until_noticed("is silent"));
    EXPECT_TRUE(until_noticed("well"));
}

INSTANTIATE_TEST_SUITE_P(Rungs, SilentBoard,
                         testing::Values(Call::Discard, Call::ClearHalt, Call::Release,
                                         Call::Reset));

TEST_F(UsbBoardTest, ABoardThatFallsSilentInTheGameIsReportedAndReset) {
    start();
    connect();
    board.forget();
    board.set_mood(Mood::Silent, Call::Reset);
    ASSERT_TRUE(until_told(3, 25s));
    EXPECT_EQ(events(),
              (std::vector<Event>{event::Unplug{}, event::Plug{}, event::Board{start_reading()}}));
    const auto calls = board.calls();
    EXPECT_EQ(std::ranges::count(calls, Call::Reset), 1);
}

TEST_F(UsbBoardTest, ABoardThatStaysSilentIsLeftAloneUntilItIsPluggedInAgain) {
    board.set_mood(Mood::Silent);
    board.plug(7);
    start();
    ASSERT_TRUE(until_noticed("plug it in again"));
    ASSERT_TRUE(board.wait([](const auto& b) { return b.calls().back() == Call::Release; }));
    const auto calls = board.calls();
    EXPECT_EQ(std::ranges::count(calls, Call::Reset), 1) << "one reset and no more";
    EXPECT_EQ(std::ranges::count(calls, Call::Claim), 3) << "opened, opened again, reset";
    let_pass(3s);
    EXPECT_EQ(board.calls(), calls) << "left alone";
    board.set_mood(Mood::Well);
    board.unplug();
    told.clear();
    connect(8);
}

TEST_F(UsbBoardTest, OfTwoBoardsTheWantedSerialIsTaken) {
    VirtualBoard other(testbed, hello("B-2"), {.port = "1-2", .usb_serial = "B-2"});
    board.plug(7);
    other.plug(8);
    start({{}, "B-2"});
    ASSERT_TRUE(until_told(3));
    EXPECT_TRUE(other.streaming());
    EXPECT_FALSE(board.streaming());
    EXPECT_EQ(board.flying(), 0);
}

TEST_F(UsbBoardTest, WithoutASerialStringTheHelloDecides) {
    VirtualBoard first(testbed, hello("C-1"), {.port = "1-3"});
    VirtualBoard second(testbed, hello("C-2"), {.port = "1-4"});
    first.plug(8);
    second.plug(9);
    start({{}, "C-2"});
    ASSERT_TRUE(until_told(3));
    EXPECT_TRUE(second.wait([](const auto& b) { return b.flying() == 3; }));
    EXPECT_TRUE(first.wait([](const auto& b) { return b.flying() == 0; }));
}

TEST_F(UsbBoardTest, SaysThatTheWantedBoardIsMissingAndWhichIsThere) {
    board.plug(7);
    start({{}, "B-9"});
    ASSERT_TRUE(until_noticed("B-9"));
    EXPECT_THAT(notices, testing::ElementsAre(testing::AllOf(HasSubstr("B-9"), HasSubstr("B-1"))));
    EXPECT_FALSE(board.streaming());
}

TEST_F(UsbBoardTest, TheSecondBoardIsTakenWhenTheFirstHasGone) {
    VirtualBoard other(testbed, hello("B-2"), {.port = "1-2", .usb_serial = "B-2"});
    other.lose(event::Board{start_reading()});
    start();
    connect(7);
    other.plug(8);
    let_pass(300ms);
    EXPECT_FALSE(other.streaming()) << "the first is in use";
    board.unplug();
    ASSERT_TRUE(until_told(3));
    EXPECT_TRUE(other.streaming());
}

TEST_F(UsbBoardTest, OnlyTheIdsAskedForAreTaken) {
    VirtualBoard other(testbed, hello("B-2"), {.port = "1-2", .vendor = "1D6B", .product = "0A0B"});
    board.plug(7);
    other.plug(8);
    start({{UsbId{0x1D6B, 0x0A0B}}, ""});
    ASSERT_TRUE(until_told(3));
    EXPECT_TRUE(other.streaming());
    EXPECT_FALSE(board.streaming());
}

TEST_F(UsbBoardTest, ADeviceWithoutTheInterfaceIsNoBoard) {
    VirtualBoard other(testbed, hello("X"), {.port = "1-2", .interface_protocol = 2});
    other.plug(8);
    start();
    let_pass(500ms);
    EXPECT_TRUE(other.calls().empty());
    EXPECT_FALSE(other.streaming());
}

TEST_F(UsbBoardTest, AnotherVersionIsSaidAndNotUsedAndTheNextBoardTaken) {
    auto later = hello("V-2");
    later.major = 2;
    VirtualBoard other(testbed, later, {.port = "1-2"});
    other.plug(5);
    start();
    ASSERT_TRUE(until_noticed("version 2"));
    EXPECT_TRUE(other.wait([](const auto& b) { return b.flying() == 0; }));
    ASSERT_TRUE(until_told(1));
    EXPECT_EQ(events(), std::vector<Event>{event::Unplug{}}) << "there is no board to play on";
    connect(7);
    EXPECT_EQ(std::ranges::count_if(
                  notices, [](const auto& n) { return n.find("version 2") != std::string::npos; }),
              1);
}

TEST_F(UsbBoardTest, ABusyBoardIsSaidOnceAndTakenWhenItIsFree) {
    board.set_mood(Mood::Busy);
    board.plug(7);
    start();
    ASSERT_TRUE(until_noticed("another program"));
    let_pass(3s);
    EXPECT_EQ(notices.size(), 1U);
    told.clear();
    board.set_mood(Mood::Well);
    EXPECT_TRUE(until_told(3));
    EXPECT_TRUE(until_noticed("well"));
}

TEST_F(UsbBoardTest, ABoardWithoutPermissionIsSaidWithWhatToDo) {
    // Root may open everything; this thread, and the port's that it starts, give that up.
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    std::array<__user_cap_data_struct, 2> none{};
    ASSERT_EQ(syscall(SYS_capset, &header, none.data()), 0);
    board.set_mood(Mood::Forbidden);
    board.plug(7);
    start();
    ASSERT_TRUE(until_noticed("udev rule"));
    EXPECT_EQ(notices.size(), 1U);
    told.clear();
    board.set_mood(Mood::Well);
    EXPECT_TRUE(until_told(3));
}

TEST_F(UsbBoardTest, PermissionThatComesAMomentLateIsNoTrouble) {
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    std::array<__user_cap_data_struct, 2> none{};
    ASSERT_EQ(syscall(SYS_capset, &header, none.data()), 0);
    start();
    board.set_mood(Mood::Forbidden);
    board.plug(7);
    let_pass(300ms);
    board.set_mood(Mood::Well);
    ASSERT_TRUE(until_told(3, 3s));
    EXPECT_THAT(notices, testing::ElementsAre(HasSubstr("well")));
}

TEST_F(UsbBoardTest, AFloodIsBoundedAndEndsInTheRightReading) {
    start();
    connect();
    for (int i = 0; i < 3000; ++i) {
        board.happen(event::Lift{at("h2")});
        board.happen(event::Drop{at("h2"), piece('C')});
    }
    // The io thread slept all the while: some of it was lost, and said to be.
    std::this_thread::sleep_for(500ms);
    board.happen(event::Press{rules::Side::Red});
    ASSERT_TRUE(until([&] {
        return std::ranges::any_of(
            told, [](const auto& t) { return std::holds_alternative<event::Press>(t.event); });
    }));
    let_pass(300ms);
    protocol::Reading reading = start_reading();
    for (const auto& e : events()) {
        if (const auto* b = std::get_if<event::Board>(&e)) reading = b->reading;
        if (const auto* l = std::get_if<event::Lift>(&e)) {
            reading[static_cast<std::size_t>(l->point)] = {};
        }
        if (const auto* d = std::get_if<event::Drop>(&e)) {
            reading[static_cast<std::size_t>(d->point)] = d->seen;
        }
    }
    EXPECT_EQ(reading, start_reading());
}

TEST_F(UsbBoardTest, ShowsWhetherItsThreadLives) {
    std::promise<void> go_on;
    std::promise<void> hangs;
    bool told_once = false;
    UsbPort port(
        {}, [] { return protocol::Millis{0}; },
        [&, wait = go_on.get_future().share()](const usb::Report&) {
            if (std::exchange(told_once, true)) return;
            hangs.set_value();
            wait.wait();
        });
    const auto answers = [&port](int times) {
        port.answers();
        for (int i = 0; i < times; ++i) {
            std::this_thread::sleep_for(10ms);
            if (port.answers()) return true;
        }
        return false;
    };
    port.start();
    EXPECT_TRUE(answers(500));
    board.plug(7);
    ASSERT_EQ(hangs.get_future().wait_for(15s), std::future_status::ready);
    EXPECT_FALSE(answers(20));
    go_on.set_value();
    EXPECT_TRUE(answers(500));
}

TEST_F(UsbBoardTest, StopsInTimeAndIsSilentAfterwards) {
    start();
    connect();
    const auto began = std::chrono::steady_clock::now();
    source->stop();
    EXPECT_LT(std::chrono::steady_clock::now() - began, 2s);
    EXPECT_EQ(board.flying(), 0) << "every transfer was taken back";
    board.happen(event::Press{rules::Side::Red});
    let_pass(200ms);
    EXPECT_TRUE(told.empty());
}

TEST_F(UsbBoardTest, HundredsOfReplugsLeaveNothingBehind) {
    start();
    connect(2);
    board.unplug();
    ASSERT_TRUE(until_told(1));
    const auto files = open_files();
    for (int cycle = 0; cycle < 300; ++cycle) {
        told.clear();
        board.plug(3 + cycle % 120);
        ASSERT_TRUE(until_told(2)) << "cycle " << cycle;
        EXPECT_EQ(events(), (std::vector<Event>{event::Plug{}, event::Board{start_reading()}}));
        if (cycle % 3 == 0) board.happen(event::Press{rules::Side::Red});
        board.unplug();
        ASSERT_TRUE(until([&] {
            return std::ranges::any_of(
                told, [](const auto& t) { return std::holds_alternative<event::Unplug>(t.event); });
        })) << "cycle "
            << cycle;
    }
    EXPECT_LE(open_files(), files + 2);
}

}  // namespace
}  // namespace xq::hal
