// Cycles in a game, counted as the contract says by example, and the procedure of 23.5.
#include "figures.hpp"
#include "support.hpp"

#include <gmock/gmock.h>

namespace xq::rules::tests {
namespace {

using testing::Contains;
using testing::HasSubstr;

std::vector<Move> moves(std::string_view text) {
    std::vector<Move> all;
    for (const auto& w : words(text)) all.push_back(from_iccs(w));
    return all;
}

/// A position, an entering move and a cycle of four that is gone through again and again.
struct Line {
    Position start;
    std::vector<Move> moves;

    Line(std::string_view fen, std::string_view entry, std::string_view cycle, int times)
        : start(position(fen)), moves(tests::moves(entry)) {
        for (int i = 0; i < times; ++i)
            for (const Move m : tests::moves(cycle)) moves.push_back(m);
    }
    std::optional<Finding> after(std::size_t plies, const RuleBook& book = cxa_2010(),
                                 std::optional<int> warned = std::nullopt) const {
        return find_repetition(book, {start, std::span(moves).first(plies)}, warned);
    }
    std::optional<Cycle> cycle_after(std::size_t plies) const {
        return find_cycle({start, std::span(moves).first(plies)});
    }
};

// A rook checks between two files for ever; its first check comes from outside.
Line checks(int times = 5) {
    return {"2b6/4k4/9/9/9/9/9/9/2p6/3K3R1 w - - 0 1", "h0e0 e8f8", "e0f0 f8e8 f0e0 e8f8", times};
}

// Both generals step aside and back.
Line idle_moves(int times = 6) {
    return {"3k5/9/9/9/9/9/9/9/9/5K3 w - - 0 1", "", "f0f1 d9d8 f1f0 d8d9", times};
}

// A rook follows an unprotected cannon; the cannon only runs.
Line chase(int times = 6) {
    return {"4k4/9/9/9/9/2c6/9/R8/9/3K5 w - - 0 1", "a2c2 c4b4", "c2b2 b4c4 b2c2 c4b4", times};
}

TEST(Cycle, CountsTheEnteringMove) {
    const Line line = checks();
    EXPECT_FALSE(line.cycle_after(4));
    EXPECT_EQ(line.cycle_after(5), (Cycle{1, 4, 1}));
    EXPECT_EQ(line.cycle_after(11), (Cycle{1, 4, 2}));
    EXPECT_EQ(line.cycle_after(12), (Cycle{1, 4, 3}));
    EXPECT_EQ(line.cycle_after(16), (Cycle{1, 4, 4}));
}

TEST(Cycle, LeavesOutAnEnteringCapture) {
    const Line line{"2b6/4k4/9/9/9/9/9/9/2p6/3Kp2R1 w - - 0 1", "h0e0 e8f8", "e0f0 f8e8 f0e0 e8f8",
                    4};
    EXPECT_EQ(line.cycle_after(12), (Cycle{2, 4, 2}));
    EXPECT_EQ(line.cycle_after(13), (Cycle{2, 4, 3}));
}

TEST(Cycle, NeedsNoEnteringMoveAtTheStart) {
    EXPECT_EQ(idle_moves().cycle_after(12), (Cycle{1, 4, 3}));
}

TEST(Cycle, MayBeLong) {
    const Line line{"3k5/9/9/9/9/9/9/9/9/5K3 w - - 0 1", "",
                    "f0f1 d9d8 f1f2 d8e8 f2f1 e8d8 f1f0 d8d9", 3};
    EXPECT_EQ(line.cycle_after(24), (Cycle{1, 8, 3}));
    EXPECT_EQ(line.cycle_after(23), (Cycle{1, 8, 2}));
}

TEST(Cycle, EndsWithAnotherMove) {
    Line line = checks();
    line.moves.resize(10);
    for (const Move m : moves("e0e1 f8f9")) line.moves.push_back(m);
    EXPECT_FALSE(line.cycle_after(12));
    EXPECT_FALSE(line.after(12));
}

TEST(Repetition, PerpetualCheckLosesWithTheThirdCycleByAllBooks) {
    const Line line = checks();
    for (const RuleBook* book : rule_books()) {
        EXPECT_FALSE(line.after(11, *book));
        const auto found = line.after(12, *book);
        ASSERT_TRUE(found);
        EXPECT_EQ(found->verdict.outcome, Outcome::RedLoses);
        EXPECT_TRUE(found->verdict.final);
        EXPECT_EQ(found->complete_ply, 12);
        EXPECT_EQ(found->plies_from, 9);
        EXPECT_EQ(found->plies.size(), 4U);
    }
}

TEST(Repetition, BothAllowedDrawWithTheFourthCycle) {
    const Line line = idle_moves();
    EXPECT_FALSE(line.after(11));
    ASSERT_TRUE(line.after(12));
    EXPECT_EQ(line.after(12)->verdict.outcome, Outcome::Draw);
    EXPECT_FALSE(line.after(12)->verdict.final);
    EXPECT_FALSE(line.after(15)->verdict.final);
    EXPECT_TRUE(line.after(16)->verdict.final);
    EXPECT_THAT(line.after(16)->verdict.articles, Contains("23.5.3"));
}

TEST(Repetition, WhoIsToldHasTwoMoves) {
    const Line line = chase();
    const auto told = line.after(12);
    ASSERT_TRUE(told);
    EXPECT_EQ(told->verdict.outcome, Outcome::RedMustChange);
    EXPECT_FALSE(told->verdict.final);
    EXPECT_EQ(line.after(13)->verdict.outcome, Outcome::RedMustChange);
    EXPECT_EQ(line.after(14)->verdict.outcome, Outcome::RedMustChange);
    const auto lost = line.after(15);
    EXPECT_EQ(lost->verdict.outcome, Outcome::RedLoses);
    EXPECT_TRUE(lost->verdict.final);
    EXPECT_THAT(lost->verdict.articles, Contains("23.5.2.2"));
}

TEST(Repetition, TheTwoMovesCountFromTheWarning) {
    const Line line = chase();
    EXPECT_EQ(line.after(15, cxa_2010(), 14)->verdict.outcome, Outcome::RedMustChange);
    EXPECT_EQ(line.after(16, cxa_2010(), 14)->verdict.outcome, Outcome::RedMustChange);
    EXPECT_EQ(line.after(17, cxa_2010(), 14)->verdict.outcome, Outcome::RedLoses);
}

TEST(Repetition, NineRoundsWithoutThreeCycles) {
    // The figure of 23.4: the rook checks, then chases, and never repeats itself three times.
    const Figure* figure = nullptr;
    for (const Figure& f : figures())
        if (f.id == "cxa2010-ref-47") figure = &f;
    ASSERT_NE(figure, nullptr);
    const History all{figure->start, figure->moves};
    EXPECT_FALSE(find_repetition(cxa_2010(), {all.start, all.moves.first(17)}));
    const auto told = find_repetition(cxa_2010(), {all.start, all.moves.first(18)});
    ASSERT_TRUE(told);
    EXPECT_EQ(told->ground, Ground::NineRounds);
    EXPECT_EQ(told->verdict.outcome, Outcome::BlackMustChange);
    EXPECT_FALSE(told->verdict.final);
    EXPECT_THAT(told->verdict.articles, Contains("23.4"));
    const auto lost = find_repetition(cxa_2010(), {all.start, all.moves.first(19)}, 18);
    ASSERT_TRUE(lost);
    EXPECT_EQ(lost->verdict.outcome, Outcome::BlackLoses);
    EXPECT_THAT(lost->verdict.articles, Contains("23.5.1.2"));
}

TEST(Repetition, TheReasonNamesBothSides) {
    const auto found = chase().after(12);
    ASSERT_TRUE(found);
    EXPECT_THAT(found->verdict.zh, HasSubstr("红方两捉"));
    EXPECT_THAT(found->verdict.zh, HasSubstr("黑方两闲"));
    EXPECT_THAT(found->verdict.en, HasSubstr("Red: 2 chase"));
}

/// In the recorded games: whether `s` alone checks with each move of the last three cycles.
std::optional<Side> checks_alone(const History& h, const Cycle& c) {
    std::array<bool, 2> all{true, true};
    Position p = h.start;
    const int last = static_cast<int>(h.moves.size());
    for (int ply = 1; ply <= last; ++ply) {
        const Side mover = p.turn();
        p.apply(h.moves[static_cast<std::size_t>(ply - 1)]);
        if (ply > last - c.length && !in_check(p, p.turn()))
            all[static_cast<std::size_t>(mover)] = false;
    }
    if (all[0] == all[1]) return std::nullopt;
    return all[0] ? Side::Red : Side::Black;
}

TEST(RecordedGames, PerpetualCheckIsNamedByAllBooksAndNothingElseIs) {
    int seen = 0;
    for (const Game& game : recorded_games()) {
        const Position start = position(game.start_fen);
        for (std::size_t n = 12; n <= game.moves.size(); ++n) {
            const History h{start, std::span(game.moves).first(n)};
            const auto cycle = find_cycle(h);
            if (!cycle || cycle->times < 3) continue;
            const auto checker = checks_alone(h, *cycle);
            for (const RuleBook* book : rule_books()) {
                const auto found = find_repetition(*book, h);
                ASSERT_TRUE(found) << game.id;
                const bool by_checks = checker && found->verdict.outcome == loses(*checker);
                EXPECT_EQ(by_checks, checker.has_value()) << game.id << " ply " << n;
            }
            seen += checker ? 1 : 0;
        }
    }
    EXPECT_GT(seen, 5);
}

TEST(RecordedGames, FewerThanThreeCyclesAreNotRuled) {
    int seen = 0;
    for (const Game& game : recorded_games()) {
        const Position start = position(game.start_fen);
        for (std::size_t n = 8; n <= game.moves.size() && n <= 120; ++n) {
            const History h{start, std::span(game.moves).first(n)};
            const auto cycle = find_cycle(h);
            if (!cycle || cycle->times != 2) continue;
            ++seen;
            const auto found = find_repetition(asian(), h);
            EXPECT_TRUE(!found || found->ground == Ground::NineRounds) << game.id;
        }
    }
    EXPECT_GT(seen, 100);
}

}  // namespace
}  // namespace xq::rules::tests
