// Any text is either refused with a place inside it and a sentence, or gives a position that
// survives its own FEN and whose moves obey the plain rule.
#include "rules/fen.hpp"

#include "rules/moves.hpp"

#include <cstdlib>

namespace {

using namespace xq::rules;

void require(bool fact) {
    if (!fact) std::abort();
}

/// `legal_moves` takes short cuts; this is the rule without them.
bool plainly_legal(const Position& p, Move m) {
    return follows_movement(p, m) && !in_check(p.after(m), p.turn());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto position = read_fen(text);
    if (!position) {
        require(position.error().at <= text.size() && !position.error().what.empty());
        return 0;
    }
    Position p = *position;
    const std::string fen = write_fen(p);
    const auto again = read_fen(fen);
    require(again && *again == p && again->key() == p.key() && write_fen(*again) == fen);
    const bool reachable = !unreachable(p);
    const MoveList moves = legal_moves(p);
    require(moves.empty() != has_legal_move(p));
    for (const Move m : moves) {
        require(why_illegal(p, m) == Illegal::None);
        // With two generals of one side it is not said which of them is meant.
        if (reachable) require(plainly_legal(p, m));
        const Undo undo = p.apply(m);
        p.undo(m, undo);
        require(write_fen(p) == fen && p.key() == again->key());
    }
    return 0;
}
