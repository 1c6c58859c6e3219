#pragma once
// The file of the arbiters' tokens: read only where nobody else can, replaced as a whole. Used by
// the daemon at start and on SIGHUP, and by xiangqictl.
#include "daemon/tokens.hpp"

#include <string>

namespace xq::daemon {

/// The text of a file that only its owner may read or write (one of systemd's credentials: its
/// group, too). The fault names the file and what to do.
Result<std::string> read_secret(const std::string& path);

/// The entries of a token file.
Result<std::vector<TokenEntry>> load_tokens(const std::string& path);

/// Replaces the file, or makes it, for its owner alone: the owner that it had, or that of its
/// directory. What went wrong, empty: nothing.
std::string save_secret(const std::string& path, const std::string& text);

}  // namespace xq::daemon
