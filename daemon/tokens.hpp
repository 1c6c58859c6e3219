#pragma once
// The arbiters' tokens: how one is made, what is kept of it, and whose one is that was shown. The
// daemon checks them, xiangqictl makes them. Plain values; `token_file` reads and writes them.
//
// A token is NAME.SECRET, the secret 140 random bits. What is kept is a line NAME:ROLE:HASH, the
// hash `pbkdf2-sha256$ITERATIONS$SALT$KEY` with salt and key in hex: nobody gets in by reading it.
#include "rules/fault.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace xq::daemon {

struct TokenEntry {
    std::string name{};
    bool may_change = true;  ///< role `arbiter`; else `watch`
    int iterations = 0;
    std::array<unsigned char, 16> salt{};
    std::array<unsigned char, 32> key{};
    bool operator==(const TokenEntry&) const = default;
};

/// Names go into journals and tokens: 1 to 32 of a-z A-Z 0-9 - _.
bool is_token_name(std::string_view name);

/// The lines of a token file; empty ones and those that begin with `#` count for nothing. A fault
/// names the line, and nothing of what stands there.
Result<std::vector<TokenEntry>> read_tokens(std::string_view text);
/// The line of an entry, without a newline.
std::string write_token(const TokenEntry& entry);

struct NewToken {
    TokenEntry entry;
    std::string token;  ///< what its owner is told, once
};
/// Throws std::runtime_error where the system has no randomness to give.
NewToken make_token(std::string_view name, bool may_change);

/// Whose token this is, or null. Takes as long whether the name is known or not, and compares in
/// constant time.
const TokenEntry* find_token(const std::vector<TokenEntry>& entries, std::string_view token);

}  // namespace xq::daemon
