#pragma once
// The arbiter channel: JSON-RPC 2.0, one object a line (ARBITER.md). A line
// becomes a typed call or an error object that names what was wrong; whoever answers makes the
// reply with `result_reply` or `error_reply`. Values only: who may call is the session's question,
// whether the call fits the game is the referee's.
#include "protocol/broadcast.hpp"
#include "rules/position.hpp"

#include <boost/json/value.hpp>
#include <boost/system/result.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace xq::protocol {

// One struct a method; `rules::Side side` is the player that the call is about.
namespace call {
/// `auth`: who calls, where the channel asks for it.
struct Auth {
    std::string token;
};
struct Status {};
/// `watch`: the undelayed broadcast follows as notifications.
struct Watch {};
struct GameNew {
    std::optional<rules::Position> start;  ///< nothing: the start array
    std::optional<std::string> red;
    std::optional<std::string> black;
    std::optional<std::string> event;
};
struct GamePause {};
struct GameResume {};
struct GameResult {
    Outcome outcome = Outcome::Draw;
    Code reason = Code::Arbiter;
};
struct GameTakeback {
    int to_ply = 0;  ///< the ply that stands last afterwards
};
/// `game.stand`: an illegal ply stands.
struct GameStand {
    int ply = 0;
};
/// `game.move`: this is the move; answers `candidates`, or replaces `ply`.
struct GameMove {
    rules::Move move;
    std::optional<int> ply;
};
struct BoardStatus {};
struct PositionSet {
    rules::Position position;  ///< any placement: whether it fits a game is not asked here
};
/// `board.accept`: the physical board becomes the official position.
struct BoardAccept {};
/// `board.designate`: where a piece that stands between two points belongs (5.10).
struct BoardDesignate {
    rules::Point point = 0;
};
/// `touch.adjust`: that player has announced that he sets pieces straight (5.6).
struct TouchAdjust {
    rules::Side side = rules::Side::Red;
};
struct ClockSet {
    Millis red_ms = 0;
    Millis black_ms = 0;
    std::optional<rules::Side> running;
};
struct RulingConfirm {
    int id = 0;
};
struct RulingDismiss {
    int id = 0;
};
/// `foul.add`: a foul of conduct in the arbiter's own words (9.1.9).
struct FoulAdd {
    rules::Side side = rules::Side::Red;
    std::string reason;
};
struct DrawOffer {
    rules::Side side = rules::Side::Red;
};
struct DrawAccept {
    rules::Side side = rules::Side::Red;
};
struct DrawDecline {
    rules::Side side = rules::Side::Red;
};
struct Resign {
    rules::Side side = rules::Side::Red;
};
struct ClaimNaturalLimit {
    rules::Side side = rules::Side::Red;
};
struct ClaimRepetition {
    rules::Side side = rules::Side::Red;
};
enum class Format : std::uint8_t { Pgn, DhtmlXq, Text, Log, Html };
std::string_view text(Format format);  ///< "pgn" ...
struct RecordExport {
    Format format = Format::Pgn;
};
}  // namespace call

using Call = std::variant<call::Auth, call::Status, call::Watch, call::GameNew, call::GamePause,
                          call::GameResume, call::GameResult, call::GameTakeback, call::GameStand,
                          call::GameMove, call::BoardStatus, call::PositionSet, call::BoardAccept,
                          call::BoardDesignate, call::TouchAdjust, call::ClockSet,
                          call::RulingConfirm, call::RulingDismiss, call::FoulAdd, call::DrawOffer,
                          call::DrawAccept, call::DrawDecline, call::Resign,
                          call::ClaimNaturalLimit, call::ClaimRepetition, call::RecordExport>;

/// "game.new" ...: the method's name in the channel.
std::string_view method(const Call& call);
/// Whether the call goes into the journal and to the referee; the others change nothing.
bool changes_game(const Call& call);

/// One line of the channel, understood.
struct ParsedCall {
    /// As the caller gave it: string, number or null; nothing: a notification, which gets no reply.
    std::optional<boost::json::value> id;
    Call call;
    std::string by;  ///< who called, in a journaled line; empty elsewhere
};

enum class RpcCode : std::int16_t {
    ParseError = -32700,      ///< no JSON
    InvalidRequest = -32600,  ///< JSON, but no request object
    MethodNotFound = -32601,
    InvalidParams = -32602,  ///< the message names the parameter
    Refused = -32000,        ///< understood, but not possible now; the message says why
    Forbidden = -32001,      ///< a token is wanted first, or the caller may only watch
};
/// Why a line was not understood.
struct RpcError {
    boost::json::value id;  ///< null where it could not be read
    RpcCode code = RpcCode::InvalidRequest;
    std::string message;
};

/// Reads one line without its newline. Parameters are checked for name, type and range; a
/// parameter that the method does not have is refused too, for it may be one that is misspelt.
boost::system::result<ParsedCall, RpcError> parse_call(std::string_view line);

/// The request as one line of JSON with `by` as the member that says who called; what the caller
/// wrote besides version, id, method and parameters is left out. `line` must be one that
/// `parse_call` has understood.
std::string signed_call(std::string_view line, std::string_view by);

/// {"jsonrpc": "2.0", "id": ..., "result": ...}
boost::json::object result_reply(const boost::json::value& id, boost::json::value result);
/// {"jsonrpc": "2.0", "id": ..., "error": {"code": ..., "message": ...}}
boost::json::object error_reply(const boost::json::value& id, RpcCode code,
                                std::string_view message);
boost::json::object error_reply(const RpcError& error);
/// {"jsonrpc": "2.0", "method": ..., "params": ...}: what `watch` sends. `message` is an encoded
/// broadcast and is not parsed again.
std::string broadcast_notification(std::string_view message);

}  // namespace xq::protocol
