#pragma once
// The ruling codes of the broadcast: their names, the articles of the 2010 rules they rest on, and
// what they are called by default in Chinese and English. One table, indexed by `Code`.
#include "protocol/broadcast.hpp"

#include <span>
#include <string_view>

namespace xq::protocol {

struct RulingText {
    Code code;
    std::string_view text;     ///< as in the broadcast: "illegal_move"
    std::string_view article;  ///< "4.1.8, 9.1.8"; empty for a ruling of the arbiter's own
    std::string_view zh;
    std::string_view en;
};

/// Every code, in the order of `Code`.
std::span<const RulingText> ruling_texts();
const RulingText& about(Code code);

}  // namespace xq::protocol
