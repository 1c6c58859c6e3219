#pragma once
// What a repeated position comes to: who must change, who has lost, or a draw. Plain values.
#include "rules/types.hpp"

#include <vector>

namespace xq::rules {

enum class Outcome : std::uint8_t { RedMustChange, BlackMustChange, Draw, RedLoses, BlackLoses };

constexpr Outcome must_change(Side s) {
    return s == Side::Red ? Outcome::RedMustChange : Outcome::BlackMustChange;
}
constexpr Outcome loses(Side s) {
    return s == Side::Red ? Outcome::RedLoses : Outcome::BlackLoses;
}
/// The side that the outcome goes against; nothing for a draw.
constexpr std::optional<Side> against(Outcome o) {
    switch (o) {
        case Outcome::RedMustChange:
        case Outcome::RedLoses:
            return Side::Red;
        case Outcome::BlackMustChange:
        case Outcome::BlackLoses:
            return Side::Black;
        case Outcome::Draw:
            break;
    }
    return std::nullopt;
}
constexpr bool is_loss(Outcome o) {
    return o == Outcome::RedLoses || o == Outcome::BlackLoses;
}
std::string_view name(Outcome o);  ///< "red_must_change" ...

struct Verdict {
    Outcome outcome = Outcome::Draw;
    /// True: it takes effect now. False: a warning ("change within two moves"), or a draw that
    /// still waits for the fourth cycle.
    bool final = false;
    std::vector<std::string> articles;  ///< of the rule book, the most telling first
    /// False: a search behind one of the classes met its bound; then the arbiter decides.
    bool proven = true;
    std::string zh;
    std::string en;
};

}  // namespace xq::rules
