#pragma once
// The broadcast, version 1: what spectators are told (BROADCAST.md). A message is
// a value that is complete in itself; `encode` makes its one line of JSON. The referee makes
// messages, the hub numbers them, everybody shares the encoded bytes.
#include "protocol/sensor_event.hpp"
#include "rules/types.hpp"

#include <boost/json/object.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace xq::protocol {

enum class Outcome : std::uint8_t { RedWins, BlackWins, Draw, BothLose };
std::string_view text(Outcome o);  ///< "1-0", "0-1", "1/2-1/2", "0-0"
std::optional<Outcome> read_outcome(std::string_view text);
constexpr Outcome lost_by(rules::Side s) {
    return s == rules::Side::Red ? Outcome::BlackWins : Outcome::RedWins;
}

enum class Link : std::uint8_t { Online, Searching, Offline };
enum class Severity : std::uint8_t { Info, Warning, Foul, Loss, Draw };
enum class RulingStatus : std::uint8_t { Proposed, Confirmed, Dismissed };

/// The codes of BROADCAST.md with their articles.
enum class Code : std::uint8_t {
    IllegalMove,
    Suicide,
    TouchMove,
    TouchImpossible,
    Adjust,
    TookBack,
    ColoursReversed,
    Misplaced,
    Knocked,
    KnockedPressed,
    BetweenPoints,
    PressWithoutMove,
    OutOfTurn,
    FoulLimit,
    FlagFall,
    Late,
    Checkmate,
    Stalemate,
    NaturalLimit,
    FalseClaim,
    Repetition,
    DrawOffers,
    DrawAgreed,
    NoWinnerPossible,
    Resign,
    Conduct,
    Arbiter,
};
std::string_view text(Code c);  ///< "illegal_move" ...
std::optional<Code> read_code(std::string_view text);

struct ClockFace {
    Millis red_ms = 0;
    Millis black_ms = 0;
    std::optional<rules::Side> running;
    bool valid = true;
    bool operator==(const ClockFace&) const = default;
};

/// A point with what is wrong about it.
struct PointPiece {
    rules::Point point = 0;
    char piece = 'x';  ///< as in a sensor log
    bool operator==(const PointPiece&) const = default;
};
struct Fault {
    rules::Point point = rules::no_point;  ///< no_point: the whole board
    std::string_view fault;                ///< stuck, flicker, unreadable, silent
    bool operator==(const Fault&) const = default;
};

namespace message {
struct State {
    std::vector<rules::Move> moves;
    std::string start_fen;
    int red_fouls = 0;
    int black_fouls = 0;
    bool in_sync = true;
    Link link = Link::Offline;
};
struct Ply {
    rules::Move move;
    std::string zh;
    std::string wxf;
    rules::Piece captured;
    bool final = false;
    std::optional<Millis> spent_ms;
    bool recovered = false;
};
struct Retract {
    int to_ply = 0;
    std::string reason;
};
struct ClockTick {};
struct Board {
    bool in_sync = true;
    Link link = Link::Offline;
    std::vector<PointPiece> missing;
    std::vector<PointPiece> extra;
    std::vector<Fault> faults;
    std::vector<rules::Move> candidates;
    bool operator==(const Board&) const = default;
};
struct Ruling {
    int id = 0;
    Code code = Code::Arbiter;
    std::string article;
    std::optional<rules::Side> side;
    Severity severity = Severity::Info;
    RulingStatus status = RulingStatus::Proposed;
    std::string zh;
    std::string en;
    boost::json::object evidence;
};
struct Result {
    Code reason = Code::Arbiter;
};
struct Heartbeat {};
}  // namespace message

using Body = std::variant<message::State, message::Ply, message::Retract, message::ClockTick,
                          message::Board, message::Ruling, message::Result, message::Heartbeat>;

/// A message but for its number; `t` is the log's time, the shell adds the epoch's start to it.
struct Message {
    Millis t = 0;
    int game = 1;
    int ply = 0;
    std::string fen;
    rules::Side turn = rules::Side::Red;
    bool check = false;
    std::optional<rules::Move> last;
    ClockFace clock;
    std::optional<Outcome> result;
    Body body;
};

/// Whether the message must be durable before it is announced: a final ply, a retraction, a ruling,
/// a result.
bool counts(const Message& m);

/// The stream's own facts, sent first to every client.
struct Hello {
    std::string server;
    std::int64_t epoch = 0;  ///< 0 in a replay
    std::string board;
    std::string event;
    std::string red;
    std::string black;
    std::string rulebook;
    std::string time_control;
    Sensing sensing = Sensing::Identity;
    Millis delay_ms = 0;
};

/// What the encoder needs besides the message.
struct Stream {
    std::string_view board;
    std::string_view rulebook;
    Millis t0 = 0;  ///< added to `Message::t`: UTC ms of the log's start; 0 in a replay
};

std::string encode(const Hello& h);                                             ///< no newline
std::string encode(const Message& m, std::uint64_t seq, const Stream& stream);  ///< no newline

}  // namespace xq::protocol
