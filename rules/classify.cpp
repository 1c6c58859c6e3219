#include "rules/classify.hpp"

#include "rules/words.hpp"

#include <algorithm>

namespace xq::rules {
namespace {

using words::Both;

ClassifiedMove called(const Facts& f, MoveClass cls, std::string_view article, const Both& why) {
    ClassifiedMove c;
    c.move = f.move;
    c.side = f.side();
    c.cls = cls;
    c.article = article;
    c.zh = why.zh;
    c.en = why.en;
    c.proven = f.proven;
    if (!c.proven) {
        c.zh += "（搜索达到上限，更长的攻击未能排除，由裁判员认定）";
        c.en += " (the search met its bound: a longer threat is not excluded, the arbiter decides)";
    }
    return c;
}

Both how(const Facts& f, std::span<const Move> line) {
    return words::line(f.after.passed(), line);
}

Both mover(const Facts& f) {
    return words::piece_at(f.after.at(f.move.to), f.move.to);
}

}  // namespace

ClassifiedMove called_check(const Facts& f, std::string_view article) {
    const Point general = f.after.general(other(f.side()));
    const Both target = words::piece_at(f.after.at(general), general);
    auto c = called(f, MoveClass::Check, article, {"直接攻击" + target.zh, "attacks " + target.en});
    return c;
}

ClassifiedMove called_kill(const Facts& f, std::string_view article) {
    const Both line = how(f, f.kill.line);
    auto c = called(
        f, MoveClass::Kill, article,
        {"下一着起可连续将军将死：" + line.zh, "threatens mate by unbroken checks: " + line.en});
    c.line = f.kill.line;
    return c;
}

ClassifiedMove called_chase(const Facts& f, std::span<const Threat* const> threats,
                            std::string_view article) {
    std::vector<Both> prey;
    ClassifiedMove c;
    for (const Threat* t : threats) {
        const bool known = std::any_of(c.targets.begin(), c.targets.end(),
                                       [&](const Target& k) { return k.point == t->target.point; });
        if (known) continue;
        c.targets.push_back(t->target);
        Both what = words::piece_at(t->target.piece, t->target.point);
        const Both root = words::root(t->target.root);
        what += {"（" + root.zh + (t->target.joint ? "，联合" : "") + "）",
                 " (" + root.en + (t->target.joint ? ", jointly" : "") + ")"};
        prey.push_back(what);
    }
    const Threat& main = *threats.front();
    const Both line = how(f, main.line.moves);
    const Both names = words::list(prey);
    const auto targets = std::move(c.targets);
    c = called(f, MoveClass::Chase, article,
               {"捉" + names.zh + "：" + line.zh, "chases " + names.en + ": " + line.en});
    c.targets = targets;
    c.line = main.line.moves;
    return c;
}

ClassifiedMove called_exchange(const Facts& f, const Exchange& e, std::string_view article) {
    const Both ours = words::piece_at(f.after.at(e.ours), e.ours);
    const Both theirs = words::piece_at(f.after.at(e.theirs), e.theirs);
    auto c = called(f, MoveClass::Exchange, article,
                    {ours.zh + "与" + theirs.zh + "可以互相吃去",
                     ours.en + " and " + theirs.en + " can take each other"});
    c.line = {Move(e.ours, e.theirs)};
    return c;
}

ClassifiedMove called_offer(const Facts& f, std::string_view article) {
    const Both line = words::line(f.after, f.taken_free.moves);
    auto c =
        called(f, MoveClass::Offer, article,
               {mover(f).zh + "无根送吃：" + line.zh, "gives up " + mover(f).en + ": " + line.en});
    return c;
}

ClassifiedMove called_block(const Facts& f, std::string_view article) {
    return called(f, MoveClass::Block, article,
                  {mover(f).zh + "阻拦对方的杀着", mover(f).en + " stands in the way of the mate"});
}

ClassifiedMove called_follow(const Facts& f, Point followed, std::string_view article) {
    const Both what = words::piece_at(f.after.at(followed), followed);
    return called(f, MoveClass::Follow, article,
                  {"盯住有根的" + what.zh, "keeps an eye on " + what.en + ", which is protected"});
}

ClassifiedMove called_idle(const Facts& f, std::string_view article, std::string_view zh,
                           std::string_view en) {
    if (zh.empty())
        return called(f, MoveClass::Idle, article, {"无攻击作用", "threatens nothing new"});
    return called(f, MoveClass::Idle, article, {std::string(zh), std::string(en)});
}

const Exchange* offered_exchange(const Facts& f) {
    const auto found = std::find_if(f.exchanges.begin(), f.exchanges.end(), [](const Exchange& e) {
        return e.fresh && e.in_order && e.rooted;
    });
    return found == f.exchanges.end() ? nullptr : &*found;
}

bool offers_itself(const Facts& f) {
    return f.offered && f.taken_free.score > 0;
}

bool blocks(const Facts& f) {
    if (!f.parried || !f.before.at(f.move.to).empty()) return false;
    const Move way = f.parried.line.front();  // the mating move now goes over the moved piece
    return follows_movement(f.before.passed(), way) && !follows_movement(f.after, way) &&
           f.after.at(way.from) == f.before.at(way.from);
}

Point followed(const Facts& f) {
    const Position passed = f.after.passed();
    for (const Point p : passed.pieces(other(f.side()))) {
        const Kind kind = passed.at(p).kind();
        if (value_of(kind) < value_of(Kind::Knight)) continue;
        if (attacks(passed, f.move.to, p) && !attacks(f.before, f.move.from, p)) return p;
    }
    return no_point;
}

}  // namespace xq::rules
