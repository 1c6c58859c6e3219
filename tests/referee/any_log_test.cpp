// Whatever hands, clocks, boards and callers do, sense or nonsense: a table says whole messages in
// the order of time, and what holds of every log holds (asked by the evening itself): the same
// inputs the same bytes, however often the time is told, and the same rulings for the log with left
// and right, and with the colours, exchanged.
#include "tests/referee/evening.hpp"

#include "rules/moves.hpp"
#include "rules/notation.hpp"

#include <gtest/gtest.h>
#include <array>
#include <random>

namespace {

using namespace xq;
using namespace xq::test;
using protocol::Millis;
using protocol::Sensing;
using rules::Side;
namespace event = protocol::event;

constexpr std::array kinds{Sensing::Identity, Sensing::Colour, Sensing::Occupancy};

constexpr auto calls = std::to_array<std::pair<const char*, const char*>>({
    {"game.pause", ""},
    {"game.resume", ""},
    {"game.takeback", R"("to_ply":2)"},
    {"game.takeback", R"("to_ply":3)"},
    {"game.stand", R"("ply":3)"},
    {"game.move", R"("iccs":"h2d2","ply":1)"},
    {"board.accept", ""},
    {"board.designate", R"("point":"e2")"},
    {"clock.set", R"("red_ms":9000,"black_ms":7000,"running":"red")"},
    {"ruling.confirm", R"("id":1)"},
    {"ruling.dismiss", R"("id":2)"},
    {"foul.add", R"("side":"black","reason":"x")"},
    {"draw.offer", R"("side":"red")"},
    {"draw.decline", R"("side":"black")"},
    {"touch.adjust", R"("side":"red")"},
    {"claim.natural_limit", R"("side":"red")"},
    {"claim.repetition", R"("side":"black")"},
});

class Stranger {
public:
    explicit Stranger(unsigned seed) : random_(seed) {}
    unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
    rules::Point point() { return static_cast<rules::Point>(below(rules::points)); }
    Side side() { return below(2) == 0 ? Side::Red : Side::Black; }
    protocol::Seen seen(Sensing sensing) {
        if (below(8) == 0) return protocol::Seen::some();
        const unsigned piece = 1 + below(7) + 8 * below(2);
        return protocol::Seen::of(rules::Piece::from_code(piece), sensing);
    }

private:
    std::mt19937 random_;
};

void something(Evening& e, Stranger& s, Sensing sensing) {
    switch (s.below(12)) {
        case 0:
        case 1:
        case 2:
            e.event(event::Lift{s.point()});
            break;
        case 3:
        case 4:
            e.event(event::Drop{s.point(), s.seen(sensing)});
            break;
        case 5:
            e.press(s.side());
            break;
        case 6: {
            const auto& [method, params] = calls[s.below(calls.size())];
            e.call(method, params);
            break;
        }
        case 7:
            e.button(s.side(), static_cast<protocol::ButtonKind>(1 + s.below(4)));
            break;
        case 8:
            if (s.below(3) == 0) e.event(event::Gap{2});
            e.whole_reading();
            break;
        case 9:
            if (s.below(3) != 0) break;
            e.event(event::Unplug{}).wait(static_cast<Millis>(s.below(3000)));
            e.event(event::Plug{}).whole_reading();
            break;
        default: {
            const auto legal = rules::legal_moves(e.position());
            if (legal.empty()) break;
            e.put(rules::iccs(legal[s.below(static_cast<unsigned>(legal.size()))])).wait(300);
            e.press();
        }
    }
}

}  // namespace

TEST(AnyLog, HoldsWhatHoldsOfEveryLog) {
    for (unsigned seed = 1; seed <= 300 && !HasFailure(); ++seed) {
        SCOPED_TRACE(seed);
        Stranger s(seed);
        auto r = regulations();
        r.automatic = seed % 2 == 0;
        r.level = seed % 3 == 0 ? referee::Level::Youth : referee::Level::National;
        if (seed % 5 == 0) r.completion = referee::Completion::Settle;
        r.control = {{20'000, 3, 1'000}, {5'000, 0, 500}};
        const Sensing sensing = kinds[seed % 3];
        Evening e(r, {}, sensing);
        // What follows favours no side: the first move has been made, and the clocks have started.
        e.play("h2e2 h9g7");
        for (int i = 0; i < 60; ++i) {
            e.wait(static_cast<Millis>(s.below(3) == 0 ? s.below(4000) : s.below(200)));
            something(e, s, sensing);
        }
        e.wait(5'000);
        Millis last = 0;
        for (const auto& m : e.messages()) {
            EXPECT_GE(m.t, last);
            last = m.t;
        }
    }
}

// What real hands on noisy boards do is ruled the same from the other side of the table, and in the
// other colours.
TEST(AnyLog, SimulatedGamesAreRuledLikeTheirTwins) {
    const auto games = real_games("full.jsonl");
    for (unsigned seed = 1; seed <= 60 && !HasFailure(); ++seed) {
        hal::HandOptions o;
        o.sensing = kinds[seed % 3];
        o.noise = hal::Noise::heavy();
        o.seed = seed;
        o.can.press = seed % 4 != 0;
        auto r = regulations();
        if (!o.can.press) r.completion = referee::Completion::Settle;
        const RealGame& game = games[seed % games.size()];
        const hal::Play play = hal::play(game.start, game.moves, o);
        EXPECT_EQ(unlike_its_twins(r, play.log, play.ends), "") << "seed " << seed;
    }
}
