#pragma once
// One broadcast message of every kind, with and without what may be null. Shared by the tests that
// compare bytes and by the program whose output the schema judges.
#include "protocol/broadcast.hpp"

namespace xq::protocol::samples {

inline Hello hello() {
    return {"xiangqid 0.1.0", 1777626000000, "table-01", "五羊杯",          "王天一",
            "郑惟桐",         "cxa-2010",    "60m+30s",  Sensing::Identity, 0};
}

inline Message message(Body body) {
    Message m;
    m.t = 1500;
    m.game = 2;
    m.ply = 1;
    m.fen = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1";
    m.turn = rules::Side::Black;
    m.last = rules::Move{rules::point(7, 2), rules::point(4, 2)};
    m.clock = {3590000, 3600000, rules::Side::Black, true};
    m.body = std::move(body);
    return m;
}

inline message::Ply ply() {
    return {{rules::point(7, 2), rules::point(4, 2)}, "炮二平五", "C2=5", {}, false, 10000, false};
}

inline std::vector<Message> all() {
    using rules::Side;
    message::State state;
    state.moves = {{rules::point(7, 2), rules::point(4, 2)}};
    state.start_fen = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
    state.red_fouls = 1;
    state.link = Link::Online;
    message::Ply final_ply = ply();
    final_ply.captured = rules::Piece(Side::Black, rules::Kind::Pawn);
    final_ply.final = true;
    final_ply.spent_ms.reset();
    final_ply.recovered = true;
    message::Board board;
    board.in_sync = false;
    board.link = Link::Searching;
    board.missing = {{rules::point(7, 2), 'C'}};
    board.extra = {{rules::point(3, 2), 'x'}};
    board.faults = {{rules::point(8, 4), "stuck"}, {rules::no_point, "silent"}};
    board.candidates = {{rules::point(7, 2), rules::point(3, 2)}};
    message::Ruling ruling;
    ruling.id = 1;
    ruling.code = Code::TouchMove;
    ruling.article = "5.1";
    ruling.side = Side::Red;
    ruling.severity = Severity::Warning;
    ruling.zh = "摸子走子";
    ruling.en = "touched piece must move";
    ruling.evidence = {{"touches", {{{"t", 900}, {"point", "h2"}, {"piece", "C"}}}},
                       {"duty", {{"own", "h2"}}},
                       {"moved", "h2e2"}};
    message::Ruling draw = ruling;
    draw.side.reset();
    draw.code = Code::DrawAgreed;
    draw.severity = Severity::Draw;
    draw.status = RulingStatus::Confirmed;
    draw.evidence = {};

    std::vector<Message> messages;
    for (Body body : std::vector<Body>{state, ply(), final_ply, message::Retract{0, "taken back"},
                                       message::ClockTick{}, message::Board{}, board, ruling, draw,
                                       message::Result{Code::Checkmate}, message::Heartbeat{}}) {
        messages.push_back(message(std::move(body)));
    }
    // What the common members look like before the first move and after the last.
    Message first = message(message::Heartbeat{});
    first.ply = 0;
    first.fen = state.start_fen;
    first.turn = Side::Red;
    first.last.reset();
    first.clock = {0, 0, {}, false};
    messages.push_back(first);
    for (const Outcome o :
         {Outcome::RedWins, Outcome::BlackWins, Outcome::Draw, Outcome::BothLose}) {
        Message over = message(message::Result{Code::Arbiter});
        over.check = true;
        over.result = o;
        messages.push_back(over);
    }
    return messages;
}

inline constexpr Stream stream{"table-01", "cxa-2010", 1777626000000};

}  // namespace xq::protocol::samples
