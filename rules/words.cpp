#include "rules/words.hpp"

#include "rules/notation.hpp"

#include <array>

namespace xq::rules {

std::string_view name(MoveClass c) {
    constexpr std::array<std::string_view, 8> names{"check", "kill",  "chase",  "exchange",
                                                    "offer", "block", "follow", "idle"};
    return names[static_cast<std::size_t>(c)];
}

std::string_view name_zh(MoveClass c) {
    constexpr std::array<std::string_view, 8> names{"将", "杀", "捉", "兑", "献", "拦", "跟", "闲"};
    return names[static_cast<std::size_t>(c)];
}

}  // namespace xq::rules

namespace xq::rules::words {

Both side(Side s) {
    return s == Side::Red ? Both{"红方", "Red"} : Both{"黑方", "Black"};
}

Both piece(Piece p) {
    constexpr std::array<std::string_view, 8> red{"", "帅", "仕", "相", "马", "车", "炮", "兵"};
    constexpr std::array<std::string_view, 8> black{"", "将", "士", "象", "马", "车", "炮", "卒"};
    constexpr std::array<std::string_view, 8> english{"",       "general", "advisor", "elephant",
                                                      "knight", "rook",    "cannon",  "pawn"};
    const auto kind = static_cast<std::size_t>(p.kind());
    return {std::string(p.side() == Side::Red ? red[kind] : black[kind]),
            std::string(english[kind])};
}

Both piece_at(Piece p, Point at) {
    const Both what = piece(p);
    const bool red = p.side() == Side::Red;
    return {(red ? "红" : "黑") + what.zh + "(" + name(at) + ")",
            std::string("the ") + (red ? "red " : "black ") + what.en + " on " + name(at)};
}

Both line(const Position& from, std::span<const Move> moves) {
    Both text;
    Position p = from;
    for (const Move m : moves) {
        if (!text.zh.empty()) text += {"，", " "};
        text += {chinese(p, m), iccs(m)};
        p.apply(m);
    }
    return text;
}

Both root(Root r) {
    switch (r) {
        case Root::None:
            return {"无根", "unprotected"};
        case Root::False:
            return {"假根", "falsely protected"};
        case Root::Few:
            return {"少根", "protected by too few"};
        case Root::Whole:
            break;
    }
    return {"有根", "protected"};
}

Both list(std::span<const Both> items) {
    Both text;
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (i > 0) text += {"、", i + 1 == items.size() ? " and " : ", "};
        text += items[i];
    }
    return text;
}

}  // namespace xq::rules::words
