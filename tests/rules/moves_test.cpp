// Which moves are legal, and the reason for each that is not (articles 2.1-2.3, 3.1-3.4).
#include "rules/moves.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "support.hpp"

namespace xq::rules {
namespace {

using tests::for_random_positions;
using tests::from_iccs;
using tests::position;
using tests::start_fen;
using tests::strewn;

constexpr int strewn_positions = 3000;

/// The rule said plainly, with none of the short cuts of `legal_moves`.
bool plainly_legal(const Position& p, Move m) {
    if (!p.at(m.from).is(p.turn()) || !follows_movement(p, m)) return false;
    return !in_check(p.after(m), p.turn());
}

bool plainly_attacked(const Position& p, Point target, Side by) {
    const PointSet& all = p.pieces(by);
    return std::any_of(all.begin(), all.end(), [&](Point q) { return attacks(p, q, target); });
}

void expect_consistent(const Position& p) {
    const MoveList legal = legal_moves(p);
    MoveList by_piece;
    piece_moves(p, by_piece);
    for (const Point from : p.pieces(p.turn())) {
        for (Point to = 0; to < points; ++to) {
            const Move m(from, to);
            const bool allowed = plainly_legal(p, m);
            ASSERT_EQ(legal.contains(m), allowed) << write_fen(p) << " " << iccs(m);
            ASSERT_EQ(is_legal(p, m), allowed) << write_fen(p) << " " << iccs(m);
            ASSERT_EQ(why_illegal(p, m) == Illegal::None, allowed) << write_fen(p) << iccs(m);
            ASSERT_EQ(by_piece.contains(m), follows_movement(p, m)) << write_fen(p) << iccs(m);
            ASSERT_EQ(is_suicide(why_illegal(p, m)), by_piece.contains(m) && !allowed)
                << write_fen(p) << iccs(m);
        }
    }
    ASSERT_EQ(has_legal_move(p), !legal.empty());
}

TEST(LegalMoves, AreThoseThePlainRuleAllows) {
    int n = 0;
    for_random_positions([&](const Position& p) {
        if (++n % 8 == 0) expect_consistent(p);  // every eighth: 1440 questions a position
    });
    EXPECT_GT(n, 1000);
}

TEST(LegalMoves, AreThoseThePlainRuleAllowsWhereverPiecesStand) {
    std::mt19937_64 random(1);
    for (int i = 0; i < strewn_positions / 8; ++i) expect_consistent(strewn(random));
}

TEST(LegalMoves, AreListedOnce) {
    std::mt19937_64 random(2);
    for (int i = 0; i < strewn_positions; ++i) {
        const MoveList moves = legal_moves(strewn(random));
        std::set<std::string> seen;
        for (const Move m : moves) seen.insert(iccs(m));
        EXPECT_EQ(seen.size(), moves.size());
    }
}

TEST(LegalMoves, FitTheListWhateverStandsOnTheBoard) {
    // Rooks two by two on every line, and cannons: more moves than any game gives.
    for (const Kind kind : {Kind::Rook, Kind::Cannon, Kind::Knight}) {
        Position p;
        for (Point q = 0; q < points; ++q)
            p.put(q, (q % 2) == 0 ? Piece(Side::Red, kind)
                                  : (q % 3 == 0 ? Piece(Side::Black, kind) : Piece()));
        MoveList moves;
        piece_moves(p, moves);
        EXPECT_LT(moves.size(), MoveList::capacity);
    }
}

TEST(Attacked, IsWhetherAnyPieceAttacks) {
    std::mt19937_64 random(3);
    for (int i = 0; i < strewn_positions; ++i) {
        const Position p = strewn(random);
        for (Point q = 0; q < points; ++q)
            for (const Side by : {Side::Red, Side::Black})
                ASSERT_EQ(attacked(p, q, by), plainly_attacked(p, q, by))
                    << write_fen(p) << " " << name(q) << " by " << name(by);
    }
}

/// Legal moves in ICCS after `turn` of the points, sorted.
template <class Turn>
std::multiset<std::string> moves_after(const Position& p, Turn turn) {
    std::multiset<std::string> out;
    for (const Move m : legal_moves(p)) out.insert(iccs(Move(turn(m.from), turn(m.to))));
    return out;
}

TEST(LegalMoves, AreMirroredWithThePosition) {
    const auto same = [](Point q) { return q; };
    const auto mirror = [](Point q) { return point(files - 1 - file_of(q), rank_of(q)); };
    for_random_positions([&](const Position& p) {
        EXPECT_EQ(moves_after(p, mirror), moves_after(mirrored(p), same));
        EXPECT_EQ(moves_after(p, rotated), moves_after(colours_exchanged(p), same));
        EXPECT_EQ(status(p), status(mirrored(p)));
        EXPECT_EQ(status(p), status(colours_exchanged(p)));
    });
}

struct Refused {
    std::string_view fen;
    std::string_view move;
    Illegal why;
};

class IllegalMove : public ::testing::TestWithParam<Refused> {};

TEST_P(IllegalMove, HasItsReason) {
    const auto& [fen, text, why] = GetParam();
    EXPECT_EQ(why_illegal(position(fen), from_iccs(text)), why);
    EXPECT_EQ(why_illegal(colours_exchanged(position(fen)),
                          Move(rotated(from_iccs(text).from), rotated(from_iccs(text).to))),
              why);
    EXPECT_EQ(is_legal(position(fen), from_iccs(text)), why == Illegal::None);
}

INSTANTIATE_TEST_SUITE_P(
    Each, IllegalMove,
    ::testing::Values(
        Refused{start_fen, "h2e2", Illegal::None}, Refused{start_fen, "e4e5", Illegal::NoPiece},
        Refused{start_fen, "h7e7", Illegal::NotYours},
        Refused{start_fen, "a0a3", Illegal::OwnPiece},
        Refused{start_fen, "a0b1", Illegal::Movement},
        Refused{start_fen, "a0a0", Illegal::Movement},
        Refused{start_fen, "h0h1", Illegal::Movement},
        Refused{start_fen, "e3e5", Illegal::Movement},
        Refused{start_fen, "e3f4", Illegal::Movement},
        Refused{start_fen, "b0d1", Illegal::LegBlocked},
        Refused{start_fen, "h2h8", Illegal::PathBlocked},
        Refused{start_fen, "h2h7", Illegal::NoScreen}, Refused{start_fen, "b2b9", Illegal::None},
        Refused{start_fen, "e3e2", Illegal::PawnBackward},
        Refused{start_fen, "e3d3", Illegal::PawnSideways},
        Refused{"4k4/9/9/9/9/9/9/9/3N5/2B1K4 w", "c0e2", Illegal::EyeBlocked},
        Refused{"4k4/9/9/9/9/9/9/9/9/2BK5 w", "c0c2", Illegal::Movement},
        Refused{"3k5/9/9/9/9/2B6/9/9/9/4K4 w", "c4e6", Illegal::CrossesRiver},
        Refused{"3k5/9/9/9/9/9/9/9/4A4/4K4 w", "e0e1", Illegal::OwnPiece},
        Refused{"3k5/9/9/9/9/9/9/5K3/9/9 w", "f2g2", Illegal::LeavesPalace},
        Refused{"3k5/9/9/9/9/9/9/5K3/9/9 w", "f2f3", Illegal::LeavesPalace},
        Refused{"3k5/9/9/9/9/9/9/5A3/9/4K4 w", "f2g3", Illegal::LeavesPalace},
        Refused{"3k5/9/9/9/9/9/9/9/9/3RK4 w", "d0d9", Illegal::None},
        Refused{"3k5/9/9/3p5/9/9/9/9/9/3RK4 w", "d0d9", Illegal::PathBlocked},
        Refused{"3k5/9/9/3p5/9/9/3p5/9/9/3CK4 w", "d0d9", Illegal::NoScreen},
        Refused{"3k5/9/9/3p5/9/9/9/9/9/3CK4 w", "d0d6", Illegal::NoScreen},
        Refused{"3k5/9/9/3P5/9/9/9/9/9/4K4 w", "d6e6", Illegal::None},
        Refused{"3k5/9/9/3P5/9/9/9/9/9/4K4 w", "d6d5", Illegal::PawnBackward},
        // 3.4: the piece can go there, but the general is left to be taken.
        Refused{"3k5/9/9/9/9/9/9/9/9/4K4 w", "e0d0", Illegal::GeneralsFacing},
        Refused{"4k4/9/9/9/4R4/9/9/9/9/4K4 w", "e5d5", Illegal::GeneralsFacing},
        Refused{"3k1r3/9/9/9/9/9/9/9/9/4K4 w", "e0f0", Illegal::GeneralIntoCapture},
        Refused{"3k5/9/9/9/4r4/9/9/9/4N4/4K4 w", "e1g2", Illegal::GeneralUncovered},
        Refused{"3k5/9/9/4c4/9/9/9/4B4/4A4/4K4 w", "e1f2", Illegal::GeneralUncovered},
        Refused{"3k5/9/9/4c4/9/9/9/9/8R/4K4 w", "i1e1", Illegal::GeneralUncovered},
        Refused{"3k5/9/9/9/9/9/9/3n5/3P5/4K4 w", "d1d2", Illegal::None},
        Refused{"3k5/9/9/9/9/9/9/3n5/3R5/4K4 w", "d1a1", Illegal::GeneralUncovered},
        Refused{"3k5/9/9/9/4r4/9/9/9/8R/4K4 w", "i1i2", Illegal::CheckNotAnswered},
        Refused{"3k5/9/9/9/4r4/9/9/9/8R/4K4 w", "i1e1", Illegal::None},
        Refused{"3k5/9/9/9/9/9/9/3n5/8R/4K4 w", "i1i2", Illegal::CheckNotAnswered},
        Refused{"3k5/9/9/9/9/9/9/9/3pR4/4K2r1 w", "e1d1", Illegal::CheckNotAnswered},
        // The check is answered, but by the piece that covered another line.
        Refused{"3k5/9/9/9/4r4/3n5/9/9/2n1N4/4K4 w", "e1c2", Illegal::CheckNotAnswered},
        Refused{"3k5/9/9/9/4r4/9/5n3/4N4/9/4K4 w", "e2f4", Illegal::GeneralUncovered},
        Refused{"3k5/9/9/9/4r4/9/9/3n5/9/R2AKR3 w", "d0e1", Illegal::CheckNotAnswered}));

TEST(IllegalMove, TextsAreThereInBothLanguages) {
    std::set<std::string_view> texts;
    for (auto why = static_cast<unsigned>(Illegal::None);
         why <= static_cast<unsigned>(Illegal::CheckNotAnswered); ++why) {
        texts.insert(text(static_cast<Illegal>(why)));
        texts.insert(text_zh(static_cast<Illegal>(why)));
    }
    EXPECT_EQ(texts.size(), 2 * (static_cast<unsigned>(Illegal::CheckNotAnswered) + 1));
    EXPECT_FALSE(texts.contains(""));
}

TEST(Status, TellsMateFromStalemate) {
    EXPECT_EQ(status(Position::start()), Status::Playing);
    EXPECT_EQ(status(position("3k5/3R5/3R5/9/9/9/9/9/9/4K4 b")), Status::Checkmate);
    EXPECT_EQ(status(position("4k4/3P1P3/9/9/9/9/9/9/9/3K5 b")), Status::Stalemate);
}

TEST(Attacks, AsksNotWhatStandsOnTheTarget) {
    const Position p = position("4k4/9/9/9/9/9/9/1C5C1/9/RN2K2NR w");
    EXPECT_TRUE(attacks(p, *point_named("h0"), *point_named("g2")));
    EXPECT_TRUE(attacks(p, *point_named("a0"), *point_named("b0")));
    EXPECT_FALSE(attacks(p, *point_named("b2"), *point_named("d2")));
    EXPECT_TRUE(attacks(p, *point_named("b2"), *point_named("i2")));
    EXPECT_TRUE(attacks(p, *point_named("e0"), *point_named("e9")));
    EXPECT_FALSE(attacks(p, *point_named("e0"), *point_named("e5")));
}

}  // namespace
}  // namespace xq::rules
