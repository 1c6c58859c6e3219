// How long one cycle takes to be classified and ruled, on one core: every figure by its own book
// and every recorded repetition by all books. Prints the times as a histogram and the quantiles.
#include "../rules/figures.hpp"
#include "../rules/support.hpp"

#include <benchmark/benchmark.h>
#include <algorithm>
#include <cstdio>
#include <ctime>

namespace xq::rules {
namespace {

struct Case {
    const RuleBook* book;
    Position start;
    std::vector<Move> moves;
};

/// The last whole cycle before the first position of each game that stands for the third time.
void add_recorded(std::vector<Case>& cases) {
    for (const tests::Game& game : tests::recorded_games()) {
        const Position start = tests::position(game.start_fen);
        for (std::size_t n = 4; n <= game.moves.size(); ++n) {
            const auto cycle = find_cycle({start, std::span(game.moves).first(n)});
            if (!cycle || cycle->times < 2) continue;
            const auto length = static_cast<std::size_t>(cycle->length);
            Position from = start;
            for (std::size_t i = 0; i < n - length; ++i) from.apply(game.moves[i]);
            const auto first = game.moves.begin() + static_cast<std::ptrdiff_t>(n - length);
            const std::vector<Move> plies(first, first + cycle->length);
            for (const RuleBook* book : rule_books()) cases.push_back({book, from, plies});
            break;
        }
    }
}

const std::vector<Case>& cases() {
    static const std::vector<Case> all = [] {
        std::vector<Case> found;
        for (const tests::Figure& f : tests::figures()) found.push_back({f.book, f.start, f.moves});
        add_recorded(found);
        return found;
    }();
    return all;
}

/// The thread's own time: what others do on the machine does not count.
double cpu_ms() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) / 1e6;
}

void print_histogram(const std::vector<double>& ms) {
    constexpr std::array<double, 10> upper{0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 200};
    double lower = 0;
    for (const double limit : upper) {
        const auto n =
            std::count_if(ms.begin(), ms.end(), [&](double t) { return t >= lower && t < limit; });
        const auto width = static_cast<int>(60 * n / static_cast<std::ptrdiff_t>(ms.size()));
        std::printf("%6.1f to %5.1f ms %6td %s\n", lower, limit, n,
                    std::string(static_cast<std::size_t>(width), '#').c_str());
        lower = limit;
    }
}

void ruling_a_cycle(benchmark::State& state) {
    std::vector<double> ms;
    while (state.KeepRunning()) {
        ms.clear();
        for (const Case& c : cases()) {
            const double begin = cpu_ms();
            benchmark::DoNotOptimize(rule_cycle(*c.book, {c.start, c.moves}));
            ms.push_back(cpu_ms() - begin);
        }
    }
    std::sort(ms.begin(), ms.end());
    const auto quantile = [&](double q) {
        return ms[static_cast<std::size_t>(q * static_cast<double>(ms.size() - 1))];
    };
    state.counters["cycles"] = static_cast<double>(ms.size());
    state.counters["median_ms"] = quantile(0.5);
    state.counters["p99_ms"] = quantile(0.99);
    state.counters["worst_ms"] = ms.back();
    print_histogram(ms);
}
BENCHMARK(ruling_a_cycle)->Unit(benchmark::kMillisecond)->Iterations(3);

}  // namespace
}  // namespace xq::rules

BENCHMARK_MAIN();
