#include "hal/usb_port.hpp"

#include "hal/usb_link.hpp"

#include <libusb-1.0/libusb.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <cstdio>
#include <deque>
#include <future>
#include <mutex>
#include <span>
#include <thread>
#include <utility>

namespace xq::hal {

namespace wire = protocol::wire;
using namespace std::chrono_literals;
using Clock = UsbLink::Clock;

namespace {

/// Where nothing tells of arrivals, they are looked for this often.
constexpr auto scan_interval = 2s;
/// udev needs some ms to hand a new device over; a device that stays locked is asked less often.
constexpr std::chrono::milliseconds first_retry = 50ms;
constexpr std::chrono::milliseconds last_retry = 2s;
/// Attempts before people are told: 50, 100, 200, 400 and 800 ms have passed by then.
constexpr int patient_attempts = 5;

struct Freed {
    void operator()(libusb_context* c) const { libusb_exit(c); }
    void operator()(libusb_config_descriptor* c) const { libusb_free_config_descriptor(c); }
};
using Context = std::unique_ptr<libusb_context, Freed>;
using Config = std::unique_ptr<libusb_config_descriptor, Freed>;

/// The number of the interface that makes a device a board (BOARD_WIRE.md), if it has one.
std::optional<int> board_interface(libusb_device* device) {
    libusb_config_descriptor* raw = nullptr;
    if (libusb_get_active_config_descriptor(device, &raw) != 0 &&
        libusb_get_config_descriptor(device, 0, &raw) != 0) {
        return {};
    }
    const Config config(raw);
    for (int i = 0; i < config->bNumInterfaces; ++i) {
        for (int a = 0; a < config->interface[i].num_altsetting; ++a) {
            const auto& setting = config->interface[i].altsetting[a];
            if (setting.bInterfaceClass == wire::interface_class &&
                setting.bInterfaceSubClass == wire::interface_subclass &&
                setting.bInterfaceProtocol == wire::interface_protocol) {
                return setting.bInterfaceNumber;
            }
        }
    }
    return {};
}

std::string name_of(libusb_device* device, const UsbId& id) {
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%04x:%04x at bus %d device %d", id.vendor, id.product,
                  libusb_get_bus_number(device), libusb_get_device_address(device));
    return text.data();
}

usb::Obstacle obstacle(int error) {
    return error == LIBUSB_ERROR_ACCESS ? usb::Obstacle::Permission
           : error == LIBUSB_ERROR_BUSY ? usb::Obstacle::Busy
                                        : usb::Obstacle::Failing;
}

}  // namespace

std::optional<UsbId> read_usb_id(std::string_view text) {
    constexpr std::size_t digits = 4;
    if (text.size() != 2 * digits + 1 || text[digits] != ':') return {};
    const auto part = [](std::string_view hex) -> std::optional<std::uint16_t> {
        std::uint16_t value = 0;
        const auto read = std::from_chars(hex.data(), hex.data() + hex.size(), value, 16);
        if (read.ec != std::errc() || read.ptr != hex.data() + hex.size()) return {};
        return value;
    };
    const auto vendor = part(text.substr(0, digits));
    const auto product = part(text.substr(digits + 1));
    if (!vendor || !product) return {};
    return UsbId{*vendor, *product};
}

/// All that belongs to the thread. The port and the thread share it, so that a thread that hangs
/// in the kernel never touches freed memory.
struct UsbPort::Thread {
    /// A device that has a board's interface and passes `ids`.
    struct Candidate {
        libusb_device* device;  ///< referenced
        int interface;
        UsbId id;
        int attempts = 0;
        Clock::time_point retry{};
        bool shunned = false;
        bool told = false;  ///< its obstacle
        bool serial_unproven = false;
    };
    struct Order {
        std::uint32_t generation;
        std::variant<wire::Bytes, usb::Measure> what;
    };

    Thread(UsbFilter f, Now n, Listener l)
        : filter(std::move(f)), now(std::move(n)), listener(std::move(l)) {}
    Thread(const Thread&) = delete;
    Thread& operator=(const Thread&) = delete;
    ~Thread() {
        for (const auto& c : candidates) libusb_unref_device(c.device);
    }

    void tell(usb::Report report) const {
        if (!silenced) listener(std::move(report));
    }
    void order(Order o);
    void wake() const;
    bool enter();
    void run();
    void obey();
    void carry_out(usb::Measure measure);
    void look_round();
    void find_candidates();
    void open_one();
    bool try_open(Candidate& c);
    void obstructed(Candidate& c, int error) const;
    void opened(const Candidate& c);
    void close(bool left);
    Candidate* current();
    timeval next_wake() const;
    static int LIBUSB_CALL hotplugged(libusb_context*, libusb_device* device,
                                      libusb_hotplug_event event, void* self);

    UsbFilter filter;
    Now now;
    Listener listener;
    Context context;
    std::atomic<libusb_context*> sleeper = nullptr;  ///< the context, once there is one
    std::thread thread;
    std::promise<void> ended;
    std::atomic<bool> stopping = false;
    std::atomic<bool> silenced = false;
    std::atomic<bool> asked = false;  ///< to show that it lives

