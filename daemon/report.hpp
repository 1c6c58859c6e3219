#pragma once
// How the daemon is, in the words of those who ask: systemctl, a monitor, Prometheus. Pure
// functions over what the app shows them, io thread.
#include "daemon/clerk.hpp"
#include "daemon/crowd.hpp"
#include "daemon/hub.hpp"

#include <string>

namespace xq::daemon {

/// The parts that are asked; they belong to the app.
struct Report {
    const config::Settings& settings;
    const Clerk& clerk;
    const Metrics& metrics;
    const Crowd& crowd;
    const Doorkeeper& door;
    const Hub& hub;
};

/// One line for people: "game 3, ply 12; board online; 5 spectators".
std::string status_line(const Report& report);
/// One JSON object for a monitor; the daemon answers, so it lives, and the members say how well.
std::string health(const Report& report);
/// Prometheus' text format.
std::string metrics_text(const Report& report);

}  // namespace xq::daemon
