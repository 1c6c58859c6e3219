#include "rules/rulebook/cycle_count.hpp"

#include "rules/words.hpp"

#include <algorithm>
#include <array>

namespace xq::rules {

SideCount::SideCount(std::span<const ClassifiedMove> cycle, Side s) {
    for (const ClassifiedMove& m : cycle) {
        if (m.side != s) continue;
        ++plies_;
        checks_ += m.cls == MoveClass::Check ? 1 : 0;
        chases_ += m.cls == MoveClass::Chase && m.counts() ? 1 : 0;
        forbidden_ += m.counts() ? 1 : 0;
        const auto known = std::find_if(classes_.begin(), classes_.end(),
                                        [&](const auto& c) { return c.first == m.cls; });
        if (known == classes_.end())
            classes_.emplace_back(m.cls, 1);
        else
            ++known->second;
    }
    std::sort(classes_.begin(), classes_.end());
}

int SideCount::of(MoveClass c) const {
    const auto known =
        std::find_if(classes_.begin(), classes_.end(), [&](const auto& k) { return k.first == c; });
    return known == classes_.end() ? 0 : known->second;
}

std::string SideCount::zh() const {
    constexpr std::array<std::string_view, 10> digits{"零", "一", "两", "三", "四",
                                                      "五", "六", "七", "八", "九"};
    std::string text;
    for (const auto& [cls, n] : classes_) {
        const auto i = static_cast<std::size_t>(n);
        text += i < digits.size() ? std::string(digits[i]) : std::to_string(n);
        text += name_zh(cls);
    }
    return text;
}

std::string SideCount::en() const {
    std::string text;
    for (const auto& [cls, n] : classes_) {
        if (!text.empty()) text += " + ";
        text += std::to_string(n) + " " + std::string(name(cls));
    }
    return text;
}

std::string tally_zh(std::span<const ClassifiedMove> cycle) {
    return "红方" + SideCount(cycle, Side::Red).zh() + "，黑方" +
           SideCount(cycle, Side::Black).zh();
}

std::string tally_en(std::span<const ClassifiedMove> cycle) {
    return "Red: " + SideCount(cycle, Side::Red).en() +
           "; Black: " + SideCount(cycle, Side::Black).en();
}

}  // namespace xq::rules
