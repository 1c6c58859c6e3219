#include "hal/usb_board.hpp"

#include <boost/asio/post.hpp>

#include <array>
#include <deque>
#include <mutex>
#include <utility>

namespace xq::hal {

using namespace std::chrono_literals;
namespace wire = protocol::wire;

namespace {

/// How often the ladder is looked at; its shortest rung is a second.
constexpr auto tick_interval = 100ms;
/// A board that is attached is open by then; otherwise people are told that there is none.
constexpr protocol::Millis first_look = 2500;
/// Packets that wait for the io thread: five seconds of a board that reports every 5 ms. What comes
/// when it is full is lost, and the gap in their numbers makes us ask for the board.
constexpr std::size_t most_packets = 1024;
/// Stopping must take less than two seconds, and others stop beside us.
constexpr auto stop_limit = 1500ms;

/// What people are told of a device that cannot be used.
std::string text(const usb::Obstructed& report) {
    switch (report.why) {
        case usb::Obstacle::Permission:
            return "the board " + report.name +
                   " may not be opened: permission denied; install xiangqid's udev rule, then "
                   "plug the board in again";
        case usb::Obstacle::Busy:
            return "the board " + report.name +
                   " is in use by another program; close that program, the board is then taken "
                   "by itself";
        case usb::Obstacle::Failing:
            return "the board " + report.name + " cannot be opened (" + report.detail +
                   "); check its cable, or plug it in again";
        case usb::Obstacle::NoUsb:
            return "this system has no USB that can be used (" + report.detail +
                   "); it is tried again";
        case usb::Obstacle::OtherSerial:
            break;
    }
    return "the board " + report.name + " has the serial number " + report.detail +
           " and is left alone";
}

}  // namespace

/// What the port's thread hands over; the only thing that two threads share here.
struct UsbBoard::Inbox {
    std::mutex mutex;
    std::deque<usb::Report> reports;
    std::size_t packets = 0;
    UsbBoard* owner = nullptr;  ///< read and written on the io thread alone

