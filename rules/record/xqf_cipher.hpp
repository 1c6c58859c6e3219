#pragma once
// The cipher of XQF from version 11 on: bytes of its head make one offset for each kind of number
// and a mask that is laid over all that follows the head. Private to the folder.
#include <array>
#include <cstdint>
#include <string_view>

namespace xq::rules::record::xqf {

using Byte = std::uint8_t;

inline constexpr std::size_t head_size = 0x400;
inline constexpr std::size_t pieces_at = 0x10;
inline constexpr int first_enciphered = 11;  ///< version
inline constexpr int first_permuted = 12;    ///< version: the pieces' places are turned round too

struct Cipher {
    Byte piece = 0;
    Byte from = 0;
    Byte to = 0;
    std::int32_t note = 0;
    std::array<Byte, 32> mask{};

    /// `head` holds at least its first 16 bytes.
    static Cipher of(std::string_view head) {
        const auto at = [&](std::size_t i) { return static_cast<Byte>(head[i]); };
        Cipher c;
        if (at(2) < first_enciphered) return c;
        const auto folded = [](unsigned b, unsigned by) {
            return static_cast<Byte>((54 * b * b + 221) * by);
        };
        c.piece = folded(at(13), at(13));
        c.from = folded(at(14), c.piece);
        c.to = folded(at(15), c.from);
        c.note = (256 * at(12) + at(13)) % 32000 + 767;
        constexpr std::string_view text = "[(C) Copyright Mr. Dong Shiwei.]";
        for (std::size_t i = 0; i < c.mask.size(); ++i) {
            const std::size_t k = i % 4;
            const auto key = static_cast<Byte>(at(8 + k) | (at(12 + k) & at(3)));
            c.mask[i] = static_cast<Byte>(static_cast<Byte>(text[i]) & key);
        }
        return c;
    }

    /// Which slot (piece_slots.hpp) the head's place `i` belongs to.
    std::size_t slot(std::size_t i, int version) const {
        return version < first_permuted ? i : (i + piece + 1U) % mask.size();
    }
};

}  // namespace xq::rules::record::xqf
