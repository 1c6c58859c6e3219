// The arbiter channel: every method as a typed call, and what is refused with which code.
#include "protocol/json_rpc.hpp"

#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "rules/fen.hpp"

namespace xq::protocol {
namespace {

using rules::Side;

ParsedCall parse(std::string_view method, std::string_view params = "{}") {
    const std::string line = R"({"jsonrpc":"2.0","id":7,"method":")" + std::string(method) +
                             R"(","params":)" + std::string(params) + "}";
    auto call = parse_call(line);
    EXPECT_TRUE(call) << line << ": " << (call ? "" : call.error().message);
    if (!call) return {};
    EXPECT_EQ(protocol::method(call->call), method);
    EXPECT_EQ(call->id, boost::json::value(7));
    return *call;
}

template <class T>
T parse_as(std::string_view method, std::string_view params = "{}") {
    const ParsedCall parsed = parse(method, params);
    EXPECT_TRUE(std::holds_alternative<T>(parsed.call)) << method;
    return std::holds_alternative<T>(parsed.call) ? std::get<T>(parsed.call) : T{};
}

RpcError refusal(std::string_view line) {
    const auto call = parse_call(line);
    EXPECT_FALSE(call) << line;
    return call ? RpcError{} : call.error();
}

TEST(JsonRpc, ReadsEveryMethodAndItsParameters) {
    EXPECT_EQ(parse_as<call::Auth>("auth", R"({"token":"s3cret"})").token, "s3cret");
    parse_as<call::Status>("status");
    parse_as<call::Watch>("watch");
    const auto plain = parse_as<call::GameNew>("game.new");
    EXPECT_FALSE(plain.start || plain.red || plain.black || plain.event);
    const auto named = parse_as<call::GameNew>(
        "game.new", R"({"start_fen":"3k5/9/9/9/9/9/9/9/9/4K4 b - - 3 9","red":"王天一"})");
    ASSERT_TRUE(named.start);
    EXPECT_EQ(rules::write_fen(*named.start), "3k5/9/9/9/9/9/9/9/9/4K4 b - - 3 9");
    EXPECT_EQ(named.red, "王天一");
    parse_as<call::GamePause>("game.pause");
    parse_as<call::GameResume>("game.resume");
    const auto result =
        parse_as<call::GameResult>("game.result", R"({"result":"0-0","reason":"late"})");
    EXPECT_EQ(result.outcome, Outcome::BothLose);
    EXPECT_EQ(result.reason, Code::Late);
    EXPECT_EQ(parse_as<call::GameTakeback>("game.takeback", R"({"to_ply":0})").to_ply, 0);
    EXPECT_EQ(parse_as<call::GameStand>("game.stand", R"({"ply":12})").ply, 12);
    const auto move = parse_as<call::GameMove>("game.move", R"({"iccs":"H2-E2","ply":3})");
    EXPECT_EQ(move.move, (rules::Move{rules::point(7, 2), rules::point(4, 2)}));
    EXPECT_EQ(move.ply, 3);
    EXPECT_FALSE(parse_as<call::GameMove>("game.move", R"({"iccs":"h2e2"})").ply);
    parse_as<call::BoardStatus>("board.status");
    EXPECT_EQ(
        rules::write_placement(parse_as<call::PositionSet>(
                                   "position.set", R"({"fen":"3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1"})")
                                   .position.placement()),
        "3k5/9/9/9/9/9/9/9/9/4K4");
    parse_as<call::BoardAccept>("board.accept");
    EXPECT_EQ(parse_as<call::BoardDesignate>("board.designate", R"({"point":"d2"})").point,
              rules::point(3, 2));
    EXPECT_EQ(parse_as<call::TouchAdjust>("touch.adjust", R"({"side":"black"})").side, Side::Black);
    const auto set = parse_as<call::ClockSet>(
        "clock.set", R"({"red_ms":60000,"black_ms":59000.0,"running":"black"})");
    EXPECT_EQ(set.red_ms, 60000);
    EXPECT_EQ(set.black_ms, 59000);
    EXPECT_EQ(set.running, Side::Black);
    for (const std::string_view nobody : {"null", "\"none\""}) {
        const auto stopped = parse_as<call::ClockSet>(
            "clock.set", R"({"red_ms":0,"black_ms":0,"running":)" + std::string(nobody) + "}");
        EXPECT_FALSE(stopped.running);
    }
    EXPECT_EQ(parse_as<call::RulingConfirm>("ruling.confirm", R"({"id":1})").id, 1);
    EXPECT_EQ(parse_as<call::RulingDismiss>("ruling.dismiss", R"({"id":2})").id, 2);
    const auto foul = parse_as<call::FoulAdd>("foul.add", R"({"side":"red","reason":"说话"})");
    EXPECT_EQ(foul.side, Side::Red);
    EXPECT_EQ(foul.reason, "说话");
    EXPECT_EQ(parse_as<call::DrawOffer>("draw.offer", R"({"side":"black"})").side, Side::Black);
    EXPECT_EQ(parse_as<call::DrawAccept>("draw.accept", R"({"side":"red"})").side, Side::Red);
    EXPECT_EQ(parse_as<call::DrawDecline>("draw.decline", R"({"side":"black"})").side, Side::Black);
    EXPECT_EQ(parse_as<call::Resign>("resign", R"({"side":"black"})").side, Side::Black);
    EXPECT_EQ(parse_as<call::ClaimNaturalLimit>("claim.natural_limit", R"({"side":"red"})").side,
              Side::Red);
    EXPECT_EQ(parse_as<call::ClaimRepetition>("claim.repetition", R"({"side":"black"})").side,
              Side::Black);
    EXPECT_EQ(parse_as<call::RecordExport>("record.export", R"({"format":"dhtmlxq"})").format,
              call::Format::DhtmlXq);
    EXPECT_EQ(parse_as<call::RecordExport>("record.export", R"({"format":"log"})").format,
              call::Format::Log);
}

