// Every figure of the three books: the printed class of each move and the printed ruling, as
// printed, mirrored left to right and with colours exchanged.
#include "figures.hpp"
#include "support.hpp"

#include <gmock/gmock.h>
#include <algorithm>

namespace xq::rules::tests {
namespace {

using testing::IsEmpty;
using testing::Not;

/// One-sided perpetual check loses at once (23.5.1.1), where the figures say "must change".
std::string as_printed(Outcome o) {
    if (const auto s = against(o)) return std::string(name(must_change(*s)));
    return std::string(name(o));
}

bool is_open(const Figure& f, std::size_t ply) {
    return std::find(f.open_plies.begin(), f.open_plies.end(), ply) != f.open_plies.end();
}

class FigureTest : public testing::TestWithParam<std::size_t> {
protected:
    static const Figure& figure() { return figures()[GetParam()]; }

    static void expect_as_printed(const Figure& f) {
        const Finding found = rule_cycle(*f.book, {f.start, f.moves});
        ASSERT_EQ(found.plies.size(), f.classes.size());
        for (std::size_t i = 0; i < f.classes.size(); ++i) {
            if (f.classes[i].empty()) continue;
            const bool same = name(found.plies[i].cls) == f.classes[i];
            EXPECT_EQ(same, !is_open(f, i))
                << f.id << " ply " << i << ": " << name(found.plies[i].cls) << ", printed "
                << f.classes[i] << ": " << found.plies[i].en;
        }
        const std::string outcome = as_printed(found.verdict.outcome);
        EXPECT_EQ(outcome == f.outcome, !f.open_verdict)
            << f.id << ": " << outcome << ", printed " << f.outcome << ": " << found.verdict.en;
    }
};

TEST_P(FigureTest, IsRuledAsPrinted) {
    expect_as_printed(figure());
}

TEST_P(FigureTest, IsRuledAlikeWhenMirrored) {
    expect_as_printed(mirrored(figure()));
}

TEST_P(FigureTest, IsRuledAlikeWithColoursExchanged) {
    expect_as_printed(colours_exchanged(figure()));
    expect_as_printed(colours_exchanged(mirrored(figure())));
}

TEST_P(FigureTest, SaysWhyWithArticlesInBothLanguages) {
    const Figure& f = figure();
    const Finding found = rule_cycle(*f.book, {f.start, f.moves});
    EXPECT_THAT(found.verdict.articles, Not(IsEmpty()));
    EXPECT_THAT(found.verdict.zh, Not(IsEmpty()));
    EXPECT_THAT(found.verdict.en, Not(IsEmpty()));
    for (const ClassifiedMove& m : found.plies) {
        EXPECT_THAT(m.article, Not(IsEmpty()));
        EXPECT_THAT(m.zh, Not(IsEmpty()));
        EXPECT_THAT(m.en, Not(IsEmpty()));
        EXPECT_EQ(m.targets.empty(), m.cls != MoveClass::Chase);
        EXPECT_EQ(m.line.empty(), m.cls != MoveClass::Chase && m.cls != MoveClass::Kill &&
                                      m.cls != MoveClass::Exchange)
            << name(m.cls);
    }
}

INSTANTIATE_TEST_SUITE_P(AllBooks, FigureTest, testing::Range<std::size_t>(0, figures().size()),
                         [](const auto& which) {
                             std::string id = figures()[which.param].id;
                             std::replace_if(
                                 id.begin(), id.end(), [](char c) { return c == '-' || c == '.'; },
                                 '_');
                             return id;
                         });

TEST(Figures, OpenOnesAreFew) {
    const auto open = std::count_if(figures().begin(), figures().end(), [](const Figure& f) {
        return f.open_verdict || !f.open_plies.empty();
    });
    EXPECT_LE(open, 3);
    EXPECT_EQ(figures().size(), 126U);
}

TEST(RuleBooks, AreFoundByTheirNames) {
    ASSERT_EQ(rule_books().size(), 3U);
    for (const RuleBook* b : rule_books()) {
        EXPECT_EQ(find_rule_book(b->name()), b);
        EXPECT_THAT(b->title_zh(), Not(IsEmpty()));
        EXPECT_THAT(b->title_en(), Not(IsEmpty()));
    }
    EXPECT_EQ(rule_books()[0]->name(), "cxa-2010");
    EXPECT_EQ(find_rule_book("cxa-2020"), nullptr);
}

}  // namespace
}  // namespace xq::rules::tests
