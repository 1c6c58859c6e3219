// Recorded games: legal to the end, ending as recorded, every move through every notation and back.
#include <gtest/gtest.h>

#include "support.hpp"

namespace xq::rules {
namespace {

using tests::Game;
using tests::position;
using tests::recorded_games;

template <class Visit>
void for_each_recorded_move(Visit visit) {
    for (const Game& game : recorded_games()) {
        Position p = position(game.start_fen);
        for (std::size_t i = 0; i < game.moves.size(); ++i) {
            visit(game, i, p);
            p.apply(game.moves[i]);
        }
    }
}

TEST(RecordedGames, AreLegalToTheEnd) {
    std::size_t plies = 0;
    for_each_recorded_move([&](const Game& game, std::size_t i, const Position& p) {
        ++plies;
        EXPECT_EQ(why_illegal(p, game.moves[i]), Illegal::None) << game.id << " ply " << i + 1;
        EXPECT_EQ(status(p), Status::Playing) << game.id << " ply " << i + 1;
    });
    EXPECT_GT(plies, 90'000);
}

TEST(RecordedGames, EndAsRecorded) {
    int ended = 0;
    for (const Game& game : recorded_games()) {
        Position p = position(game.start_fen);
        for (const Move m : game.moves) p.apply(m);
        const Status expected = game.end == "mate"        ? Status::Checkmate
                                : game.end == "stalemate" ? Status::Stalemate
                                                          : Status::Playing;
        EXPECT_EQ(status(p), expected) << game.id;
        if (expected != Status::Playing) ++ended;
    }
    EXPECT_GT(ended, 80);
}

TEST(RecordedGames, RecordedNotationIsRead) {
    for_each_recorded_move([](const Game& game, std::size_t i, const Position& p) {
        const auto read = read_move(p, game.chinese[i]);
        ASSERT_TRUE(read) << game.id << " " << write_fen(p) << " " << read.error().what;
        EXPECT_EQ(*read, game.moves[i]) << game.id << " " << write_fen(p);
    });
}

TEST(RecordedGames, EveryNotationLeadsBack) {
    for_each_recorded_move([](const Game& game, std::size_t i, const Position& p) {
        const Move m = game.moves[i];
        for (const std::string& text :
             {iccs(m), wxf(p, m), chinese(p, m), chinese(p, m, Script::Traditional),
              chinese_short(p, m), chinese_short(p, m, Script::Traditional)}) {
            const auto read = read_move(p, text);
            ASSERT_TRUE(read) << write_fen(p) << " " << iccs(m) << " " << read.error().what;
            ASSERT_EQ(*read, m) << write_fen(p) << " " << text;
        }
    });
}

}  // namespace
}  // namespace xq::rules
