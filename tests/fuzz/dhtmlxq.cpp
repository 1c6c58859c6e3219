// Any text as a DhtmlXQ record: read or refused, and what was read is written and read again.
#include "rules/record/dhtmlxq.hpp"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace xq::rules::record;
    const std::string_view text(reinterpret_cast<const char*>(data), size);  // NOLINT: as given
    const auto record = read_dhtmlxq(text);
    if (!record) {
        if (record.error().at > text.size() || record.error().what.empty()) std::abort();
        return 0;
    }
    const auto written = write_dhtmlxq(*record);
    if (!written) std::abort();  // its places are those of the format
    const auto again = read_dhtmlxq(*written);
    if (!again || again->moves() != record->moves() || again->lines.size() != record->lines.size())
        std::abort();
    return 0;
}
