#include "tests/referee/evening.hpp"

#include "protocol/sensor_log.hpp"
#include "rules/fen.hpp"
#include "rules/moves.hpp"
#include "rules/notation.hpp"

#include <gtest/gtest.h>
#include <boost/json.hpp>
#include <random>
#include <sstream>

namespace xq::test {

namespace event = protocol::event;
namespace message = protocol::message;
using protocol::Code;
using protocol::Millis;
using protocol::Timed;
using rules::Move;
using rules::Piece;
using rules::Point;
using rules::Position;
using rules::Side;

namespace {

Point point_named(std::string_view name) {
    return rules::point(name[0] - 'a', name[1] - '0');
}

std::size_t at(Point p) {
    return static_cast<std::size_t>(p);
}

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

/// A ruling in a few words.
std::string in_short(const message::Ruling& r) {
    std::string s(r.side ? rules::name(*r.side) : "both");
    s += ' ';
    s += severity(r.severity);
    if (!r.article.empty()) s += " " + r.article;
    return s + " " + std::string(status(r.status));
}

std::string joined(std::string a, std::string_view b, std::string_view between = "; ") {
    if (!a.empty()) a += between;
    return a.append(b);
}

std::string encoded(const std::vector<protocol::Message>& messages) {
    std::string s;
    for (std::size_t i = 0; i < messages.size(); ++i)
        s += protocol::encode(messages[i], i, {"b", "cxa-2010", 0}) + "\n";
    return s;
}

}  // namespace

referee::Regulations automatic(referee::Regulations r) {
    r.automatic = true;
    return r;
}

referee::Regulations settling(referee::Regulations r) {
    r.completion = referee::Completion::Settle;
    return r;
}

referee::Regulations at_level(referee::Level level) {
    auto r = automatic();
    r.level = level;
    return r;
}

referee::Regulations timed(std::vector<referee::Period> control, bool rulings_automatic) {
    auto r = regulations();
    r.automatic = rulings_automatic;
    r.control = std::move(control);
    return r;
}

Evening::Evening(const referee::Regulations& r, std::string_view fen, protocol::Sensing sensing)
    : regulations_(r), sensing_(sensing), table_(r, {}), position_(Position::start()) {
    event(event::Hello{sensing, {.press = true, .leds = true, .buzzer = true, .buttons = true}});
    if (!fen.empty()) {
        const auto read = rules::read_fen(fen);
        if (!read) throw std::runtime_error(read.error().what);
        position_ = *read;
        call("game.new", R"("start_fen":")" + rules::write_fen(position_) + "\"");
    }
    standing_ = position_.placement();
    whole_reading();
}

Evening::~Evening() {
    what_holds_of_every_log();
}

Evening& Evening::event(protocol::Event e) {
    log_.push_back({now_, std::move(e)});
    referee::Output out;
    table_.handle(log_.back(), out);
    for (auto& m : out.messages) said_.messages.push_back(std::move(m));
    if (out.reply) said_.replies.push_back(boost::json::serialize(*out.reply));
    return *this;
}

Evening& Evening::wait(Millis ms) {
    now_ += ms;
    referee::Output out;
    table_.advance(now_, out);
    for (auto& m : out.messages) said_.messages.push_back(std::move(m));
    return *this;
}

Evening& Evening::whole_reading() {
    protocol::Reading reading{};
    for (std::size_t p = 0; p < reading.size(); ++p) reading[p] = seen(standing_[p]);
    return event(event::Board{reading});
}

Evening& Evening::unseen(std::string_view moves) {
    std::istringstream each{std::string(moves)};
    for (std::string move; each >> move;) {
        const Move m(point_named(move.substr(0, 2)), point_named(move.substr(2)));
        standing_[at(m.to)] = standing_[at(m.from)];
        standing_[at(m.from)] = Piece();
        position_.apply(m);
    }
    return *this;
}

Evening& Evening::lift(std::string_view point) {
    const Point p = point_named(point);
    hand_.push_back(standing_[at(p)]);
    standing_[at(p)] = Piece();
    return event(event::Lift{p});
}

Evening& Evening::drop(std::string_view point) {
    const Point p = point_named(point);
    standing_[at(p)] = hand_.back();
    hand_.pop_back();
    return event(event::Drop{p, seen(standing_[at(p)])});
}

