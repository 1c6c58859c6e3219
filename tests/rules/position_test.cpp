// Positions as values: making and taking back, keys, mirrors.
#include "rules/position.hpp"

#include <gtest/gtest.h>

#include "support.hpp"

namespace xq::rules {
namespace {

using tests::for_random_positions;
using tests::from_iccs;
using tests::position;

/// Everything a position holds, also what operator== leaves out.
void expect_same(const Position& a, const Position& b) {
    EXPECT_EQ(a, b);
    EXPECT_EQ(a.key(), b.key());
    EXPECT_EQ(write_fen(a), write_fen(b));
    for (const Side s : {Side::Red, Side::Black}) {
        EXPECT_EQ(a.general(s), b.general(s));
        EXPECT_EQ(a.pieces(s), b.pieces(s));
    }
}

Position made_anew(const Position& p) {
    Position out(p.placement(), p.turn());
    out.set_counters(p.since_capture(), p.round());
    return out;
}

TEST(Position, StartHasItsPieces) {
    const Position& p = Position::start();
    EXPECT_EQ(p.pieces(Side::Red).size(), 16);
    EXPECT_EQ(p.pieces(Side::Black).size(), 16);
    EXPECT_EQ(name(p.general(Side::Red)), "e0");
    EXPECT_EQ(name(p.general(Side::Black)), "e9");
    EXPECT_TRUE(p.at(*point_named("h2")).is(Side::Red, Kind::Cannon));
    EXPECT_EQ(p.turn(), Side::Red);
}

TEST(Position, CountersFollowTheMoves) {
    Position p = Position::start();
    p.apply(from_iccs("h2e2"));
    EXPECT_EQ(p.since_capture(), 1);
    EXPECT_EQ(p.round(), 1);
    p.apply(from_iccs("h9g7"));
    EXPECT_EQ(p.round(), 2);
    p.apply(from_iccs("e2e6"));
    EXPECT_EQ(p.since_capture(), 0);
}

TEST(Position, UndoRestoresEverything) {
    for_random_positions([](const Position& before) {
        Position p = before;
        for (const Move m : legal_moves(before)) {
            const Undo undo = p.apply(m);
            EXPECT_EQ(p, before.after(m));
            p.undo(m, undo);
            expect_same(p, before);
        }
    });
}

TEST(Position, WhatIsKeptEqualsWhatIsMadeAnew) {
    for_random_positions([](const Position& p) { expect_same(p, made_anew(p)); });
}

TEST(Position, KeysTellTheSideToMove) {
    const Position& p = Position::start();
    EXPECT_NE(p.key(), p.passed().key());
    EXPECT_EQ(p.key(), p.passed().passed().key());
}

TEST(Position, KeysDifferByWhoStandsWhere) {
    EXPECT_NE(position("4k4/9/9/9/9/9/9/9/9/R3K4 w").key(),
              position("4k4/9/9/9/9/9/9/9/9/C3K4 w").key());
    EXPECT_NE(position("4k4/9/9/9/9/9/9/9/9/R3K4 w").key(),
              position("4k4/9/9/9/9/9/9/9/R8/4K4 w").key());
}

TEST(Position, AGeneralTakenOffIsNoGeneral) {
    Position p = Position::start();
    const Undo undo = p.apply(from_iccs("e0e9"));
    EXPECT_EQ(p.general(Side::Black), no_point);
    EXPECT_EQ(name(p.general(Side::Red)), "e9");
    p.undo(from_iccs("e0e9"), undo);
    expect_same(p, Position::start());
}

TEST(Position, MirrorsAreTheirOwnInverse) {
    for_random_positions([](const Position& p) {
        expect_same(mirrored(mirrored(p)), p);
        expect_same(colours_exchanged(colours_exchanged(p)), p);
    });
}

TEST(Types, PointsHaveNames) {
    for (Point p = 0; p < points; ++p) EXPECT_EQ(point_named(name(p)), p);
    EXPECT_EQ(name(0), "a0");
    EXPECT_EQ(name(8), "i0");
    EXPECT_EQ(name(89), "i9");
    EXPECT_EQ(point_named("E2"), point_named("e2"));
    for (const auto* text : {"", "e", "j0", "e22", "2e", "[0", "`1", "e:"})
        EXPECT_FALSE(point_named(text)) << text;
}

TEST(Types, PiecesHaveLetters) {
    for (const unsigned code : {1U, 2U, 3U, 4U, 5U, 6U, 7U, 9U, 10U, 11U, 12U, 13U, 14U, 15U}) {
        const Piece piece = Piece::from_code(code);
        EXPECT_EQ(Piece::from_fen(piece.fen()), piece);
    }
    EXPECT_EQ(Piece::from_fen('E'), Piece(Side::Red, Kind::Elephant));
    EXPECT_EQ(Piece::from_fen('h'), Piece(Side::Black, Kind::Knight));
    for (const char c : {'.', 'x', 'X', 'o', '1', ' ', 'z'}) EXPECT_FALSE(Piece::from_fen(c)) << c;
}

TEST(Types, PointSetsHoldPoints) {
    PointSet set;
    EXPECT_TRUE(set.empty());
    for (const Point p : {0, 63, 64, 89}) set.add(p);
    EXPECT_EQ(std::vector<Point>(set.begin(), set.end()), (std::vector<Point>{0, 63, 64, 89}));
    set.remove(63);
    EXPECT_FALSE(set.contains(63));
    EXPECT_EQ(set.size(), 3);
    EXPECT_EQ(PointSet::all().size(), points);
}

}  // namespace
}  // namespace xq::rules
