#include "daemon/desk_door.hpp"

#include <algorithm>
#include <array>

namespace xq::daemon {

namespace {

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// As host names and schemes are compared.
bool same(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](char x, char y) { return lower(x) == lower(y); });
}

/// Whether a `Host` is one of this machine's own names, with or without a port.
bool own_name(std::string_view host) {
    constexpr std::array<std::string_view, 3> names{"localhost", "127.0.0.1", "[::1]"};
    return std::any_of(names.begin(), names.end(), [&](std::string_view name) {
        if (!same(host.substr(0, name.size()), name)) return false;
        const auto port = host.substr(name.size());
        return port.empty() || (port.starts_with(':') &&
                                port.find_first_not_of("0123456789", 1) == std::string_view::npos);
    });
}

}  // namespace

std::string_view desk_refusal(const DeskRequest& request) {
    if (!request.tls) {
        if (!request.from_this_machine) {
            return "the arbiter's desk is served over HTTPS, and without it to this machine alone";
        }
        if (request.forwarded) return "the arbiter's desk is not served through a proxy";
        if (!own_name(request.host)) return "this machine's desk is at localhost only";
    }
    if (request.origin.empty()) return {};
    const std::string_view scheme = request.tls ? "https://" : "http://";
    if (!same(request.origin.substr(0, scheme.size()), scheme) ||
        !same(request.origin.substr(scheme.size()), request.host)) {
        return "a page of another site may not speak to the arbiter's desk";
    }
    return {};
}

}  // namespace xq::daemon
