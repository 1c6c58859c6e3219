// Fuzzes what a spectator may send, as lines and as frames of a WebSocket: nothing longer than the
// limit gets through, and it makes no difference in how many pieces the bytes arrive. The first
// byte says where they are cut.
#include "daemon/client_input.hpp"

#include <cstdlib>

namespace {

using namespace xq::daemon;

void require(bool holds) {
    if (!holds) std::abort();
}

std::vector<Heard> in_pieces(std::string_view bytes, std::size_t piece, Framing framing) {
    ClientInput input;
    std::vector<Heard> all;
    while (!bytes.empty()) {
        for (Heard& heard : input.take(bytes.substr(0, piece), framing)) {
            all.push_back(std::move(heard));
            if (all.back().kind == Heard::Kind::End) return all;
        }
        bytes.remove_prefix(std::min(piece, bytes.size()));
    }
    return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::size_t piece = std::size_t{data[0]} + 1;
    const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
    for (const Framing framing : {Framing::Line, Framing::WebSocket}) {
        const auto whole = in_pieces(bytes, bytes.size() + 1, framing);
        require(whole == in_pieces(bytes, piece, framing));
        for (const Heard& heard : whole) {
            require(heard.text.size() <= longest_input);
            if (const auto resume = read_resume(heard.text)) {
                require(read_event_id(std::to_string(resume->epoch) + ':' +
                                      std::to_string(resume->since)) == resume);
            }
        }
    }
    return 0;
}
