#pragma once
// The driver of a real board: joins the USB port, the session that understands the board and the
// ladder for a silent one, and tells people in one line each what is wrong and what to do. Owned by
// the shell; everything here runs on the io thread, the port's thread only fills the inbox.
#include "hal/board_session.hpp"
#include "hal/recovery.hpp"
#include "hal/usb_port.hpp"

#include <boost/asio/steady_timer.hpp>

#include <memory>
#include <set>

namespace xq::hal {

class UsbBoard : public SensorSource {
public:
    UsbBoard(boost::asio::any_io_executor io, Now now, UsbFilter filter, bool rotated);
    UsbBoard(const UsbBoard&) = delete;
    UsbBoard& operator=(const UsbBoard&) = delete;
    ~UsbBoard() override;

    void start(Sink sink, Notice notice) override;
    void send(const protocol::wire::Command& command) override;
    bool answers() override { return port_.answers(); }
    void stop() override;

private:
    struct Inbox;

    void empty_inbox();
    void hear(const usb::Opened& report);
    void hear(const usb::Packet& report);
    void hear(const usb::Closed& report);
    void hear(const usb::Obstructed& report);
    void carry_out(BoardSession::Out& out);
    void tick();
    void take(Recovery::Step step);
    void tell(const std::string& text);

    boost::asio::any_io_executor io_;
    Now now_;
    std::string wanted_serial_;
    std::shared_ptr<Inbox> inbox_;
    UsbPort port_;
    boost::asio::steady_timer timer_;
    BoardSession session_;
    Recovery recovery_;
    Sink sink_;
    Notice notice_;
    bool running_ = false;
    std::uint32_t generation_ = 0;
    std::string name_;              ///< of the open device; empty: none is open
    bool troubled_ = true;          ///< the board was not well, or has not been seen yet
    bool told_ = false;             ///< people were told of trouble
    bool looked_ = false;           ///< the first look for a board is over
    std::set<std::string> others_;  ///< serials of the boards that are not the one wanted
    protocol::Millis started_ = 0;
};

}  // namespace xq::hal