TEST(JsonRpc, ReadsTheLinesOfALog) {
    const auto bare = parse_call(R"({"method": "game.pause"})");
    ASSERT_TRUE(bare);
    EXPECT_FALSE(bare->id) << "a request without an id is a notification";
    const auto by = parse_call(R"({"id":"a","method":"game.pause","params":{},"by":"anna"})");
    ASSERT_TRUE(by);
    EXPECT_EQ(by->by, "anna");
    EXPECT_EQ(by->id, boost::json::value("a"));
}

TEST(JsonRpc, OnlyCallsThatChangeTheGameAreJournaled) {
    std::vector<std::string_view> read_only;
    for (const std::string_view m : {"status", "watch", "board.status", "game.pause"}) {
        if (!changes_game(parse(m).call)) read_only.push_back(m);
    }
    EXPECT_EQ(read_only, (std::vector<std::string_view>{"status", "watch", "board.status"}));
    EXPECT_FALSE(changes_game(parse("auth", R"({"token":"t"})").call));
    EXPECT_FALSE(changes_game(parse("record.export", R"({"format":"pgn"})").call));
    EXPECT_TRUE(changes_game(parse("resign", R"({"side":"red"})").call));
}

struct Wrong {
    std::string_view line;
    int code;
    std::string_view says;
};
void PrintTo(const Wrong& w, std::ostream* out) {
    *out << w.line;
}

class JsonRpcRefuses : public testing::TestWithParam<Wrong> {};

TEST_P(JsonRpcRefuses, WithACodeAndWhatWasWrong) {
    const RpcError error = refusal(GetParam().line);
    EXPECT_EQ(static_cast<int>(error.code), GetParam().code);
    EXPECT_NE(error.message.find(GetParam().says), std::string::npos) << error.message;
}

