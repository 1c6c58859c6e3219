#pragma once
// The referee of one board: a pure function of what it was told. It reads no clock, opens no file,
// knows no socket; whoever owns it (the daemon's io thread, the replay) feeds it inputs in order of
// time and carries out what it says. What it says does not depend on how often it is told the time.
#include "daemon/referee/regulations.hpp"
#include "protocol/board_wire.hpp"
#include "protocol/broadcast.hpp"

#include <boost/json/object.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace xq::referee {

/// What an input brought about, in order.
struct Output {
    std::vector<protocol::Message> messages;
    std::vector<protocol::wire::Command> commands;  ///< for the board: LEDs, beeper, its clock
    std::optional<boost::json::object> reply;       ///< JSON-RPC answer to a call
};

class Table {
public:
    Table(Regulations regulations, GameStart start);
    Table(Table&&) noexcept;
    Table& operator=(Table&&) noexcept;
    ~Table();

    /// An input at its moment `input.t`, never before the last one told. All that was due before
    /// that moment happens first, each thing at its own.
    void handle(const protocol::Timed& input, Output& out);
    /// Time has come to `t`: all that is due until then (including `t` itself) happens.
    void advance(Millis t, Output& out);
    /// When the table next wants to be told the time; nothing while it waits for inputs alone.
    std::optional<Millis> next_deadline() const;

    /// What a newcomer is sent: one `state`, and behind it the `board` as it is, if it is not in
    /// order, and the rulings that still wait for the arbiter. `t` is the moment of the last input.
    std::vector<protocol::Message> newcomer() const;
    /// The stream's facts as far as the table knows them; server, epoch, board and delay are the
    /// shell's to fill in.
    protocol::Hello hello() const;

    /// The number, names and start of the game at hand; when `number` rises, a new journal begins.
    const GameStart& game() const;
    /// Inputs at time 0 that bring a fresh table of this `game()` to where this one stood when the
    /// game began: hello, the reading, faults, link, and the press that started it.
    const std::vector<protocol::Timed>& opening() const;

    /// Answers to the calls that change nothing: `status` and `board.status` (ARBITER.md).
    boost::json::object status() const;
    boost::json::object board_status() const;

    struct Impl;  ///< table_impl.hpp, for the files that make up the Table alone

private:
    std::unique_ptr<Impl> impl_;
};

}  // namespace xq::referee
