#pragma once
// The inside of Table, shared by the files that make it up: table.cpp (inputs and time),
// table_board.cpp (what stands, what differs), table_moves.cpp (plies), table_presses.cpp (the
// clock's lever), table_touches.cpp (touch-move), table_return.cpp (what nobody heard),
// table_rulings.cpp (rulings and their effects), table_calls.cpp (the arbiter). Nobody else
// includes this.
#include "daemon/referee/clock.hpp"
#include "daemon/referee/conduct.hpp"
#include "daemon/referee/explain.hpp"
#include "daemon/referee/game.hpp"
#include "daemon/referee/sensing.hpp"
#include "daemon/referee/table.hpp"
#include "daemon/referee/touch.hpp"
#include "rules/verdict.hpp"

#include <boost/json.hpp>
#include <initializer_list>

namespace xq::referee {

using protocol::Link;
using rules::Illegal;
using rules::Move;
using rules::Piece;
using rules::Placement;
using rules::Position;

constexpr std::size_t at(Point p) {
    return static_cast<std::size_t>(p);
}

/// A press that the board does not explain waits this long: the board's scan, a bounce, a piece
/// that is told a moment later.
constexpr Millis press_grace_ms = 400;
/// What the board tells this long after a press may have happened before it: one slow scan.
/// What begins later is the reply's.
constexpr Millis told_late_ms = 60;
/// How far back the board can be told as it was: longer than a press waits.
constexpr Millis remembered_ms = 3000;
/// A difference that has stood still this long is no hand's ordinary motion.
constexpr Millis difference_ms = 1000;
/// A mating move must rest this long to end the game without the clock (21.6).
constexpr Millis mate_rest_ms = 1000;
/// A piece set back within this time of its owner's press was straightened.
constexpr Millis straighten_ms = 2000;
/// A piece that is gone and reads beside its point within this time was brushed: no hand sets so
/// fast. A slide looks alike for a moment, so what it means is told when it has ended.
constexpr Millis brush_ms = 100;
/// The opponent's touch is judged when a brush would have shown.
constexpr Millis reply_ms = 150;
/// Three lifts of different points within this time are one sweep: pieces knocked over (5.9).
constexpr Millis sweep_ms = 150;
constexpr int sweep_pieces = 3;
/// What stood differently this long before the press came about before the opponent's reply.
constexpr Millis before_press_ms = 300;
/// The array that nobody had to set up must have stood this long when Black presses.
constexpr Millis set_up_ms = 2000;
constexpr Millis tick_ms = 1000;
constexpr Millis heartbeat_ms = 5000;
/// Found within twenty minutes, a game that the wrong side began is played anew (5.8.1).
constexpr Millis reversed_ms = Millis{20} * 60'000;
/// A false claim costs five minutes (22.2).
constexpr Millis false_claim_ms = Millis{5} * 60'000;

/// A piece that left its point during a turn.
struct Lift {
    Millis t;
    Point point;
    Piece piece;
    std::optional<Millis> returned;
    bool announced = false;  ///< an adjustment was announced (5.6)
    bool elsewhere = false;  ///< its owner set it somewhere else out of his turn
    bool said = false;       ///< that it was straightened
};

/// A ply that explains the board but does not count yet.
struct Provisional {
    Ply ply;
    Position after;
    Millis arrived;  ///< the board began to read so
};

/// A move that was pressed and broke the rules of movement; it may still be let stand.
struct Unlawful {
    Move move;
    Illegal why;
    Millis pressed;
};

/// What the arbiter is asked: which of several moves it was that a press ended; or, without a
/// press, what was played while nobody heard the board.
struct Question {
    std::vector<Move> candidates;
    std::optional<Millis> pressed;
    std::optional<Millis> spent;
};

/// What was said of the cycle that the game stands in (23.5); each thing is said once.
struct Repeating {
    rules::Outcome outcome{};
    bool final = false;
    int said_at = 0;  ///< ply
    int ruling = 0;
    std::optional<int> warned;  ///< the ply after which a side was told to change
};

/// What belongs to the move in hand and begins anew with each.
struct Turn {
    Millis began = 0;
    std::vector<Lift> lifts;
    std::vector<Touch> bound;  ///< touches that the turn began with (5.8.3)
    PointSet stirred;
    PointSet refilled;
    std::optional<Provisional> provisional;
    /// A move that had been released and is lifted again.
    std::optional<Provisional> unreleased;
    std::optional<Millis> press;  ///< waits for the board to explain it
    struct Other {
        Move move;
        Millis since;
        bool said = false;
    };
    std::optional<Other> out_of_turn;  ///< a move that the other side made
    std::optional<Other> odd;          ///< at rest: an illegal move (`completion = "settle"`)
    Placement expected{};              ///< at its beginning: disorder is counted against this
    std::string duty_said;
    bool sweep_said = false;
};

struct Table::Impl {
    Impl(Regulations r, GameStart s);

