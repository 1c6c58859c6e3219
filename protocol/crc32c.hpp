#pragma once
// CRC-32C (Castagnoli), the checksum behind each line of a journal: reflected polynomial
// 0x82F63B78, all ones before and inverted after, so "123456789" gives e3069283.
#include <array>
#include <cstdint>
#include <string_view>

namespace xq::protocol {

namespace detail {
constexpr std::array<std::uint32_t, 256> crc32c_table() {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t byte = 0; byte < table.size(); ++byte) {
        std::uint32_t rest = byte;
        for (int bit = 0; bit < 8; ++bit) rest = (rest >> 1U) ^ ((rest & 1U) * 0x82F63B78U);
        table[byte] = rest;
    }
    return table;
}
inline constexpr std::array<std::uint32_t, 256> crc32c_steps = crc32c_table();
}  // namespace detail

constexpr std::uint32_t crc32c(std::string_view bytes) {
    std::uint32_t crc = ~0U;
    for (const char c : bytes) {
        crc = (crc >> 8U) ^ detail::crc32c_steps[(crc ^ static_cast<std::uint8_t>(c)) & 0xFFU];
    }
    return ~crc;
}
static_assert(crc32c("123456789") == 0xE3069283U);

}  // namespace xq::protocol
