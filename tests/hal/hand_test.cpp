#include "hal/hand.hpp"

#include "hal/games.hpp"
#include "rules/moves.hpp"
#include "rules/notation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace xq::hal {
namespace {

namespace event = protocol::event;
using protocol::Millis;
using protocol::Seen;
using protocol::Sensing;

constexpr std::array all_sensing{Sensing::Identity, Sensing::Colour, Sensing::Occupancy};

/// Follows a log as a listener does who believes every line.
class Listener {
public:
    void hear(const protocol::Timed& line) {
        ASSERT_GE(line.t, t_) << "time fell";
        t_ = line.t;
        if (const auto* board = std::get_if<event::Board>(&line.event)) reading_ = board->reading;
        if (const auto* lift = std::get_if<event::Lift>(&line.event)) {
            EXPECT_FALSE(at(lift->point).empty()) << "an empty point was lifted at " << t_;
            at(lift->point) = {};
        }
        if (const auto* drop = std::get_if<event::Drop>(&line.event)) {
            EXPECT_FALSE(drop->seen.empty());
            EXPECT_NE(at(drop->point), drop->seen) << "nothing new at " << t_;
            at(drop->point) = drop->seen;
        }
    }
    Seen& at(rules::Point p) { return reading_[static_cast<std::size_t>(p)]; }

private:
    protocol::Reading reading_{};
    Millis t_ = 0;
};

template <class E>
std::vector<protocol::Timed> of_kind(const Play& play) {
    std::vector<protocol::Timed> found;
    std::ranges::copy_if(play.log, std::back_inserter(found), [](const protocol::Timed& line) {
        return std::holds_alternative<E>(line.event);
    });
    return found;
}

Play play_built_in(const HandOptions& options) {
    const Game& game = built_in_game();
    return play(game.start, game.moves, options);
}

rules::Position end_of(const Game& game) {
    rules::Position p = game.start;
    for (const auto m : game.moves) p.apply(m);
    return p;
}

TEST(Hand, SameSeedSameLog) {
    const HandOptions options{.noise = Noise::heavy(), .seed = 7};
    EXPECT_EQ(play_built_in(options).log, play_built_in(options).log);
    HandOptions other = options;
    other.seed = 8;
    EXPECT_NE(play_built_in(options).log, play_built_in(other).log);
}

TEST(Hand, WithoutNoiseAMoveIsALiftADropAndAPress) {
    const std::array moves{*rules::read_iccs("h2e2")};
    const auto log = play(rules::Position::start(), moves, {}).log;
    ASSERT_EQ(log.size(), 5U);
    EXPECT_TRUE(std::holds_alternative<event::Hello>(log[0].event));
    EXPECT_TRUE(std::holds_alternative<event::Board>(log[1].event));
    EXPECT_EQ(log[2].event, protocol::Event(event::Lift{25}));
    EXPECT_EQ(log[3].event, protocol::Event(event::Drop{22, Seen(*rules::Piece::from_fen('C'))}));
    EXPECT_EQ(log[4].event, protocol::Event(event::Press{rules::Side::Red}));
}

TEST(Hand, TheBoardEndsAsTheGameDoesWhateverTheNoise) {
    const auto end = end_of(built_in_game());
    for (const auto sensing : all_sensing) {
        for (std::uint64_t seed = 1; seed <= 200; ++seed) {
            const auto played =
                play_built_in({.sensing = sensing, .noise = Noise::heavy(), .seed = seed});
            Listener listener;
            for (const auto& line : played.log) listener.hear(line);
            for (rules::Point p = 0; p < rules::points; ++p) {
                if (p == played.bad_point) continue;
                ASSERT_EQ(listener.at(p), Seen::of(end.at(p), sensing))
                    << rules::name(p) << " with seed " << seed;
            }
        }
    }
}

TEST(Hand, EveryMoveIsPressedOnceAndByItsMover) {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        const auto played = play_built_in({.noise = Noise::heavy(), .seed = seed});
        const auto presses = of_kind<event::Press>(played);
        ASSERT_EQ(presses.size(), built_in_game().moves.size());
        ASSERT_EQ(played.done.size(), presses.size());
        for (std::size_t i = 0; i < presses.size(); ++i) {
            EXPECT_EQ(std::get<event::Press>(presses[i].event).side,
                      i % 2 == 0 ? rules::Side::Red : rules::Side::Black);
            EXPECT_GT(presses[i].t, played.done[i]) << "pressed before the piece stood";
        }
    }
}

TEST(Hand, WithoutALeverTheBoardRestsBetweenMoves) {
    HandOptions options{.can = {}, .noise = Noise::heavy(), .seed = 3};
    options.noise.bad_point = 0;
    const auto played = play_built_in(options);
    EXPECT_TRUE(of_kind<event::Press>(played).empty());
    for (std::size_t i = 0; i < played.done.size(); ++i) {
        const auto in_rest = std::ranges::count_if(played.log, [&](const protocol::Timed& line) {
            return line.t > played.done[i] + 50 && line.t < played.done[i] + 600;
        });
        EXPECT_EQ(in_rest, 0) << "ply " << i + 1;
    }
}

