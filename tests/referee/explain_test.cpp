// Which moves explain the points: each rank by which one explanation goes before another, and what
// two moves explain together.
#include "daemon/referee/explain.hpp"
#include "rules/fen.hpp"
#include "rules/notation.hpp"

#include <gtest/gtest.h>

#include <array>

namespace {

using namespace xq;
using namespace xq::referee;
using rules::Illegal;
using rules::Piece;
using rules::Position;
using rules::Side;

std::size_t at(std::string_view point) {
    return static_cast<std::size_t>(*rules::point_named(point));
}

/// A board in some state, from a position on; every change says what the points told.
struct Points {
    Position position;
    rules::Placement expected;
    Reading reading{};
    protocol::Sensing sensing;
    PointSet masked;
    PointSet doubtful;
    PointSet stirred;
    PointSet refilled;

    explicit Points(std::string_view fen, protocol::Sensing s = protocol::Sensing::Identity)
        : position(*rules::read_fen(fen)), expected(position.placement()), sensing(s) {
        for (std::size_t p = 0; p < reading.size(); ++p) reading[p] = Seen::of(expected[p], s);
    }
    Points& lift(std::string_view p) { return reads(p, Seen()); }
    Points& drop(std::string_view p, char piece) {
        if (reading[at(p)].empty() && !expected[at(p)].empty()) refilled.set(at(p));
        return reads(p, Seen::of(*Piece::from_fen(piece), sensing));
    }
    Points& reads(std::string_view p, Seen seen) {
        stirred.set(at(p));
        reading[at(p)] = seen;
        return *this;
    }
    Points& mask(std::string_view p) {
        masked.set(at(p));
        return *this;
    }
    Points& flicker(std::string_view p) {
        doubtful.set(at(p));
        return *this;
    }
    Scene scene() const {
        return {position, expected, reading, sensing == protocol::Sensing::Identity,
                masked,   doubtful, stirred, refilled};
    }
    /// "h2e2 Whole; ...": what explains it, the simplest first.
    std::string all(Side side = Side::Red) const { return text(explain(scene(), side)); }
    std::string simplest(Side side = Side::Red) const { return text(best(explain(scene(), side))); }
    std::string pairs() const {
        std::string s;
        for (const Pair& p : explain_two(scene()))
            s += (s.empty() ? "" : "; ") + rules::iccs(p.first) + " " + rules::iccs(p.second);
        return s;
    }

private:
    static std::string text(const std::vector<Explanation>& found) {
        constexpr std::array sights{"Whole", "Lifted", "Untold", "Stirred", "Supposed", "Masked"};
        std::string s;
        for (const Explanation& e : found) {
            s += (s.empty() ? "" : "; ") + rules::iccs(e.move) + " " +
                 sights[static_cast<std::size_t>(e.sight)];
            if (e.why != Illegal::None) s += rules::is_suicide(e.why) ? " suicide" : " illegal";
            if (e.rest.any()) s += " +" + std::to_string(e.rest.count());
        }
        return s;
    }
};

// A rook that may take on a6 or h4, or go elsewhere.
constexpr auto rook = "3k5/9/9/p8/9/R6n1/9/9/9/4K4 w - - 0 1";

}  // namespace

TEST(Differences, MaskedPointsFitWhateverStandsThere) {
    Points p(rook);
    p.lift("a4").drop("c4", 'R');
    EXPECT_EQ(differences(p.scene()).count(), 2U);
    p.mask("c4");
    EXPECT_EQ(differences(p.scene()).count(), 1U);
}

TEST(Plausible, AThirdRookIsAPieceThatIsNotTold) {
    Points p("3k5/9/9/9/9/R6R1/9/9/9/2C1K4 w - - 0 1");
    p.lift("c0").drop("c5", 'R');
    const Reading seen = plausible(p.reading, p.expected);
    EXPECT_EQ(seen[at("c5")], Seen::some());
    EXPECT_EQ(seen[at("a4")], Seen(*Piece::from_fen('R')));  // those that stood there are believed
    p.lift("a4");                                            // now it may be the rook of a4
    EXPECT_EQ(plausible(p.reading, p.expected)[at("c5")], Seen(*Piece::from_fen('R')));
}

TEST(Explain, AMoveIsSeenWhole) {
    EXPECT_EQ(Points(rook).lift("a4").drop("c4", 'R').all(), "a4c4 Whole");
    EXPECT_EQ(Points(rook).lift("a4").drop("a6", 'R').all(), "a4a6 Whole");
}

