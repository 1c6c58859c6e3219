#pragma once
// One open device: claims the board's interface, keeps the IN transfers in flight and sends what is
// queued, one OUT transfer at a time. Lives on the port's thread alone; its callbacks run inside
// libusb's event handling there and only note what happened, `tend` acts on it afterwards.
#include "protocol/board_wire.hpp"

#include <libusb-1.0/libusb.h>

#include <array>
#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <string>

namespace xq::hal {

class UsbLink {
public:
    using Clock = std::chrono::steady_clock;
    /// What a completed IN transfer held; empty where the packet was too long to be one.
    using Received = std::function<void(protocol::wire::Bytes)>;

    UsbLink(libusb_context* context, libusb_device* device, int interface, Received received);
    UsbLink(const UsbLink&) = delete;
    UsbLink& operator=(const UsbLink&) = delete;
    /// Cancels, waits for the transfers to come back, closes.
    ~UsbLink();

    /// Opens; a libusb error.
    int open();
    /// The serial number, as far as it is ASCII; empty where the device does not tell one.
    std::string read_serial();
    /// Claims the interface, taking it from a kernel driver if need be, and starts the transfers.
    int begin();

    void send(protocol::wire::Bytes bytes);
    /// The rungs of the ladder; each a libusb error.
    int resubmit();
    int clear_halt();
    int reset();

    /// Acts on what the callbacks noted: clears halts, submits again.
    void tend();
    /// When `tend` wants to be called without anything happening.
    Clock::time_point next_tend() const { return again_; }
    bool dead() const { return dead_; }
    bool left() const { return left_; }
    bool heard() const { return heard_; }
    libusb_device* device() const { return device_; }
    void mark_left() { left_ = dead_ = true; }

private:
    struct Transfer;
    struct Closer {
        void operator()(libusb_device_handle* h) const { libusb_close(h); }
    };

    static void LIBUSB_CALL completed(libusb_transfer* transfer);
    void in_completed(Transfer& t);
    void out_completed(Transfer& t);
    void failed(int error);
    void check(int error);
    void submit(Transfer& t);
    void submit_in();
    void send_next();
    bool drain(bool in_only);

    static constexpr std::size_t in_flight = 3;

    libusb_context* context_;
    libusb_device* device_;
    int interface_;
    Received received_;
    std::unique_ptr<libusb_device_handle, Closer> handle_;
    std::array<std::unique_ptr<Transfer>, in_flight> in_;
    std::unique_ptr<Transfer> out_;
    std::deque<protocol::wire::Bytes> queue_;
    bool claimed_ = false;
    bool paused_ = false;  ///< cancelled on purpose: not to be submitted again by `tend`
    bool in_halted_ = false;
    bool out_halted_ = false;
    bool dead_ = false;
    bool left_ = false;
    bool heard_ = false;
    int failures_ = 0;  ///< since the last good packet
    Clock::time_point again_ = Clock::time_point::max();
};

}  // namespace xq::hal
