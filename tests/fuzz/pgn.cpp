// Any bytes as a game record of PGN: read or refused, and what was read is written in each notation
// and read again.
#include "rules/record/pgn.hpp"
#include "rules/record/encoding.hpp"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace xq::rules;
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);  // NOLINT: as given
    const auto text = record::to_utf8(bytes);
    if (!text) return 0;
    const auto read = record::read_pgn(*text);
    if (!read) {
        if (read.error().at > text->size() || read.error().what.empty()) std::abort();
        return 0;
    }
    using record::Notation;
    for (const auto notation : {Notation::Chinese, Notation::Iccs, Notation::Wxf}) {
        const auto again = record::read_pgn(record::write_pgn(*read, {notation, {}}));
        if (!again || again->moves() != read->moves() || again->lines.size() != read->lines.size())
            std::abort();
    }
    return 0;
}
