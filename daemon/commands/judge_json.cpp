#include "daemon/commands/judge_report.hpp"
#include "rules/fen.hpp"
#include "rules/notation.hpp"

#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

namespace xq::judge {
namespace {

namespace json = boost::json;
using namespace rules;

json::value text(std::string_view s) {
    return json::string(s);
}

json::array targets(const ClassifiedMove& m) {
    json::array all;
    for (const Target& t : m.targets)
        all.push_back({{"point", text(rules::name(t.point))},
                       {"piece", text(std::string(1, t.piece.fen()))},
                       {"protected", t.is_protected()},
                       {"joint", t.joint}});
    return all;
}

json::array line(const ClassifiedMove& m) {
    json::array all;
    for (const Move step : m.line) all.push_back(text(iccs(step)));
    return all;
}

json::array moves(const Report& r, Language language) {
    json::array all;
    Position p = r.game.start;
    for (const ClassifiedMove& m : r.plies) {
        all.push_back({{"iccs", text(iccs(m.move))},
                       {"zh", text(chinese(p, m.move))},
                       {"side", text(rules::name(m.side))},
                       {"class", text(rules::name(m.cls))},
                       {"targets", targets(m)},
                       {"why", text(language == Language::Chinese ? m.zh : m.en)},
                       {"article", text(m.article)},
                       {"line", line(m)},
                       {"proven", m.proven}});
        p.apply(m.move);
    }
    return all;
}

json::value cycle(const Report& r, const std::optional<Finding>& f) {
    if (!f) return nullptr;
    return {{"from_ply", f->cycle.from_ply},
            {"length", f->cycle.length},
            {"times", f->cycle.times},
            {"closed", !r.as_cycle || r.closed()}};
}

json::value verdict(const std::optional<Finding>& f) {
    if (!f) return nullptr;
    json::array articles;
    for (const std::string& a : f->verdict.articles) articles.push_back(text(a));
    return {{"outcome", text(rules::name(f->verdict.outcome))},
            {"final", f->verdict.final},
            {"proven", f->verdict.proven},
            {"articles", std::move(articles)},
            {"zh", text(f->verdict.zh)},
            {"en", text(f->verdict.en)}};
}

json::array events(const Report& r) {
    json::array all;
    for (const Event& e : r.events) {
        if (e.kind == Event::Kind::Repetition)
            all.push_back({{"ply", e.ply},
                           {"kind", "repetition"},
                           {"cycle", cycle(r, e.finding)},
                           {"verdict", verdict(e.finding)}});
        else
            all.push_back({{"ply", e.ply},
                           {"kind", "natural_limit"},
                           {"claimant", text(rules::name(e.claimant))},
                           {"rounds", e.rounds}});
    }
    return all;
}

std::string_view status_name(Status s) {
    switch (s) {
        case Status::Checkmate:
            return "checkmate";
        case Status::Stalemate:
            return "stalemate";
        case Status::Playing:
            break;
    }
    return "playing";
}

}  // namespace

std::string to_json(const Report& r, Language language) {
    const Position end = r.game.end();
    return json::serialize(json::value{{"rulebook", text(r.book->name())},
                                       {"start_fen", text(write_fen(r.game.start))},
                                       {"moves", moves(r, language)},
                                       {"final_fen", text(write_fen(end))},
                                       {"status", text(status_name(status(end)))},
                                       {"cycle", cycle(r, r.finding)},
                                       {"verdict", verdict(r.finding)},
                                       {"events", events(r)}});
}

}  // namespace xq::judge
