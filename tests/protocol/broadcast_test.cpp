// The broadcast's bytes: every message as the contract spells it, and texts that need escaping.
#include "protocol/broadcast.hpp"

#include "protocol/ruling_texts.hpp"
#include "tests/protocol/samples.hpp"

#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <set>

namespace xq::protocol {
namespace {

// What all but hello begin with, in `samples::message`.
std::string common(std::string_view type) {
    return R"({"type":")" + std::string(type) +
           R"(","seq":42,"t":1777626001500,"board":"table-01","game":2,"ply":1,)"
           R"("fen":"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1",)"
           R"("turn":"black","check":false,"last":"h2e2",)"
           R"("clock":{"red_ms":3590000,"black_ms":3600000,"running":"black","valid":true},)"
           R"("result":null)";
}
std::string encoded(Body body) {
    return encode(samples::message(std::move(body)), 42, samples::stream);
}

TEST(Broadcast, Hello) {
    EXPECT_EQ(encode(samples::hello()),
              R"({"type":"hello","protocol":"xiangqi-broadcast/1","server":"xiangqid 0.1.0",)"
              R"("epoch":1777626000000,"board":"table-01","event":"五羊杯","red":"王天一",)"
              R"("black":"郑惟桐","rulebook":"cxa-2010","time_control":"60m+30s",)"
              R"("sensing":"identity","delay_ms":0})");
}

TEST(Broadcast, MessagesWithNothingOfTheirOwn) {
    EXPECT_EQ(encoded(message::ClockTick{}), common("clock") + "}");
    EXPECT_EQ(encoded(message::Heartbeat{}), common("heartbeat") + "}");
}

TEST(Broadcast, State) {
    message::State state;
    EXPECT_EQ(encoded(state), common("state") +
                                  R"(,"moves":[],"start_fen":"","fouls":{"red":0,"black":0},)"
                                  R"("in_sync":true,"link":"offline"})");
    state.moves = {{0, 89}, {rules::point(7, 9), rules::point(6, 7)}};
    state.start_fen = "9/9 w";
    state.red_fouls = 1;
    state.black_fouls = 2;
    state.in_sync = false;
    state.link = Link::Online;
    EXPECT_EQ(encoded(state),
              common("state") + R"(,"moves":["a0i9","h9g7"],"start_fen":"9/9 w",)"
                                R"("fouls":{"red":1,"black":2},"in_sync":false,"link":"online"})");
}

TEST(Broadcast, Move) {
    message::Ply ply = samples::ply();
    EXPECT_EQ(encoded(ply), common("move") +
                                R"(,"iccs":"h2e2","zh":"炮二平五","wxf":"C2=5","captured":null,)"
                                R"("status":"provisional","spent_ms":10000})");
    ply.captured = rules::Piece(rules::Side::Black, rules::Kind::Pawn);
    ply.final = true;
    ply.spent_ms.reset();
    ply.recovered = true;
    EXPECT_EQ(encoded(ply), common("move") +
                                R"(,"iccs":"h2e2","zh":"炮二平五","wxf":"C2=5","captured":"p",)"
                                R"("status":"final","spent_ms":null,"recovered":true})");
}

TEST(Broadcast, Retract) {
    EXPECT_EQ(encoded(message::Retract{0, "taken back"}),
              common("retract") + R"(,"to_ply":0,"reason":"taken back"})");
}

TEST(Broadcast, Board) {
    EXPECT_EQ(encoded(message::Board{}),
              common("board") + R"(,"in_sync":true,"link":"offline","missing":[],"extra":[],)"
                                R"("faults":[],"candidates":[]})");
    message::Board board;
    board.in_sync = false;
    board.link = Link::Searching;
    board.missing = {{0, 'R'}, {89, 'r'}};
    board.extra = {{4, 'x'}};
    board.faults = {{5, "stuck"}, {rules::no_point, "silent"}};
    board.candidates = {{0, 1}, {0, 2}};
    EXPECT_EQ(encoded(board),
              common("board") +
                  R"(,"in_sync":false,"link":"searching",)"
                  R"("missing":[{"point":"a0","piece":"R"},{"point":"i9","piece":"r"}],)"
                  R"("extra":[{"point":"e0","piece":"x"}],)"
                  R"("faults":[{"point":"f0","fault":"stuck"},{"point":null,"fault":"silent"}],)"
                  R"("candidates":["a0b0","a0c0"]})");
}

TEST(Broadcast, Ruling) {
    message::Ruling ruling;
    ruling.id = 3;
    ruling.code = Code::FlagFall;
    ruling.article = "4.1.6";
    ruling.side = rules::Side::Black;
    ruling.severity = Severity::Loss;
    ruling.status = RulingStatus::Dismissed;
    ruling.zh = "超时";
    ruling.en = "time over";
    ruling.evidence = {{"side", "black"}, {"over_ms", 120}};
    EXPECT_EQ(encoded(ruling),
              common("ruling") +
                  R"(,"id":3,"code":"flag_fall","rulebook":"cxa-2010","article":"4.1.6",)"
                  R"("side":"black","severity":"loss","status":"dismissed","zh":"超时",)"
                  R"("en":"time over","evidence":{"side":"black","over_ms":120}})");
    ruling.side.reset();
    EXPECT_NE(encoded(ruling).find(R"("side":null,"severity")"), std::string::npos);
}

