#pragma once
// Which moves explain the points: official position + moves = physical board, and the simplest
// explanation wins. Pure functions of a scene; they guess nothing: what several
// moves explain alike is given back as several.
#include "daemon/referee/sensing.hpp"
#include "rules/moves.hpp"

#include <vector>

namespace xq::referee {

/// The board as it is believed to be, beside what should stand on it.
struct Scene {
    const rules::Position& position;   ///< official, before the move that is looked for
    const rules::Placement& expected;  ///< official, but for pieces known to stand elsewhere
    const Reading& reading;
    bool tells_pieces;         ///< the board tells which piece stands on a point
    const PointSet& masked;    ///< points not listened to; they fit whatever stands there
    PointSet doubtful;         ///< points that flicker: only a certain piece is believed there
    const PointSet& stirred;   ///< points that told anything since the side to move could begin
    const PointSet& refilled;  ///< points that were empty since then and hold a piece again
};

/// Points that do not read what is expected.
PointSet differences(const Scene& s);
PointSet differences(const rules::Placement& expected, const Reading& reading,
                     const PointSet& masked);

/// The reading with every piece that cannot be there (a third rook) as one that is not told: more
/// of a kind than `expected` holds means that the newcomers are misread.
Reading plausible(const Reading& reading, const rules::Placement& expected);

/// How surely a move is seen.
enum class Sight : std::uint8_t {
    Whole,     ///< the piece left its point and reads on the other one, as well as the board can
    Lifted,    ///< the other point, held by an enemy, was emptied and filled again
    Untold,    ///< the board tells pieces, but not this one
    Stirred,   ///< the other point, held by an enemy, told something
    Supposed,  ///< nothing was told of the other point: a capture that never read empty
    Masked,    ///< one of the two points is not listened to
};

struct Explanation {
    rules::Move move;
    rules::Illegal why;  ///< `None` for a legal move
    Sight sight;
    PointSet rest;  ///< differences that the move leaves unexplained
    int trail = 0;  ///< points on its way that told something: a piece that was slid leaves them
    bool doubtful = false;  ///< the point it left flickers, so that it reads empty says less
    int left_over = 0;      ///< of `rest`, those points that do not flicker
};

/// The moves of `side` that explain some of the differences, whatever the rules say of them, the
/// simplest first: fewest points left over (those that flicker count last), legal before illegal,
/// the surest sight, the longest trail.
std::vector<Explanation> explain(const Scene& s, rules::Side side);
/// Those at the head of `explain` that nothing tells apart: none, one, or several.
std::vector<Explanation> best(std::vector<Explanation> all);

/// Two legal moves, one of each side, that lead from the position to the reading and leave nothing
/// over.
struct Pair {
    rules::Move first;
    rules::Move second;
    Sight sight;  ///< of the second: `Whole`, `Lifted` or `Supposed`
};
/// Every such pair; where the reply was seen to take what was lifted and filled again, only those
/// that say so.
std::vector<Pair> explain_two(const Scene& s);

}  // namespace xq::referee
