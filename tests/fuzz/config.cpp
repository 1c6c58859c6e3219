// Any text is either refused with a place and a sentence, or gives settings that survive their own
// line of JSON.
#include "config/load.hpp"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace xq::config;
    const auto loaded = read_toml({reinterpret_cast<const char*>(data), size});
    for (const auto& problem : loaded.problems) {
        if (problem.line == 0 || problem.what.empty()) std::abort();
    }
    if (!loaded.ok()) return 0;
    const auto again = read_json(write_json(loaded.settings));
    if (!again.ok() || again.settings.game != loaded.settings.game ||
        again.settings.clock != loaded.settings.clock ||
        again.settings.event != loaded.settings.event ||
        again.settings.board != loaded.settings.board) {
        std::abort();
    }
    return 0;
}
