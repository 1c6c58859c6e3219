// Random play, its classes and rulings: twins are called alike, nothing crashes. The first byte
// picks a start, each further one a legal move.
#include "rules/fen.hpp"
#include "rules/repetition.hpp"
#include "rules/rulebook/rulebook.hpp"

#include <array>
#include <cstdlib>

namespace {

using namespace xq::rules;

constexpr std::array<const char*, 6> starts{
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
    "1rbaka2R/5r3/6n2/2p1p1p2/4P1bP1/PpC3Bc1/1nPR2P2/2N2AN2/1c2K1p2/2BAC4 w - - 0 1",
    "1R3a3/3ka4/bRr4r1/p3p3P/4c4/6B2/9/3A5/9/4KA3 w - - 0 1",
    "3a3R1/3Nck3/3ab4/P4r3/9/8p/2p5n/C3BA2B/4A4/4K4 w - - 0 1",
    "4k4/9/9/9/9/2c6/9/R8/9/3K5 w - - 0 1",
    "3k5/9/4P4/9/4c4/9/9/4p4/9/5K3 b - - 0 1",
};
constexpr std::size_t most_plies = 48;

Point mirrored_point(Point p) {
    return point(files - 1 - file_of(p), rank_of(p));
}

void expect(bool holds) {
    if (!holds) std::abort();
}

void expect_twins_alike(const Position& p, Move m) {
    const Facts plain = facts_of(p, m);
    const Facts mirror = facts_of(mirrored(p), Move(mirrored_point(m.from), mirrored_point(m.to)));
    const Facts exchanged = facts_of(colours_exchanged(p), Move(rotated(m.from), rotated(m.to)));
    for (const RuleBook* book : rule_books()) {
        const auto a = book->classify(plain);
        for (const Facts* twin : {&mirror, &exchanged}) {
            const auto b = book->classify(*twin);
            expect(a.cls == b.cls && a.article == b.article && a.proven == b.proven &&
                   a.targets.size() == b.targets.size() && a.line.size() == b.line.size());
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2) return 0;
    const Position start = read_fen(starts[data[0] % starts.size()]).value();
    Position p = start;
    std::vector<Move> moves;
    for (std::size_t i = 1; i < size && moves.size() < most_plies; ++i) {
        const MoveList legal = legal_moves(p);
        if (legal.empty()) break;
        const Move m = legal[data[i] % legal.size()];
        expect_twins_alike(p, m);
        moves.push_back(m);
        p.apply(m);
    }
    for (const RuleBook* book : rule_books()) {
        const auto found = find_repetition(*book, {start, moves});
        expect(!found || !found->verdict.articles.empty());
    }
    return 0;
}