    /// Whether the io thread must be woken.
    bool put(usb::Report report) {
        const std::lock_guard lock(mutex);
        if (std::holds_alternative<usb::Packet>(report)) {
            if (packets == most_packets) return false;
            ++packets;
        }
        reports.push_back(std::move(report));
        return reports.size() == 1;
    }
    std::deque<usb::Report> take_all() {
        const std::lock_guard lock(mutex);
        packets = 0;
        return std::exchange(reports, {});
    }
};

UsbBoard::UsbBoard(boost::asio::any_io_executor io, Now now, UsbFilter filter, bool rotated)
    : io_(std::move(io)),
      now_(std::move(now)),
      wanted_serial_(filter.serial),
      inbox_(std::make_shared<Inbox>()),
      port_(std::move(filter), now_,
            [inbox = inbox_, executor = io_](usb::Report report) {
                if (!inbox->put(std::move(report))) return;
                boost::asio::post(executor, [inbox] {
                    if (inbox->owner != nullptr) inbox->owner->empty_inbox();
                });
            }),
      timer_(io_),
      session_(rotated) {}

UsbBoard::~UsbBoard() {
    inbox_->owner = nullptr;  // the port ends by itself
}

void UsbBoard::start(Sink sink, Notice notice) {
    sink_ = std::move(sink);
    notice_ = std::move(notice);
    running_ = true;
    inbox_->owner = this;
    started_ = now_();
    port_.start();
    tick();
}

void UsbBoard::stop() {
    if (!std::exchange(running_, false)) return;
    inbox_->owner = nullptr;
    timer_.cancel();
    if (!port_.stop(stop_limit)) notice_("the system does not let go of the board; left to itself");
}

void UsbBoard::send(const wire::Command& command) {
    if (const auto prepared = session_.prepared(command); prepared && !name_.empty()) {
        port_.send(generation_, wire::encode(*prepared));
    }
}

void UsbBoard::empty_inbox() {
    for (const auto& report : inbox_->take_all()) {
        if (!running_) return;
        std::visit([this](const auto& r) { hear(r); }, report);
    }
}

void UsbBoard::hear(const usb::Opened& report) {
    generation_ = report.generation;
    name_ = report.name;
    recovery_.connected(now_());
    BoardSession::Out out;
    session_.connected(report.serial_unproven ? wanted_serial_ : std::string(), out);
    carry_out(out);
}

void UsbBoard::hear(const usb::Packet& report) {
    BoardSession::Out out;
    session_.received(report.bytes, report.arrived, out);
    carry_out(out);
    if (out.refused) {
        port_.take(generation_, usb::Measure::Shun);
        troubled_ = true;
        return;
    }
    if (!out.board_heard) return;
    recovery_.heard(now_());
    if (session_.online() && std::exchange(troubled_, false)) {
        notice_("the board " + name_ + " is there and well");
    }
}

void UsbBoard::hear(const usb::Closed& report) {
    recovery_.disconnected(report.left);
    if (report.left && session_.online()) {
        tell("the board " + name_ + " was unplugged; the game goes on when it is back");
    }
    name_.clear();
    BoardSession::Out out;
    session_.disconnected(now_(), out);
    carry_out(out);
}

void UsbBoard::hear(const usb::Obstructed& report) {
    if (report.why == usb::Obstacle::OtherSerial)
        others_.insert(report.detail);
    else
        tell(text(report));
}

void UsbBoard::tell(const std::string& text) {
    troubled_ = told_ = true;
    notice_(text);
}

void UsbBoard::carry_out(BoardSession::Out& out) {
    for (auto& event : out.events) {
        if (running_) sink_(std::move(event));
    }
    for (const auto& line : out.notices) notice_(line);
    for (const auto& command : out.commands) port_.send(generation_, wire::encode(command));
}

void UsbBoard::tick() {
    const auto now = now_();
    BoardSession::Out out;
    if (!looked_ && now >= started_ + first_look) {
        looked_ = true;
        if (!session_.online()) session_.disconnected(now, out);
        if (name_.empty() && !told_) {
            std::string what = wanted_serial_.empty()
                                   ? "no board is attached"
                                   : "the board " + wanted_serial_ + " is not attached";
            for (const auto& serial : others_) what += ", but " + serial + " is";
            tell(what + "; plug it in, or correct [sensor] in the configuration");
        }
    }
    session_.tick(now, out);
    carry_out(out);
    if (const auto step = recovery_.due(now)) take(*step);
    timer_.expires_after(tick_interval);
    timer_.async_wait([this, inbox = inbox_](const boost::system::error_code& cancelled) {
        if (!cancelled && inbox->owner == this) tick();
    });
}

/// One rung of the ladder for a board that says nothing.
void UsbBoard::take(Recovery::Step step) {
    using Step = Recovery::Step;
    switch (step) {
        case Step::Ask:
            port_.send(generation_, wire::encode(wire::Command(wire::Stream{true})));
            port_.send(generation_, wire::encode(wire::Command(wire::SendHello{})));
            port_.send(generation_, wire::encode(wire::Command(wire::SendBoard{})));
            return;
        case Step::Resubmit:
            tell("the board " + name_ + " is silent; trying to wake it");
            port_.take(generation_, usb::Measure::Resubmit);
            break;
        case Step::ClearHalt:
            port_.take(generation_, usb::Measure::ClearHalt);
            break;
        case Step::Reopen:
            port_.take(generation_, usb::Measure::Reopen);
            return;
        case Step::Reset:
            port_.take(generation_, usb::Measure::Reset);
            return;
        case Step::GiveUp:
            tell("the board " + name_ + " stays silent; unplug it and plug it in again");
            port_.take(generation_, usb::Measure::Shun);
            return;
    }
    take(Step::Ask);
}

}  // namespace xq::hal
