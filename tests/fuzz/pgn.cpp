// Any bytes as a game record: read or refused, and the moves that come of it are legal.
#include "rules/record/pgn.hpp"
#include "rules/moves.hpp"
#include "rules/record/encoding.hpp"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);  // NOLINT: as given
    const auto text = xq::rules::record::to_utf8(bytes);
    if (!text) return 0;
    const auto record = xq::rules::record::read_pgn(*text);
    if (!record) {
        if (record.error().at > text->size()) std::abort();
        return 0;
    }
    xq::rules::Position p = record->start;
    for (const auto m : record->moves) {
        if (!xq::rules::is_legal(p, m)) std::abort();
        p.apply(m);
    }
    return 0;
}
