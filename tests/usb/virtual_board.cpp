#include "tests/usb/virtual_board.hpp"

#include <fcntl.h>
#include <linux/usbdevice_fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <span>
#include <stdexcept>
#include <utility>

namespace xq::test {

namespace wire = protocol::wire;
namespace event = protocol::event;
using protocol::Millis;

namespace {

/// What poll wants to be free before a pipe counts as writable.
constexpr std::size_t page = 4096;

UMockdevIoctlData* resolve(UMockdevIoctlData* data, std::size_t offset, std::size_t size) {
    return umockdev_ioctl_data_resolve(data, offset, size, nullptr);
}

void check(bool ok, const char* what) {
    if (!ok) throw std::runtime_error(std::string("virtual board: ") + what);
}

}  // namespace

Testbed::Testbed() : testbed_(umockdev_testbed_new()) {}

Testbed::~Testbed() {
    g_object_unref(testbed_);
}

std::string Testbed::root() const {
    char* dir = umockdev_testbed_get_root_dir(testbed_);
    std::string root = dir;
    g_free(dir);
    return root;
}

/// A transfer that the host has submitted; `data` is the host's struct, copied here and written
/// back when it is reaped.
struct VirtualBoard::Urb {
    explicit Urb(UMockdevIoctlData* d) : data(d) {}
    Urb(const Urb&) = delete;
    Urb& operator=(const Urb&) = delete;
    ~Urb() {
        if (buffer != nullptr) umockdev_ioctl_data_unref(buffer);
        umockdev_ioctl_data_unref(data);
    }
    usbdevfs_urb& urb() const { return *reinterpret_cast<usbdevfs_urb*>(data->data); }
    std::span<std::uint8_t> bytes() const {
        return {buffer->data, static_cast<std::size_t>(urb().buffer_length)};
    }

    UMockdevIoctlData* data;
    UMockdevIoctlData* buffer = nullptr;
};

VirtualBoard::VirtualBoard(Testbed& testbed, wire::Hello hello, DeviceOptions options)
    : testbed_(testbed),
      options_(std::move(options)),
      handler_(umockdev_ioctl_base_new()),
      model_(std::move(hello)) {
    g_signal_connect(handler_, "handle-ioctl", G_CALLBACK(&VirtualBoard::handle), this);
    g_signal_connect(handler_, "client-vanished", G_CALLBACK(&VirtualBoard::vanished), this);
    heart_ = std::jthread([this](const std::stop_token& stop) { beat(stop); });
}

// NOLINTNEXTLINE(bugprone-exception-escape): a pipe that breaks ends the test program
VirtualBoard::~VirtualBoard() {
    heart_ = {};  // stops it
    if (plugged_) unplug();
    g_signal_handlers_disconnect_by_data(handler_, this);
    g_object_unref(handler_);
}

Millis VirtualBoard::now() const {
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() -
                                                                 began_)
        .count();
}

// ---- plugging

std::string VirtualBoard::node() const {
    std::array<char, 40> text{};
    std::snprintf(text.data(), text.size(), "/dev/bus/usb/001/%03d", device_);
    return text.data();
}

std::string VirtualBoard::description() const {
    // Device, configuration, interface and the two interrupt endpoints, as in BOARD_WIRE.md.
    const auto swapped = [](const std::string& id) { return id.substr(2) + id.substr(0, 2); };
    std::array<char, 8> protocol{};
    std::snprintf(protocol.data(), protocol.size(), "%02X", options_.interface_protocol);
    std::string blob = "1201000200000040" + swapped(options_.vendor) + swapped(options_.product) +
                       "0001"
                       "0000" +
                       (options_.usb_serial.empty() ? "00" : "03") + "01" +
                       "09022000010100"
                       "8032"
                       "0904000002FF58" +
                       protocol.data() + "00" +
                       "07058103400001"
                       "07050203400001";
    std::ranges::transform(blob, blob.begin(), [](unsigned char c) { return std::toupper(c); });
    const std::string number = std::to_string(device_);
    return "P: /devices/pci0000:00/usb1/" + options_.port +
           "\nE: SUBSYSTEM=usb\nE: DRIVER=usb\nE: DEVTYPE=usb_device\nE: BUSNUM=001\nE: DEVNUM=" +
           node().substr(node().size() - 3) + "\nE: DEVNAME=" + node() +
           "\nA: busnum=1\\n\nA: devnum=" + number +
           "\\n\nA: speed=12\\n\nA: bConfigurationValue=1\\n\nA: idVendor=" + options_.vendor +
           "\\n\nA: idProduct=" + options_.product + "\\n\nH: descriptors=" + blob + "\n";
}

