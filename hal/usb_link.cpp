#include "hal/usb_link.hpp"

#include <algorithm>
#include <utility>

namespace xq::hal {

namespace wire = protocol::wire;
using namespace std::chrono_literals;

namespace {

/// Failures in a row after which a connection is given up: about two seconds of trying.
constexpr int most_failures = 8;
/// Commands that wait for a board that takes none; more would be stale when they arrive.
constexpr std::size_t most_queued = 32;
/// A board takes a command within a scan; longer, and it is not listening.
constexpr unsigned out_timeout_ms = 1000;
/// Transfers that do not come back within this time after a cancel are not waited for: the whole
/// shutdown must stay under two seconds.
constexpr auto drain_limit = 500ms;
constexpr unsigned serial_timeout_ms = 500;
constexpr std::uint16_t english = 0x0409;

void pump(libusb_context* context, std::chrono::microseconds at_most) {
    timeval tv{0, static_cast<suseconds_t>(at_most.count())};
    libusb_handle_events_timeout_completed(context, &tv, nullptr);
}

}  // namespace

/// A transfer with its buffer. Where it cannot be got back in time it outlives its link.
struct UsbLink::Transfer {
    explicit Transfer(UsbLink* owner) : link(owner), usb(libusb_alloc_transfer(0)) {}
    Transfer(const Transfer&) = delete;
    Transfer& operator=(const Transfer&) = delete;
    ~Transfer() { libusb_free_transfer(usb); }

