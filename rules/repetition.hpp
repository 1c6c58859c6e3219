#pragma once
// Cycles in a game and their rulings (23.1-23.5 of the 2010 rules, the classes and rulings by the
// rule book that is asked). Pure functions of the history; a forbidden repetition is still a legal
// move. Searches are bounded by nodes, so a call ends within tens of milliseconds.
#include "rules/move_class.hpp"
#include "rules/position.hpp"
#include "rules/verdict.hpp"

#include <span>

namespace xq::rules {

class RuleBook;

/// The game so far: `moves` are legal from `start`, in order. Ply n is `moves[n - 1]`.
struct History {
    const Position& start;
    std::span<const Move> moves;
};

/// A run of moves that repeats itself up to the last ply of a history.
struct Cycle {
    int from_ply = 0;  ///< the first ply that counts: the entering move, unless it captured (23.2)
    int length = 0;    ///< plies of one cycle
    int times = 0;     ///< whole cycles complete with the last ply

    bool operator==(const Cycle&) const = default;
};

/// The cycle that the game stands in, whole or not (`times` may be 0 or 1, then there is little to
/// say); nothing if the last position has not occurred before.
std::optional<Cycle> find_cycle(const History& h);

enum class Ground : std::uint8_t {
    Cycle,       ///< three whole cycles (23.1)
    NineRounds,  ///< nine rounds of forbidden moves without three cycles (23.4)
};

/// A position to be ruled, as it stands after the last ply.
struct Finding {
    Ground ground = Ground::Cycle;
    Cycle cycle;  ///< for `NineRounds`: the eighteen plies once
    /// The ply that completed the third cycle, or the ninth round: when the daemon says so.
    int complete_ply = 0;
    /// The classes of one cycle (of the eighteen plies), from ply `plies_from`.
    int plies_from = 0;
    std::vector<ClassifiedMove> plies;
    Verdict verdict;
};

/// What is to be ruled after the last ply, if anything. The verdict follows the procedure of 23.5:
/// one-sided perpetual check has lost at once; who must change is told so (`final` false) and has
/// lost when he has made two more moves of the cycle since `warned_ply` (one, for nine rounds);
/// alike moves of both draw with the fourth cycle.
/// `warned_ply` is the ply after which he was told; left out, he was told at `complete_ply`.
std::optional<Finding> find_repetition(const RuleBook& book, const History& h,
                                       std::optional<int> warned_ply = std::nullopt);

/// One whole cycle that the players go on repeating, from `start`: its classes and the ruling that
/// three of them come to. The moves must be legal; whether they lead back to `start` is not asked.
Finding rule_cycle(const RuleBook& book, const History& cycle);

}  // namespace xq::rules
