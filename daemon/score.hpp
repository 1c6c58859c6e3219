#pragma once
// The score of a game as the stream tells it: the plies that count with their times, the rulings,
// the result, the time that both have used. The recorder listens to the referee's messages and
// keeps it; what it hands out never changes, so any thread may read it. The recorder itself belongs
// to whoever feeds the table: the clerk on the io thread, the archive on the worker's, a replay.
#include "protocol/broadcast.hpp"
#include "rules/position.hpp"

#include <array>
#include <memory>
#include <optional>
#include <vector>

namespace xq::daemon {

using protocol::Millis;

struct Score {
    struct Ply {
        rules::Move move;
        std::optional<Millis> spent_ms;
        std::optional<Millis> clock_ms;  ///< of the mover, when it was complete
    };
    struct Note {
        int ply = 0;  ///< of the record, after which it came; it goes back with what is taken back
        protocol::message::Ruling ruling;  ///< as it stands, without its evidence
    };
    /// What was played before the game went on from a position that was set up.
    struct Earlier {
        rules::Position start;
        std::vector<rules::Move> moves;
    };

    int game = 0;
    rules::Position start;
    std::vector<Ply> plies;
    std::vector<Note> notes;  ///< in the order of their ids
    std::vector<Earlier> earlier;
    std::optional<protocol::Outcome> result;
    protocol::Code reason = protocol::Code::Arbiter;  ///< of the result
    std::optional<protocol::ClockFace> clock;         ///< when last told; nothing without a clock
    std::array<Millis, 2> used_ms{};                  ///< by side, on plies taken back too
    std::optional<Millis> began;                      ///< T of the first ply
    std::optional<Millis> ended;                      ///< T of the result

    int fouls(rules::Side side) const;
};

class Recorder {
public:
    /// Every message of the stream in its order, beginning with a `state`. One of another game
    /// begins a new score.
    void take(const protocol::Message& message);
    std::shared_ptr<const Score> score();
    int game() const { return score_->game; }

private:
    Score& change();
    void listen_to_clock(const protocol::Message& message);
    void on(const protocol::Message& m, const protocol::message::State& state);
    void on(const protocol::Message& m, const protocol::message::Ply& ply);
    void on(const protocol::Message& m, const protocol::message::Retract& retract);
    void on(const protocol::Message& m, const protocol::message::Ruling& ruling);
    void on(const protocol::Message& m, const protocol::message::Result& result);
    template <class Other>
    void on(const protocol::Message& /*m*/, const Other& /*other*/) {}

    std::shared_ptr<Score> score_ = std::make_shared<Score>();
    bool handed_out_ = false;
    // Of the turn at hand: what the clock told last, and how long it has run.
    Millis told_at_ = 0;
    protocol::ClockFace told_;
    Millis thinking_ = 0;
};

}  // namespace xq::daemon