    // table.cpp: inputs and time
    void handle(const protocol::Timed& input, Output& out);
    void advance(Millis t, Output& out);
    std::optional<Millis> next_deadline() const;
    void run_until(Millis t);
    void fire();
    void begin_game(Position from);
    void on(const protocol::event::Hello& e);
    void on(const protocol::event::Board& e);
    void on(const protocol::event::Lift& e);
    void on(const protocol::event::Drop& e);
    void on(const protocol::event::Press& e);
    void on(const protocol::event::Clock& e);
    void on(const protocol::event::ClockInvalid& e);
    void on(const protocol::event::Button& e);
    void on(const protocol::event::Unplug& e);
    void on(const protocol::event::Plug& e);
    void on(const protocol::event::Gap& e);
    void on(const protocol::event::Health& e);
    void on(const protocol::event::Call& e);
    void on(const protocol::event::Time& e);
    void on(const protocol::event::Restart& e);
    void on(const protocol::event::End& e);
    void tell_flag();

    // messages
    void say(protocol::Body body);
    protocol::Message message(protocol::Body body) const;
    void say_clock();
    void say_state();
    protocol::message::State state_body() const;
    const Position& shown_position() const;

    // table_board.cpp: what stands
    void read(Point p, Seen seen, bool heard = true);
    void on_changes(const std::vector<Change>& changes);
    void on_lift(const Change& c);
    void on_drop(const Change& c);
    bool straightened(const Lift& l) const;
    void say_straightened();
    PointSet masked() const;
    bool tells_pieces() const;
    /// The scene as it is now; it refers to `seen` and `mask`, which the caller keeps.
    Scene scene(const Reading& seen, const PointSet& mask) const;
    Reading reading() const;
    Reading reading_at(Millis t) const;
    void evaluate();
    bool judging() const;
    void note_differences();
    void say_board();
    protocol::message::Board board_note() const;
    bool ordinary(const PointSet& differs) const;
    bool of_a_hand() const;
    bool settled() const;
    void mask_impossible(const PointSet& differs);
    PointSet impossible(const PointSet& differs) const;
    int displaced(const PointSet& differs, const Placement& against) const;
    void freeze(const PointSet& points);
    void misplaced(const PointSet& points);
    std::optional<Millis> difference_due() const;
    void set_restoring();

    // table_moves.cpp: plies
    void seek_move(const Scene& s);
    bool arriving(const Scene& s) const;
    bool certain(const Explanation& e) const;
    std::optional<Move> move_at_rest() const;
    void accept_at_rest();
    void play_on();
    void seek_out_of_turn(const Scene& s);
    void propose(Move m, bool recovered);
    void withdraw();
    void retract(std::string_view reason);
    /// Ends the provisional ply at `end`; after a question the clock has switched already.
    void finalize(Millis end, bool pressed = false, const Question* asked = nullptr);
    bool amend(Move further);
    void after_ply();
    void press(Side who);
    bool set_up_again() const;
    void next_game();
    void press_by_other(Side who);
    void resolve_press();
    bool resolve_now(Millis pressed);
    std::vector<Explanation> between_points() const;
    void judge_odd_press(Millis pressed);
    void unlawful_move(const Explanation& e, Millis pressed);
    void ask(const std::vector<Explanation>& candidates, Millis pressed);
    void press_without_move(Millis pressed);
    void silent_board();
    bool brushed(const Lift& l) const;
    bool counts_as_reply(const Lift& l) const;
    std::vector<Touch> touches() const;
    void judge_touches(std::vector<Touch> all, const Ply& ply, const Position& before);
    void show_duty();
    std::string duty_now() const;
    std::optional<Millis> reply_due() const;
    std::optional<Millis> settle_due() const;
    std::optional<Millis> mate_due() const;
    std::optional<Millis> odd_due() const;
    std::optional<Millis> out_of_turn_due() const;

