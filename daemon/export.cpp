#include "daemon/export.hpp"

#include "rules/record/dhtmlxq.hpp"
#include "rules/record/pgn.hpp"
#include "rules/record/sheet.hpp"

#include <array>

namespace xq::daemon {

namespace {

Result<std::string> in_utf8(const rules::record::GameRecord& game, const FileStyle& style) {
    // Big5 has the traditional signs alone.
    const auto script = style.encoding == rules::record::Encoding::Big5 ? rules::Script::Traditional
                                                                        : rules::Script::Simplified;
    switch (style.format) {
        case FileFormat::DhtmlXq:
            return write_dhtmlxq(game);
        case FileFormat::Text:
            return write_sheet_text(game, style.language);
        case FileFormat::Html:
            return write_sheet_html(game, style.language);
        case FileFormat::Pgn:
            break;
    }
    return write_pgn(game, {style.notation, script});
}

}  // namespace

std::string_view media_type(FileFormat format) {
    constexpr std::array<std::string_view, 4> types{"application/vnd.chess-pgn", "text/plain",
                                                    "text/plain", "text/html"};
    return types[static_cast<std::size_t>(format)];
}

Result<std::string> write_file(const rules::record::GameRecord& record, const FileStyle& style) {
    auto text = in_utf8(record, style);
    if (!text || style.encoding == rules::record::Encoding::Utf8) return text;
    return rules::record::from_utf8(*text, style.encoding);
}

Result<std::string> write_file(const KeptGame& game, const FileStyle& style) {
    return write_file(record_of(game, style.language), style);
}

}  // namespace xq::daemon