    std::mutex mutex;  ///< guards `orders` alone
    std::deque<Order> orders;

    // The thread's own.
    std::vector<Candidate> candidates;
    std::unique_ptr<UsbLink> link;
    std::uint32_t generation = 0;
    bool changed = true;  ///< something arrived or left
    Clock::time_point next_scan{};
};

// ---- any thread

UsbPort::UsbPort(UsbFilter filter, Now now, Listener listener)
    : thread_(std::make_shared<Thread>(std::move(filter), std::move(now), std::move(listener))) {}

UsbPort::~UsbPort() {
    stop(1500ms);
}

void UsbPort::start() {
    thread_->thread = std::thread([self = thread_] {
        self->run();
        self->ended.set_value();
    });
}

void UsbPort::Thread::order(Order o) {
    {
        const std::lock_guard lock(mutex);
        orders.push_back(std::move(o));
    }
    wake();
}

void UsbPort::Thread::wake() const {
    if (auto* c = sleeper.load()) libusb_interrupt_event_handler(c);
}

void UsbPort::send(std::uint32_t generation, wire::Bytes bytes) {
    thread_->order({generation, std::move(bytes)});
}

void UsbPort::take(std::uint32_t generation, usb::Measure measure) {
    thread_->order({generation, measure});
}

bool UsbPort::answers() {
    const bool silent = thread_->asked.exchange(true);
    thread_->wake();
    return !silent;
}

bool UsbPort::stop(std::chrono::milliseconds limit) {
    auto& thread = thread_->thread;
    if (!thread.joinable()) return true;
    thread_->silenced = true;
    thread_->stopping = true;
    thread_->wake();
    if (thread_->ended.get_future().wait_for(limit) == std::future_status::ready) {
        thread.join();
        return true;
    }
    thread.detach();
    return false;
}

// ---- the port's thread

/// Makes the one context; where the system has no USB yet that is tried again and again.
bool UsbPort::Thread::enter() {
    libusb_context* made = nullptr;
    for (bool told = false; !stopping; std::this_thread::sleep_for(first_retry)) {
        asked = false;
        const int error = libusb_init(&made);
        if (error == 0) break;
        if (std::exchange(told, true)) continue;
        tell(usb::Obstructed{usb::Obstacle::NoUsb, "", libusb_strerror(error)});
    }
    context.reset(made);
    sleeper = made;
    return made != nullptr;
}

void UsbPort::Thread::run() {
    if (!enter()) return;
    libusb_hotplug_callback_handle hotplug = 0;
    const bool told_of_arrivals =
        libusb_has_capability(LIBUSB_CAP_HAS_HOTPLUG) != 0 &&
        libusb_hotplug_register_callback(
            context.get(), LIBUSB_HOTPLUG_EVENT_DEVICE_ARRIVED | LIBUSB_HOTPLUG_EVENT_DEVICE_LEFT,
            0, LIBUSB_HOTPLUG_MATCH_ANY, LIBUSB_HOTPLUG_MATCH_ANY, LIBUSB_HOTPLUG_MATCH_ANY,
            hotplugged, this, &hotplug) == 0;
    while (!stopping) {
        asked = false;
        obey();
        if (link) {
            link->tend();
            if (link->dead()) close(link->left());
        }
        look_round();
        timeval tv = next_wake();
        if (libusb_handle_events_timeout_completed(context.get(), &tv, nullptr) != 0) {
            std::this_thread::sleep_for(first_retry);  // rather than spin on a broken system
        }
    }
    link.reset();
    if (told_of_arrivals) libusb_hotplug_deregister_callback(context.get(), hotplug);
}

/// Nothing may be opened in here, and nothing is: it is only noted that there is news.
int LIBUSB_CALL UsbPort::Thread::hotplugged(libusb_context*, libusb_device* device,
                                            libusb_hotplug_event event, void* self) {
    auto& thread = *static_cast<Thread*>(self);
    thread.changed = true;
    if (event == LIBUSB_HOTPLUG_EVENT_DEVICE_LEFT && thread.link &&
        thread.link->device() == device) {
        thread.link->mark_left();
    }
    return 0;
}

timeval UsbPort::Thread::next_wake() const {
    auto when = next_scan;
    if (link) when = std::min(when, link->next_tend());
    if (!link) {
        for (const auto& c : candidates) {
            if (!c.shunned) when = std::min(when, c.retry);
        }
    }
    if (changed || (link && link->dead())) when = {};
    const auto wait = std::clamp<std::chrono::microseconds>(
        std::chrono::ceil<std::chrono::microseconds>(when - Clock::now()), 0us, scan_interval);
    return {static_cast<time_t>(wait.count() / 1'000'000),
            static_cast<suseconds_t>(wait.count() % 1'000'000)};
}

