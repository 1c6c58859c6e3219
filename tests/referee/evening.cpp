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
    EXPECT_EQ(unlike_its_twins(regulations_, log_, now_, leans_), "");
}

}  // namespace xq::test
