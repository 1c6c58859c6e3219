#include "daemon/desk_door.hpp"

#include <algorithm>
#include <string>

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

/// The name in a `Host`, without its port.
std::string_view name_of(std::string_view host) {
    if (host.starts_with('[')) return host.substr(0, host.find(']') + 1);
    return host.substr(0, host.rfind(':'));
}

bool own_name(std::string_view host) {
    const auto name = name_of(host);
    return same(name, "localhost") || name == "127.0.0.1" || name == "[::1]";
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
