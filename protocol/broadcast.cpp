#include "protocol/broadcast.hpp"

#include "protocol/ruling_texts.hpp"

#include <array>
#include <boost/json/serialize.hpp>
#include <charconv>
#include <type_traits>

namespace xq::protocol {

namespace {

constexpr std::array<std::string_view, 4> outcomes{"1-0", "0-1", "1/2-1/2", "0-0"};

constexpr std::string_view text(Link link) {
    return std::array{"online", "searching", "offline"}[static_cast<std::size_t>(link)];
}
constexpr std::string_view text(Severity s) {
    return std::array{"info", "warning", "foul", "loss", "draw"}[static_cast<std::size_t>(s)];
}
constexpr std::string_view text(RulingStatus s) {
    return std::array{"proposed", "confirmed", "dismissed"}[static_cast<std::size_t>(s)];
}
constexpr std::string_view text(Sensing s) {
    return s == Sensing::Identity ? "identity" : s == Sensing::Colour ? "colour" : "occupancy";
}

// In the order of `Body`.
constexpr std::array<std::string_view, 8> types{"state", "move",   "retract", "clock",
                                                "board", "ruling", "result",  "heartbeat"};
static_assert(types.size() == std::variant_size_v<Body>);

/// Writes JSON from left to right into one string; it puts the commas and knows nothing else.
class Json {
public:
    explicit Json(std::size_t room) { out_.reserve(room); }

    std::string take() { return std::move(out_); }

    Json& open(char bracket) {
        comma();
        out_ += bracket;
        return *this;
    }
    Json& close(char bracket) {
        out_ += bracket;
        return *this;
    }
    /// Member names here are all plain ASCII.
    Json& key(std::string_view name) {
        comma();
        out_.append(1, '"').append(name).append("\":");
        return *this;
    }

    void null() { raw("null"); }
    void value(bool b) { raw(b ? "true" : "false"); }
    template <class Number>
    requires(std::is_integral_v<Number> && !std::is_same_v<Number, bool>) void value(Number n) {
        std::array<char, 24> digits;
        const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), n).ptr;
        raw({digits.data(), static_cast<std::size_t>(end - digits.data())});
    }
    void value(std::string_view s) {
        comma();
        out_ += '"';
        for (const char c : s) escape(c);
        out_ += '"';
    }
    void value(const char* s) { value(std::string_view(s)); }  // else it would be a bool
    void value(rules::Side s) { value(rules::name(s)); }
    void value(rules::Move m) {
        const std::array<char, 4> iccs{file(m.from), rank(m.from), file(m.to), rank(m.to)};
        value(std::string_view(iccs.data(), iccs.size()));
    }
    void point(rules::Point p) {
        const std::array<char, 2> name{file(p), rank(p)};
        value(std::string_view(name.data(), name.size()));
    }
    void letter(char c) { value(std::string_view(&c, 1)); }
    template <class T>
    void value(const std::optional<T>& v) {
        if (v) {
            value(*v);
        } else {
            null();
        }
    }
    template <class T>
    void member(std::string_view name, const T& v) {
        key(name).value(v);
    }
    void raw(std::string_view json) {
        comma();
        out_ += json;
    }

private:
    static char file(rules::Point p) { return static_cast<char>('a' + rules::file_of(p)); }
    static char rank(rules::Point p) { return static_cast<char>('0' + rules::rank_of(p)); }

    void comma() {
        if (!out_.empty() && out_.back() != '{' && out_.back() != '[' && out_.back() != ':') {
            out_ += ',';
        }
    }
    void escape(char c) {
        if (c == '"' || c == '\\') {
            out_ += '\\';
            out_ += c;
        } else if (static_cast<unsigned char>(c) < 0x20) {
            out_ += "\\u00";
            out_ += c < 0x10 ? '0' : '1';
            out_ += "0123456789abcdef"[c & 0xF];
        } else {
            out_ += c;
        }
    }

    std::string out_;
};

void write(Json& json, const std::vector<rules::Move>& moves) {
    json.open('[');
    for (const rules::Move m : moves) json.value(m);
    json.close(']');
}

void write(Json& json, const std::vector<PointPiece>& pieces) {
    json.open('[');
    for (const PointPiece& p : pieces) {
        json.open('{').key("point").point(p.point);
        json.key("piece").letter(p.piece);
        json.close('}');
    }
    json.close(']');
}

