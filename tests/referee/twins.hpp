#pragma once
// The referee favours no side and no hand: a log with left and right exchanged, or with the colours
// exchanged, must be ruled the same. Pure functions of logs and messages.
#include "daemon/referee/table.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace xq::test {

std::string_view severity(protocol::Severity s);    ///< "info" ...
std::string_view status(protocol::RulingStatus s);  ///< "proposed" ...

/// A log as it would be with left and right exchanged, or with the colours exchanged.
enum class Twin : std::uint8_t { Mirrored, Exchanged };
std::vector<protocol::Timed> twin_of(const std::vector<protocol::Timed>& log, Twin kind);
/// What the messages say, one line each, as the twin would say it (`std::nullopt`: as it is).
std::vector<std::string> gist(const std::vector<protocol::Message>& messages,
                              std::optional<Twin> kind);

/// Where what a table says to the twins of `log` differs from what it says to the log itself, the
/// first line of each; empty where nothing does. Where the log `leans` (Black's press starts the
/// clocks) the colours are not exchanged.
std::string unlike_its_twins(const referee::Regulations& r, const std::vector<protocol::Timed>& log,
                             protocol::Millis until, bool leans = false);

}  // namespace xq::test
