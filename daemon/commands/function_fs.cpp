#include "daemon/commands/function_fs.hpp"

#include <endian.h>
#include <fcntl.h>
#include <linux/usb/functionfs.h>
#include <unistd.h>
#include <array>
#include <atomic>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <mutex>
#include <stdexcept>
#include <thread>

namespace xq::boardsim {

namespace asio = boost::asio;
namespace wire = protocol::wire;
using namespace std::chrono_literals;

namespace {

// A board that scans every 50 ms and changes with every scan fills this in three seconds.
constexpr std::size_t most_queued = 64;
// While no host is there the endpoints are asked again after so long.
constexpr auto no_host = 50ms;

/// What the kernel is told of the interface, once for each speed.
struct [[gnu::packed]] Interface {
    usb_interface_descriptor interface;
    usb_endpoint_descriptor_no_audio in;
    usb_endpoint_descriptor_no_audio out;
};
struct [[gnu::packed]] Descriptors {
    usb_functionfs_descs_head_v2 head;
    std::uint32_t full_speed_count;
    std::uint32_t high_speed_count;
    Interface full_speed;
    Interface high_speed;
};
struct [[gnu::packed]] Strings {
    usb_functionfs_strings_head head;
    std::uint16_t language;
    std::array<char, sizeof "board"> name;
};

/// `interval`: how often the host asks, in the unit of the speed.
Interface interface(std::uint8_t interval) {
    const auto endpoint = [interval](std::uint8_t address) {
        return usb_endpoint_descriptor_no_audio{.bLength = USB_DT_ENDPOINT_SIZE,
                                                .bDescriptorType = USB_DT_ENDPOINT,
                                                .bEndpointAddress = address,
                                                .bmAttributes = USB_ENDPOINT_XFER_INT,
                                                .wMaxPacketSize = htole16(wire::packet_size),
                                                .bInterval = interval};
    };
    return {.interface = {.bLength = USB_DT_INTERFACE_SIZE,
                          .bDescriptorType = USB_DT_INTERFACE,
                          .bInterfaceNumber = 0,
                          .bAlternateSetting = 0,
                          .bNumEndpoints = 2,
                          .bInterfaceClass = wire::interface_class,
                          .bInterfaceSubClass = wire::interface_subclass,
                          .bInterfaceProtocol = wire::interface_protocol,
                          .iInterface = 1},
            .in = endpoint(wire::endpoint_in),
            .out = endpoint(wire::endpoint_out)};
}

Descriptors descriptors() {
    constexpr std::uint8_t full_speed_ms = 5;
    constexpr std::uint8_t high_speed_exponent = 6;  // 2^5 microframes: 4 ms
    return {.head = {.magic = htole32(FUNCTIONFS_DESCRIPTORS_MAGIC_V2),
                     .length = htole32(sizeof(Descriptors)),
                     .flags = htole32(FUNCTIONFS_HAS_FS_DESC | FUNCTIONFS_HAS_HS_DESC)},
            .full_speed_count = htole32(3),
            .high_speed_count = htole32(3),
            .full_speed = interface(full_speed_ms),
            .high_speed = interface(high_speed_exponent)};
}

Strings strings() {
    constexpr std::uint16_t english = 0x0409;
    return {.head = {.magic = htole32(FUNCTIONFS_STRINGS_MAGIC),
                     .length = htole32(sizeof(Strings)),
                     .str_count = htole32(1),
                     .lang_count = htole32(1)},
            .language = htole16(english),
            .name = {'b', 'o', 'a', 'r', 'd', '\0'}};
}

class File {
public:
    explicit File(const std::filesystem::path& path)
        : fd_(open(path.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC)) {
        if (fd_ < 0) throw std::runtime_error(path.string() + ": " + std::strerror(errno));
    }
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    ~File() { close(fd_); }
    int fd() const { return fd_; }

private:
    int fd_;
};

template <class Block>
void tell(const File& control, const Block& block) {
    if (write(control.fd(), &block, sizeof block) != sizeof block) {
        throw std::runtime_error("the kernel refuses the board's descriptors: " +
                                 std::string(std::strerror(errno)));
    }
}

}  // namespace

struct FunctionFs::Impl : std::enable_shared_from_this<Impl> {
    Impl(asio::any_io_executor the_io, const std::filesystem::path& directory,
         Listener the_listener)
        : io(std::move(the_io)),
          listener(std::move(the_listener)),
          control((directory / "ep0").c_str()),
          events(io, dup(control.fd())) {
        tell(control, descriptors());
        tell(control, strings());
        // The endpoints' files appear in the order of the descriptors.
        in.emplace(directory / "ep1");
        out.emplace(directory / "ep2");
    }

