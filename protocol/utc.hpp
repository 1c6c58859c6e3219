#pragma once
// Calendar time as text, always UTC with milliseconds: "2026-05-01T09:00:00.000Z". Used by the
// comments of a journal and by records.
#include "protocol/sensor_event.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace xq::protocol {

/// ms since 1970 as text.
std::string utc_text(Millis utc_ms);
/// The other way; nothing for any other spelling or a day that is none.
std::optional<Millis> read_utc(std::string_view text);

}  // namespace xq::protocol
