#include "hal/games.hpp"

#include "rules/moves.hpp"

#include <gtest/gtest.h>

namespace xq::hal {
namespace {

TEST(Games, TheBuiltInOneEndsWithMate) {
    const Game& game = built_in_game();
    rules::Position p = game.start;
    for (const auto move : game.moves) {
        ASSERT_TRUE(rules::is_legal(p, move));
        p.apply(move);
    }
    EXPECT_EQ(rules::status(p), rules::Status::Checkmate);
}

TEST(Games, ReadsJsonLines) {
    const auto games = read_games(
        "{\"moves_iccs\":\"h2e2 h9g7\"}\n\n"
        "{\"start_fen\":\"3k5/9/9/9/9/9/9/9/9/4KR3 w\",\"moves_iccs\":\"f0f9\"}\n");
    ASSERT_TRUE(games) << games.error().what;
    ASSERT_EQ(games->size(), 2U);
    EXPECT_EQ(games->at(0).start, rules::Position::start());
    EXPECT_EQ(games->at(0).moves.size(), 2U);
    EXPECT_EQ(games->at(1).moves.at(0), rules::Move(5, 86));
}

TEST(Games, ReadsPgn) {
    const auto games = read_games("[Event \"a game\"]\n\n1. 炮二平五 马8进7 2. 马二进三 *\n");
    ASSERT_TRUE(games) << games.error().what;
    ASSERT_EQ(games->size(), 1U);
    const std::vector<rules::Move> moves{{25, 22}, {88, 69}, {7, 24}};
    EXPECT_EQ(games->at(0).moves, moves);
}

TEST(Games, SaysWhichLineAndMoveIsWrong) {
    const auto illegal = read_games(R"({"moves_iccs":"h2e2 h9h5"})");
    ASSERT_FALSE(illegal);
    EXPECT_NE(illegal.error().what.find("line 1: move 2, h9h5"), std::string::npos)
        << illegal.error().what;
    EXPECT_FALSE(read_games("no game\n"));
    EXPECT_FALSE(read_games("[Event \"empty\"]\n\n*\n"));
    EXPECT_FALSE(read_games("\n"));
    EXPECT_FALSE(read_games("{\"moves_iccs\":\"\"}"));
    EXPECT_FALSE(load_games("/nonexistent/games.jsonl"));
}

}  // namespace
}  // namespace xq::hal
