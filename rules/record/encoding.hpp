#pragma once
// Game records come in UTF-8, GB18030, Big5 or a Vietnamese code page, and rarely say which. Bytes
// in, UTF-8 out, and the way back for programs that know no UTF-8. Values only; calls iconv.
#include "rules/fault.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace xq::rules::record {

enum class Encoding : std::uint8_t { Utf8, Gb18030, Big5, Windows1258 };

/// What the bytes are written in: UTF-8 if they are valid UTF-8, else GB18030 or Big5, whichever
/// they make the commoner characters in. Nothing for bytes that are none of the three.
std::optional<Encoding> encoding_of(std::string_view bytes);

/// The text in UTF-8, without a byte order mark. Refuses bytes that are none of the three; the
/// fault's place is the first bad byte as UTF-8.
Result<std::string> to_utf8(std::string_view bytes);
/// Bytes of a known encoding in UTF-8; nothing where they are not of it.
std::optional<std::string> to_utf8(std::string_view bytes, Encoding from);

/// For texts that must be shown whatever they are: as `encoding_of`, but never refuses, and takes
/// for Vietnamese what would be rare Chinese characters.
Encoding likely_encoding(std::string_view bytes);
/// What is no character of the encoding becomes U+FFFD; one cut off at the end is dropped.
std::string to_utf8_anyhow(std::string_view bytes, Encoding from);

/// UTF-8 in another encoding. Refuses a character that the encoding does not have (Big5 has no
/// simplified ones) and names it; the fault's place is its first byte.
Result<std::string> from_utf8(std::string_view text, Encoding to);

}  // namespace xq::rules::record
