// Facts and classes by search: twins of a position are called alike, and what is reported can be
// played.
#include "figures.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

namespace xq::rules::tests {
namespace {

/// The same ply, its classes by all books, seen from another seat.
void expect_alike(const ClassifiedMove& a, const ClassifiedMove& b, Point (*seat)(Point)) {
    EXPECT_EQ(a.cls, b.cls) << a.en << " / " << b.en;
    EXPECT_EQ(a.article, b.article);
    EXPECT_EQ(a.proven, b.proven);
    ASSERT_EQ(a.targets.size(), b.targets.size());
    for (std::size_t i = 0; i < a.targets.size(); ++i) {
        EXPECT_EQ(seat(a.targets[i].point), b.targets[i].point);
        EXPECT_EQ(a.targets[i].root, b.targets[i].root);
        EXPECT_EQ(a.targets[i].joint, b.targets[i].joint);
    }
    ASSERT_EQ(a.line.size(), b.line.size());
    for (std::size_t i = 0; i < a.line.size(); ++i) {
        EXPECT_EQ(seat(a.line[i].from), Point{b.line[i].from});
        EXPECT_EQ(seat(a.line[i].to), Point{b.line[i].to});
    }
}

/// A move of each position of random play, by chance.
template <class Visit>
void for_random_plies(Visit visit) {
    std::mt19937_64 random(1999);
    int every = 0;
    for_random_positions([&](const Position& p) {
        if (++every % 16 != 0) return;
        const MoveList all = legal_moves(p);
        if (all.empty()) return;
        visit(p, all[random() % all.size()]);
    });
}

TEST(Twins, AreCalledAlike) {
    int seen = 0;
    for_random_plies([&](const Position& p, Move m) {
        const Facts plain = facts_of(p, m);
        const Facts mirror = facts_of(rules::mirrored(p), mirrored(m));
        const Facts exchanged = facts_of(rules::colours_exchanged(p), rotated(m));
        for (const RuleBook* book : rule_books()) {
            const auto called = book->classify(plain);
            expect_alike(called, book->classify(mirror), mirrored);
            expect_alike(called, book->classify(exchanged), rules::rotated);
        }
        ++seen;
    });
    EXPECT_GT(seen, 100);
}

TEST(Facts, LinesCanBePlayed) {
    for_random_plies([&](const Position& p, Move m) {
        const Facts f = facts_of(p, m);
        const auto playable = [&](const std::vector<Move>& line) {
            Position q = f.after.passed();
            for (const Move step : line) {
                ASSERT_TRUE(is_legal(q, step)) << write_fen(p) << ' ' << iccs(m);
                q.apply(step);
            }
        };
        for (const Threat& t : f.threats) {
            EXPECT_FALSE(t.line.moves.empty());
            EXPECT_TRUE(f.after.at(t.target.point).is(other(f.side())));
            playable(t.line.moves);
        }
        playable(f.kill.line);
        if (!f.kill) return;
        Position q = f.after.passed();
        for (const Move step : f.kill.line) q.apply(step);
        EXPECT_EQ(status(q), Status::Checkmate) << write_fen(p) << ' ' << iccs(m);
    });
}

TEST(MateSearch, FindsSevenChecks) {
    // Rooks against a bare palace: the mate takes seven checks.
    const Position p = position("1R3a3/3ka4/bRr4r1/p3p3P/4c4/6B2/9/3A5/9/4KA3 b - - 0 1");
    Budget budget(100000);
    const Mate mate = mate_by_checks(p, budget);
    ASSERT_TRUE(mate);
    EXPECT_EQ(mate.line.size(), 13U);
}

TEST(MateSearch, SaysWhenItsBoundWasMet) {
    const Position p = position("1R3a3/3ka4/bRr4r1/p3p3P/4c4/6B2/9/3A5/9/4KA3 b - - 0 1");
    Budget budget(20);
    const Mate mate = mate_by_checks(p, budget);
    EXPECT_FALSE(mate);
    EXPECT_FALSE(mate.proven);
}

TEST(MateSearch, KnowsThatThereIsNone) {
    const Position p = position("3k5/9/9/9/9/9/9/9/9/R2K5 w - - 0 1");
    Budget budget(100000);
    const Mate mate = mate_by_checks(p, budget);
    EXPECT_FALSE(mate);
    EXPECT_TRUE(mate.proven);
}

TEST(Tally, PawnsNeverPayForAPieceButARook) {
    const Piece rook(Side::Black, Kind::Rook);
    const Piece knight(Side::Black, Kind::Knight);
    const Piece pawn(Side::Red, Kind::Pawn);
    Tally for_rook;
    for_rook.win(rook, false);
    for_rook.lose(pawn, true);
    EXPECT_GT(for_rook.score(), 0);
    Tally for_knight;
    for_knight.win(knight, false);
    for_knight.lose(pawn, true);
    EXPECT_LE(for_knight.score(), 0);
    Tally knight_for_pawns;
    knight_for_pawns.lose(knight, false);
    for (int i = 0; i < 5; ++i) knight_for_pawns.win(pawn, true);
    EXPECT_LT(knight_for_pawns.score(), 0);
    Tally pawn_on_top;
    pawn_on_top.win(knight, false);
    pawn_on_top.lose(Piece(Side::Red, Kind::Cannon), false);
    pawn_on_top.win(pawn, true);
    EXPECT_GT(pawn_on_top.score(), 0);
}

TEST(Root, IsAskedAfterTheCapture) {
    // The rook on the rank is the screen over which each cannon seems to guard the other.
    const Position p = position("3k5/9/9/9/9/c1R2c3/9/9/9/4K4 w - - 0 1");
    const Facts f = facts_of(p.passed().passed(), from_iccs("e0e1"));
    ASSERT_FALSE(f.threats.empty());
    for (const Threat& t : f.threats) EXPECT_EQ(t.target.root, Root::None) << name(t.target.point);
}

TEST(Chase, IsNoneOfAPawnAsItCrosses) {
    // 26.7: the rook would take the pawn that has just gone to a5.
    const Position previous = position("3k4r/9/9/9/9/P8/9/9/9/4K4 b - - 0 1");
    const Position waited = previous.after(from_iccs("i9i8"));
    const Position crossed = waited.after(from_iccs("a4a5"));
    const Move attack = from_iccs("i8i5");
    EXPECT_EQ(cxa_2010().classify(facts_of(crossed, attack)).cls, MoveClass::Chase);
    EXPECT_NE(cxa_2010().classify(facts_of(crossed, attack, &previous)).cls, MoveClass::Chase);
}

TEST(Chase, IsNoneByAPinnedKnight) {
    const Position p = position("4k4/9/9/9/9/9/9/4c1N2/9/3K4r w - - 0 1");
    // f0 lies between the general and the rook.
    EXPECT_NE(cxa_2010().classify(facts_of(p, from_iccs("g2f0"))).cls, MoveClass::Chase);
}

}  // namespace
}  // namespace xq::rules::tests
