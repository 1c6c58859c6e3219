#include "rules/record/encoding.hpp"

#include <iconv.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>

namespace xq::rules::record {
namespace {

/// Length of the UTF-8 character that begins with this byte; 0: none does.
std::size_t character_length(char first) {
    const auto lead = static_cast<unsigned char>(first);
    return lead < 0x80   ? 1
           : lead < 0xC2 ? 0
           : lead < 0xE0 ? 2
           : lead < 0xF0 ? 3
           : lead < 0xF5 ? 4
                         : 0;
}

/// Where `text` stops being UTF-8; its size if it is all good.
std::size_t utf8_until(std::string_view text) {
    std::size_t i = 0;
    while (i < text.size()) {
        const std::size_t length = character_length(text[i]);
        if (length == 0 || i + length > text.size()) return i;
        for (std::size_t k = 1; k < length; ++k)
            if ((static_cast<unsigned char>(text[i + k]) & 0xC0U) != 0x80) return i;
        i += length;
    }
    return i;
}

struct Converted {
    std::string text;
    std::size_t read = 0;  ///< bytes until the first that could not be converted
};

enum class Broken : std::uint8_t { Stop, Replace };

/// What cannot be converted ends it, or is replaced by U+FFFD byte by byte.
Converted convert(std::string_view bytes, const char* from, const char* to, Broken broken) {
    const auto close = [](void* cd) { iconv_close(cd); };
    iconv_t cd = iconv_open(to, from);
    if (cd == reinterpret_cast<iconv_t>(-1)) return {};  // NOLINT: iconv's own sign
    const std::unique_ptr<void, decltype(close)> closer(cd, close);
    constexpr auto failed = static_cast<std::size_t>(-1);
    std::string in(bytes);
    std::string out(bytes.size() * 4, '\0');  // no character grows more
    char* read = in.data();
    char* write = out.data();
    std::size_t left = in.size();
    std::size_t room = out.size();
    bool all = true;
    while (iconv(cd, &read, &left, &write, &room) == failed) {
        all = false;
        if (broken == Broken::Stop || errno != EILSEQ) break;  // else a character cut off
        constexpr std::string_view replacement = "\uFFFD";
        write = std::copy(replacement.begin(), replacement.end(), write);
        room -= replacement.size();
        ++read;
        --left;
    }
    iconv(cd, nullptr, nullptr, &write, &room);
    out.resize(out.size() - room);
    return {std::move(out), all ? bytes.size() : bytes.size() - left};
}

/// As iconv calls them, in the order of `Encoding`. Big5 is read with Hong Kong's additions and
/// written without.
constexpr std::array<const char*, 4> names_to_read{"UTF-8", "GB18030", "BIG5-HKSCS", "CP1258"};
constexpr std::array<const char*, 4> names_to_write{"UTF-8", "GB18030", "BIG5", "CP1258"};

const char* name_of(const std::array<const char*, 4>& names, Encoding e) {
    return names[static_cast<std::size_t>(e)];
}

/// How many of the signs that move texts are made of a text holds.
std::size_t words_of_the_game(std::string_view text) {
    constexpr std::array<std::string_view, 34> signs{
        "车", "車", "马", "馬", "炮", "砲", "包", "相", "象", "仕", "士", "帅",
        "帥", "将", "將", "兵", "卒", "进", "進", "退", "平", "前", "后", "後",
        "一", "二", "三", "四", "五", "六", "七", "八", "九", "俥"};
    std::size_t n = 0;
    for (std::size_t i = 0; i + 3 <= text.size(); ++i) {
        if (character_length(text[i]) != 3) continue;
        n += std::find(signs.begin(), signs.end(), text.substr(i, 3)) != signs.end() ? 1U : 0U;
    }
    return n;
}

struct Pairs {
    std::size_t all = 0;
    std::size_t common = 0;
};
/// The pairs of bytes, and how many of them are a common character: both encodings lay those out
/// apart, the first level of GB 2312 from B0A1 to D7FE, that of Big5 from A440 to C67E, and their
/// punctuation.
Pairs pairs_in(std::string_view bytes, Encoding e) {
    Pairs pairs;
    for (std::size_t i = 0; i + 1 < bytes.size(); ++i) {
        const auto lead = static_cast<unsigned char>(bytes[i]);
        const auto trail = static_cast<unsigned char>(bytes[i + 1]);
        if (lead < 0x80) continue;
        const bool common =
            e == Encoding::Gb18030
                ? trail >= 0xA1 && ((lead >= 0xB0 && lead <= 0xD7) || lead == 0xA1 || lead == 0xA3)
                : lead >= 0xA1 && lead <= 0xC6;
        pairs.common += common ? 1U : 0U;
        ++pairs.all;
        ++i;
    }
    return pairs;
}

/// How well the bytes read in an encoding; nothing where they are not of it.
std::optional<std::size_t> plausibility(std::string_view bytes, Encoding e) {
    const auto text = to_utf8(bytes, e);
    if (!text) return std::nullopt;
    return words_of_the_game(*text) + pairs_in(bytes, e).common;
}

}  // namespace

std::optional<Encoding> encoding_of(std::string_view bytes) {
    if (utf8_until(bytes) == bytes.size()) return Encoding::Utf8;
    const auto gb = plausibility(bytes, Encoding::Gb18030);
    const auto big5 = plausibility(bytes, Encoding::Big5);
    if (!gb && !big5) return std::nullopt;
    return gb && (!big5 || *gb >= *big5) ? Encoding::Gb18030 : Encoding::Big5;
}

Encoding likely_encoding(std::string_view bytes) {
    const auto certain = encoding_of(bytes);
    if (certain && *certain != Encoding::Gb18030) return *certain;
    const auto [all, common] = pairs_in(bytes, Encoding::Gb18030);
    // Traditional characters are rare ones of GB 18030, but never as rare as what letters make.
    return common * 3 >= all ? Encoding::Gb18030 : Encoding::Windows1258;
}

std::string to_utf8_anyhow(std::string_view bytes, Encoding from) {
    return convert(bytes, name_of(names_to_read, from), "UTF-8", Broken::Replace).text;
}

std::optional<std::string> to_utf8(std::string_view bytes, Encoding from) {
    auto converted = convert(bytes, name_of(names_to_read, from), "UTF-8", Broken::Stop);
    if (converted.read != bytes.size()) return std::nullopt;
    return std::move(converted.text);
}

Result<std::string> to_utf8(std::string_view bytes) {
    constexpr std::string_view mark = "\xEF\xBB\xBF";
    if (bytes.starts_with(mark)) bytes.remove_prefix(mark.size());
    if (const auto encoding = encoding_of(bytes))
        if (auto text = to_utf8(bytes, *encoding)) return *text;
    return Fault{utf8_until(bytes), "the text is neither UTF-8 nor GB18030 nor Big5"};
}

Result<std::string> from_utf8(std::string_view text, Encoding to) {
    auto converted = convert(text, "UTF-8", name_of(names_to_write, to), Broken::Stop);
    if (converted.read == text.size()) return std::move(converted.text);
    const std::size_t at = converted.read;
    const std::size_t length = std::max<std::size_t>(character_length(text[at]), 1);
    return Fault{at, std::string(name_of(names_to_write, to)) + " has no \"" +
                         std::string(text.substr(at, length)) + "\""};
}

}  // namespace xq::rules::record
