// Prints how the three books rule the recorded repetitions: a line a game, then how often they
// agree. Not a test: a table to read beside rules/RULEBOOKS.md.
#include "figures.hpp"
#include "support.hpp"

#include <cstdio>
#include <map>

namespace {

using namespace xq::rules;

std::string classes_of(const Finding& f) {
    std::string text;
    for (const ClassifiedMove& m : f.plies) text += name_zh(m.cls);
    return text;
}

/// The last whole cycle of the first two that a game holds.
std::optional<std::pair<Position, std::vector<Move>>> first_cycle(const tests::Game& game) {
    const Position start = tests::position(game.start_fen);
    for (std::size_t n = 4; n <= game.moves.size(); ++n) {
        const auto cycle = find_cycle({start, std::span(game.moves).first(n)});
        if (!cycle || cycle->times < 2) continue;
        const auto from = static_cast<std::ptrdiff_t>(n) - cycle->length;
        Position p = start;
        for (auto m = game.moves.begin(); m != game.moves.begin() + from; ++m) p.apply(*m);
        return std::pair(p, std::vector<Move>(game.moves.begin() + from,
                                              game.moves.begin() + static_cast<std::ptrdiff_t>(n)));
    }
    return std::nullopt;
}

}  // namespace

int main() {
    std::map<std::string, int> counts;
    for (const auto& game : tests::recorded_games()) {
        const auto cycle = first_cycle(game);
        if (!cycle) continue;
        std::string row;
        std::string outcomes;
        for (const RuleBook* book : rule_books()) {
            const Finding f = rule_cycle(*book, {cycle->first, cycle->second});
            const std::string outcome(name(f.verdict.outcome));
            row += "  " + outcome + " (" + classes_of(f) + ")";
            outcomes += (outcomes.empty() ? "" : " | ") + outcome;
        }
        ++counts[outcomes];
        std::printf("%s%s\n", game.id.c_str(), row.c_str());
    }
    std::printf("\ncxa-2010 | cxa-1999 | asian\n");
    for (const auto& [outcomes, n] : counts) std::printf("%4d  %s\n", n, outcomes.c_str());
}
