// Simulated games in number: `simulate identity|colour|occupancy COUNT [FIRST_SEED]` plays real
// games with heavy noise and prints each one that does not come out as it was played; every fourth
// one without a press, but for occupancy boards. Exit status 1 if any failed. With a count of 0 it
// prints the log of FIRST_SEED's game instead, for xiangqi-replay.
#include "protocol/sensor_log.hpp"
#include "tests/referee/replayed.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv) {
    using namespace xq;
    const std::string kind = argc > 1 ? argv[1] : "identity";
    const int count = argc > 2 ? std::atoi(argv[2]) : 100;
    const int first = argc > 3 ? std::atoi(argv[3]) : 1;
    const auto sensing = kind == "identity" ? protocol::Sensing::Identity
                         : kind == "colour" ? protocol::Sensing::Colour
                                            : protocol::Sensing::Occupancy;
    const auto games = test::games_to_simulate();
    int failed = 0;
    for (int seed = first; seed < first + std::max(count, 1); ++seed) {
        const auto o = test::noisy_hands(sensing, static_cast<std::uint64_t>(seed));
        const auto& game = games[static_cast<std::size_t>(seed) % games.size()];
        if (count == 0) {
            for (const auto& line : protocol::write_header({})) std::puts(line.c_str());
            for (const auto& event : hal::play(game.start, game.moves, o).log)
                std::puts(protocol::write_log_line(event).c_str());
            return 0;
        }
        const std::string wrong = test::simulate(game, o);
        if (wrong.empty()) continue;
        ++failed;
        std::printf("seed %d: %s\n", seed, wrong.c_str());
    }
    std::printf("%d passed, %d failed\n", count - failed, failed);
    return failed == 0 ? 0 : 1;
}