/// libusb asks poll whether the node is writable to learn that a transfer is finished. A pipe that
/// is full answers no, and yes once a page has been taken out.
void VirtualBoard::make_node() {
    const auto path = testbed_.root() + node();
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    check(mkfifo(path.c_str(), 0666) == 0, "mkfifo");
    fifo_ = open(path.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC);
    check(fifo_ >= 0, "open");
    fill_node();
    chmod(path.c_str(), mood_ == Mood::Forbidden ? 0 : 0666);
}

void VirtualBoard::fill_node() const {
    static constexpr std::array<char, page> nothing{};
    while (write(fifo_, nothing.data(), nothing.size()) > 0) {
    }
}

void VirtualBoard::plug(int device_number) {
    std::string text;
    {
        const std::lock_guard lock(mutex_);
        device_ = device_number;
        plugged_ = true;
        halted_ = false;
        outgoing_.clear();
        model_.happen({now(), event::Plug{}});
        make_node();
        text = description();
    }
    GError* error = nullptr;
    umockdev_testbed_attach_ioctl(testbed_.get(), node().c_str(), handler_, &error);
    check(error == nullptr, "attach_ioctl");
    syspath_ = testbed_.root() + "/sys/devices/pci0000:00/usb1/" + options_.port;
    umockdev_testbed_add_from_string(testbed_.get(), text.c_str(), &error);
    check(error == nullptr, error != nullptr ? error->message : "");
}

void VirtualBoard::unplug() {
    {
        const std::lock_guard lock(mutex_);
        plugged_ = false;
        model_.happen({now(), event::Unplug{}});
        outgoing_.clear();
        while (!flying_.empty()) {
            auto urb = std::move(flying_.front());
            flying_.pop_front();
            finish(std::move(urb), -ESHUTDOWN, 0);
        }
    }
    const std::string sys = "/sys/devices/pci0000:00/usb1/" + options_.port;
    umockdev_testbed_uevent(testbed_.get(), sys.c_str(), "remove");
    umockdev_testbed_remove_device(testbed_.get(), sys.c_str());
    wait(
        [](const VirtualBoard& b) {
            const std::lock_guard lock(b.mutex_);
            return b.finished_.empty();
        },
        std::chrono::seconds(2));
    umockdev_testbed_detach_ioctl(testbed_.get(), node().c_str(), nullptr);
    const std::lock_guard lock(mutex_);
    flying_.clear();
    finished_.clear();
    close(std::exchange(fifo_, -1));
    std::filesystem::remove(testbed_.root() + node());
}

// ---- what the test does

void VirtualBoard::happen(protocol::Event e) {
    const std::lock_guard lock(mutex_);
    queue(model_.happen({now(), std::move(e)}));
}

void VirtualBoard::lose(protocol::Event e) {
    const std::lock_guard lock(mutex_);
    model_.happen({now(), std::move(e)});
}

void VirtualBoard::send_raw(wire::Bytes packet) {
    const std::lock_guard lock(mutex_);
    outgoing_.emplace_back(std::move(packet));
    pair();
}

void VirtualBoard::fail_next(int status) {
    const std::lock_guard lock(mutex_);
    outgoing_.emplace_back(status);
    pair();
}

void VirtualBoard::set_mood(Mood mood, std::optional<Call> cure) {
    const std::lock_guard lock(mutex_);
    mood_ = mood;
    cure_ = cure;
    if (plugged_) chmod((testbed_.root() + node()).c_str(), mood == Mood::Forbidden ? 0 : 0666);
}

std::vector<wire::Command> VirtualBoard::commands() const {
    const std::lock_guard lock(mutex_);
    return commands_;
}

