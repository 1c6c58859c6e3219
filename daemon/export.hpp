#pragma once
// A kept game as a file in the format that was asked for. Plain functions; a few milliseconds for a
// long game, so the daemon calls them on its worker's thread.
#include "daemon/record_of.hpp"
#include "rules/record/encoding.hpp"
#include "rules/record/move_text.hpp"

#include <string_view>

namespace xq::daemon {

enum class FileFormat : std::uint8_t { Pgn, DhtmlXq, Text, Html };

struct FileStyle {
    FileFormat format = FileFormat::Pgn;
    rules::Language language = rules::Language::Chinese;
    rules::record::Notation notation = rules::record::Notation::Chinese;  ///< of PGN
    rules::record::Encoding encoding = rules::record::Encoding::Utf8;
    bool operator==(const FileStyle&) const = default;
};

/// The media type of a format, without its charset.
std::string_view media_type(FileFormat format);

/// Refuses what the format or the encoding cannot hold, with one sentence.
Result<std::string> write_file(const KeptGame& game, const FileStyle& style);
/// The same of a record.
Result<std::string> write_file(const rules::record::GameRecord& record, const FileStyle& style);

}  // namespace xq::daemon
