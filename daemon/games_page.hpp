#pragma once
// The list of games, as a page and as JSON. Plain functions, any thread.
#include "daemon/archive.hpp"

#include <optional>
#include <string>
#include <vector>

namespace xq::daemon {

struct GamesList {
    std::string board;
    std::optional<KeptGame> current;    ///< the public's game, while it is not over
    std::vector<ArchivedGame> games;    ///< that are over, the newest first
    std::optional<std::string> no_log;  ///< id of the one whose log is not yet there
};

std::string games_html(const GamesList& list);
std::string games_json(const GamesList& list);

/// Text in which all but letters, digits and -._~ is %XX, for an address; and back, nothing where
/// it is broken.
std::string percent_encoded(std::string_view text);
std::optional<std::string> percent_decoded(std::string_view text);

}  // namespace xq::daemon