    UsbLink* link;
    libusb_transfer* usb;
    bool flying = false;
    std::array<std::uint8_t, 256> buffer{};
};

UsbLink::UsbLink(libusb_context* context, libusb_device* device, int interface, Received received)
    : context_(context),
      device_(libusb_ref_device(device)),
      interface_(interface),
      received_(std::move(received)) {
    for (auto& t : in_) t = std::make_unique<Transfer>(this);
    out_ = std::make_unique<Transfer>(this);
}

UsbLink::~UsbLink() {
    paused_ = true;
    queue_.clear();
    const bool all_back = drain(false);
    if (all_back) {
        if (claimed_) libusb_release_interface(handle_.get(), interface_);
    } else {
        // The system keeps them: their memory and the handle stay alive rather than be written to
        // after they are gone.
        static_cast<void>(handle_.release());
        for (auto& t : in_) {
            if (t->flying) t.release()->link = nullptr;
        }
        if (out_->flying) out_.release()->link = nullptr;
    }
    handle_.reset();
    libusb_unref_device(device_);
}

int UsbLink::open() {
    libusb_device_handle* handle = nullptr;
    if (const int error = libusb_open(device_, &handle); error != 0) return error;
    handle_.reset(handle);
    return 0;
}

std::string UsbLink::read_serial() {
    libusb_device_descriptor descriptor{};
    libusb_get_device_descriptor(device_, &descriptor);
    const std::uint8_t index = descriptor.iSerialNumber;
    if (index == 0) return {};
    Transfer& t = *out_;
    constexpr std::uint16_t most = 126;
    libusb_fill_control_setup(t.buffer.data(), LIBUSB_ENDPOINT_IN, LIBUSB_REQUEST_GET_DESCRIPTOR,
                              static_cast<std::uint16_t>((LIBUSB_DT_STRING << 8U) | index), english,
                              most);
    libusb_fill_control_transfer(t.usb, handle_.get(), t.buffer.data(), completed, &t,
                                 serial_timeout_ms);
    submit(t);
    const auto limit = Clock::now() + std::chrono::milliseconds(2 * serial_timeout_ms);
    while (t.flying && Clock::now() < limit) pump(context_, 20ms);
    if (t.flying || t.usb->status != LIBUSB_TRANSFER_COMPLETED) return {};
    const auto* text = libusb_control_transfer_get_data(t.usb);
    const int length = std::min<int>(t.usb->actual_length, text[0]);
    std::string serial;
    for (int i = 2; i + 1 < length; i += 2) {
        serial += text[i + 1] == 0 && text[i] < 0x80 ? static_cast<char>(text[i]) : '?';
    }
    return serial;
}

int UsbLink::begin() {
    libusb_set_auto_detach_kernel_driver(handle_.get(), 1);
    int error = libusb_claim_interface(handle_.get(), interface_);
    if (error == LIBUSB_ERROR_OTHER || error == LIBUSB_ERROR_NOT_SUPPORTED) {
        // This system cannot detach a driver; perhaps there is none.
        libusb_set_auto_detach_kernel_driver(handle_.get(), 0);
        error = libusb_claim_interface(handle_.get(), interface_);
    }
    if (error != 0) return error;
    claimed_ = true;
    dead_ = left_ = false;
    failures_ = 0;
    submit_in();
    return 0;
}

void UsbLink::submit(Transfer& t) {
    const int error = libusb_submit_transfer(t.usb);
    t.flying = error == 0;
    check(error);
}

void UsbLink::submit_in() {
    paused_ = false;
    again_ = Clock::time_point::max();
    for (auto& t : in_) {
        if (t->flying || dead_) continue;
        libusb_fill_interrupt_transfer(t->usb, handle_.get(), wire::endpoint_in, t->buffer.data(),
                                       static_cast<int>(wire::packet_size), completed, t.get(), 0);
        submit(*t);
    }
}

void UsbLink::send(wire::Bytes bytes) {
    if (queue_.size() == most_queued) queue_.pop_front();
    queue_.push_back(std::move(bytes));
    send_next();
}

void UsbLink::send_next() {
    if (queue_.empty() || out_->flying || out_halted_ || paused_ || dead_) return;
    const auto bytes = std::move(queue_.front());
    queue_.pop_front();
    std::ranges::copy(bytes, out_->buffer.begin());
    libusb_fill_interrupt_transfer(out_->usb, handle_.get(), wire::endpoint_out,
                                   out_->buffer.data(), static_cast<int>(bytes.size()), completed,
                                   out_.get(), out_timeout_ms);
    submit(*out_);
}

void LIBUSB_CALL UsbLink::completed(libusb_transfer* transfer) {
    auto& t = *static_cast<Transfer*>(transfer->user_data);
    t.flying = false;
    if (t.link == nullptr) return;  // orphaned; its memory is past caring for
    if (transfer->type == LIBUSB_TRANSFER_TYPE_CONTROL) return;
    if (&t == t.link->out_.get())
        t.link->out_completed(t);
    else
        t.link->in_completed(t);
}

void UsbLink::check(int error) {
    if (error != 0) failed(error);
}

/// Notes a failed submission or transfer. What may pass is tried again, a little later each time.
void UsbLink::failed(int error) {
    if (error == LIBUSB_ERROR_NO_DEVICE) mark_left();
    if (++failures_ >= most_failures) dead_ = true;
    again_ = Clock::now() + 10ms * failures_ * failures_;
}

void UsbLink::in_completed(Transfer& t) {
    const auto length = static_cast<std::size_t>(t.usb->actual_length);
    const bool whole = t.usb->status == LIBUSB_TRANSFER_COMPLETED;
    // A cancelled transfer may have caught a packet on its way.
    if (whole || (t.usb->status == LIBUSB_TRANSFER_CANCELLED && length > 0)) {
        failures_ = 0;
        heard_ = true;
        received_({t.buffer.begin(), t.buffer.begin() + static_cast<std::ptrdiff_t>(length)});
    }
    switch (t.usb->status) {
        case LIBUSB_TRANSFER_COMPLETED:
            if (!paused_ && !dead_) submit(t);
            break;
        case LIBUSB_TRANSFER_OVERFLOW:
            received_({});
            failed(LIBUSB_ERROR_OVERFLOW);
            break;
        case LIBUSB_TRANSFER_STALL:
            in_halted_ = true;
            failed(LIBUSB_ERROR_PIPE);
            break;
        case LIBUSB_TRANSFER_NO_DEVICE:
            failed(LIBUSB_ERROR_NO_DEVICE);
            break;
        case LIBUSB_TRANSFER_CANCELLED:
            if (!paused_) failed(LIBUSB_ERROR_IO);
            break;
        case LIBUSB_TRANSFER_ERROR:
        case LIBUSB_TRANSFER_TIMED_OUT:
            failed(LIBUSB_ERROR_IO);
            break;
    }
}

/// A command that fails is lost: what it asked for is asked again by whoever misses the answer.
void UsbLink::out_completed(Transfer& t) {
    if (t.usb->status == LIBUSB_TRANSFER_NO_DEVICE) mark_left();
    if (t.usb->status == LIBUSB_TRANSFER_STALL) {
        out_halted_ = true;
        again_ = Clock::now();
    }
    send_next();
}

void UsbLink::tend() {
    if (dead_ || paused_ || Clock::now() < again_) return;
    if (std::exchange(out_halted_, false))
        check(libusb_clear_halt(handle_.get(), wire::endpoint_out));
    if (std::exchange(in_halted_, false)) {
        drain(true);  // what is queued behind a halt stays there until it is cleared
        check(libusb_clear_halt(handle_.get(), wire::endpoint_in));
    }
    if (!dead_) submit_in();
    send_next();
}

/// Cancels and handles events until every transfer has come back, but not for ever.
bool UsbLink::drain(bool in_only) {
    paused_ = true;
    const auto flying = [&] {
        return std::ranges::any_of(in_, [](const auto& t) { return t->flying; }) ||
               (!in_only && out_->flying);
    };
    for (auto& t : in_) {
        if (t->flying) libusb_cancel_transfer(t->usb);
    }
    if (!in_only && out_->flying) libusb_cancel_transfer(out_->usb);
    const auto limit = Clock::now() + drain_limit;
    while (flying() && Clock::now() < limit) pump(context_, 20ms);
    return !flying();
}

int UsbLink::resubmit() {
    drain(true);
    submit_in();
    return 0;
}

int UsbLink::clear_halt() {
    drain(false);
    in_halted_ = out_halted_ = false;
    for (const auto endpoint : {wire::endpoint_in, wire::endpoint_out}) {
        if (const int error = libusb_clear_halt(handle_.get(), endpoint); error != 0) return error;
    }
    submit_in();
    return 0;
}

/// The interface stays claimed over a reset; LIBUSB_ERROR_NOT_FOUND: the device comes back as
/// another one.
int UsbLink::reset() {
    drain(false);
    if (const int error = libusb_reset_device(handle_.get()); error != 0) return error;
    in_halted_ = out_halted_ = false;
    submit_in();
    return 0;
}

}  // namespace xq::hal
