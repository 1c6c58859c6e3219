#include "tests/referee/twins.hpp"

#include "rules/fen.hpp"
#include "rules/notation.hpp"
#include "tests/referee/replayed.hpp"

#include <algorithm>
#include <boost/json.hpp>

namespace xq::test {

namespace event = protocol::event;
namespace message = protocol::message;
using protocol::Millis;
using protocol::Timed;
using rules::Move;
using rules::Piece;
using rules::Point;
using rules::Position;
using rules::Side;

std::string_view severity(protocol::Severity s) {
    switch (s) {
        case protocol::Severity::Info:
            return "info";
        case protocol::Severity::Warning:
            return "warning";
        case protocol::Severity::Foul:
            return "foul";
        case protocol::Severity::Loss:
            return "loss";
        case protocol::Severity::Draw:
            return "draw";
    }
    return {};
}

std::string_view status(protocol::RulingStatus s) {
    switch (s) {
        case protocol::RulingStatus::Proposed:
            return "proposed";
        case protocol::RulingStatus::Confirmed:
            return "confirmed";
        case protocol::RulingStatus::Dismissed:
            return "dismissed";
    }
    return {};
}

namespace {

std::size_t at(Point p) {
    return static_cast<std::size_t>(p);
}

Point twin(Point p, Twin kind) {
    if (p == rules::no_point) return p;
    if (kind == Twin::Exchanged) return rules::rotated(p);
    return rules::point(rules::files - 1 - rules::file_of(p), rules::rank_of(p));
}
Side twin(Side s, Twin kind) {
    return kind == Twin::Exchanged ? rules::other(s) : s;
}
std::optional<Side> twin(std::optional<Side> s, Twin kind) {
    return s ? std::optional(twin(*s, kind)) : s;
}
char twin(char letter, Twin kind) {
    if (kind == Twin::Mirrored || letter == 'x') return letter;
    if (letter == 'X') return 'o';
    if (letter == 'o') return 'X';
    return static_cast<char>(letter ^ ('a' ^ 'A'));
}
protocol::Seen twin(protocol::Seen seen, Twin kind) {
    if (seen.empty() || kind == Twin::Mirrored) return seen;
    if (const auto piece = seen.piece())
        return protocol::Seen(*Piece::from_fen(twin(piece->fen(), kind)));
    return seen.side() ? protocol::Seen::some(rules::other(*seen.side())) : seen;
}
Position twin(const Position& p, Twin kind) {
    return kind == Twin::Exchanged ? rules::colours_exchanged(p) : rules::mirrored(p);
}
std::string fen_twin(std::string_view fen, Twin kind) {
    const auto read = rules::read_fen(fen);
    return read ? rules::write_fen(twin(*read, kind)) : std::string(fen);
}

/// A call's parameters as the twin would give them.
std::string twin_call(const std::string& json, Twin kind) {
    auto call = boost::json::parse(json).as_object();
    auto* params = call.if_contains("params");
    if (params == nullptr) return json;
    auto& o = params->as_object();
    const auto text = [&](std::string_view key, auto change) {
        if (auto* v = o.if_contains(key); v && v->is_string())
            *v = std::string(change(std::string(v->as_string())));
    };
    const auto side = [&](const std::string& s) {
        return kind == Twin::Exchanged ? (s == "red" ? "black" : "red") : s;
    };
    const auto point = [&](const std::string& s) {
        const auto p = rules::point_named(s);
        return p ? rules::name(twin(*p, kind)) : s;
    };
    text("side", side);
    text("running", side);
    text("point", point);
    text("iccs", [&](const std::string& s) { return point(s.substr(0, 2)) + point(s.substr(2)); });
    text("fen", [&](const std::string& s) { return fen_twin(s, kind); });
    text("start_fen", [&](const std::string& s) { return fen_twin(s, kind); });
    if (kind == Twin::Exchanged) {
        text("result", [](const std::string& s) {
            return s == "1-0" ? "0-1" : s == "0-1" ? "1-0" : s;
        });
        if (o.contains("red_ms")) std::swap(o["red_ms"], o["black_ms"]);
    }
    return boost::json::serialize(call);
}

}  // namespace

std::vector<Timed> twin_of(const std::vector<Timed>& log, Twin kind) {
    std::vector<Timed> out;
    for (Timed line : log) {
        if (auto* b = std::get_if<event::Board>(&line.event)) {
            const protocol::Reading was = b->reading;
            for (Point p = 0; p < rules::points; ++p)
                b->reading[at(twin(p, kind))] = twin(was[at(p)], kind);
        } else if (auto* l = std::get_if<event::Lift>(&line.event)) {
            l->point = twin(l->point, kind);
        } else if (auto* d = std::get_if<event::Drop>(&line.event)) {
            *d = {twin(d->point, kind), twin(d->seen, kind)};
        } else if (auto* p = std::get_if<event::Press>(&line.event)) {
            p->side = twin(p->side, kind);
        } else if (auto* b2 = std::get_if<event::Button>(&line.event)) {
            b2->side = twin(b2->side, kind);
        } else if (auto* h = std::get_if<event::Health>(&line.event)) {
            h->point = twin(h->point, kind);
        } else if (auto* c = std::get_if<event::Clock>(&line.event)) {
            c->running = twin(c->running, kind);
            if (kind == Twin::Exchanged) std::swap(c->red_ms, c->black_ms);
        } else if (auto* r = std::get_if<event::Call>(&line.event)) {
            r->json = twin_call(r->json, kind);
        }
        out.push_back(line);
    }
    return out;
}

std::vector<std::string> gist(const std::vector<protocol::Message>& messages,
                              std::optional<Twin> kind) {
    const auto point = [&](Point p) {
        return p == rules::no_point ? std::string("board") : rules::name(kind ? twin(p, *kind) : p);
    };
    const auto side = [&](std::optional<Side> s) {
        if (kind) s = twin(s, *kind);
        return std::string(s ? rules::name(*s) : "none");
    };
    const auto iccs = [&](Move m) { return point(m.from) + point(m.to); };
    std::vector<std::string> out;
    for (const auto& m : messages) {
        std::string s = std::to_string(m.t) + " ply " + std::to_string(m.ply);
        const bool swapped = kind == Twin::Exchanged;
        s += " clock " + std::to_string(swapped ? m.clock.black_ms : m.clock.red_ms) + " " +
             std::to_string(swapped ? m.clock.red_ms : m.clock.black_ms) + " " +
             side(m.clock.running);
        auto result = m.result;
        if (swapped && result == protocol::Outcome::RedWins)
            result = protocol::Outcome::BlackWins;
        else if (swapped && result == protocol::Outcome::BlackWins)
            result = protocol::Outcome::RedWins;
        if (result) s += " " + std::string(text(*result));
        if (const auto* state = std::get_if<message::State>(&m.body)) {
            s += " state";
            for (const Move move : state->moves) s += " " + iccs(move);
        } else if (const auto* p = std::get_if<message::Ply>(&m.body)) {
            s += " move " + iccs(p->move) + (p->final ? " final" : "") +
                 (p->recovered ? " recovered" : "");
        } else if (const auto* r = std::get_if<message::Retract>(&m.body)) {
            s += " retract " + std::to_string(r->to_ply);
        } else if (const auto* b = std::get_if<message::Board>(&m.body)) {
            std::vector<std::string> parts;
            for (const auto& x : b->missing)
                parts.push_back("missing " + point(x.point) +
                                (kind ? twin(x.piece, *kind) : x.piece));
            for (const auto& x : b->extra)
                parts.push_back("extra " + point(x.point) +
                                (kind ? twin(x.piece, *kind) : x.piece));
            for (const auto& x : b->faults)
                parts.push_back(point(x.point) + " " + std::string(x.fault));
            for (const Move c : b->candidates) parts.push_back(iccs(c));
            std::sort(parts.begin(), parts.end());
            s += " board";
            for (const auto& part : parts) s += ", " + part;
        } else if (const auto* u = std::get_if<message::Ruling>(&m.body)) {
            s += " ruling " + std::to_string(u->id) + " " + std::string(text(u->code)) + " " +
                 side(u->side) + " " + u->article + " " + std::string(severity(u->severity)) + " " +
                 std::string(status(u->status));
        } else if (const auto* e = std::get_if<message::Result>(&m.body)) {
            s += " result " + std::string(text(e->reason));
        }
        out.push_back(std::move(s));
    }
    return out;
}

namespace {

/// The first line in which two gists differ, "" where they are the same.
std::string difference(const std::vector<std::string>& got,
                       const std::vector<std::string>& wanted) {
    for (std::size_t i = 0; i < std::max(got.size(), wanted.size()); ++i) {
        const std::string g = i < got.size() ? got[i] : "nothing";
        const std::string w = i < wanted.size() ? wanted[i] : "nothing";
        if (g != w)
            return std::string("\n  twin:     ").append(g).append("\n  original: ").append(w);
    }
    return {};
}

}  // namespace

std::string unlike_its_twins(const referee::Regulations& r, const std::vector<Timed>& log,
                             Millis until, bool leans) {
    const auto said = replay(r, log, until).messages;
    const auto mirror = replay(r, twin_of(log, Twin::Mirrored), until).messages;
    if (auto d = difference(gist(mirror, {}), gist(said, Twin::Mirrored)); !d.empty())
        return "mirrored:" + d;
    if (leans || r.red_extra_ms != 0) return {};
    std::vector<Timed> exchanged = twin_of(log, Twin::Exchanged);
    // The start array with the colours exchanged has Black to move: the arbiter says so.
    const bool begun = std::any_of(log.begin(), log.end(), [](const Timed& line) {
        const auto* call = std::get_if<event::Call>(&line.event);
        return line.t == 0 && call && call->json.find("game.new") != std::string::npos;
    });
    if (!begun) {
        const std::string start = rules::write_fen(rules::colours_exchanged(Position::start()));
        exchanged.insert(exchanged.begin() + 1,
                         Timed{0, event::Call{R"({"jsonrpc":"2.0","id":0,"method":"game.new",)"
                                              R"("params":{"start_fen":")" +
                                              start + "\"}}"}});
    }
    auto got = gist(replay(r, exchanged, until).messages, {});
    if (!begun)
        std::erase_if(got, [](const std::string& s) {
            return s.find(" state") == s.size() - 6 && s.starts_with("0 ");
        });
    const auto d = difference(got, gist(said, Twin::Exchanged));
    return d.empty() ? d : "colours exchanged:" + d;
}

}  // namespace xq::test
