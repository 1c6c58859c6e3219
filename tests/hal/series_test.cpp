#include "hal/series.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace xq::hal {
namespace {

namespace event = protocol::event;

std::vector<protocol::Timed> all_of(Series series) {
    std::vector<protocol::Timed> all;
    while (auto line = series.next()) all.push_back(std::move(*line));
    return all;
}

template <class E>
std::vector<E> of_kind(const std::vector<protocol::Timed>& log) {
    std::vector<E> found;
    for (const auto& line : log) {
        if (const auto* e = std::get_if<E>(&line.event)) found.push_back(*e);
    }
    return found;
}

rules::Placement end_of_built_in() {
    rules::Position p = built_in_game().start;
    for (const auto move : built_in_game().moves) p.apply(move);
    return p.placement();
}

TEST(Series, EndsAfterAsManyGamesAsAreWanted) {
    const auto one = all_of(Series({built_in_game()}, {}, 1));
    const auto plies = built_in_game().moves.size();
    EXPECT_EQ(of_kind<event::Press>(one).size(), plies + 1) << "Black's, and one for each move";
    EXPECT_TRUE(of_kind<event::Call>(one).empty());
    const auto two = all_of(Series({built_in_game()}, {}, 2));
    EXPECT_EQ(of_kind<event::Press>(two).size(), 2 * (plies + 1));
    EXPECT_EQ(of_kind<event::Call>(two).size(), 1U) << "the arbiter calls the second";
    EXPECT_TRUE(std::ranges::is_sorted(two, {}, &protocol::Timed::t));
}

TEST(Series, SetsThePiecesUpBetweenTwoGames) {
    protocol::Reading reading{};
    const auto two = all_of(Series({built_in_game()}, {}, 2));
    const auto second = std::ranges::find_if(two.rbegin(), two.rend(), [](const auto& line) {
                            return std::holds_alternative<event::Board>(line.event);
                        }).base();
    for (auto line = two.begin(); line != second - 1; ++line) {
        if (const auto* e = std::get_if<event::Board>(&line->event)) reading = e->reading;
        if (const auto* e = std::get_if<event::Lift>(&line->event)) {
            reading[static_cast<std::size_t>(e->point)] = {};
        }
        if (const auto* e = std::get_if<event::Drop>(&line->event)) {
            reading[static_cast<std::size_t>(e->point)] = e->seen;
        }
    }
    EXPECT_EQ(reading, std::get<event::Board>((second - 1)->event).reading);
}

TEST(Series, GoesOnInAGameThatIsHalfPlayed) {
    const auto plies = built_in_game().moves.size();
    const auto rest = all_of(Series({built_in_game()}, {}, 1, plies - 1));
    EXPECT_EQ(of_kind<event::Press>(rest).size(), 2U);
    const auto nothing = all_of(Series({built_in_game()}, {}, 1, plies + 7));
    const auto boards = of_kind<event::Board>(nothing);
    ASSERT_EQ(boards.size(), 1U);
    for (rules::Point p = 0; p < rules::points; ++p) {
        const auto i = static_cast<std::size_t>(p);
        EXPECT_EQ(boards.front().reading[i], protocol::Seen(end_of_built_in()[i])) << p;
    }
}

}  // namespace
}  // namespace xq::hal