std::size_t VirtualBoard::undecoded() const {
    const std::lock_guard lock(mutex_);
    return undecoded_;
}

std::vector<Call> VirtualBoard::calls() const {
    const std::lock_guard lock(mutex_);
    return calls_;
}

void VirtualBoard::forget() {
    const std::lock_guard lock(mutex_);
    commands_.clear();
    calls_.clear();
}

int VirtualBoard::flying() const {
    const std::lock_guard lock(mutex_);
    return static_cast<int>(flying_.size());
}

bool VirtualBoard::streaming() const {
    const std::lock_guard lock(mutex_);
    return model_.streaming();
}

void VirtualBoard::beat(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (!stop.stop_requested()) {
        beat_now_.wait_for(lock, stop, std::chrono::milliseconds(options_.board_every),
                           [] { return false; });
        if (plugged_ && !stop.stop_requested()) queue(model_.board(now()));
    }
}

// ---- transfers; the mutex is held

void VirtualBoard::queue(const hal::BoardModel::Packets& packets) {
    if (mood_ == Mood::Silent) return;
    for (const auto& packet : packets) outgoing_.emplace_back(packet);
    pair();
}

void VirtualBoard::pair() {
    while (!halted_ && !flying_.empty() && !outgoing_.empty()) {
        auto urb = std::move(flying_.front());
        flying_.pop_front();
        const Outgoing out = std::move(outgoing_.front());
        outgoing_.pop_front();
        if (const auto* status = std::get_if<int>(&out)) {
            halted_ = *status == -EPIPE;
            finish(std::move(urb), *status, 0);
            continue;
        }
        const auto& bytes = std::get<wire::Bytes>(out);
        const auto length = std::min(bytes.size(), urb->bytes().size());
        std::copy_n(bytes.begin(), length, urb->bytes().begin());
        finish(std::move(urb), 0, length);
    }
}

void VirtualBoard::finish(std::unique_ptr<Urb> urb, int status, std::size_t length) {
    urb->urb().status = status;
    urb->urb().actual_length = static_cast<int>(length);
    finished_.push_back(std::move(urb));
    std::array<char, page> taken{};
    // In a flood it may be empty already, and so writable.
    check(read(fifo_, taken.data(), taken.size()) > 0 || errno == EAGAIN, "read");
}

// ---- system calls, on umockdev's thread

gboolean VirtualBoard::handle(UMockdevIoctlBase*, UMockdevIoctlClient* client, void* self) {
    static_cast<VirtualBoard*>(self)->serve(client);
    return TRUE;
}

/// The host closed the node: what it had submitted is nobody's any more.
void VirtualBoard::vanished(UMockdevIoctlBase*, UMockdevIoctlClient*, void* self) {
    auto& board = *static_cast<VirtualBoard*>(self);
    const std::lock_guard lock(board.mutex_);
    board.flying_.clear();
    board.finished_.clear();
    if (board.fifo_ >= 0) board.fill_node();
}

/// Every answer is 0 or an errno.
void VirtualBoard::serve(UMockdevIoctlClient* client) {
    auto* arg = umockdev_ioctl_client_get_arg(client);
    int error = 0;
    {
        const std::lock_guard lock(mutex_);
        switch (umockdev_ioctl_client_get_request(client)) {
            case USBDEVFS_GET_CAPABILITIES: {
                auto* d = resolve(arg, 0, sizeof(std::uint32_t));
                const std::uint32_t can =
                    USBDEVFS_CAP_REAP_AFTER_DISCONNECT | USBDEVFS_CAP_NO_PACKET_SIZE_LIM;
                std::memcpy(d->data, &can, sizeof can);
                umockdev_ioctl_data_unref(d);
                break;
            }
            case USBDEVFS_CLAIMINTERFACE:
            case USBDEVFS_DISCONNECT_CLAIM:
                error = !plugged_ ? ENODEV : mood_ == Mood::Busy ? EBUSY : mended(Call::Claim);
                break;
            case USBDEVFS_RELEASEINTERFACE:
                error = mended(Call::Release);
                break;
            case USBDEVFS_CLEAR_HALT:
                error = plugged_ ? mended(Call::ClearHalt) : ENODEV;
                break;
            case USBDEVFS_RESET:
                error = plugged_ ? mended(Call::Reset) : ENODEV;
                break;
            case USBDEVFS_SUBMITURB:
                error = submit(arg);
                break;
            case USBDEVFS_DISCARDURB:
                error = discard(arg);
                break;
            case USBDEVFS_REAPURB:
            case USBDEVFS_REAPURBNDELAY:
                error = reap(arg);
                break;
            default:  // the kernel driver's coming and going is none of ours
                error = ENODATA;
        }
    }
    umockdev_ioctl_client_complete(client, error == 0 ? 0 : -1, error);
}

