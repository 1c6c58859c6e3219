// The Chinese rules of 1999, chapter 7 (1-13).
#include "rules/classify.hpp"
#include "rules/rulebook/cycle_count.hpp"
#include "rules/rulebook/drawing_point.hpp"
#include "rules/rulebook/rulebook.hpp"
#include "rules/rulebook/rulings.hpp"

#include <algorithm>

namespace xq::rules {
namespace {

/// What of the threats makes a chase, whoever takes.
bool chases(const Threat& t) {
    if (t.stood || t.standing) return false;  // 6: from chase to chase is idle
    if (t.like_kind) return false;            // 3: an exchange wins nothing
    return t.direct || !t.mates;              // a mate is a kill
}

class Cxa1999 final : public RuleBook {
public:
    std::string_view name() const override { return "cxa-1999"; }
    std::string_view title_zh() const override { return "中国象棋竞赛规则（1999）"; }
    std::string_view title_en() const override { return "Chinese rules of 1999"; }

    ClassifiedMove classify(const Facts& f) const override {
        if (f.check) return called_check(f, "1");
        if (f.answers_check && f.moved() == Kind::General)
            return called_idle(f, "8", "走动帅（将）应将", "the general moves out of check");
        if (f.kill && !f.kill_stood) return called_kill(f, "7");
        const bool chased_already =
            std::any_of(f.threats.begin(), f.threats.end(),
                        [](const Threat& t) { return t.standing && t.by_moved; });
        if (chased_already) return called_idle(f, "6", "从捉到捉", "from chase to chase");
        const auto by_others = threats_that(f, [&](const Threat& t) {
            if (t.gives_pawn) return false;  // 10: a crossed pawn's value floats
            return chases(t) && (t.opens_check || !by_general_or_pawn(f.after, t));
        });
        if (!by_others.empty()) {
            if (holds_drawing_point(f, by_others)) return held(f);
            return called_chase(f, by_others, f.moved() == Kind::General ? "9" : "3");
        }
        const auto by_pawn = threats_that(f, [&](const Threat& t) {
            return chases(t) && f.after.at(t.taker).kind() == Kind::Pawn;
        });
        if (!by_pawn.empty()) {
            auto c = called_chase(f, by_pawn, "11");
            c.free = true;
            return c;
        }
        if (const Exchange* e = offered_exchange(f)) return called_exchange(f, *e, "3");
        return called_idle(f, "6");
    }

    /// 11: when both chase, a pawn's attack counts; else it is idle.
    void settle(std::span<ClassifiedMove> cycle) const override {
        for (ClassifiedMove& m : cycle) {
            if (m.article != "11") continue;
            const SideCount opponent(cycle, other(m.side));
            m.free = !opponent.all_forbidden() || !opponent.any_chase();
            if (!m.free) continue;
            m.cls = MoveClass::Idle;
            m.targets.clear();
        }
    }

    Verdict rule(std::span<const ClassifiedMove> cycle) const override {
        const SideCount red(cycle, Side::Red);
        const SideCount black(cycle, Side::Black);
        if (red.all_checks() != black.all_checks())
            return lost_by_checks(cycle, red.all_checks() ? Side::Red : Side::Black, {"1"});
        if (red.all_forbidden() != black.all_forbidden())
            return must_change_verdict(cycle, red.all_forbidden() ? Side::Red : Side::Black, {});
        return drawn(cycle, {"8"});
    }

private:
    static ClassifiedMove held(const Facts& f) {
        if (const Point p = followed(f); p != no_point) return called_follow(f, p, "13");
        return called_idle(f, "13", "占据防守要点", "holds the drawing point");
    }
};

}  // namespace

const RuleBook& cxa_1999() {
    static const Cxa1999 book;
    return book;
}

}  // namespace xq::rules