    // ------------------------------------------------------------ io thread

    void await_events() {
        events.async_wait(asio::posix::stream_descriptor::wait_read,
                          [self = shared_from_this()](const boost::system::error_code& error) {
                              if (error) return;
                              self->read_events();
                              self->await_events();
                          });
    }

    void read_events() {
        std::array<usb_functionfs_event, 4> some{};
        const auto got = read(control.fd(), some.data(), sizeof some);
        for (std::size_t i = 0;
             (i + 1) * sizeof some[0] <= static_cast<std::size_t>(got < 0 ? 0 : got); ++i) {
            take(some[i]);
        }
    }

    void take(const usb_functionfs_event& event) {
        switch (event.type) {
            case FUNCTIONFS_ENABLE:
                listener.host_there(true);
                break;
            case FUNCTIONFS_DISABLE:
            case FUNCTIONFS_UNBIND:
                forget();
                listener.host_there(false);
                break;
            case FUNCTIONFS_SETUP:
                refuse(event.u.setup);
                break;
            default:
                break;
        }
    }

    /// The board knows no control request of its own: transferring the wrong way refuses it.
    void refuse(const usb_ctrlrequest& request) const {
        if ((request.bRequestType & USB_DIR_IN) != 0) {
            [[maybe_unused]] const auto refused = read(control.fd(), nullptr, 0);
        } else {
            [[maybe_unused]] const auto refused = write(control.fd(), nullptr, 0);
        }
    }

    void forget() {
        const std::lock_guard lock(mutex);
        queue.clear();
    }

    // ------------------------------------------------------------ the endpoints' threads

    /// Waits a little where no host is there; true where the call was interrupted for no reason.
    static void pause() {
        if (errno != EINTR) std::this_thread::sleep_for(no_host);
    }

    void hear() {
        std::array<std::uint8_t, wire::packet_size> packet{};
        while (!stopping) {
            const auto size = read(out->fd(), packet.data(), packet.size());
            if (size < 0) {
                pause();
                continue;
            }
            asio::post(io, [weak = weak_from_this(),
                            bytes = wire::Bytes(packet.begin(), packet.begin() + size)] {
                if (const auto self = weak.lock()) self->listener.received(bytes);
            });
        }
    }

    void tell_host() {
        for (;;) {
            wire::Bytes packet;
            {
                std::unique_lock lock(mutex);
                wake.wait(lock, [this] { return stopping || !queue.empty(); });
                if (stopping) return;
                packet = std::move(queue.front());
                queue.pop_front();
            }
            if (write(in->fd(), packet.data(), packet.size()) < 0) pause();
        }
    }

    const asio::any_io_executor io;
    const Listener listener;
    const File control;
    asio::posix::stream_descriptor events;
    std::optional<File> in;
    std::optional<File> out;

    std::atomic<bool> stopping = false;
    std::mutex mutex;  ///< guards `queue`
    std::condition_variable wake;
    std::deque<wire::Bytes> queue;
    std::thread hearing;
    std::thread telling;
};

FunctionFs::FunctionFs(const asio::any_io_executor& io, const std::filesystem::path& directory,
                       Listener listener)
    : impl_(std::make_shared<Impl>(io, directory, std::move(listener))) {
    impl_->hearing = std::thread([impl = impl_.get()] { impl->hear(); });
    impl_->telling = std::thread([impl = impl_.get()] { impl->tell_host(); });
    impl_->await_events();
}

FunctionFs::~FunctionFs() {
    {
        const std::lock_guard lock(impl_->mutex);
        impl_->stopping = true;
    }
    impl_->wake.notify_one();
    impl_->hearing.join();
    impl_->telling.join();
    boost::system::error_code ignored;
    impl_->events.close(ignored);
}

void FunctionFs::send(wire::Bytes packet) {
    const std::lock_guard lock(impl_->mutex);
    if (impl_->queue.size() == most_queued) return;
    impl_->queue.push_back(std::move(packet));
    impl_->wake.notify_one();
}

}  // namespace xq::boardsim
