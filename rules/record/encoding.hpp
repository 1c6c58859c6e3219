#pragma once
// Game records come in UTF-8, GB18030 or Big5, and rarely say which. Bytes in, UTF-8 out.
#include "rules/fault.hpp"

#include <string>
#include <string_view>

namespace xq::rules::record {

/// The text in UTF-8, without a byte order mark: as it is if it is valid UTF-8, else read as
/// GB18030 or Big5, whichever holds more of the words of this game. Refuses bytes that are none of
/// the three; the fault's place is the first bad byte as UTF-8.
Result<std::string> to_utf8(std::string_view bytes);

}  // namespace xq::rules::record
