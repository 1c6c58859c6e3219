#include "daemon/tokens.hpp"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <algorithm>
#include <charconv>
#include <span>
#include <stdexcept>

namespace xq::daemon {

namespace {

// The secret is random, so no number of guesses will do and the hash need not be slow; it must not
// be, for the referee waits meanwhile (1 ms, some more on a Raspberry Pi).
constexpr int usual_iterations = 2'000;
// A file that asks for more would keep the referee waiting.
constexpr int most_iterations = 100'000;
constexpr std::size_t longest_name = 32;
constexpr std::string_view method = "pbkdf2-sha256";
constexpr std::string_view arbiter_role = "arbiter";
constexpr std::string_view watch_role = "watch";

// 32 letters that are not taken for each other, five bits each.
constexpr std::string_view letters = "0123456789abcdefghjkmnpqrstvwxyz";
constexpr std::size_t secret_letters = 28;
constexpr std::size_t letters_a_group = 4;

using Key = decltype(TokenEntry::key);

Key derive(std::string_view token, const TokenEntry& entry) {
    Key key{};
    PKCS5_PBKDF2_HMAC(token.data(), static_cast<int>(token.size()), entry.salt.data(),
                      static_cast<int>(entry.salt.size()), entry.iterations, EVP_sha256(),
                      static_cast<int>(key.size()), key.data());
    return key;
}

void fill_randomly(std::span<unsigned char> bytes) {
    if (RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) != 1) {
        throw std::runtime_error("the system has no random numbers to give");
    }
}

/// Takes what stands before `end` off the text; all of it where there is no `end`.
std::string_view take(std::string_view& text, char end) {
    const auto at = std::min(text.find(end), text.size());
    const auto part = text.substr(0, at);
    text.remove_prefix(std::min(at + 1, text.size()));
    return part;
}

bool read_hex(std::string_view text, std::span<unsigned char> bytes) {
    if (text.size() != bytes.size() * 2) return false;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        const char* const digits = text.data() + i * 2;
        const auto [end, error] = std::from_chars(digits, digits + 2, bytes[i], 16);
        if (error != std::errc{} || end != digits + 2) return false;
    }
    return true;
}

std::string write_hex(std::span<const unsigned char> bytes) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    for (const unsigned char byte : bytes) {
        text += digits[byte >> 4U];
        text += digits[byte & 0xFU];
    }
    return text;
}

/// What is wrong with the line; empty: nothing.
std::string read_line(std::string_view line, TokenEntry& entry) {
    entry.name = take(line, ':');
    if (!is_token_name(entry.name)) return "a name has 1 to 32 of a-z A-Z 0-9 - _";
    const auto role = take(line, ':');
    if (role != arbiter_role && role != watch_role) {
        return "behind the name stands `arbiter` or `watch`";
    }
    entry.may_change = role == arbiter_role;
    const bool known_method = take(line, '$') == method;
    const auto count = take(line, '$');
    const auto [end, error] =
        std::from_chars(count.data(), count.data() + count.size(), entry.iterations);
    const bool counted = error == std::errc{} && end == count.data() + count.size() &&
                         entry.iterations >= 1 && entry.iterations <= most_iterations;
    if (!known_method || !counted || !read_hex(take(line, '$'), entry.salt) ||
        !read_hex(line, entry.key)) {
        return "the hash is none that `xiangqictl token add` has made";
    }
    return {};
}

}  // namespace

bool is_token_name(std::string_view name) {
    constexpr std::string_view allowed =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
    return !name.empty() && name.size() <= longest_name &&
           name.find_first_not_of(allowed) == std::string_view::npos;
}

Result<std::vector<TokenEntry>> read_tokens(std::string_view text) {
    std::vector<TokenEntry> entries;
    for (std::size_t number = 1; !text.empty(); ++number) {
        const auto line = take(text, '\n');
        if (line.empty() || line.starts_with('#')) continue;
        TokenEntry entry;
        std::string wrong = read_line(line, entry);
        const auto same_name = [&](const TokenEntry& other) { return other.name == entry.name; };
        if (wrong.empty() && std::any_of(entries.begin(), entries.end(), same_name)) {
            wrong = "this name stands further up already";
        }
        if (!wrong.empty()) return Fault{0, "line " + std::to_string(number) + ": " + wrong};
        entries.push_back(std::move(entry));
    }
    return entries;
}

std::string write_token(const TokenEntry& entry) {
    return entry.name + ':' + std::string(entry.may_change ? arbiter_role : watch_role) + ':' +
           std::string(method) + '$' + std::to_string(entry.iterations) + '$' +
           write_hex(entry.salt) + '$' + write_hex(entry.key);
}

NewToken make_token(std::string_view name, bool may_change) {
    NewToken made;
    std::array<unsigned char, secret_letters> secret{};
    fill_randomly(secret);
    made.token = std::string(name) + '.';
    for (std::size_t i = 0; i < secret.size(); ++i) {
        if (i > 0 && i % letters_a_group == 0) made.token += '-';
        made.token += letters[secret[i] % letters.size()];
    }
    made.entry = {
        .name = std::string(name), .may_change = may_change, .iterations = usual_iterations};
    fill_randomly(made.entry.salt);
    made.entry.key = derive(made.token, made.entry);
    return made;
}

const TokenEntry* find_token(const std::vector<TokenEntry>& entries, std::string_view token) {
    static const TokenEntry nobody{.iterations = usual_iterations};
    const auto name = token.substr(0, token.find('.'));
    const auto found = std::find_if(entries.begin(), entries.end(),
                                    [&](const TokenEntry& entry) { return entry.name == name; });
    const TokenEntry& asked = found != entries.end() ? *found : nobody;
    const Key key = derive(token, asked);
    const bool fits = CRYPTO_memcmp(key.data(), asked.key.data(), key.size()) == 0;
    return fits && found != entries.end() ? &asked : nullptr;
}

}  // namespace xq::daemon
