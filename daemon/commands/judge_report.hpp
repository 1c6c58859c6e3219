#pragma once
// What xiangqi-judge found, as values, and how it is told: JSON for programs, text that an arbiter
// can read aloud.
#include "daemon/commands/judge_input.hpp"
#include "rules/natural_limit.hpp"
#include "rules/repetition.hpp"
#include "rules/rulebook/rulebook.hpp"
#include "rules/words.hpp"

namespace xq::judge {

/// Something in a game that the arbiter is told of.
struct Event {
    enum class Kind : std::uint8_t { Repetition, NaturalLimit } kind = Kind::Repetition;
    int ply = 0;
    std::optional<rules::Finding> finding;    ///< of a repetition
    rules::Side claimant = rules::Side::Red;  ///< of the limit: whose claim would now hold
    int rounds = 0;
};

struct Report {
    const rules::RuleBook* book = nullptr;
    Game game;
    std::vector<rules::ClassifiedMove> plies;
    std::optional<rules::Finding> finding;  ///< as things stand at the end, or of the cycle
    std::vector<Event> events;
    bool as_cycle = false;

    /// Whether the moves lead back to where they began, as those of a cycle should.
    bool closed() const { return game.end() == game.start; }
};

/// Classifies every ply, rules the cycle at the end (or, `cycle`, the moves as one), and in a game
/// finds where repetitions and the natural limit came to stand.
Report examine(const rules::RuleBook& book, const Game& game, bool cycle);

using rules::Language;
std::string to_json(const Report& report, Language language);
std::string to_text(const Report& report, Language language);

}  // namespace xq::judge
