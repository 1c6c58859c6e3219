// Real games under heavy noise come out exact, without a false alarm: a few of each kind of board;
// the thousands are the program `simulate` (label full). Seeds that once failed stay here.
#include "tests/referee/replayed.hpp"

#include <gtest/gtest.h>

namespace {

using namespace xq;

void simulate_forty(protocol::Sensing sensing) {
    const auto games = test::real_games("full.jsonl");
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        hal::HandOptions o;
        o.sensing = sensing;
        o.noise = hal::Noise::heavy();
        o.seed = seed;
        EXPECT_EQ(test::simulate(games[seed % games.size()], o), "") << "seed " << seed;
    }
}

/// Those that once failed, as the program `simulate` plays them.
void simulate_again(protocol::Sensing sensing, std::initializer_list<std::uint64_t> seeds) {
    const auto games = test::games_to_simulate();
    for (const std::uint64_t seed : seeds)
        EXPECT_EQ(test::simulate(games[seed % games.size()], test::noisy_hands(sensing, seed)), "")
            << "seed " << seed;
}

}  // namespace

TEST(Simulated, IdentityBoards) {
    simulate_forty(protocol::Sensing::Identity);
}
TEST(Simulated, ColourBoards) {
    simulate_forty(protocol::Sensing::Colour);
}
TEST(Simulated, OccupancyBoards) {
    simulate_forty(protocol::Sensing::Occupancy);
}

// A point that began to flicker, was cut off and came back stuck.
TEST(Simulated, APointThatStuckWhileNobodyListened) {
    simulate_again(protocol::Sensing::Occupancy, {402});
}
// A point that flickers and then sticks, while the move in hand lasts longer than its unrest.
TEST(Simulated, APointThatFlickeredAndStuckEmpty) {
    simulate_again(protocol::Sensing::Occupancy, {6068, 7433});
    simulate_again(protocol::Sensing::Colour, {5125});
    simulate_again(protocol::Sensing::Identity, {1420, 6560});
}
// A point that flickers beside the move: it is neither where the piece went nor a hand's touch.
TEST(Simulated, APointThatFlickersBesideTheMove) {
    simulate_again(protocol::Sensing::Occupancy, {6047, 6205, 6948, 32474});
    simulate_again(protocol::Sensing::Colour, {21080});
    simulate_again(protocol::Sensing::Identity, {7879});
}
// After a break points that read empty are believed before those to which a piece has come.
TEST(Simulated, APieceThatIsSeenToLeaveBeforeItArrives) {
    simulate_again(protocol::Sensing::Occupancy, {41481, 42315});
}
// At rest, and final; then packets turn out lost in which the hand went on, to take a piece or to
// where no move leads from the point at which it rested.
TEST(Simulated, AHandThatWentOnUnheard) {
    simulate_again(protocol::Sensing::Identity, {31196, 31620, 40196, 41772});
}