TEST(Hand, BreaksComeAsOftenAsAskedAndEndWithAReading) {
    for (const auto sensing : all_sensing) {
        for (std::uint64_t seed = 1; seed <= 50; ++seed) {
            const auto played =
                play_built_in({.sensing = sensing, .noise = {.breaks = 2}, .seed = seed});
            EXPECT_EQ(of_kind<event::Gap>(played).size() + of_kind<event::Plug>(played).size(), 2U);
            for (std::size_t i = 0; i < played.log.size(); ++i) {
                const auto& e = played.log[i].event;
                if (!std::holds_alternative<event::Gap>(e) &&
                    !std::holds_alternative<event::Plug>(e)) {
                    continue;
                }
                ASSERT_LT(i + 1, played.log.size());
                EXPECT_TRUE(std::holds_alternative<event::Board>(played.log[i + 1].event));
                EXPECT_EQ(played.log[i + 1].t, played.log[i].t);
            }
        }
    }
}

TEST(Hand, NoNoiseButTheOneAskedFor) {
    const auto quiet = play_built_in({.seed = 5});
    EXPECT_EQ(of_kind<event::Button>(quiet).size(), 0U);
    // 41 moves, 13 of them captures at most with one drop less than lifts; never more events.
    EXPECT_EQ(of_kind<event::Drop>(quiet).size(), built_in_game().moves.size());
    const auto sliding = play_built_in({.noise = {.slide = 1}, .seed = 5});
    EXPECT_GT(of_kind<event::Drop>(sliding).size(), of_kind<event::Drop>(quiet).size());
    const auto bouncing = play_built_in({.noise = {.bounce = 1}, .seed = 5});
    EXPECT_GE(of_kind<event::Drop>(bouncing).size(), 3 * built_in_game().moves.size());
    const auto touching = play_built_in({.noise = {.touch = 1}, .seed = 5});
    EXPECT_GT(of_kind<event::Button>(touching).size(), 0U);
}

TEST(Hand, HesitationsAreNoTouches) {
    const auto played = play_built_in({.noise = {.hesitate = 1}, .seed = 2});
    std::map<rules::Point, Millis> lifted;
    int hesitations = 0;
    for (const auto& line : played.log) {
        if (const auto* lift = std::get_if<event::Lift>(&line.event)) lifted[lift->point] = line.t;
        const auto* drop = std::get_if<event::Drop>(&line.event);
        if (drop == nullptr || !lifted.contains(drop->point)) continue;
        const Millis away = line.t - lifted[drop->point];
        if (away <= 45)
            ++hesitations;
        else
            EXPECT_GE(away, 120) << "neither a hesitation nor a capture at " << line.t;
    }
    EXPECT_GE(hesitations, 41);
}

TEST(Hand, OccupancyCapturesLeaveNoDoubt) {
    // Where the captured point never reads empty, no other capture may explain the reading.
    const Game& game = built_in_game();
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
        const auto played = play_built_in({.sensing = Sensing::Occupancy, .seed = seed});
        rules::Position position = game.start;
        std::size_t ply = 0;
        std::vector<rules::Point> lifted;
        for (const auto& line : played.log) {
            if (const auto* lift = std::get_if<event::Lift>(&line.event)) {
                lifted.push_back(lift->point);
            }
            if (!std::holds_alternative<event::Press>(line.event)) continue;
            const auto move = game.moves[ply++];
            if (!position.at(move.to).empty() &&
                std::ranges::find(lifted, move.to) == lifted.end()) {
                const auto legal = rules::legal_moves(position);
                EXPECT_EQ(std::ranges::count_if(legal,
                                                [&](rules::Move m) {
                                                    return m.from == move.from &&
                                                           !position.at(m.to).empty();
                                                }),
                          1);
            }
            position.apply(move);
            lifted.clear();
        }
    }
}

TEST(Hand, AnotherStartIsAnnouncedByTheArbiter) {
    rules::Position start;
    start.put(4, *rules::Piece::from_fen('K'));
    start.put(84, *rules::Piece::from_fen('k'));
    start.put(0, *rules::Piece::from_fen('R'));
    const std::array moves{rules::Move(0, 9)};
    const auto log = play(start, moves, {}).log;
    const auto* call = std::get_if<event::Call>(&log[1].event);
    ASSERT_NE(call, nullptr);
    EXPECT_NE(call->json.find("3k5/9/9/9/9/9/9/9/9/R3K4 w"), std::string::npos) << call->json;
}

TEST(Hand, SetsUpThePiecesForTheNextGame) {
    const auto standing = end_of(built_in_game()).placement();
    const auto& wanted = rules::Position::start().placement();
    protocol::Reading reading;
    for (std::size_t p = 0; p < reading.size(); ++p) {
        reading[p] = Seen::of(standing[p], Sensing::Identity);
    }
    for (const auto& line : set_up(standing, wanted, {})) {
        if (const auto* lift = std::get_if<event::Lift>(&line.event)) {
            reading[static_cast<std::size_t>(lift->point)] = {};
        } else {
            const auto& drop = std::get<event::Drop>(line.event);
            reading[static_cast<std::size_t>(drop.point)] = drop.seen;
        }
    }
    for (std::size_t p = 0; p < reading.size(); ++p) {
        EXPECT_EQ(reading[p], Seen::of(wanted[p], Sensing::Identity));
    }
}

}  // namespace
}  // namespace xq::hal