    // table_return.cpp: what happened while nobody heard
    void lose_sight();
    bool recovered(Move m) const;
    PointSet missed() const;
    PointSet may_be_plies(const PointSet& rest) const;
    bool lost() const;
    bool may_be_two() const;
    bool unsettled(const PointSet& points) const;
    std::vector<Move> whole_moves() const;
    bool accept_moves();
    bool seek_return(bool at_rest);
    void ask_return();

    // table_rulings.cpp: rulings and their effects
    struct Found {
        Code code;
        std::optional<Side> side;
        Severity severity;
        std::string_view article = {};  ///< empty: the code's own
        std::string zh = {};            ///< detail behind the code's name
        std::string en = {};
        boost::json::object evidence = {};
        bool agreed = false;    ///< takes effect under `propose` too
        bool doubtful = false;  ///< waits for the arbiter even where rulings are automatic
    };
    int rule(Found f);
    void say_ruling(const Ruling& r);
    void take_effect(int id);
    void dismiss(int id);
    void end(protocol::Outcome outcome, Code reason);
    void fall(Side who, Millis t);
    void check_end();
    void resign(Side who, bool agreed);
    std::optional<std::string> draw_offer(Side who);
    std::optional<std::string> draw_accept(Side who);
    std::optional<std::string> draw_decline(Side who);
    std::optional<std::string> claim_limit(Side who);
    std::optional<std::string> claim_repetition(Side who) const;
    void check_limit();
    void check_repetition();
    void forget_repetition(int to_ply);

    // table_calls.cpp: the arbiter
    void call(const std::string& json);
    void take_back(int to_ply);
    void new_start(Position p);
    void replace_from(int ply, Move m, const std::vector<Move>& rest);

    Side side() const { return game.position().turn(); }
    bool over() const { return result.has_value(); }

    Regulations regulations;
    GameStart start;
    std::vector<protocol::Timed> opening;
    Output* out = nullptr;
    Millis now = 0;
    Millis last_said = 0;
    Millis last_clock = 0;

    std::optional<protocol::event::Hello> board;
    Link link = Link::Offline;
    Sensing sensing;
    PointSet stuck;      ///< the board says so, or they read a piece that cannot be
    PointSet flickered;  ///< when last looked at
    std::array<protocol::PointFault, rules::points> health{};
    bool silent = false;
    Millis broken_from = -1;  ///< the last gap, unplugging or restart: when it was noticed ...
    Millis broken_at = -1;    ///< ... and when it was over
    bool returning = false;   ///< the whole reading that follows it is still to come
    PointSet unheard;  ///< points that this reading changed: nobody heard what happened there
    std::array<Millis, rules::points> changed_at{};
    std::vector<Change> recent;  ///< believed changes of the last `remembered_ms`, oldest first

    Game game;
    Placement expected{};  ///< official, but for pieces that are known to stand elsewhere
    GameClock clock;
    Conduct conduct;
    Turn turn;
    std::array<bool, 2> adjusting{};
    std::optional<Provisional> shown;  ///< what clients have been told and does not count yet
    std::optional<protocol::Outcome> result;
    std::optional<Code> result_reason;
    Millis ended_at = 0;
    PointSet
        came_home;  ///< after the result, since the last press: points whose piece was set there
    bool paused = false;
    bool restoring = false;  ///< the board must first show the official position
    PointSet stood;          ///< differences that stood still while it did not
    std::optional<Unlawful> unlawful;
    std::optional<Question> question;
    struct LastPly {
        Millis arrived = 0;
        bool pressed = false;  ///< or said by the arbiter
    };
    LastPly last_ply;
    bool told_since_ply = false;  ///< any sensor event since the last completed move
    struct Moveless {
        Side side;
        int ruling;
    };
    std::optional<Moveless> moveless;  ///< the last press without a move
    bool flag_fallen = false;

    PointSet differs;  ///< against the official position, provisional ply included
    Millis differs_since = 0;
    bool noted = true;  ///< the differences have been judged as they are
    PointSet unjudged;  ///< left over by the last ply; drifted if they stay
    protocol::message::Board said_board;
    int limit_said = -1;  ///< ply at which the limit was announced
    std::optional<Repeating> repeating;
};

std::string point_list(const PointSet& points);
/// The points around one, corners included.
std::vector<Point> neighbours(Point p);
protocol::message::Ply ply_body(const Ply& ply, bool final);

}  // namespace xq::referee
