#include "rules/repetition.hpp"

#include "rules/rulebook/rulebook.hpp"
#include "rules/rulebook/rulings.hpp"
#include "rules/words.hpp"

#include <algorithm>

namespace xq::rules {
namespace {

constexpr int cycles_to_rule = 3;   // 23.1
constexpr int cycles_to_draw = 4;   // 23.5.3
constexpr int moves_to_change = 2;  // 23.5.2
constexpr int nine_rounds = 18;     // plies, 23.4
/// 23.4 speaks of moves without purpose: of the positions of the nine rounds at least so many have
/// stood before within them.
constexpr std::size_t returns_in_nine_rounds = 6;

/// The positions of a game, from the start to after the last ply.
std::vector<Position> positions_of(const History& h) {
    std::vector<Position> all;
    all.reserve(h.moves.size() + 1);
    all.push_back(h.start);
    for (const Move m : h.moves) all.push_back(all.back().after(m));
    return all;
}

bool captures(const std::vector<Position>& positions, const History& h, int ply) {
    const auto i = static_cast<std::size_t>(ply);
    return !positions[i - 1].at(h.moves[i - 1].to).empty();
}

/// How far a period of `length` plies reaches back from the last position.
std::optional<Cycle> cycle_of(const std::vector<Position>& positions, const History& h,
                              int length) {
    const int last = static_cast<int>(h.moves.size());
    int first = last - length;  // the first position of the run
    if (positions[positions.size() - 1 - static_cast<std::size_t>(length)] != positions.back())
        return std::nullopt;
    const auto at = [&](int i) -> const Position& {
        return positions[static_cast<std::size_t>(i)];
    };
    while (first > 0 && at(first - 1) == at(first - 1 + length)) --first;
    const bool enters = first > 0 && !captures(positions, h, first);  // 23.2
    Cycle c;
    c.from_ply = enters ? first : first + 1;
    c.length = length;
    c.times = (last - c.from_ply + 1) / length;
    return c;
}

std::optional<Cycle> longest_cycle(const std::vector<Position>& positions, const History& h) {
    std::optional<Cycle> best;
    const int last = static_cast<int>(h.moves.size());
    for (int length = 2; length <= last && !captures(positions, h, last - length + 2);
         length += 2) {
        const auto c = cycle_of(positions, h, length);
        if (c && (!best || c->times > best->times)) best = c;
    }
    return best;
}

/// The classes of `count` plies from `from`. A cycle that closes is read round: what came before
/// its first plies is its end.
std::vector<ClassifiedMove> classes(const RuleBook& book, const std::vector<Position>& positions,
                                    std::span<const Move> moves, int from, int count) {
    std::vector<ClassifiedMove> plies;
    const bool closed = positions.front() == positions.back();
    for (int ply = from; ply < from + count; ++ply) {
        const auto i = static_cast<std::size_t>(ply - 1);
        const Position* previous = nullptr;
        if (i >= 2)
            previous = &positions[i - 2];
        else if (closed)
            previous = &positions[moves.size() + i - 2];
        plies.push_back(book.classify(facts_of(positions[i], moves[i], previous)));
    }
    book.settle(plies);
    return plies;
}

/// How many of the plies after `ply` up to the last were made by `s`.
int moves_since(const std::vector<Position>& positions, int ply, Side s) {
    int n = 0;
    for (auto i = static_cast<std::size_t>(ply); i + 1 < positions.size(); ++i)
        n += positions[i].turn() == s ? 1 : 0;
    return n;
}

/// The told side has gone on: it has lost.
void make_lost(Verdict& v, Side s, std::string_view article) {
    v.outcome = loses(s);
    v.final = true;
    v.articles.emplace_back(article);
    const auto who = words::side(s);
    v.zh += "；" + who.zh + "已被要求变着而未变，判负";
    v.en += "; " + who.en + " was told to change, did not, and has lost";
}

std::optional<Finding> strict_cycle(const RuleBook& book, const History& h,
                                    const std::vector<Position>& positions,
                                    std::optional<int> warned_ply) {
    const auto cycle = longest_cycle(positions, h);
    if (!cycle || cycle->times < cycles_to_rule) return std::nullopt;
    Finding f;
    f.cycle = *cycle;
    f.complete_ply = cycle->from_ply + cycles_to_rule * cycle->length - 1;
    f.plies_from = static_cast<int>(h.moves.size()) - cycle->length + 1;
    f.plies = classes(book, positions, h.moves, f.plies_from, cycle->length);
    f.verdict = book.rule(f.plies);
    Verdict& v = f.verdict;
    if (v.outcome == Outcome::Draw) {
        v.final = cycle->times >= cycles_to_draw;
        if (v.final) v.articles.emplace_back("23.5.3");
    } else if (!is_loss(v.outcome)) {
        const Side s = *against(v.outcome);
        if (moves_since(positions, warned_ply.value_or(f.complete_ply), s) >= moves_to_change)
            make_lost(v, s, "23.5.2.2");
    }
    return f;
}

/// Whether the last eighteen plies before `last` are such that nine rounds can be asked about.
bool goes_round(const std::vector<Position>& positions, const History& h, int last, Side s) {
    const int first = last - nine_rounds;  // the position that they begin from
    std::size_t returns = 0;
    std::vector<Point> reached;
    for (int ply = first + 1; ply <= last; ++ply) {
        const auto i = static_cast<std::size_t>(ply);
        if (captures(positions, h, ply)) return false;
        const auto begin = positions.begin() + first;
        if (std::find(begin, positions.begin() + ply, positions[i]) != positions.begin() + ply)
            ++returns;
        const Point to{h.moves[i - 1].to};
        if (positions[i - 1].turn() == s &&
            std::find(reached.begin(), reached.end(), to) == reached.end())
            reached.push_back(to);
    }
    return returns >= returns_in_nine_rounds && reached.size() >= 3;
}

/// 23.4: nine rounds of forbidden moves only by one side, between three points or more.
std::optional<Finding> nine_rounds_of(const RuleBook& book, const History& h,
                                      const std::vector<Position>& positions, int last, Side s) {
    if (last < nine_rounds || !goes_round(positions, h, last, s)) return std::nullopt;
    Finding f;
    f.ground = Ground::NineRounds;
    f.cycle = {last - nine_rounds + 1, nine_rounds, 1};
    f.complete_ply = last;
    f.plies_from = f.cycle.from_ply;
    f.plies = classes(book, positions, h.moves, f.plies_from, nine_rounds);
    f.verdict = book.rule(f.plies);
    if (against(f.verdict.outcome) != s) return std::nullopt;
    f.verdict = must_change_at_once(f.plies, s, {"23.4", "23.5.1.2"});
    return f;
}

std::optional<Finding> nine_rounds_by(const RuleBook& book, const History& h,
                                      const std::vector<Position>& positions, Side s,
                                      std::optional<int> warned_ply) {
    const int last = static_cast<int>(h.moves.size());
    auto f = nine_rounds_of(book, h, positions, last, s);
    if (!f) return std::nullopt;
    if (!warned_ply && nine_rounds_of(book, h, positions, last - 2, s)) warned_ply = last - 2;
    if (warned_ply && moves_since(positions, *warned_ply, s) >= 1) {
        f->complete_ply = *warned_ply;
        make_lost(f->verdict, s, "23.5.1.2");
    }
    return f;
}

}  // namespace

std::optional<Cycle> find_cycle(const History& h) {
    return longest_cycle(positions_of(h), h);
}

std::optional<Finding> find_repetition(const RuleBook& book, const History& h,
                                       std::optional<int> warned_ply) {
    const auto positions = positions_of(h);
    if (auto f = strict_cycle(book, h, positions, warned_ply)) return f;
    for (const Side s : {Side::Red, Side::Black})
        if (auto f = nine_rounds_by(book, h, positions, s, warned_ply)) return f;
    return std::nullopt;
}

Finding rule_cycle(const RuleBook& book, const History& cycle) {
    const auto positions = positions_of(cycle);
    const int length = static_cast<int>(cycle.moves.size());
    Finding f;
    f.cycle = {1, length, cycles_to_rule};
    f.complete_ply = length;
    f.plies_from = 1;
    f.plies = classes(book, positions, cycle.moves, 1, length);
    f.verdict = book.rule(f.plies);
    return f;
}

}  // namespace xq::rules