Evening& Evening::take(std::string_view point) {
    lift(point);
    hand_.pop_back();
    return *this;
}

Evening& Evening::touch(std::string_view point, Millis ms) {
    return lift(point).wait(ms).drop(point);
}

Evening& Evening::put(std::string_view move) {
    const Move m(point_named(move.substr(0, 2)), point_named(move.substr(2)));
    lift(move.substr(0, 2));
    if (!standing_[at(m.to)].empty()) wait(400).take(move.substr(2));
    wait(500).drop(move.substr(2));
    if (!position_.at(m.from).empty()) position_.apply(m);
    return *this;
}

Evening& Evening::play(std::string_view moves) {
    std::istringstream each{std::string(moves)};
    for (std::string move; each >> move;) {
        const Side mover = turn();
        wait(3000).put(move).wait(600).press(mover);
    }
    return *this;
}

Evening& Evening::press(Side side) {
    return event(event::Press{side});
}

Evening& Evening::button(Side side, protocol::ButtonKind what) {
    return event(event::Button{side, what});
}

std::string Evening::call(std::string_view method, std::string_view params) {
    said_.replies.clear();
    event(event::Call{R"({"jsonrpc":"2.0","id":)" + std::to_string(++ids_) + R"(,"method":")" +
                      std::string(method) + R"(","params":{)" + std::string(params) + "}}"});
    if (said_.replies.size() != 1) return "no answer";
    const auto answer = boost::json::parse(said_.replies.front()).as_object();
    const auto* error = answer.if_contains("error");
    if (error == nullptr) return {};
    return std::string(error->at("message").as_string());
}

std::string Evening::refused(std::string_view method, std::string_view params) {
    const auto before = boost::json::serialize(table_.status());
    const std::size_t said = said_.messages.size();
    std::string why = call(method, params);
    EXPECT_NE(why, "") << method << " was carried out";
    EXPECT_EQ(boost::json::serialize(table_.status()), before) << method;
    EXPECT_EQ(said_.messages.size(), said) << method << " was refused and told";
    return why;
}

Side Evening::turn() const {
    return status().at("turn").as_string() == "red" ? Side::Red : Side::Black;
}

std::string Evening::record() const {
    const int game = table_.game().number;
    std::vector<std::string> plies;
    for (const protocol::Message& m : said_.messages) {
        if (m.game != game) continue;
        if (const auto* s = std::get_if<message::State>(&m.body)) {
            plies.clear();
            for (const Move move : s->moves) plies.push_back(rules::iccs(move));
        } else if (const auto* p = std::get_if<message::Ply>(&m.body)) {
            plies.resize(at(static_cast<Point>(m.ply)));
            plies.back() = rules::iccs(p->move) + (p->final ? "" : "?");
        } else if (const auto* r = std::get_if<message::Retract>(&m.body)) {
            plies.resize(static_cast<std::size_t>(r->to_ply));
        }
    }
    std::string s;
    for (const auto& p : plies) s = joined(s, p, " ");
    return s;
}

std::string Evening::told(Code code) const {
    std::string s;
    for (const auto& r : said_.rulings(code)) s = joined(s, in_short(r));
    return s;
}

std::string Evening::ruled(Code code) const {
    std::string s;
    for (const auto& r : said_.rulings(code))
        if (r.severity != protocol::Severity::Info) s = joined(s, in_short(r));
    return s;
}

std::string Evening::faults() const {
    std::string s;
    for (const auto& r : said_.last().rulings)
        if (r.severity >= protocol::Severity::Foul) s = joined(s, protocol::text(r.code), " ");
    return s;
}

int Evening::id(Code code) const {
    const auto all = said_.rulings(code);
    return all.empty() ? 0 : all.back().id;
}

std::string Evening::result() const {
    std::string s;
    for (const auto& m : said_.messages) {
        if (m.game != table_.game().number) continue;
        if (const auto* r = std::get_if<message::Result>(&m.body))
            s = std::string(protocol::text(*m.result)) + " " + std::string(text(r->reason));
    }
    return s;
}

std::string Evening::fen() const {
    return std::string(status().at("fen").as_string());
}

