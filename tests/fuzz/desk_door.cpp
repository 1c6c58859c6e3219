// Whatever a browser is made to send, a page reaches the desk only from the desk's own origin, and
// without TLS only under a name of this machine. The first byte says how the request came, the two
// lines behind it are `Host` and `Origin`.
#include "daemon/desk_door.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace {

std::string lower(std::string_view text) {
    std::string made(text);
    for (char& c : made) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    return made;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
    const auto end = std::min(text.find('\n'), text.size());
    xq::daemon::DeskRequest request{.tls = (data[0] & 1) != 0,
                                    .from_this_machine = (data[0] & 2) != 0,
                                    .forwarded = (data[0] & 4) != 0,
                                    .host = text.substr(0, end)};
    if (end < text.size()) request.origin = text.substr(end + 1);
    if (!xq::daemon::desk_refusal(request).empty()) return 0;

    const std::string host = lower(request.host);
    if (!request.origin.empty() &&
        lower(request.origin) != (request.tls ? "https://" : "http://") + host) {
        std::abort();
    }
    if (request.tls) return 0;
    if (!request.from_this_machine || request.forwarded) std::abort();
    for (const std::string_view name : {"localhost", "127.0.0.1", "[::1]"}) {
        if (host == name || host.starts_with(std::string(name) + ':')) return 0;
    }
    std::abort();
}
