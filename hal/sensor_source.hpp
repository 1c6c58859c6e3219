#pragma once
// Where sensor events come from: one interface, one file a driver (usb, log, sim). A source lives
// on the io thread and calls its sink there, whatever threads it uses inside. Time is the daemon's
// monotonic clock in ms since the start of the log that is being written (SENSOR_LOG.md).
#include "protocol/board_wire.hpp"
#include "protocol/sensor_event.hpp"

#include <functional>
#include <string>

namespace xq::hal {

/// Receives events in order of time, never stamped later than now
/// (but for `SourceOptions::speed`); the last one of a log source is
/// `event::End`. A source that has no device yet says `Unplug` once at its start.
using Sink = std::function<void(protocol::Timed)>;
/// One line for people about the device: what is wrong and what to do, or that it is well again.
using Notice = std::function<void(std::string)>;

class SensorSource {
public:
    SensorSource() = default;
    SensorSource(const SensorSource&) = delete;
    SensorSource& operator=(const SensorSource&) = delete;
    virtual ~SensorSource() = default;

    /// Begins to deliver; called once.
    virtual void start(Sink sink, Notice notice) = 0;
    /// Sends a command to the board; one that it is not capable of is dropped here.
    virtual void send(const protocol::wire::Command& command) = 0;
    /// Asks the source's own thread, where it has one, to show that it lives; whether it did since
    /// the last time.
    virtual bool answers() { return true; }
    /// Ends delivery; no sink call after it returns. Bounded: under two seconds.
    virtual void stop() = 0;
};

}  // namespace xq::hal
