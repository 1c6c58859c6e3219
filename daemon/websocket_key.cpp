#include "daemon/websocket_key.hpp"

#include <openssl/evp.h>
#include <openssl/sha.h>
#include <array>

namespace xq::daemon {

std::string websocket_accept(std::string_view key) {
    const std::string salted = std::string(key) + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    std::array<unsigned char, SHA_DIGEST_LENGTH> digest{};
    EVP_Digest(salted.data(), salted.size(), digest.data(), nullptr, EVP_sha1(), nullptr);
    // 20 bytes are 28 characters of base64, and a NUL behind them.
    std::array<unsigned char, 29> text{};
    EVP_EncodeBlock(text.data(), digest.data(), static_cast<int>(digest.size()));
    return reinterpret_cast<const char*>(text.data());
}

}  // namespace xq::daemon
