#include "daemon/metrics.hpp"

#include <algorithm>
#include <sstream>

namespace xq::daemon {

namespace {

constexpr double second_us = 1e6;

}  // namespace

void Histogram::add(std::chrono::microseconds duration) {
    const auto* const bound =
        std::lower_bound(bounds_us.begin(), bounds_us.end(), duration.count());
    ++counts_[static_cast<std::size_t>(bound - bounds_us.begin())];
    sum_ += duration;
}

std::string Histogram::text(std::string_view name, std::string_view help) const {
    std::ostringstream out;
    out << "# HELP " << name << ' ' << help << "\n# TYPE " << name << " histogram\n";
    std::uint64_t at_most = 0;
    for (std::size_t i = 0; i < counts_.size(); ++i) {
        at_most += counts_[i];
        out << name << "_bucket{le=\"";
        if (i < bounds_us.size()) {
            out << static_cast<double>(bounds_us[i]) / second_us;
        } else {
            out << "+Inf";
        }
        out << "\"} " << at_most << '\n';
    }
    out << name << "_sum " << static_cast<double>(sum_.count()) / second_us << '\n'
        << name << "_count " << at_most << '\n';
    return out.str();
}

void MetricsText::add(std::string_view name, std::string_view kind, std::string_view help,
                      double value) {
    head(name, kind, help);
    std::ostringstream number;
    number.precision(17);
    number << value;
    text_.append(name).append(" ").append(number.str()).append("\n");
}

void MetricsText::add(std::string_view name, std::string_view kind, std::string_view help,
                      std::string_view label,
                      const std::vector<std::pair<std::string_view, std::uint64_t>>& values) {
    head(name, kind, help);
    for (const auto& [which, value] : values) {
        text_.append(name).append("{").append(label).append("=\"").append(which).append("\"} ");
        text_.append(std::to_string(value)).append("\n");
    }
}

void MetricsText::head(std::string_view name, std::string_view kind, std::string_view help) {
    text_.append("# HELP ").append(name).append(" ").append(help);
    text_.append("\n# TYPE ").append(name).append(" ").append(kind).append("\n");
}

}  // namespace xq::daemon
