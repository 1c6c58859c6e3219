#include "daemon/systemd.hpp"

#include <fcntl.h>
#include <systemd/sd-daemon.h>
#include <cstdlib>

namespace xq::daemon::systemd {

void notify(const std::string& state) {
    sd_notify(0, state.c_str());
}

std::optional<std::chrono::microseconds> watchdog() {
    std::uint64_t limit_us = 0;
    if (sd_watchdog_enabled(0, &limit_us) <= 0) return {};
    return std::chrono::microseconds(limit_us / 2);
}

std::optional<int> socket_named(const std::string& name) {
    char** names = nullptr;
    const int n = sd_listen_fds_with_names(0, &names);
    std::optional<int> found;
    for (int i = 0; i < n; ++i) {
        if (name == names[i]) found = SD_LISTEN_FDS_START + i;
        free(names[i]);  // NOLINT(*-no-malloc): systemd's own
    }
    free(static_cast<void*>(names));  // NOLINT(*-no-malloc)
    // systemd hands sockets over that block, unless the unit says otherwise.
    if (found) fcntl(*found, F_SETFL, fcntl(*found, F_GETFL) | O_NONBLOCK);
    return found;
}

std::string credential(const std::string& path) {
    constexpr std::string_view variable = "$CREDENTIALS_DIRECTORY/";
    const char* const directory =
        std::getenv("CREDENTIALS_DIRECTORY");  // NOLINT(concurrency-mt-unsafe): nobody sets it
    if (directory == nullptr || !path.starts_with(variable)) return path;
    return directory + path.substr(variable.size() - 1);
}

}  // namespace xq::daemon::systemd
