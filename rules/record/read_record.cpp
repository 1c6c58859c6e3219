#include "rules/record/read_record.hpp"

#include "rules/record/dhtmlxq.hpp"
#include "rules/record/encoding.hpp"
#include "rules/record/pgn.hpp"
#include "rules/record/xqf.hpp"

#include <algorithm>

namespace xq::rules::record {
namespace {

/// "line 3, column 5: " of a place in UTF-8, both from 1.
std::string line_and_column(std::string_view text, std::size_t at) {
    const std::string_view before = text.substr(0, at);
    const auto lines = std::count(before.begin(), before.end(), '\n');
    const auto last = before.substr(before.rfind('\n') + 1);
    const auto characters = std::count_if(last.begin(), last.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0U) != 0x80;
    });
    return "line " + std::to_string(lines + 1) + ", column " + std::to_string(characters + 1) +
           ": ";
}

Fault placed(const Fault& fault, const std::string& place) {
    return {fault.at, place + fault.what};
}

}  // namespace

Result<GameRecord> read_record(std::string_view bytes) {
    if (is_xqf(bytes)) {
        auto record = read_xqf(bytes);
        if (record) return record;
        return placed(record.error(), "byte " + std::to_string(record.error().at) + ": ");
    }
    if (bytes.starts_with("CCBridge"))
        return Fault{0, "byte 0: files of CCBridge are not read; save the game as PGN or XQF"};
    const auto text = to_utf8(bytes);
    if (!text) return placed(text.error(), "byte " + std::to_string(text.error().at) + ": ");
    const bool dhtmlxq = text->find("[DhtmlXQ") != std::string::npos;
    auto record = dhtmlxq ? read_dhtmlxq(*text) : read_pgn(*text);
    if (record) return record;
    return placed(record.error(), line_and_column(*text, record.error().at));
}

}  // namespace xq::rules::record
