#pragma once
// Makes the sensor source that a configuration names. The only header of this room that the daemon
// needs besides the interface itself; the drivers' own headers stay behind it.
#include "hal/sensor_source.hpp"
#include "rules/fault.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace xq::hal {

/// The daemon's monotonic clock in ms since the start of the log that is being written. A driver
/// may read it from a thread of its own, so it must be safe to call from any thread.
using Now = std::function<protocol::Millis()>;

/// The clock to hand to a source that plays at another speed than life: sim and log stamp events
/// with the time of the game that they play, so the daemon's clock must pass as fast. At speed 0
/// events run ahead of any clock, and time is what the last event says.
Now paced(double speed, Now now);

/// `[sensor]` of the configuration; the defaults live there.
struct SourceOptions {
    std::string driver{};  ///< usb, sim or log
    std::vector<std::string>
        ids{};               ///< usb: "vid:pid" in hex; empty: any device with the interface
    std::string serial{};    ///< usb: the board wanted; empty: the first one found
    bool rotated = false;    ///< usb: the board's a0 lies at Black's right hand
    std::string log{};       ///< log: the file to play; sim: a game, empty: a built-in one
    double speed = 1.0;      ///< sim and log; 0: as fast as possible
    std::uint64_t seed = 1;  ///< sim: the same seed, the same hands
};

/// Nothing is opened or started yet, but what is wrong with the options (an unknown driver, an id
/// that is none, a file that cannot be read) is told here. The source delivers on `io`, on which
/// it must also be started, stopped and destroyed.
Result<std::unique_ptr<SensorSource>> make_source(const SourceOptions& options,
                                                  const boost::asio::any_io_executor& io, Now now);

}  // namespace xq::hal
