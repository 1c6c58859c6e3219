#pragma once
// What `[mqtt]` means: the broker's address, and the topic with its placeholders filled in. Pure
// functions, for the loader that refuses what cannot be used and for the daemon that uses it.
#include "config/settings.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace xq::config {

struct Broker {
    Endpoint endpoint;
    bool tls = false;
};
/// "mqtt://host:port" or "mqtts://host:port", without a user: that stands in keys of its own. Else
/// nothing.
std::optional<Broker> read_broker(std::string_view text);

/// What `[mqtt] topic` comes to: `{event}` and `{board}` stand for the names, in which `_` replaces
/// what MQTT reserves (`+ # /` and NUL, and `$` at the beginning); an event without a name is `_`.
std::string topic(const Settings& settings);

/// What is wrong with `[mqtt] topic`, as one sentence; empty: nothing.
std::string topic_fault(const Settings& settings);

}  // namespace xq::config