TEST(Explain, NothingMovedNothingExplains) {
    EXPECT_EQ(Points(rook).all(), "");
    EXPECT_EQ(Points(rook).lift("a4").all(), "");  // in the hand: an identity board knows
}

TEST(Explain, FewestPointsLeftOverGoFirst) {
    // The rook left a4 and something stands on c4 and on c7: from c4 on, c7 is left over alone.
    Points p("3k5/9/9/9/9/R8/9/9/9/4K4 w - - 0 1", protocol::Sensing::Occupancy);
    p.lift("a4").drop("c4", 'R').drop("c7", 'R');
    EXPECT_EQ(p.simplest(), "a4c4 Whole +1");
}

TEST(Explain, LegalGoesBeforeIllegalAndSuicideBeforeOtherFaults) {
    Points legal("3k5/9/9/9/9/R8/9/9/9/4K4 w - - 0 1", protocol::Sensing::Occupancy);
    legal.lift("a4").drop("a5", 'R').drop("b5", 'R');
    EXPECT_EQ(legal.all(), "a4a5 Whole +1; a4b5 Whole illegal +1");
    // The horse between the generals goes to d5 (they face each other) or, as no horse does, to d4.
    Points faults("4k4/9/9/9/9/9/4N4/9/9/4K4 w - - 0 1", protocol::Sensing::Occupancy);
    faults.lift("e3").drop("d5", 'N').drop("d4", 'N');
    EXPECT_EQ(faults.all(), "e3d5 Whole suicide +1; e3d4 Whole illegal +1");
}

TEST(Explain, TheSurestSightGoesFirst) {
    // A capture that was lifted and filled again before one that merely told something, and that
    // before one that is supposed.
    Points lifted(rook, protocol::Sensing::Occupancy);
    lifted.lift("a4").lift("h4").drop("h4", 'R');
    EXPECT_EQ(lifted.all(), "a4h4 Lifted; a4a6 Supposed");
    Points stirred(rook, protocol::Sensing::Occupancy);
    stirred.lift("a4");
    stirred.stirred.set(at("a6"));
    EXPECT_EQ(stirred.all(), "a4a6 Stirred; a4h4 Supposed");
    Points supposed(rook, protocol::Sensing::Occupancy);
    supposed.lift("a4");
    EXPECT_EQ(supposed.simplest(), "a4h4 Supposed; a4a6 Supposed");
}

TEST(Explain, AnUntoldPieceIsLessSureThanOneThatIsTold) {
    Points p(rook);
    p.lift("a4").reads("c4", Seen::some());
    EXPECT_EQ(p.all(), "a4c4 Untold");
    p.reads("d4", Seen(*Piece::from_fen('R')));
    EXPECT_EQ(p.simplest(), "a4d4 Whole +1");
}

TEST(Explain, WhatIsNotListenedToIsTheLastResort) {
    // The point reached is masked: every point of its line that tells nothing else explains it.
    EXPECT_EQ(Points(rook).lift("a4").mask("b4").all(), "a4b4 Masked");
    // The point left is masked: only a piece that arrives may have come from there.
    EXPECT_EQ(Points(rook).mask("a4").drop("c4", 'R').all(), "a4c4 Masked");
    EXPECT_EQ(Points(rook).mask("a4").all(), "");
}

TEST(Explain, APointThatFlickersIsBelievedWithACertainPieceOnly) {
    EXPECT_EQ(Points(rook).lift("a4").flicker("c4").drop("c4", 'R').all(), "a4c4 Whole");
    EXPECT_EQ(Points(rook, protocol::Sensing::Occupancy)
                  .lift("a4")
                  .flicker("c4")
                  .drop("c4", 'R')
                  .simplest(),
              "a4c4 Masked");
}

TEST(Explain, WhoLeftAPointThatFlickersGoesBehind) {
    // Both rooks may have come to c4; that a4 reads empty says less.
    Points p("3k5/9/9/9/9/R8/9/9/9/2R1K4 w - - 0 1", protocol::Sensing::Occupancy);
    p.lift("a4").lift("c0").drop("c4", 'R').flicker("a4");
    EXPECT_EQ(p.simplest(), "c0c4 Whole +1");
}