TEST(Broadcast, Result) {
    Message m = samples::message(message::Result{Code::NoWinnerPossible});
    m.result = Outcome::Draw;
    const std::string line = encode(m, 1, samples::stream);
    EXPECT_NE(line.find(R"("result":"1/2-1/2","reason":"no_winner_possible"})"), std::string::npos)
        << line;
}

TEST(Broadcast, BeforeTheFirstMoveWithoutAClock) {
    Message m = samples::message(message::Heartbeat{});
    m.last.reset();
    m.clock = {0, 0, {}, false};
    const std::string line = encode(m, 18446744073709551615U, {"b", "r", 0});
    EXPECT_TRUE(line.starts_with(R"({"type":"heartbeat","seq":18446744073709551615,"t":1500,)"))
        << line;
    EXPECT_NE(line.find(R"("last":null,"clock":{"red_ms":0,"black_ms":0,"running":null,)"
                        R"("valid":false})"),
              std::string::npos)
        << line;
}

TEST(Broadcast, TextsOfAnyKindStayOneLineOfJson) {
    std::string nasty = "\"quoted\" \\ / \x7f 红方";
    for (char c = 0; c < 0x20; ++c) nasty += c;
    const std::string line = encoded(message::Retract{0, nasty});
    EXPECT_EQ(line.find('\n'), std::string::npos);
    EXPECT_EQ(boost::json::parse(line).at("reason").as_string(), nasty);
    Hello hello = samples::hello();
    hello.red = nasty;
    EXPECT_EQ(boost::json::parse(encode(hello)).at("red").as_string(), nasty);
}

TEST(Broadcast, EveryMessageKeepsTheOrderOfTheCommonMembers) {
    const std::vector<std::string> order{"type", "seq",  "t",     "board", "game",  "ply",
                                         "fen",  "turn", "check", "last",  "clock", "result"};
    for (const Message& m : samples::all()) {
        std::vector<std::string> keys;
        const auto parsed = boost::json::parse(encode(m, 1, samples::stream));
        for (const auto& member : parsed.as_object()) {
            if (keys.size() < order.size()) keys.emplace_back(member.key());
        }
        EXPECT_EQ(keys, order) << m.body.index();
    }
}

TEST(Broadcast, WhatCountsIsWhatMustBeDurable) {
    message::Ply ply;
    EXPECT_FALSE(counts(samples::message(ply)));
    ply.final = true;
    EXPECT_TRUE(counts(samples::message(ply)));
    EXPECT_TRUE(counts(samples::message(message::Retract{})));
    EXPECT_TRUE(counts(samples::message(message::Ruling{})));
    EXPECT_TRUE(counts(samples::message(message::Result{})));
    EXPECT_FALSE(counts(samples::message(message::State{})));
    EXPECT_FALSE(counts(samples::message(message::ClockTick{})));
    EXPECT_FALSE(counts(samples::message(message::Board{})));
    EXPECT_FALSE(counts(samples::message(message::Heartbeat{})));
}

TEST(Outcome, GoesBothWays) {
    for (const std::string_view t : {"1-0", "0-1", "1/2-1/2", "0-0"}) {
        ASSERT_TRUE(read_outcome(t)) << t;
        EXPECT_EQ(text(*read_outcome(t)), t);
    }
    EXPECT_FALSE(read_outcome("1-1"));
    EXPECT_FALSE(read_outcome(""));
    EXPECT_EQ(text(lost_by(rules::Side::Red)), "0-1");
    EXPECT_EQ(text(lost_by(rules::Side::Black)), "1-0");
}

TEST(RulingTexts, EveryCodeHasItsNameAndBothLanguages) {
    // The codes of the contract, spelt out here so that none can be lost or renamed.
    const std::set<std::string_view> contract{
        "illegal_move", "suicide",         "touch_move",       "touch_impossible",
        "adjust",       "took_back",       "colours_reversed", "misplaced",
        "knocked",      "knocked_pressed", "between_points",   "press_without_move",
        "out_of_turn",  "foul_limit",      "flag_fall",        "late",
        "checkmate",    "stalemate",       "natural_limit",    "false_claim",
        "repetition",   "draw_offers",     "draw_agreed",      "no_winner_possible",
        "resign",       "conduct",         "arbiter"};
    std::set<std::string_view> named;
    for (const RulingText& entry : ruling_texts()) {
        named.insert(entry.text);
        EXPECT_EQ(read_code(entry.text), entry.code);
        EXPECT_EQ(text(entry.code), entry.text);
        EXPECT_EQ(&about(entry.code), &entry);
        EXPECT_FALSE(entry.zh.empty()) << entry.text;
        EXPECT_FALSE(entry.en.empty()) << entry.text;
        EXPECT_EQ(entry.article.empty(), entry.code == Code::Arbiter) << entry.text;
    }
    EXPECT_EQ(named, contract);
    EXPECT_FALSE(read_code("arbitrary"));
}

}  // namespace
}  // namespace xq::protocol