int VirtualBoard::mended(Call call) {
    calls_.push_back(call);
    if (call == Call::ClearHalt) halted_ = false;
    if (mood_ == Mood::Silent && call == cure_) mood_ = Mood::Well;
    pair();
    return 0;
}

int VirtualBoard::submit(UMockdevIoctlData* arg) {
    if (!plugged_) return ENODEV;
    auto urb = std::make_unique<Urb>(resolve(arg, 0, sizeof(usbdevfs_urb)));
    const auto& u = urb->urb();
    urb->buffer = resolve(urb->data, offsetof(usbdevfs_urb, buffer),
                          static_cast<std::size_t>(u.buffer_length));
    if (u.type == USBDEVFS_URB_TYPE_CONTROL) {
        const int length = control(*urb);
        finish(std::move(urb), length < 0 ? -EPIPE : 0,
               static_cast<std::size_t>(std::max(length, 0)));
    } else if (u.endpoint == wire::endpoint_in) {
        flying_.push_back(std::move(urb));
        pair();
    } else {
        const auto command = wire::decode_command(urb->bytes());
        const auto length = urb->bytes().size();
        finish(std::move(urb), 0, length);
        if (!command) {
            ++undecoded_;
            return 0;
        }
        commands_.push_back(*command);
        queue(model_.command(*command, now()));
    }
    return 0;
}

/// Answers for string descriptors alone; the length of the data, or -1 for a stall.
int VirtualBoard::control(Urb& urb) const {
    constexpr std::size_t setup = 8;
    const auto bytes = urb.bytes();
    const bool string = bytes[0] == 0x80 && bytes[1] == 0x06 && bytes[3] == 0x03;
    if (!string || options_.usb_serial.empty()) return -1;
    std::vector<std::uint8_t> answer{0, 0x03};
    if (bytes[2] == 0)
        answer.insert(answer.end(), {0x09, 0x04});
    else
        for (const char c : options_.usb_serial) {
            answer.push_back(static_cast<std::uint8_t>(c));
            answer.push_back(0);
        }
    answer[0] = static_cast<std::uint8_t>(answer.size());
    const auto length = std::min(answer.size(), bytes.size() - setup);
    std::copy_n(answer.begin(), length, bytes.begin() + setup);
    return static_cast<int>(length);
}

int VirtualBoard::discard(UMockdevIoctlData* arg) {
    std::uint64_t address = 0;
    std::memcpy(&address, arg->data, sizeof(void*));
    const auto found = std::ranges::find_if(
        flying_, [&](const auto& urb) { return urb->data->client_addr == address; });
    if (found == flying_.end()) return EINVAL;
    auto urb = std::move(*found);
    flying_.erase(found);
    finish(std::move(urb), -ENOENT, 0);
    return mended(Call::Discard);
}

/// As the kernel does: nothing finished is EAGAIN while the device is there, ENODEV after it went.
int VirtualBoard::reap(UMockdevIoctlData* arg) {
    if (finished_.empty()) {
        if (fifo_ >= 0) fill_node();
        return plugged_ ? EAGAIN : ENODEV;
    }
    auto* pointer = resolve(arg, 0, sizeof(void*));
    umockdev_ioctl_data_set_ptr(pointer, 0, finished_.front()->data);
    umockdev_ioctl_data_unref(pointer);
    finished_.pop_front();
    return 0;
}

}  // namespace xq::test
