// The Chinese rules of 2010, chapter 6 (24-26).
#include "rules/classify.hpp"
#include "rules/rulebook/cycle_count.hpp"
#include "rules/rulebook/drawing_point.hpp"
#include "rules/rulebook/rulebook.hpp"
#include "rules/rulebook/rulings.hpp"

#include <algorithm>

namespace xq::rules {
namespace {

/// 25.3 with 26.1, 26.9 and 26.11: what of the threats makes a chase.
std::vector<const Threat*> chases(const Facts& f) {
    return threats_that(f, [&](const Threat& t) {
        if (t.stood) return false;                                // 25.8: it was there before
        if (t.like_kind) return false;                            // 26.9, 26.11: an exchange
        if (t.shield == Shield::Loses) return false;              // 26.6
        if (t.mates && !t.direct) return false;                   // 25.2: that is a kill
        return t.opens_check || !by_general_or_pawn(f.after, t);  // 26.1
    });
}

/// How grave a side's perpetual chase is (26.8).
enum class Grade : std::uint8_t {
    None,   ///< not all its plies are chases
    Other,  ///< a chase of a rooted piece, or of one with too few roots, is among them
    Joint,  ///< throughout rooks, unrooted or falsely rooted pieces, but not each by one piece
    Plain,  ///< throughout by one piece each
};

bool of_rook_or_unrooted(const ClassifiedMove& m) {
    const Target& main = m.targets.front();
    return main.piece.kind() == Kind::Rook || !main.is_protected();  // 26.8.1
}

Grade grade(std::span<const ClassifiedMove> cycle, Side s) {
    if (!SideCount(cycle, s).all_chases()) return Grade::None;
    Grade least = Grade::Plain;
    for (const ClassifiedMove& m : cycle) {
        if (m.side != s) continue;
        const Grade g = !of_rook_or_unrooted(m)   ? Grade::Other
                        : m.targets.front().joint ? Grade::Joint
                                                  : Grade::Plain;
        least = std::min(least, g);
    }
    return least;
}

/// 26.8.3: check, kill and plain chases of the unrooted hold against a perpetual chase.
bool holds_against_chase(std::span<const ClassifiedMove> cycle, Side s) {
    return std::all_of(cycle.begin(), cycle.end(), [&](const ClassifiedMove& m) {
        return m.side != s || m.cls != MoveClass::Chase ||
               (of_rook_or_unrooted(m) && !m.targets.front().joint);
    });
}

/// 26.8: both sides play forbidden moves only.
Verdict both_forbidden(std::span<const ClassifiedMove> cycle) {
    for (const Side s : {Side::Red, Side::Black}) {
        const Grade ours = grade(cycle, s);
        const Grade theirs = grade(cycle, other(s));
        if (ours < Grade::Joint) continue;
        if (theirs == Grade::None) {
            if (!holds_against_chase(cycle, other(s)))
                return must_change_verdict(cycle, s, {"26.8.3"});
            return drawn(cycle, {"26.8.3", "24.2.1"});
        }
        if (theirs < ours) return must_change_verdict(cycle, s, {"26.8.2", "26.8.3"});
        if (theirs == ours) return drawn(cycle, {"26.8.1", "26.8.2", "24.2.1"});
    }
    return drawn(cycle, {"24.2.1"});
}

class Cxa2010 final : public RuleBook {
public:
    std::string_view name() const override { return "cxa-2010"; }
    std::string_view title_zh() const override { return "象棋竞赛规则（2010）"; }
    std::string_view title_en() const override { return "Chinese rules of 2010"; }

    ClassifiedMove classify(const Facts& f) const override {
        if (f.check) return called_check(f, "25.1");
        if (f.answers_check && f.moved() == Kind::General)
            return called_idle(f, "26.1.2", "走动帅（将）应将", "the general moves out of check");
        if (f.kill && !f.kill_stood) return called_kill(f, f.answers_check ? "26.3" : "25.2");
        if (const auto found = chases(f); !found.empty()) {
            if (holds_drawing_point(f, found))
                return called_idle(f, "26.2", "占据守和要点", "holds the drawing point");
            return called_chase(
                f, found,
                f.moved() == Kind::General || f.moved() == Kind::Pawn ? "26.1.1" : "25.3");
        }
        if (const Exchange* e = offered_exchange(f)) return called_exchange(f, *e, "25.4");
        if (offers_itself(f)) return called_offer(f, "25.5");
        if (blocks(f)) return called_block(f, "25.6");
        return called_idle(f, "25.8");
    }

    Verdict rule(std::span<const ClassifiedMove> cycle) const override {
        const SideCount red(cycle, Side::Red);
        const SideCount black(cycle, Side::Black);
        if (red.all_checks() != black.all_checks())
            return lost_by_checks(cycle, red.all_checks() ? Side::Red : Side::Black,
                                  {"24.1", "23.5.1.1"});
        if (red.all_forbidden() != black.all_forbidden()) {
            const bool by_red = red.all_forbidden();
            const SideCount& allowed = by_red ? black : red;
            return must_change_verdict(cycle, by_red ? Side::Red : Side::Black,
                                       {allowed.any_forbidden() ? "24.2.3" : "24.2.2"});
        }
        if (red.all_forbidden()) return both_forbidden(cycle);
        return drawn(cycle, {"24.2.1"});
    }
};

}  // namespace

const RuleBook& cxa_2010() {
    static const Cxa2010 book;
    return book;
}

}  // namespace xq::rules
