#pragma once
// How the rule books speak of pieces, lines and sides, Chinese and English. Texts only, no rules.
#include "rules/move_class.hpp"
#include "rules/position.hpp"

#include <cstdint>
#include <span>

namespace xq::rules {

enum class Language : std::uint8_t { Chinese, English };

}  // namespace xq::rules

namespace xq::rules::words {

/// One text in both languages.
struct Both {
    std::string zh;
    std::string en;
    const std::string& in(Language l) const { return l == Language::Chinese ? zh : en; }
    Both& operator+=(const Both& more) {
        zh += more.zh;
        en += more.en;
        return *this;
    }
};

Both side(Side s);                 ///< 红方, Red
Both piece(Piece p);               ///< 车, rook
Both piece_at(Piece p, Point at);  ///< 黑炮(e7), the black cannon on e7
/// The line in Chinese notation and in ICCS, played from `from`: 车五进二 将5平6, e5e7 e9f9.
Both line(const Position& from, std::span<const Move> moves);
Both root(Root r);  ///< 无根, unprotected …
/// 甲、乙 and "a, b and c".
Both list(std::span<const Both> items);

}  // namespace xq::rules::words
