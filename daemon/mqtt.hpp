#pragma once
// The public broadcast for an MQTT broker: behind the same exit as the spectators, and so behind
// the same delay. Owned by the app, called on the io thread, which waits for nothing here: looking
// up the broker's name, connecting and sending are done by a thread of its own, the only one that
// uses libmosquitto. BROADCAST.md says what stands under which topic.
//
// A broker that is away or refuses is told once to the administrator and tried again for ever.
#include "config/settings.hpp"
#include "daemon/batch.hpp"

#include <functional>
#include <memory>
#include <string>

namespace xq::daemon {

class Mqtt {
public:
    /// A line for the administrator, on the publisher's thread; not called after the end.
    using Tell = std::function<void(bool fault, const std::string& line)>;

    /// Connects to the broker that the settings name, which the loader has found good.
    Mqtt(const config::Settings& settings, Tell tell);
    Mqtt(const Mqtt&) = delete;
    Mqtt& operator=(const Mqtt&) = delete;
    /// As `close`; waits for half a second at most. A thread that still hangs in the resolver is
    /// left to its fate.
    ~Mqtt();

    void publish(const Batch& batch);
    /// Begins to say goodbye: what waits is sent, then "offline".
    void close();

private:
    struct Shared;
    std::shared_ptr<Shared> shared_;
};

}  // namespace xq::daemon