TEST(Explain, TheLongestTrailGoesFirst) {
    // A cannon between two victims: the points on its way told where it was slid.
    Points p("3k5/9/9/p8/p8/9/9/C2PP1n2/9/4K4 w - - 0 1", protocol::Sensing::Occupancy);
    p.lift("a2");
    EXPECT_EQ(p.simplest(), "a2a6 Supposed");
    Points slid(rook, protocol::Sensing::Occupancy);
    slid.lift("a4");
    slid.stirred.set(at("c4"));
    slid.stirred.set(at("d4"));
    EXPECT_EQ(slid.simplest(), "a4h4 Supposed");
}

TEST(Explain, WhatCannotBeSeenIsSupposedOfLegalMovesOnly) {
    // Of a piece in the air on a colour board: no capture of its own side, none that is illegal.
    Points p("3k5/9/9/9/9/n7N/9/9/9/4K4 w - - 0 1", protocol::Sensing::Occupancy);
    p.lift("i4");
    EXPECT_EQ(p.all(), "");
}

TEST(Explain, AColourBoardTellsACaptureByItsColour) {
    Points p(rook, protocol::Sensing::Colour);
    p.lift("a4");
    EXPECT_EQ(p.all(), "");  // both still read black
    p.reads("h4", Seen::some(Side::Red));
    EXPECT_EQ(p.all(), "a4h4 Whole");
}

TEST(Explain, APieceKnownToStandElsewhereIsNotSought) {
    Points p(rook);
    p.lift("a4").drop("b5", 'R');
    p.expected[at("a4")] = Piece();
    p.expected[at("b5")] = *Piece::from_fen('R');
    EXPECT_TRUE(differences(p.scene()).none());
    p.lift("b5").drop("b6", 'R');
    EXPECT_EQ(p.all(), "");
}

TEST(Explain, TheOtherSidesMovesAreSoughtAsIfItWereItsTurn) {
    EXPECT_EQ(Points(rook).lift("a6").drop("a5", 'p').all(Side::Black), "a6a5 Whole");
}

TEST(ExplainTwo, OneOfEachSide) {
    Points p(rook);
    p.lift("a4").drop("c4", 'R').lift("d9").drop("d8", 'k');
    EXPECT_EQ(p.pairs(), "a4c4 d9d8");
}

TEST(ExplainTwo, NothingMayBeLeftOver) {
    Points p(rook);
    p.lift("a4").drop("c4", 'R').lift("d9").drop("d8", 'k').lift("e0");
    EXPECT_EQ(p.pairs(), "");
    Points more(rook);
    more.lift("a4").drop("c4", 'R').lift("d9").drop("d8", 'k').lift("e0").drop("e1", 'K');
    EXPECT_EQ(more.pairs(), "");
    EXPECT_EQ(Points(rook).pairs(), "");
}

TEST(ExplainTwo, AnExchange) {
    constexpr auto exchange = "3k5/9/9/p8/9/R8/9/r8/9/4K4 w - - 0 1";
    Points p(exchange);
    p.lift("a4").lift("a2").drop("a6", 'R');
    EXPECT_EQ(p.pairs(), "");  // two plies of one piece, or a reply in the hand
    Points recapture("3k5/9/9/p7r/9/R8/9/9/9/4K4 w - - 0 1");
    recapture.lift("a4").lift("i6").drop("a6", 'r');
    EXPECT_EQ(recapture.pairs(), "a4a6 i6a6");
}

TEST(ExplainTwo, AllThatABoardOfOccupancyCannotTellApart) {
    Points p(rook, protocol::Sensing::Occupancy);
    p.lift("a4").lift("d9").drop("d8", 'k');
    EXPECT_EQ(p.pairs(), "a4a6 d9d8; a4h4 d9d8");
    // What was lifted and filled again says more.
    Points taken("3k5/9/9/p7r/9/R6n1/9/9/9/4K4 w - - 0 1", protocol::Sensing::Occupancy);
    taken.lift("a4").lift("i6").lift("a6").drop("a6", 'r');
    EXPECT_EQ(taken.pairs(), "a4a6 i6a6");
}

TEST(ExplainTwo, TheReplyMayComeWhereTheMoveLeft) {
    Points p("3k5/9/9/9/9/R7r/9/9/9/4K4 w - - 0 1", protocol::Sensing::Occupancy);
    p.lift("i4").drop("a5", 'R');
    EXPECT_EQ(p.pairs(), "a4a5 i4a4");
}
