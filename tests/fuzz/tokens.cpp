// Any token file is either refused, with its line and nothing of what stands there, or gives
// entries that survive being written.
#include "daemon/tokens.hpp"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace xq::daemon;
    const auto entries = read_tokens({reinterpret_cast<const char*>(data), size});
    if (!entries) {
        if (!entries.error().what.starts_with("line ")) std::abort();
        return 0;
    }
    std::string text;
    for (const auto& entry : *entries) text += write_token(entry) + '\n';
    const auto again = read_tokens(text);
    if (!again || *again != *entries) std::abort();
    return 0;
}
