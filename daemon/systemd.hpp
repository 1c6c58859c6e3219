#pragma once
// What passes between the daemon and systemd; all of it does nothing where there is no systemd.
// Used by the app, io thread.
#include <chrono>
#include <optional>
#include <string>

namespace xq::daemon::systemd {

/// As sd_notify(3): "READY=1", "STATUS=...", "WATCHDOG=1", "STOPPING=1".
void notify(const std::string& state);
/// How often the watchdog wants to be fed, if it is on: half of its limit.
std::optional<std::chrono::microseconds> watchdog();
/// The listening socket that systemd holds for us under this name, if it does.
std::optional<int> socket_named(const std::string& name);

/// A path of the configuration, where `$CREDENTIALS_DIRECTORY/` at its beginning stands for the
/// directory of the service's credentials (LoadCredential=).
std::string credential(const std::string& path);

}  // namespace xq::daemon::systemd
