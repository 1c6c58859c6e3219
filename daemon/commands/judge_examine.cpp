#include "daemon/commands/judge_report.hpp"

namespace xq::judge {
namespace {

/// Rounds without a capture, as in the rules (4.2.4).
constexpr int natural_limit = 60;

std::span<const rules::Move> first_plies(const Game& game, std::size_t n) {
    return std::span(game.moves).first(n);
}

/// The plies at which a repetition or the limit came to stand.
std::vector<Event> events_of(const rules::RuleBook& book, const Game& game) {
    std::vector<Event> events;
    std::optional<std::pair<rules::Outcome, bool>> known;  // of the repetition that goes on
    std::array<int, 2> stage_told{0, 0};
    for (std::size_t n = 1; n <= game.moves.size(); ++n) {
        const rules::History so_far{game.start, first_plies(game, n)};
        const int ply = static_cast<int>(n);
        auto found = rules::find_repetition(book, so_far);
        const auto before = known;
        known.reset();
        if (found) known = std::pair(found->verdict.outcome, found->verdict.final);
        if (known && known != before)
            events.push_back({Event::Kind::Repetition, ply, std::move(found), {}, 0});
        const auto stage = rules::natural_stage(so_far);
        for (const rules::Side s : {rules::Side::Red, rules::Side::Black}) {
            int& told = stage_told[static_cast<std::size_t>(s)];
            if (told == stage.from_ply || !stage.reached(s, natural_limit)) continue;
            told = stage.from_ply;
            events.push_back({Event::Kind::NaturalLimit, ply, {}, s, stage.rounds_for(s)});
        }
    }
    return events;
}

}  // namespace

Report examine(const rules::RuleBook& book, const Game& game, bool cycle) {
    Report report;
    report.book = &book;
    report.game = game;
    report.as_cycle = cycle;
    const rules::History whole{game.start, game.moves};
    if (cycle) {
        report.finding = rules::rule_cycle(book, whole);
        report.plies = report.finding->plies;
        return report;
    }
    rules::Position p = game.start;
    std::vector<rules::Position> before;
    for (const rules::Move m : game.moves) {
        before.push_back(p);
        const std::size_t i = before.size() - 1;
        report.plies.push_back(
            book.classify(rules::facts_of(p, m, i >= 2 ? &before[i - 2] : nullptr)));
        p.apply(m);
    }
    report.finding = rules::find_repetition(book, whole);
    if (report.finding) {  // classes that depend on the cycle are settled there
        auto at = report.plies.begin() + (report.finding->plies_from - 1);
        std::copy(report.finding->plies.begin(), report.finding->plies.end(), at);
    }
    report.events = events_of(book, game);
    return report;
}

}  // namespace xq::judge
