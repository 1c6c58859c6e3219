#pragma once
// The daemon: builds all rooms' parts and wires them. The only file that knows them all. Everything
// mutable lives on the one io thread that `run` is called on; the driver's and the journal's
// threads only post to it.
#include "config/settings.hpp"
#include "daemon/log.hpp"

#include <functional>
#include <memory>
#include <optional>

namespace xq::daemon {

/// Reads the configuration anew; nothing where it is bad (it has said so then).
using Reload = std::function<std::optional<config::Settings>()>;

class App {
public:
    /// Opens what the settings name. Throws std::runtime_error with one sentence for people where
    /// something without which there is nothing to serve cannot be had.
    App(config::Settings settings, Reload reload, Log& log);
    App(const App&) = delete;
    App& operator=(const App&) = delete;
    ~App();

    /// Serves until SIGTERM or SIGINT; then stops within two seconds. False: the journal's disk
    /// did not take the rest in that time.
    bool run();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace xq::daemon