void write(Json& json, const std::vector<Fault>& faults) {
    json.open('[');
    for (const Fault& f : faults) {
        json.open('{').key("point");
        if (f.point == rules::no_point) {
            json.null();
        } else {
            json.point(f.point);
        }
        json.member("fault", f.fault);
        json.close('}');
    }
    json.close(']');
}

/// What each type adds to the members that all have.
struct Adder {
    Json& json;
    const Stream& stream;

    void operator()(const message::State& b) const {
        write(json.key("moves"), b.moves);
        json.member("start_fen", b.start_fen);
        json.key("fouls").open('{');
        json.member("red", b.red_fouls);
        json.member("black", b.black_fouls);
        json.close('}');
        json.member("in_sync", b.in_sync);
        json.member("link", text(b.link));
    }
    void operator()(const message::Ply& b) const {
        json.member("iccs", b.move);
        json.member("zh", b.zh);
        json.member("wxf", b.wxf);
        json.key("captured");
        if (b.captured.empty()) {
            json.null();
        } else {
            json.letter(b.captured.fen());
        }
        json.member("status", b.final ? "final" : "provisional");
        json.member("spent_ms", b.spent_ms);
        if (b.recovered) json.member("recovered", true);
    }
    void operator()(const message::Retract& b) const {
        json.member("to_ply", b.to_ply);
        json.member("reason", b.reason);
    }
    void operator()(const message::ClockTick& /*b*/) const {}
    void operator()(const message::Board& b) const {
        json.member("in_sync", b.in_sync);
        json.member("link", text(b.link));
        write(json.key("missing"), b.missing);
        write(json.key("extra"), b.extra);
        write(json.key("faults"), b.faults);
        write(json.key("candidates"), b.candidates);
    }
    void operator()(const message::Ruling& b) const {
        json.member("id", b.id);
        json.member("code", text(b.code));
        json.member("rulebook", stream.rulebook);
        json.member("article", b.article);
        json.member("side", b.side);
        json.member("severity", text(b.severity));
        json.member("status", text(b.status));
        json.member("zh", b.zh);
        json.member("en", b.en);
        json.key("evidence").raw(boost::json::serialize(b.evidence));
    }
    void operator()(const message::Result& b) const { json.member("reason", text(b.reason)); }
    void operator()(const message::Heartbeat& /*b*/) const {}
};

// Enough for the common members and most bodies, so that a message is one allocation.
constexpr std::size_t usual_size = 640;

}  // namespace

std::string_view text(Outcome o) {
    return outcomes[static_cast<std::size_t>(o)];
}

std::optional<Outcome> read_outcome(std::string_view text) {
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
        if (outcomes[i] == text) return static_cast<Outcome>(i);
    }
    return {};
}

bool counts(const Message& m) {
    if (const auto* const ply = std::get_if<message::Ply>(&m.body)) return ply->final;
    return std::holds_alternative<message::Retract>(m.body) ||
           std::holds_alternative<message::Ruling>(m.body) ||
           std::holds_alternative<message::Result>(m.body);
}

std::string encode(const Hello& h) {
    Json json(usual_size);
    json.open('{');
    json.member("type", "hello");
    json.member("protocol", "xiangqi-broadcast/1");
    json.member("server", h.server);
    json.member("epoch", h.epoch);
    json.member("board", h.board);
    json.member("event", h.event);
    json.member("red", h.red);
    json.member("black", h.black);
    json.member("rulebook", h.rulebook);
    json.member("time_control", h.time_control);
    json.member("sensing", text(h.sensing));
    json.member("delay_ms", h.delay_ms);
    json.close('}');
    return json.take();
}

std::string encode(const Message& m, std::uint64_t seq, const Stream& stream) {
    const auto* const state = std::get_if<message::State>(&m.body);
    Json json(usual_size + (state ? 7 * state->moves.size() : 0));
    json.open('{');
    json.member("type", types[m.body.index()]);
    json.member("seq", seq);
    json.member("t", stream.t0 + m.t);
    json.member("board", stream.board);
    json.member("game", m.game);
    json.member("ply", m.ply);
    json.member("fen", m.fen);
    json.member("turn", m.turn);
    json.member("check", m.check);
    json.member("last", m.last);
    json.key("clock").open('{');
    json.member("red_ms", m.clock.red_ms);
    json.member("black_ms", m.clock.black_ms);
    json.member("running", m.clock.running);
    json.member("valid", m.clock.valid);
    json.close('}');
    json.key("result");
    if (m.result) {
        json.value(text(*m.result));
    } else {
        json.null();
    }
    std::visit(Adder{json, stream}, m.body);
    json.close('}');
    return json.take();
}

}  // namespace xq::protocol
