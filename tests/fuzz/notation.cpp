// A FEN, a line end, a move: any text is either refused with a place inside it and a sentence, or
// is a legal move that every notation writes so that it reads back.
#include "rules/notation.hpp"

#include "rules/fen.hpp"

#include <cstdlib>

namespace {

using namespace xq::rules;

void require(bool fact) {
    if (!fact) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view input(reinterpret_cast<const char*>(data), size);
    const std::size_t line = input.find('\n');
    if (line == std::string_view::npos) return 0;
    const auto p = read_fen(input.substr(0, line));
    if (!p) return 0;
    const std::string_view text = input.substr(line + 1);
    const auto m = read_move(*p, text);
    if (!m) {
        require(m.error().at <= text.size() && !m.error().what.empty());
        return 0;
    }
    require(is_legal(*p, *m));
    for (const std::string& written :
         {iccs(*m), wxf(*p, *m), chinese(*p, *m), chinese(*p, *m, Script::Traditional),
          chinese_short(*p, *m), chinese_short(*p, *m, Script::Traditional)}) {
        const auto read = read_move(*p, written);
        require(read && *read == *m);
    }
    return 0;
}
