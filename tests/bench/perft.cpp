// How fast the rules are: leaves a second of perft with bulk counting, and the questions that the
// search for mates asks at every node.
#include <benchmark/benchmark.h>

#include <array>

#include "rules/fen.hpp"
#include "rules/moves.hpp"

namespace xq::rules {
namespace {

constexpr std::array<const char*, 4> fens{
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
    "1rbaka2R/5r3/6n2/2p1p1p2/4P1bP1/PpC3Bc1/1nPR2P2/2N2AN2/1c2K1p2/2BAC4 w - - 0 1",
    "CRN1k1b2/3ca4/4ba3/9/2nr5/9/9/4B4/4A4/4KA3 w - - 0 1",
    "rnbakabnr/9/4c4/p1p1C1p1p/9/9/P1P3P1P/1C5c1/9/RNBAKABNR b - - 0 1",  // in check
};

Position position_of(const benchmark::State& state) {
    return read_fen(fens[static_cast<std::size_t>(state.range(0))]).value();
}

void perft_leaves(benchmark::State& state) {
    constexpr int depth = 4;
    Position p = position_of(state);
    std::uint64_t leaves = 0;
    while (state.KeepRunning()) leaves += perft(p, depth);
    state.counters["leaves"] =
        benchmark::Counter(static_cast<double>(leaves), benchmark::Counter::kIsRate);
}
BENCHMARK(perft_leaves)->DenseRange(0, fens.size() - 1)->Unit(benchmark::kMillisecond);

void listing_legal_moves(benchmark::State& state) {
    const Position p = position_of(state);
    MoveList moves;
    while (state.KeepRunning()) {
        legal_moves(p, moves);
        benchmark::DoNotOptimize(moves);
    }
}
BENCHMARK(listing_legal_moves)->DenseRange(0, fens.size() - 1);

void asking_for_a_legal_move(benchmark::State& state) {
    const Position p = position_of(state);
    while (state.KeepRunning()) benchmark::DoNotOptimize(has_legal_move(p));
}
BENCHMARK(asking_for_a_legal_move)->DenseRange(0, fens.size() - 1);

void asking_for_check(benchmark::State& state) {
    const Position p = position_of(state);
    while (state.KeepRunning()) benchmark::DoNotOptimize(in_check(p, p.turn()));
}
BENCHMARK(asking_for_check)->DenseRange(0, fens.size() - 1);

void making_and_taking_back(benchmark::State& state) {
    Position p = position_of(state);
    const Move m = legal_moves(p)[0];
    while (state.KeepRunning()) {
        const Undo undo = p.apply(m);
        benchmark::DoNotOptimize(p);
        p.undo(m, undo);
    }
}
BENCHMARK(making_and_taking_back)->DenseRange(0, fens.size() - 1);

}  // namespace
}  // namespace xq::rules

BENCHMARK_MAIN();
