// What a message costs: one of these for each event of a board, whatever the number of spectators.
#include "protocol/board_wire.hpp"
#include "protocol/broadcast.hpp"
#include "protocol/json_rpc.hpp"
#include "protocol/sensor_log.hpp"
#include "tests/protocol/samples.hpp"

#include <benchmark/benchmark.h>

namespace {

using namespace xq::protocol;

void encode_move(benchmark::State& state) {
    const Message m = samples::message(samples::ply());
    std::uint64_t seq = 0;
    for ([[maybe_unused]] auto _ : state)
        benchmark::DoNotOptimize(encode(m, ++seq, samples::stream));
}
BENCHMARK(encode_move);

void read_a_log_line(benchmark::State& state) {
    for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(read_log_line("1200 drop h2 C"));
}
BENCHMARK(read_a_log_line);

void write_a_journal_line(benchmark::State& state) {
    const Timed line{1200, event::Lift{25}};
    for ([[maybe_unused]] auto _ : state)
        benchmark::DoNotOptimize(with_checksum(write_log_line(line)));
}
BENCHMARK(write_a_journal_line);

void decode_a_board(benchmark::State& state) {
    const auto bytes = wire::encode(wire::Packet{1, 2, wire::Board{}});
    for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(wire::decode(bytes));
}
BENCHMARK(decode_a_board);

void parse_a_call(benchmark::State& state) {
    for ([[maybe_unused]] auto _ : state) {
        benchmark::DoNotOptimize(
            parse_call(R"({"jsonrpc":"2.0","id":1,"method":"resign","params":{"side":"red"}})"));
    }
}
BENCHMARK(parse_a_call);

}  // namespace

BENCHMARK_MAIN();
