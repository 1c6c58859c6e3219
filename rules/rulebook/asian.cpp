// The Asian rules (1-24): only perpetual check, and the perpetual chase of one and the same piece.
#include "rules/classify.hpp"
#include "rules/rulebook/cycle_count.hpp"
#include "rules/rulebook/rulebook.hpp"
#include "rules/rulebook/rulings.hpp"

#include <algorithm>
#include <array>

namespace xq::rules {
namespace {

/// A direct attack, new with this ply, on a piece that is worth more than its taker (7, 12, 14: a
/// rook, protected or not), or that nothing really protects (9, 16, 20). Threats by discovery or by
/// runs of checks are free (6).
bool attacks_anew(const Facts& f, const Threat& t) {
    if (!t.fresh || t.of_partner) return false;
    if (f.kill && f.kill.line.front().to == t.target.point) return false;  // 2: that is a kill
    return !t.target.is_protected() ||
           value_of(t.target.piece.kind()) > value_of(f.after.at(t.taker).kind());
}

/// Which piece, by its point before the cycle, every ply of `s` chases (21); nothing if none.
std::optional<Point> chased_throughout(std::span<const ClassifiedMove> cycle, Side s) {
    std::array<Point, points> origin{};
    const auto at = [&](Point p) -> Point& { return origin[static_cast<std::size_t>(p)]; };
    for (Point p = 0; p < points; ++p) at(p) = p;
    std::optional<std::vector<Point>> common;
    for (const ClassifiedMove& m : cycle) {
        at(m.move.to) = at(m.move.from);
        if (m.side != s) continue;
        std::vector<Point> chased;
        if (m.cls == MoveClass::Chase && m.counts())
            for (const Target& t : m.targets) chased.push_back(at(t.point));
        if (!common)
            common = chased;
        else
            std::erase_if(*common, [&](Point p) {
                return std::find(chased.begin(), chased.end(), p) == chased.end();
            });
    }
    if (!common || common->empty()) return std::nullopt;
    return common->front();
}

class Asian final : public RuleBook {
public:
    std::string_view name() const override { return "asian"; }
    std::string_view title_zh() const override { return "亚洲象棋规则"; }
    std::string_view title_en() const override { return "Asian rules"; }

    ClassifiedMove classify(const Facts& f) const override {
        if (f.check) return called_check(f, "1");
        const auto by_others = threats_that(f, [&](const Threat& t) {
            return attacks_anew(f, t) && !by_general_or_pawn(f.after, t);
        });
        if (!by_others.empty()) return called_chase(f, by_others, article(f, *by_others.front()));
        const auto by_themselves =
            threats_that(f, [&](const Threat& t) { return attacks_anew(f, t); });
        if (!by_themselves.empty()) {  // 17, 20: the general and pawns may
            auto c = called_chase(f, by_themselves, f.moved() == Kind::General ? "17" : "20");
            c.free = true;
            return c;
        }
        if (f.kill && !f.kill_stood) return called_kill(f, "2");
        if (const Exchange* e = offered_exchange(f)) return called_exchange(f, *e, "23");
        if (f.offered) return called_offer(f, "15");
        return called_idle(f, "6");
    }

    Verdict rule(std::span<const ClassifiedMove> cycle) const override {
        const bool red_checks = SideCount(cycle, Side::Red).all_checks();
        const bool black_checks = SideCount(cycle, Side::Black).all_checks();
        if (red_checks != black_checks)
            return lost_by_checks(cycle, red_checks ? Side::Red : Side::Black, {"1"});
        const auto by_red = chased_throughout(cycle, Side::Red);
        const auto by_black = chased_throughout(cycle, Side::Black);
        if (by_red.has_value() == by_black.has_value()) return drawn(cycle, {why_free(cycle)});
        return must_change_verdict(cycle, by_red ? Side::Red : Side::Black, {});
    }

private:
    /// By what is chased, and what takes it.
    static std::string_view article(const Facts& f, const Threat& t) {
        const Kind taker = f.after.at(t.taker).kind();
        switch (t.target.piece.kind()) {
            case Kind::Rook:
                return taker == Kind::Cannon ? "7" : taker == Kind::Knight ? "14" : "12";
            case Kind::Pawn:
                return "20";
            default:
                return taker == Kind::Cannon ? "16" : "9";
        }
    }

    /// The article that lets the cycle be a draw, by the side that attacks more.
    static std::string_view why_free(std::span<const ClassifiedMove> cycle) {
        const SideCount red(cycle, Side::Red);
        const SideCount black(cycle, Side::Black);
        const auto attacks = [](const SideCount& c) {
            return c.of(MoveClass::Check) + c.of(MoveClass::Kill) + c.of(MoveClass::Chase);
        };
        const SideCount& side = attacks(black) > attacks(red) ? black : red;
        if (red.of(MoveClass::Kill) > 0 && black.of(MoveClass::Kill) > 0) return "3";
        if (side.of(MoveClass::Check) > 0) {
            if (side.of(MoveClass::Kill) > 0) return "4";
            return side.of(MoveClass::Chase) > 0 ? "5" : "6";
        }
        if (side.of(MoveClass::Kill) > 0) return "2";
        if (side.of(MoveClass::Chase) > 0) {
            const auto free = std::find_if(cycle.begin(), cycle.end(),
                                           [](const ClassifiedMove& m) { return m.free; });
            return free != cycle.end() ? std::string_view(free->article) : "21";
        }
        return side.of(MoveClass::Offer) > 0 ? "15" : "22";
    }
};

}  // namespace

const RuleBook& asian() {
    static const Asian book;
    return book;
}

}  // namespace xq::rules