void UsbPort::Thread::obey() {
    std::deque<Order> now_due;
    {
        const std::lock_guard lock(mutex);
        now_due.swap(orders);
    }
    for (auto& order : now_due) {
        if (!link || order.generation != generation) continue;
        if (auto* bytes = std::get_if<wire::Bytes>(&order.what))
            link->send(std::move(*bytes));
        else
            carry_out(std::get<usb::Measure>(order.what));
    }
}

void UsbPort::Thread::carry_out(usb::Measure measure) {
    int error = 0;
    switch (measure) {
        case usb::Measure::Resubmit:
            error = link->resubmit();
            break;
        case usb::Measure::ClearHalt:
            error = link->clear_halt();
            break;
        case usb::Measure::Reopen:
            close(false);
            return;
        case usb::Measure::Reset:
            error = link->reset();
            if (error == 0) {
                if (auto* c = current()) opened(*c);
            } else if (error == LIBUSB_ERROR_NOT_FOUND) {
                link->mark_left();  // it comes back under another number
            }
            break;
        case usb::Measure::Shun:
            if (auto* c = current()) c->shunned = true;
            close(false);
            return;
    }
    if (error == LIBUSB_ERROR_NO_DEVICE) link->mark_left();
}

UsbPort::Thread::Candidate* UsbPort::Thread::current() {
    if (!link) return nullptr;
    const auto found = std::ranges::find(candidates, link->device(), &Candidate::device);
    return found == candidates.end() ? nullptr : &*found;
}

void UsbPort::Thread::close(bool left) {
    if (auto* c = current(); c != nullptr && !left) {
        // One that was well is opened again at once, one that never spoke ever more rarely.
        c->attempts = link->heard() ? 0 : c->attempts + 1;
        c->retry =
            Clock::now() + std::min(last_retry, first_retry * (1 << std::min(c->attempts, 6)));
    }
    link.reset();
    changed = true;
    tell(usb::Closed{left});
}

void UsbPort::Thread::look_round() {
    if (!changed && Clock::now() < next_scan) {
        if (!link) open_one();
        return;
    }
    changed = false;
    next_scan = Clock::now() + scan_interval;
    find_candidates();
    if (link && current() == nullptr) close(true);  // nobody told us that it left
    if (!link) open_one();
}

/// Brings `candidates` up to date: the new ones come in, those that are gone go out.
void UsbPort::Thread::find_candidates() {
    libusb_device** list = nullptr;
    const auto count = libusb_get_device_list(context.get(), &list);
    if (count < 0) return;
    const std::span devices(list, static_cast<std::size_t>(count));
    std::erase_if(candidates, [&](const Candidate& c) {
        if (std::ranges::find(devices, c.device) != devices.end()) return false;
        libusb_unref_device(c.device);
        return true;
    });
    for (auto* device : devices) {
        libusb_device_descriptor d{};
        if (std::ranges::find(candidates, device, &Candidate::device) != candidates.end() ||
            libusb_get_device_descriptor(device, &d) != 0) {
            continue;
        }
        const UsbId id{d.idVendor, d.idProduct};
        const auto& ids = filter.ids;
        if (!ids.empty() && std::ranges::find(ids, id) == ids.end()) continue;
        if (const auto interface = board_interface(device)) {
            candidates.push_back(
                {.device = libusb_ref_device(device), .interface = *interface, .id = id});
        }
    }
    libusb_free_device_list(list, 1);
}

void UsbPort::Thread::open_one() {
    for (auto& c : candidates) {
        if (!c.shunned && c.retry <= Clock::now() && try_open(c)) return;
    }
}

bool UsbPort::Thread::try_open(Candidate& c) {
    link = std::make_unique<UsbLink>(context.get(), c.device, c.interface, [this](wire::Bytes b) {
        tell(usb::Packet{std::move(b), now()});
    });
    c.serial_unproven = false;
    int error = link->open();
    if (error == 0 && !filter.serial.empty()) {
        const auto serial = link->read_serial();
        c.serial_unproven = serial.empty();
        if (!serial.empty() && serial != filter.serial) {
            link.reset();
            c.shunned = true;
            tell(usb::Obstructed{usb::Obstacle::OtherSerial, name_of(c.device, c.id), serial});
            return false;
        }
    }
    if (error == 0) error = link->begin();
    if (error == 0) {
        opened(c);
        return true;
    }
    link.reset();
    obstructed(c, error);
    return false;
}

void UsbPort::Thread::opened(const Candidate& c) {
    tell(usb::Opened{++generation, name_of(c.device, c.id), c.serial_unproven});
}

void UsbPort::Thread::obstructed(Candidate& c, int error) const {
    ++c.attempts;
    c.retry = Clock::now() + std::min(last_retry, first_retry * (1 << std::min(c.attempts - 1, 6)));
    if (c.attempts < patient_attempts || std::exchange(c.told, true)) return;
    tell(usb::Obstructed{obstacle(error), name_of(c.device, c.id), libusb_strerror(error)});
}

}  // namespace xq::hal
