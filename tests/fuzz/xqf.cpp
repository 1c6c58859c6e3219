// Any bytes as an XQF file: read or refused, and what was read can be written as PGN and read
// again.
#include "rules/record/xqf.hpp"
#include "rules/record/pgn.hpp"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace xq::rules::record;
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);  // NOLINT: as given
    const auto record = read_xqf(bytes);
    if (!record) {
        if (record.error().at > bytes.size() || record.error().what.empty()) std::abort();
        return 0;
    }
    const auto again = read_pgn(write_pgn(*record));
    if (!again || again->moves() != record->moves() || again->lines.size() != record->lines.size())
        std::abort();
    return 0;
}
