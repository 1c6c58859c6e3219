#pragma once
// Plays a sensor log as if it happened now: bug reports, demonstrations, rehearsals. A journal is
// played alike. Owned by the shell; io thread.
#include "hal/pacer.hpp"
#include "hal/sources.hpp"
#include "protocol/sensor_log.hpp"

#include <fstream>

namespace xq::hal {

class LogBoard : public SensorSource {
public:
    /// `file` stands at the log's first line; `name` is for notices.
    LogBoard(const boost::asio::any_io_executor& io, Now now, std::ifstream file, std::string name,
             double speed);

    void start(Sink sink, Notice notice) override;
    void send(const protocol::wire::Command&) override {}  // what is played cannot be told anything
    void stop() override;

private:
    std::optional<protocol::Timed> next();

    Pacer pacer_;
    Now now_;
    std::ifstream file_;
    std::string name_;
    protocol::LogReader reader_;
    Sink sink_;
    Notice notice_;
    protocol::Millis last_ = 0;
    bool ended_ = false;
    bool running_ = false;
};

}  // namespace xq::hal
