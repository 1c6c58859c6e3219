#include "rules/record/encoding.hpp"

#include <iconv.h>
#include <algorithm>
#include <array>
#include <memory>
#include <optional>

namespace xq::rules::record {
namespace {

/// Where `text` stops being UTF-8; its size if it is all good.
std::size_t utf8_until(std::string_view text) {
    std::size_t i = 0;
    while (i < text.size()) {
        const auto lead = static_cast<unsigned char>(text[i]);
        const std::size_t more = lead < 0x80   ? 0
                                 : lead < 0xC2 ? 4
                                 : lead < 0xE0 ? 1
                                 : lead < 0xF0 ? 2
                                 : lead < 0xF5 ? 3
                                               : 4;
        if (more == 4 || i + more >= text.size() + (more == 0 ? 1 : 0)) return i;
        for (std::size_t k = 1; k <= more; ++k)
            if ((static_cast<unsigned char>(text[i + k]) & 0xC0U) != 0x80) return i;
        i += more + 1;
    }
    return i;
}

std::optional<std::string> converted(std::string_view bytes, const char* from) {
    const auto close = [](void* cd) { iconv_close(cd); };
    iconv_t cd = iconv_open("UTF-8", from);
    if (cd == reinterpret_cast<iconv_t>(-1)) return std::nullopt;  // NOLINT: iconv's own sign
    const std::unique_ptr<void, decltype(close)> closer(cd, close);
    std::string in(bytes);
    std::string out(bytes.size() * 4, '\0');  // no character grows more
    char* read = in.data();
    char* write = out.data();
    std::size_t left = in.size();
    std::size_t room = out.size();
    if (iconv(cd, &read, &left, &write, &room) == static_cast<std::size_t>(-1)) return std::nullopt;
    out.resize(out.size() - room);
    return out;
}

/// How many of the signs that move texts are made of a text holds.
std::size_t words_of_the_game(std::string_view text) {
    constexpr std::array<std::string_view, 34> signs{
        "车", "車", "马", "馬", "炮", "砲", "包", "相", "象", "仕", "士", "帅",
        "帥", "将", "將", "兵", "卒", "进", "進", "退", "平", "前", "后", "後",
        "一", "二", "三", "四", "五", "六", "七", "八", "九", "俥"};
    std::size_t n = 0;
    for (std::size_t i = 0; i + 3 <= text.size(); ++i)
        n += std::find(signs.begin(), signs.end(), text.substr(i, 3)) != signs.end() ? 1U : 0U;
    return n;
}

}  // namespace

Result<std::string> to_utf8(std::string_view bytes) {
    constexpr std::string_view mark = "\xEF\xBB\xBF";
    if (bytes.starts_with(mark)) bytes.remove_prefix(mark.size());
    const std::size_t good = utf8_until(bytes);
    if (good == bytes.size()) return std::string(bytes);
    auto gb = converted(bytes, "GB18030");
    auto big5 = converted(bytes, "BIG5-HKSCS");
    if (gb && (!big5 || words_of_the_game(*gb) >= words_of_the_game(*big5))) return *gb;
    if (big5) return *big5;
    return Fault{good, "the text is neither UTF-8 nor GB18030 nor Big5"};
}

}  // namespace xq::rules::record
