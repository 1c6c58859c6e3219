#pragma once
// An evening at one table, told in a test's own words: hands that lift and set pieces, presses,
// buttons, the arbiter's calls, and time, all in virtual ms. The table is live, so that a test can
// look at it between two events. Whatever a test does, the end of the evening asks what holds of
// every log (`what_holds_of_every_log`).
#include "tests/referee/replayed.hpp"
#include "tests/referee/twins.hpp"

#include "protocol/json_rpc.hpp"

namespace xq::test {

class Evening {
public:
    /// Sets the board up: the start array, or `fen` by a `game.new` of the arbiter.
    explicit Evening(const referee::Regulations& r = regulations(), std::string_view fen = {},
                     protocol::Sensing sensing = protocol::Sensing::Identity);
    ~Evening();
    Evening(const Evening&) = delete;
    Evening& operator=(const Evening&) = delete;

    // Time.
    Evening& wait(protocol::Millis ms);
    Evening& until(protocol::Millis t) { return wait(t - now_); }
    protocol::Millis now() const { return now_; }

    // Hands. A piece that is lifted is in the hand until it is dropped; the last lifted first.
    Evening& lift(std::string_view point);
    Evening& drop(std::string_view point);
    /// Lifts a piece and lays it beside the board.
    Evening& take(std::string_view point);
    /// Lifts a piece for `ms` and sets it back.
    Evening& touch(std::string_view point, protocol::Millis ms = 400);
    /// Lifts, takes what stands on the other point, sets down; no press. 500 ms, or 900 with a
    /// capture, which is taken before the piece is set down.
    Evening& put(std::string_view move);
    /// Three seconds of thought, `put`, and 600 ms later the mover's press.
    Evening& play(std::string_view moves);
    Evening& press(rules::Side side);
    Evening& press() { return press(turn()); }
    Evening& button(rules::Side side, protocol::ButtonKind what);
    Evening& event(protocol::Event e);
    /// Moves made while nobody hears the board.
    Evening& unseen(std::string_view moves);
    /// The whole board as it stands, as after a gap.
    Evening& whole_reading();

    /// A call with its parameters as JSON ("" for none); the answer's error, or "".
    std::string call(std::string_view method, std::string_view params = "");
    /// The same, which must be refused, and must have changed nothing but time.
    std::string refused(std::string_view method, std::string_view params = "");

    // What the table has said of the game at hand.
    const rules::Position& position() const { return position_; }
    rules::Side turn() const;
    /// "h2e2 h9g7?": the record; `?` marks a ply that is not final.
    std::string record() const;
    /// "red foul 9.1.5, 5.1 proposed; ..." of a code, the last word on each.
    std::string told(protocol::Code code) const;
    /// The same without information.
    std::string ruled(protocol::Code code) const;
    /// All codes of foul or worse, in order.
    std::string faults() const;
    int id(protocol::Code code) const;  ///< of the last ruling of a code
    /// "1-0 checkmate", "" while the game goes on.
    std::string result() const;
    std::string fen() const;
    /// "missing i6 p; extra h6 p", faults and candidates behind; "" in sync.
    std::string board() const;
    protocol::Millis left(rules::Side side) const;
    std::optional<rules::Side> running() const;
    std::optional<protocol::Millis> spent(int ply) const;
    std::string recovered() const;  ///< the final plies that are marked so, "3 4"
    boost::json::object status() const { return table_.status(); }
    const referee::Table& table() const { return table_; }
    const std::vector<protocol::Message>& messages() const { return said_.messages; }
    const std::vector<protocol::Timed>& log() const { return log_; }

    /// The rules lean to one side here (Black's press starts the clocks): no twin in other colours.
    Evening& leans() {
        leans_ = true;
        return *this;
    }

private:
    void what_holds_of_every_log() const;
    protocol::Seen seen(rules::Piece p) const { return protocol::Seen::of(p, sensing_); }

    referee::Regulations regulations_;
    protocol::Sensing sensing_;
    referee::Table table_;
    std::vector<protocol::Timed> log_;
    Replayed said_;
    rules::Placement standing_{};
    std::vector<rules::Piece> hand_;
    rules::Position position_;  ///< as the hands have played it
    protocol::Millis now_ = 0;
    int ids_ = 0;
    bool leans_ = false;
};

/// Regulations with one thing changed.
referee::Regulations automatic(referee::Regulations r = regulations());
referee::Regulations settling(referee::Regulations r = regulations());
referee::Regulations at_level(referee::Level level);
/// `text` as in the configuration, for the broadcast; the periods say what it means.
referee::Regulations timed(std::vector<referee::Period> control, bool rulings_automatic = true);

}  // namespace xq::test