std::string Evening::board() const {
    const auto newcomer = table_.newcomer();
    for (const auto& m : newcomer) {
        const auto* b = std::get_if<message::Board>(&m.body);
        if (b == nullptr) continue;
        std::string s;
        for (const auto& x : b->missing)
            s = joined(s, "missing " + rules::name(x.point) + " " + x.piece);
        for (const auto& x : b->extra)
            s = joined(s, "extra " + rules::name(x.point) + " " + x.piece);
        for (const auto& x : b->faults)
            s = joined(s, (x.point == rules::no_point ? "" : rules::name(x.point) + " ") +
                              std::string(x.fault));
        for (const Move c : b->candidates) s = joined(s, "candidate " + rules::iccs(c));
        return s;
    }
    return {};
}

Millis Evening::left(Side side) const {
    const auto clock = table_.newcomer().front().clock;
    return side == Side::Red ? clock.red_ms : clock.black_ms;
}

std::optional<Side> Evening::running() const {
    return table_.newcomer().front().clock.running;
}

std::optional<Millis> Evening::spent(int ply) const {
    std::optional<Millis> spent;
    for (const auto& m : said_.messages)
        if (const auto* p = std::get_if<message::Ply>(&m.body); p && p->final && m.ply == ply)
            spent = p->spent_ms;
    return spent;
}

std::string Evening::recovered() const {
    std::string s;
    for (const auto& m : said_.messages)
        if (const auto* p = std::get_if<message::Ply>(&m.body); p && p->final && p->recovered)
            s = joined(s, std::to_string(m.ply), " ");
    return s;
}

// ---------------------------------------------------------------- twins

namespace {

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

void Evening::what_holds_of_every_log() const {
    // The same inputs, the same bytes; and a log line says all that its event says.
    std::vector<Timed> read_back;
    for (const Timed& line : log_) {
        const auto again = protocol::read_log_line(protocol::write_log_line(line));
        if (std::holds_alternative<event::Restart>(line.event))
            read_back.push_back(line);
        else
            read_back.push_back(std::get<Timed>(*again));
    }
    const std::string told = encoded(said_.messages);
    EXPECT_EQ(encoded(replay(regulations_, read_back, now_).messages), told);

    // Time told often changes nothing.
    std::mt19937 random(static_cast<unsigned>(log_.size()));
    std::vector<Timed> often;
    Millis last = 0;
    for (const Timed& line : log_) {
        for (int i = 0; line.t > last && i < 3; ++i) {
            last += static_cast<Millis>(random() % static_cast<unsigned>(line.t - last + 1));
            often.push_back({last, event::Time{}});
        }
        last = line.t;
        often.push_back(line);
    }
    EXPECT_EQ(encoded(replay(regulations_, often, now_).messages), told);

    // Left and right, Red and Black are treated alike.
    const auto mirror = replay(regulations_, twin_of(log_, Twin::Mirrored), now_);
    EXPECT_EQ(gist(mirror.messages, {}), gist(said_.messages, Twin::Mirrored)) << "mirrored";
    if (leans_ || regulations_.red_extra_ms != 0) return;
    std::vector<Timed> exchanged = twin_of(log_, Twin::Exchanged);
    // The start array with the colours exchanged has Black to move: the arbiter says so.
    const bool begun = std::any_of(log_.begin(), log_.end(), [](const Timed& line) {
        const auto* call = std::get_if<event::Call>(&line.event);
        return line.t == 0 && call && call->json.find("game.new") != std::string::npos;
    });
    auto wanted = gist(said_.messages, Twin::Exchanged);
    if (!begun) {
        const std::string start = rules::write_fen(rules::colours_exchanged(Position::start()));
        exchanged.insert(exchanged.begin() + 1,
                         Timed{0, event::Call{R"({"jsonrpc":"2.0","id":0,"method":"game.new",)"
                                              R"("params":{"start_fen":")" +
                                              start + "\"}}"}});
    }
    auto got = gist(replay(regulations_, exchanged, now_).messages, {});
    if (!begun)
        std::erase_if(got, [](const std::string& s) {
            return s.find(" state") == s.size() - 6 && s.starts_with("0 ");
        });
    EXPECT_EQ(got, wanted) << "colours exchanged";
}

}  // namespace xq::test
