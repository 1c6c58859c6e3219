#include "rules/rulebook/rulings.hpp"

#include "rules/rulebook/cycle_count.hpp"
#include "rules/words.hpp"

#include <algorithm>
#include <array>

namespace xq::rules {

std::string_view name(Outcome o) {
    constexpr std::array<std::string_view, 5> names{"red_must_change", "black_must_change", "draw",
                                                    "red_loses", "black_loses"};
    return names[static_cast<std::size_t>(o)];
}

namespace {

Verdict verdict(std::span<const ClassifiedMove> cycle, Outcome o, Articles articles,
                const words::Both& ending) {
    Verdict v;
    v.outcome = o;
    v.final = is_loss(o);
    v.articles.assign(articles.begin(), articles.end());
    v.zh = tally_zh(cycle) + "，" + ending.zh;
    v.en = tally_en(cycle) + ": " + ending.en;
    v.proven =
        std::all_of(cycle.begin(), cycle.end(), [](const ClassifiedMove& m) { return m.proven; });
    if (!v.proven) {
        v.zh += "（有着法的性质未能在搜索上限内证明，由裁判员认定）";
        v.en += " (a class is not proven within the bound of the search: the arbiter decides)";
    }
    return v;
}

}  // namespace

Verdict lost_by_checks(std::span<const ClassifiedMove> cycle, Side s, Articles articles) {
    const auto who = words::side(s);
    return verdict(
        cycle, loses(s), articles,
        {who.zh + "单方长将，判负", who.en + " alone gives perpetual check and has lost"});
}

Verdict must_change_verdict(std::span<const ClassifiedMove> cycle, Side s, Articles articles) {
    const auto who = words::side(s);
    Verdict v = verdict(cycle, must_change(s), articles,
                        {who.zh + "应变着，不变作负", who.en + " must change or has lost"});
    for (const ClassifiedMove& m : cycle) {
        const bool known =
            std::find(v.articles.begin(), v.articles.end(), m.article) != v.articles.end();
        if (m.side == s && m.counts() && !known) v.articles.push_back(m.article);
    }
    return v;
}

Verdict must_change_at_once(std::span<const ClassifiedMove> plies, Side s, Articles articles) {
    const auto who = words::side(s);
    return verdict(plies, must_change(s), articles,
                   {who.zh + "九回合连续走禁止着法，应立即变着，不变作负",
                    who.en + " has played nine rounds of forbidden moves and must change at once " +
                        "or has lost"});
}

Verdict drawn(std::span<const ClassifiedMove> cycle, Articles articles) {
    return verdict(cycle, Outcome::Draw, articles,
                   {"双方不变作和", "if neither changes it is a draw"});
}

}  // namespace xq::rules
