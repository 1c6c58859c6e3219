#include "protocol/json_rpc.hpp"

#include "rules/fen.hpp"
#include "rules/notation.hpp"

#include <algorithm>
#include <array>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <limits>
#include <utility>
#include <vector>

namespace xq::protocol {

namespace {

constexpr std::array<std::string_view, 5> format_names{"pgn", "dhtmlxq", "txt", "log", "html"};

namespace json = boost::json;
using rules::Side;

// Longer than any name or reason that is meant; a sheet of paper and an overlay line have an end.
constexpr std::size_t longest_text = 200;
// What the board wire can carry (32 bits of ms).
constexpr std::int64_t most_clock_ms = std::numeric_limits<std::uint32_t>::max();

bool has_control(std::string_view text) {
    return std::any_of(text.begin(), text.end(),
                       [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
}

/// The parameters of one call. It keeps the first fault and goes on giving harmless values, so that
/// a method's reader only says what it wants.
class Params {
public:
    explicit Params(const json::object& given) : given_(given) {}

    const std::string& fault() const { return fault_; }

    std::string text(std::string_view name) {
        const std::string_view s = word(name);
        if (s.empty() || s.size() > longest_text || has_control(s)) {
            fail(name, "must be a text of 1 to 200 bytes on one line");
        }
        return std::string(s);
    }
    std::optional<std::string> text_if_given(std::string_view name) {
        return find(name) ? std::optional(text(name)) : std::nullopt;
    }

    std::int64_t number(std::string_view name, std::int64_t least, std::int64_t most) {
        const json::value* const v = want(name);
        json::error_code error;
        const auto n = v && v->is_number() ? v->to_number<std::int64_t>(error) : least - 1;
        if (error || n < least || n > most) {
            fail(name, "must be a whole number from " + std::to_string(least) + " to " +
                           std::to_string(most));
            return least;
        }
        return n;
    }
    int integer(std::string_view name, int least) {
        return static_cast<int>(number(name, least, std::numeric_limits<int>::max()));
    }
    std::optional<int> integer_if_given(std::string_view name, int least) {
        return find(name) ? std::optional(integer(name, least)) : std::nullopt;
    }

    Side side(std::string_view name) {
        const std::string_view s = word(name);
        if (s != "red" && s != "black") fail(name, R"(must be "red" or "black")");
        return s == "black" ? Side::Black : Side::Red;
    }
    /// null and "none" both say that nobody's clock runs: the one stands in the broadcast, the
    /// other in sensor logs.
    std::optional<Side> side_or_none(std::string_view name) {
        const json::value* const v = want(name);
        const std::string_view s = word(name);
        if (s == "red") return Side::Red;
        if (s == "black") return Side::Black;
        if (v && !v->is_null() && s != "none") fail(name, R"(must be "red", "black" or null)");
        return {};
    }

    rules::Point point(std::string_view name) {
        const std::string_view s = word(name);
        const auto p = rules::point_named(s);
        if (!p) fail(name, "must be a point, as in \"e2\"");
        return p.value_or(0);
    }
    rules::Move move(std::string_view name) {
        const std::string_view s = word(name);
        const auto m = rules::read_iccs(s);
        if (!m) fail(name, "must be a move, as in \"h2e2\"");
        return m.value_or(rules::Move{});
    }
    rules::Position fen(std::string_view name) {
        const std::string_view s = word(name);
        if (!fault_.empty()) return {};
        auto position = rules::read_fen(s);
        if (position) return *position;
        fail(name, "is no FEN: column " + std::to_string(position.error().at + 1) + ": " +
                       position.error().what);
        return {};
    }
    std::optional<rules::Position> fen_if_given(std::string_view name) {
        return find(name) ? std::optional(fen(name)) : std::nullopt;
    }

    Outcome outcome(std::string_view name) {
        const auto o = read_outcome(word(name));
        if (!o) fail(name, R"(must be "1-0", "0-1", "1/2-1/2" or "0-0")");
        return o.value_or(Outcome::Draw);
    }
    Code code(std::string_view name) {
        const auto c = read_code(word(name));
        if (!c) fail(name, R"(must be a ruling code, as in "late" or "arbiter")");
        return c.value_or(Code::Arbiter);
    }
    call::Format format(std::string_view name) {
        const auto& names = format_names;
        const auto* const found = std::find(names.begin(), names.end(), word(name));
        if (found == names.end()) fail(name, R"(must be "pgn", "dhtmlxq", "txt", "log" or "html")");
        return found == names.end() ? call::Format::Pgn
                                    : static_cast<call::Format>(found - names.begin());
    }

    /// Every parameter must have been asked for.
    void finish() {
        for (const auto& member : given_) {
            if (std::find(asked_.begin(), asked_.end(), member.key()) == asked_.end()) {
                fail(member.key(), "is not a parameter of this method");
            }
        }
    }

private:
    void fail(std::string_view name, std::string_view what) {
        if (fault_.empty()) fault_.append("params.").append(name).append(1, ' ').append(what);
    }
    const json::value* find(std::string_view name) {
        asked_.push_back(name);
        return given_.if_contains(name);
    }
    const json::value* want(std::string_view name) {
        const json::value* const v = find(name);
        if (!v) fail(name, "is missing");
        return v;
    }
    /// A string's content; empty for anything else, which no reader of words accepts.
    std::string_view word(std::string_view name) {
        const json::value* const v = want(name);
        return v && v->is_string() ? std::string_view(v->get_string()) : std::string_view();
    }

    const json::object& given_;
    std::vector<std::string_view> asked_;
    std::string fault_;
};

struct Method {
    std::string_view name;
    Call (*read)(Params&);
};

// One line a method, in the order of `Call`.
constexpr std::array<Method, std::variant_size_v<Call>> methods{{
    {"auth", [](Params& p) -> Call { return call::Auth{p.text("token")}; }},
    {"status", [](Params&) -> Call { return call::Status{}; }},
    {"watch", [](Params&) -> Call { return call::Watch{}; }},
    {"game.new",
     [](Params& p) -> Call {
         return call::GameNew{p.fen_if_given("start_fen"), p.text_if_given("red"),
                              p.text_if_given("black"), p.text_if_given("event")};
     }},
    {"game.pause", [](Params&) -> Call { return call::GamePause{}; }},
    {"game.resume", [](Params&) -> Call { return call::GameResume{}; }},
    {"game.result",
     [](Params& p) -> Call {
         return call::GameResult{p.outcome("result"), p.code("reason")};
     }},
    {"game.takeback", [](Params& p) -> Call { return call::GameTakeback{p.integer("to_ply", 0)}; }},
    {"game.stand", [](Params& p) -> Call { return call::GameStand{p.integer("ply", 1)}; }},
    {"game.move",
     [](Params& p) -> Call {
         return call::GameMove{p.move("iccs"), p.integer_if_given("ply", 1)};
     }},
    {"board.status", [](Params&) -> Call { return call::BoardStatus{}; }},
    {"position.set", [](Params& p) -> Call { return call::PositionSet{p.fen("fen")}; }},
    {"board.accept", [](Params&) -> Call { return call::BoardAccept{}; }},
    {"board.designate", [](Params& p) -> Call { return call::BoardDesignate{p.point("point")}; }},
    {"touch.adjust", [](Params& p) -> Call { return call::TouchAdjust{p.side("side")}; }},
    {"clock.set",
     [](Params& p) -> Call {
         return call::ClockSet{p.number("red_ms", 0, most_clock_ms),
                               p.number("black_ms", 0, most_clock_ms), p.side_or_none("running")};
     }},
    {"ruling.confirm", [](Params& p) -> Call { return call::RulingConfirm{p.integer("id", 1)}; }},
    {"ruling.dismiss", [](Params& p) -> Call { return call::RulingDismiss{p.integer("id", 1)}; }},
    {"foul.add",
     [](Params& p) -> Call {
         return call::FoulAdd{p.side("side"), p.text("reason")};
     }},
    {"draw.offer", [](Params& p) -> Call { return call::DrawOffer{p.side("side")}; }},
    {"draw.accept", [](Params& p) -> Call { return call::DrawAccept{p.side("side")}; }},
    {"draw.decline", [](Params& p) -> Call { return call::DrawDecline{p.side("side")}; }},
    {"resign", [](Params& p) -> Call { return call::Resign{p.side("side")}; }},
    {"claim.natural_limit",
     [](Params& p) -> Call { return call::ClaimNaturalLimit{p.side("side")}; }},
    {"claim.repetition", [](Params& p) -> Call { return call::ClaimRepetition{p.side("side")}; }},
    {"record.export", [](Params& p) -> Call { return call::RecordExport{p.format("format")}; }},
}};

}  // namespace

std::string_view call::text(Format format) {
    return format_names[static_cast<std::size_t>(format)];
}

std::string_view method(const Call& call) {
    return methods[call.index()].name;
}

bool changes_game(const Call& call) {
    return !std::holds_alternative<call::Auth>(call) &&
           !std::holds_alternative<call::Status>(call) &&
           !std::holds_alternative<call::Watch>(call) &&
           !std::holds_alternative<call::BoardStatus>(call) &&
           !std::holds_alternative<call::RecordExport>(call);
}

boost::system::result<ParsedCall, RpcError> parse_call(std::string_view line) {
    json::error_code error;
    const json::value parsed = json::parse(line, error);
    if (error) return RpcError{nullptr, RpcCode::ParseError, "no JSON: " + error.message()};
    const json::object* const request = parsed.if_object();
    if (!request) {
        return RpcError{nullptr, RpcCode::InvalidRequest, "a request is one JSON object a line"};
    }

    ParsedCall result;
    json::value id;  // null until it is known
    if (const json::value* const given = request->if_contains("id")) {
        if (!given->is_string() && !given->is_int64() && !given->is_uint64() && !given->is_null()) {
            return RpcError{nullptr, RpcCode::InvalidRequest,
                            "id must be a string or a whole number"};
        }
        id = *given;
        result.id = *given;
    }
    const auto refuse = [&](RpcCode code, std::string message) {
        return RpcError{id, code, std::move(message)};
    };
    // A journal may leave the version out; who names one must name this one.
    if (const json::value* const version = request->if_contains("jsonrpc");
        version && *version != "2.0") {
        return refuse(RpcCode::InvalidRequest, R"(jsonrpc must be "2.0")");
    }
    if (const json::value* const by = request->if_contains("by")) {
        if (!by->is_string()) return refuse(RpcCode::InvalidRequest, "by must be a string");
        result.by = by->get_string();
    }
    const json::value* const name = request->if_contains("method");
    if (!name || !name->is_string()) {
        return refuse(RpcCode::InvalidRequest, "method must be a string");
    }
    const std::string_view wanted = name->get_string();
    const auto* const method = std::find_if(methods.begin(), methods.end(),
                                            [&](const Method& m) { return m.name == wanted; });
    if (method == methods.end()) {
        return refuse(RpcCode::MethodNotFound, "no method " + json::serialize(*name));
    }
    const json::object none;
    const json::value* const given = request->if_contains("params");
    if (given && !given->is_object()) {
        return refuse(RpcCode::InvalidParams, "params must be an object");
    }
    Params params(given ? given->get_object() : none);
    result.call = method->read(params);
    params.finish();
    if (!params.fault().empty()) return refuse(RpcCode::InvalidParams, params.fault());
    return result;
}

std::string signed_call(std::string_view line, std::string_view by) {
    const json::value parsed = json::parse(line);
    const json::object& given = parsed.as_object();
    // Only what has been checked goes on: whatever else the caller wrote must not reach a journal.
    json::object request;
    for (const std::string_view name : {"jsonrpc", "id", "method", "params"}) {
        if (const json::value* const member = given.if_contains(name)) request[name] = *member;
    }
    request["by"] = by;
    return json::serialize(request);
}

json::object result_reply(const json::value& id, json::value result) {
    return {{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}};
}

json::object error_reply(const json::value& id, RpcCode code, std::string_view message) {
    return {{"jsonrpc", "2.0"},
            {"id", id},
            {"error", {{"code", static_cast<std::int16_t>(code)}, {"message", message}}}};
}

json::object error_reply(const RpcError& error) {
    return error_reply(error.id, error.code, error.message);
}

std::string broadcast_notification(std::string_view message) {
    constexpr std::string_view head = R"({"jsonrpc":"2.0","method":"broadcast","params":)";
    std::string out;
    out.reserve(head.size() + message.size() + 1);
    return out.append(head).append(message).append(1, '}');
}

}  // namespace xq::protocol