INSTANTIATE_TEST_SUITE_P(
    Requests, JsonRpcRefuses,
    testing::Values(
        Wrong{"", -32700, "no JSON"}, Wrong{"{", -32700, "no JSON"},
        Wrong{"{\"method\":\"status\"} x", -32700, "no JSON"}, Wrong{"\xff", -32700, "no JSON"},
        Wrong{"[]", -32600, "one JSON object"},
        Wrong{R"([{"method":"status"}])", -32600, "one JSON object"},
        Wrong{"null", -32600, "one JSON object"}, Wrong{"{}", -32600, "method"},
        Wrong{R"({"method":5})", -32600, "method"},
        Wrong{R"({"jsonrpc":"1.0","method":"status"})", -32600, "jsonrpc"},
        Wrong{R"({"id":{},"method":"status"})", -32600, "id"},
        Wrong{R"({"id":1.5,"method":"status"})", -32600, "id"},
        Wrong{R"({"id":1e999,"method":"status"})", -32600, "id"},
        Wrong{R"({"by":1,"method":"status"})", -32600, "by"},
        Wrong{R"({"method":"game.fly"})", -32601, "game.fly"},
        Wrong{R"({"method":"Status"})", -32601, "Status"},
        Wrong{R"({"method":"resign","params":["red"]})", -32602, "params must be an object"},
        Wrong{R"({"method":"resign"})", -32602, "params.side is missing"},
        Wrong{R"({"method":"resign","params":{"side":"white"}})", -32602, "params.side must"},
        Wrong{R"({"method":"resign","params":{"side":1}})", -32602, "params.side must"},
        Wrong{R"({"method":"resign","params":{"side":"red","at":1}})", -32602, "params.at is not"},
        Wrong{R"({"method":"status","params":{"x":1}})", -32602, "params.x is not"},
        Wrong{R"({"method":"game.takeback","params":{"to_ply":-1}})", -32602, "params.to_ply"},
        Wrong{R"({"method":"game.takeback","params":{"to_ply":1.5}})", -32602, "params.to_ply"},
        Wrong{R"({"method":"game.takeback","params":{"to_ply":"1"}})", -32602, "params.to_ply"},
        Wrong{R"({"method":"game.takeback","params":{"to_ply":1e300}})", -32602, "params.to_ply"},
        Wrong{R"({"method":"game.takeback","params":{"to_ply":4294967297}})", -32602, "to_ply"},
        Wrong{R"({"method":"game.stand","params":{"ply":0}})", -32602, "params.ply"},
        Wrong{R"({"method":"game.move","params":{"iccs":"h2"}})", -32602, "params.iccs"},
        Wrong{R"({"method":"game.move","params":{"iccs":"h2e2","ply":null}})", -32602, "ply"},
        Wrong{R"({"method":"game.result","params":{"result":"2-0","reason":"late"}})", -32602,
              "params.result"},
        Wrong{R"({"method":"game.result","params":{"result":"1-0","reason":"why"}})", -32602,
              "params.reason"},
        Wrong{R"({"method":"game.result","params":{"result":"1-0"}})", -32602,
              "params.reason is missing"},
        Wrong{R"({"method":"game.new","params":{"start_fen":"9/9"}})", -32602,
              "params.start_fen is no FEN: column"},
        Wrong{R"({"method":"game.new","params":{"red":"a\nb"}})", -32602, "params.red"},
        Wrong{R"({"method":"game.new","params":{"red":""}})", -32602, "params.red"},
        Wrong{R"({"method":"position.set","params":{}})", -32602, "params.fen is missing"},
        Wrong{R"({"method":"board.designate","params":{"point":"k2"}})", -32602, "params.point"},
        Wrong{R"({"method":"clock.set","params":{"red_ms":-1,"black_ms":0,"running":null}})",
              -32602, "params.red_ms"},
        Wrong{R"({"method":"clock.set","params":{"red_ms":0,"black_ms":0}})", -32602,
              "params.running is missing"},
        Wrong{R"({"method":"clock.set","params":{"red_ms":0,"black_ms":0,"running":"both"}})",
              -32602, "params.running must"},
        Wrong{R"({"method":"ruling.confirm","params":{"id":0}})", -32602, "params.id"},
        Wrong{R"({"method":"foul.add","params":{"side":"red"}})", -32602, "params.reason"},
        Wrong{R"({"method":"record.export","params":{"format":"doc"}})", -32602, "params.format"}));

TEST(JsonRpc, ARefusalCarriesTheIdAsFarAsItWasRead) {
    EXPECT_EQ(refusal(R"({"id":"q","method":"resign"})").id, boost::json::value("q"));
    EXPECT_TRUE(refusal("{").id.is_null());
    EXPECT_TRUE(refusal(R"({"id":[1],"method":"status"})").id.is_null());
}

TEST(JsonRpc, ASignedCallSaysWhoCalledWhateverTheCallerWrote) {
    const std::string line = signed_call(
        R"({"jsonrpc":"2.0","id":1,"method":"resign","params":{"side":"red"},"by":"nobody","x":1e999})",
        "anna \"the\" arbiter");
    EXPECT_EQ(line.find('\n'), std::string::npos);
    EXPECT_EQ(line.find("\"x\""), std::string::npos);
    const auto call = parse_call(line);
    ASSERT_TRUE(call) << line;
    EXPECT_EQ(call->by, "anna \"the\" arbiter");
    EXPECT_EQ(std::get<call::Resign>(call->call).side, Side::Red);
}

TEST(JsonRpc, RepliesHaveTheStandardShape) {
    EXPECT_EQ(boost::json::serialize(result_reply(7, {{"ply", 3}})),
              R"({"jsonrpc":"2.0","id":7,"result":{"ply":3}})");
    EXPECT_EQ(boost::json::serialize(error_reply("a", RpcCode::Refused, "no such ruling")),
              R"({"jsonrpc":"2.0","id":"a","error":{"code":-32000,"message":"no such ruling"}})");
    EXPECT_EQ(boost::json::serialize(error_reply(refusal("{}"))),
              R"({"jsonrpc":"2.0","id":null,"error":{"code":-32600,)"
              R"("message":"method must be a string"}})");
    EXPECT_EQ(broadcast_notification(R"({"type":"heartbeat"})"),
              R"({"jsonrpc":"2.0","method":"broadcast","params":{"type":"heartbeat"}})");
}

}  // namespace
}  // namespace xq::protocol
