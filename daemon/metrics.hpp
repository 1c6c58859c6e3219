#pragma once
// Counters of what the daemon has done since its start, and their text for Prometheus. Plain
// numbers that their owners raise on the io thread.
#include "protocol/broadcast.hpp"

#include <array>
#include <chrono>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace xq::daemon {

/// How often a duration was at most so long.
class Histogram {
public:
    void add(std::chrono::microseconds duration);
    /// The lines of one Prometheus histogram, in seconds.
    std::string text(std::string_view name, std::string_view help) const;

private:
    static constexpr std::array<std::int64_t, 12> bounds_us{
        50, 100, 250, 500, 1000, 2500, 5000, 10'000, 50'000, 250'000, 1'000'000, 5'000'000};
    std::array<std::uint64_t, bounds_us.size() + 1> counts_{};
    std::chrono::microseconds sum_{0};
};

/// Text in Prometheus' format, metric by metric.
class MetricsText {
public:
    /// `kind` is counter or gauge.
    void add(std::string_view name, std::string_view kind, std::string_view help, double value);
    /// One value for each value of a label.
    void add(std::string_view name, std::string_view kind, std::string_view help,
             std::string_view label,
             const std::vector<std::pair<std::string_view, std::uint64_t>>& values);
    void add(const std::string& lines) { text_ += lines; }
    const std::string& text() const { return text_; }

private:
    void head(std::string_view name, std::string_view kind, std::string_view help);
    std::string text_;
};

struct Metrics {
    std::uint64_t messages = 0;
    std::uint64_t plies = 0;  ///< final ones
    std::map<protocol::Code, std::uint64_t> rulings;
    std::uint64_t not_durable = 0;  ///< messages that were announced although the disk had failed
    std::uint64_t sensor_events = 0;
    std::uint64_t unplugs = 0;
    std::uint64_t lost_packets = 0;
    std::uint64_t calls = 0;
    Histogram announcement;  ///< from an event's arrival to its announcement
    Histogram sync;          ///< of the journal
};

}  // namespace xq::daemon
