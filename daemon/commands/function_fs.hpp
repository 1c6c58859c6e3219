#pragma once
// A board's side of the USB wire, by the kernel's FunctionFS: one vendor interface with an
// interrupt endpoint each way (BOARD_WIRE.md). Owned by the board simulator; the listeners are
// called on its io thread. Two threads inside, for the kernel's endpoint files can only block.
#include "protocol/board_wire.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <filesystem>
#include <functional>
#include <memory>

namespace xq::boardsim {

struct Listener {
    std::function<void(bool)> host_there;                 ///< a host has set the device up, or left
    std::function<void(protocol::wire::Bytes)> received;  ///< a packet from the host
};

class FunctionFs {
public:
    /// Writes the descriptors into `directory`/ep0. Throws std::runtime_error where the kernel
    /// does not take them.
    FunctionFs(const boost::asio::any_io_executor& io, const std::filesystem::path& directory,
               Listener listener);
    FunctionFs(const FunctionFs&) = delete;
    FunctionFs& operator=(const FunctionFs&) = delete;
    /// The device must be unplugged by then, or the threads do not come back from the kernel.
    ~FunctionFs();

    /// Queues a packet for the host. Without a host, or when a second of packets waits, it is lost,
    /// as on a real board; the gap in the packets' numbers tells.
    void send(protocol::wire::Bytes packet);

private:
    struct Impl;
    std::shared_ptr<Impl> impl_;
};

}  // namespace xq::boardsim
