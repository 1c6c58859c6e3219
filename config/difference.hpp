#pragma once
// In which keys two configurations differ. Pure.
#include "config/settings.hpp"

#include <string>
#include <vector>

namespace xq::config {

/// "sensor.driver" and the like, in the order of the table of keys.
std::vector<std::string> differing(const Settings& a, const Settings& b);

}  // namespace xq::config
