// Fuzzes the board wire, both directions: whatever is understood must be written back as a packet
// that reads the same.
#include "protocol/board_wire.hpp"

#include <cstdlib>

namespace {

void require(bool holds) {
    if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    namespace wire = xq::protocol::wire;
    const std::span<const std::uint8_t> bytes(data, size);
    if (const auto packet = wire::decode(bytes)) {
        const auto again = wire::decode(wire::encode(*packet));
        require(again.has_value() && *again == *packet);
    } else {
        require(packet.error().at <= size && !packet.error().what.empty());
    }
    if (const auto command = wire::decode_command(bytes)) {
        const auto again = wire::decode_command(wire::encode(*command));
        require(again.has_value() && *again == *command);
    } else {
        require(command.error().at <= size && !command.error().what.empty());
    }
    return 0;
}
