// Plies that nobody heard: the board, the daemon or packets were away while
// real games were played on. Whatever was missed, what is announced as final is true; one or two
// plies that alone explain the board are recovered; all else is told and asked.
#include "tests/referee/evening.hpp"

#include "rules/moves.hpp"
#include "rules/notation.hpp"

#include <gtest/gtest.h>

namespace {

using namespace xq;
using namespace xq::test;
using protocol::Code;
using protocol::Millis;
using protocol::Sensing;
using protocol::Timed;
using rules::Move;
using rules::Position;
namespace event = protocol::event;
namespace message = protocol::message;

enum class Break : std::uint8_t { Gap, Unplugged, Restarted };

struct Absence {
    Sensing sensing;
    bool press;  ///< moves end with the lever; without it at rest
    Break how;
    std::size_t heard;   ///< plies before it
    std::size_t unseen;  ///< plies in it
    bool last_press_heard;
};

std::ostream& operator<<(std::ostream& out, const Absence& a) {
    return out << "sensing " << static_cast<int>(a.sensing) << (a.press ? " press" : " settle")
               << " break " << static_cast<int>(a.how) << " after ply " << a.heard << ", unseen "
               << a.unseen << (a.last_press_heard ? ", last press heard" : "");
}

Position after(const RealGame& game, std::size_t plies) {
    Position p = game.start;
    for (std::size_t i = 0; i < plies; ++i) p.apply(game.moves[i]);
    return p;
}

/// All runs of one move, or of two, that lead from `from` to what `to` reads like.
std::vector<std::vector<Move>> explanations(const Position& from, const Position& to,
                                            Sensing sensing) {
    const auto wanted = reading_of(to, sensing);
    std::vector<std::vector<Move>> one;
    std::vector<std::vector<Move>> two;
    for (const Move a : rules::legal_moves(from)) {
        const Position middle = from.after(a);
        if (reading_of(middle, sensing) == wanted) one.push_back({a});
        for (const Move b : rules::legal_moves(middle))
            if (reading_of(middle.after(b), sensing) == wanted) two.push_back({a, b});
    }
    return one.empty() ? two : one;
}

/// The log of a game of which some plies were not heard, up to the end of `until` plies, and when
/// the board had been whole again for a while.
struct Broken {
    std::vector<Timed> log;
    Millis back = 0;
    Millis ends = 0;
};

Broken broken_log(const RealGame& game, const Absence& a, std::size_t until) {
    hal::HandOptions o;
    o.sensing = a.sensing;
    o.can.press = a.press;
    o.can.buttons = false;
    const hal::Play play = hal::play(game.start, game.moves, o);
    // Nobody thinks for less than a second and a half, or presses later than 0.9 s.
    const Millis lost = play.done[a.heard - 1] + (a.press ? 1000 : 2100);
    const Millis back = play.done[a.heard + a.unseen - 1] + (a.last_press_heard ? 240 : 1000);
    Broken b;
    b.back = back;
    b.ends = until == game.moves.size() ? play.ends : play.done[until - 1] + 1400;
    for (const Timed& e : play.log)
        if (e.t <= lost) b.log.push_back(e);
    if (a.how == Break::Unplugged) b.log.push_back({lost, event::Unplug{}});
    if (a.how == Break::Restarted) {
        b.log.push_back({back, event::Restart{}});
        b.log.push_back({back, event::Hello{o.sensing, o.can}});
    }
    if (a.how == Break::Unplugged) b.log.push_back({back, event::Plug{}});
    if (a.how == Break::Gap) b.log.push_back({back, event::Gap{5}});
    b.log.push_back({back, event::Board{reading_of(after(game, a.heard + a.unseen), o.sensing)}});
    for (const Timed& e : play.log)
        if (e.t > back && e.t <= b.ends) b.log.push_back(e);
    return b;
}

/// What a client knows as final.
std::vector<Move> finals(const Replayed& said) {
    std::vector<Move> out;
    for (const protocol::Message& m : said.messages) {
        if (const auto* p = std::get_if<message::Ply>(&m.body); p && p->final) {
            out.resize(static_cast<std::size_t>(m.ply));
            out.back() = p->move;
        } else if (const auto* r = std::get_if<message::Retract>(&m.body)) {
            out.resize(std::min(out.size(), static_cast<std::size_t>(r->to_ply)));
        }
    }
    return out;
}

enum class Came : std::uint8_t { Recovered, Asked, Undecidable };

struct Outcome {
    Came came;
    std::string wrong;
};

std::string wrong_about(const RealGame& game, const Replayed& said) {
    const auto known = finals(said);
    for (std::size_t i = 0; i < known.size(); ++i)
        if (i >= game.moves.size() || known[i] != game.moves[i])
            return "ply " + std::to_string(i + 1) + " is announced as " + rules::iccs(known[i]);
    for (const auto& u : said.last().rulings) {
        const bool of_the_game = u.code == Code::Repetition || u.code == Code::Checkmate ||
                                 u.code == Code::Stalemate || u.code == Code::NoWinnerPossible;
        if (u.severity != protocol::Severity::Info && !of_the_game) return "false alarm: " + u.en;
    }
    return {};
}

/// Plays `a` and holds what is said against the truth.
Outcome hold(const RealGame& game, const Absence& a) {
    const std::size_t known = a.heard + a.unseen;
    const auto all = explanations(after(game, a.heard), after(game, known), a.sensing);
    const std::vector<Move> truth(game.moves.begin() + static_cast<std::ptrdiff_t>(a.heard),
                                  game.moves.begin() + static_cast<std::ptrdiff_t>(known));
    // Three plies may look like one or two, as a rook that goes its way in two steps: nobody who
    // was away can tell.
    const bool as_before =
        reading_of(after(game, a.heard), a.sensing) == reading_of(after(game, known), a.sensing);
    if (as_before || (all.size() == 1 && all[0] != truth)) return {Came::Undecidable, ""};
    auto r = regulations();
    if (!a.press) r.completion = referee::Completion::Settle;
    r.outage_ms = 1'000'000;  // the clocks are not what is asked here
    r.control = {{360'000'000, 0, 0}};
    const std::size_t until = std::min(game.moves.size(), known + 3);
    const Broken b = broken_log(game, a, until);

    std::vector<Timed> first = b.log;
    std::erase_if(first, [&](const Timed& e) { return e.t > b.back + 1900; });
    const Replayed at_return = replay(r, first, b.back + 1900);
    const Replayed later = replay(r, b.log, b.ends);
    const Followed now = at_return.last();
    const Came came = all.size() == 1 ? Came::Recovered : Came::Asked;
    for (const auto* said : {&at_return, &later})
        if (auto wrong = wrong_about(game, *said); !wrong.empty()) return {came, wrong};
    if (came == Came::Asked) {
        const auto told = [&](const protocol::Message& m) {
            const auto* board = std::get_if<message::Board>(&m.body);
            return board != nullptr && !board->in_sync && m.t > b.back;
        };
        if (std::none_of(later.messages.begin(), later.messages.end(), told))
            return {came, "the difference was not told"};
        if (now.moves.size() != a.heard) return {came, "told too much"};
    } else if (a.sensing == Sensing::Identity) {
        if (now.moves.size() < known) return {came, "not recovered"};
        if (later.last().moves.size() != until) return {came, "stopped"};
    }
    return {came, ""};
}

/// Absences of one to six plies at all sorts of moments of real games.
void hold_many(Sensing sensing, bool press) {
    const auto games = real_games("full.jsonl");
    std::array<int, 3> came{};
    for (std::size_t g = 0; g < 80; ++g) {
        const RealGame& game = games[g];
        for (std::size_t unseen = 1; unseen <= 6; ++unseen) {
            ASSERT_GT(game.moves.size(), unseen + 4);
            const std::size_t room = game.moves.size() - unseen - 1;
            const Absence a{sensing,
                            press,
                            static_cast<Break>((g + unseen) % 3),
                            1 + (g * 7919 + unseen * 31) % room,
                            unseen,
                            press && g % 2 == 0};
            const Outcome o = hold(game, a);
            ++came[static_cast<std::size_t>(o.came)];
            EXPECT_EQ(o.wrong, "") << "game " << g << ", " << a;
        }
    }
    EXPECT_GT(came[0], 130);
    EXPECT_GT(came[1], 300);
    EXPECT_LT(came[2], 20);
}

}  // namespace

TEST(Return, IdentityBoards) {
    hold_many(Sensing::Identity, true);
}
TEST(Return, IdentityBoardsWithoutAPress) {
    hold_many(Sensing::Identity, false);
}
TEST(Return, ColourBoards) {
    hold_many(Sensing::Colour, true);
}
TEST(Return, ColourBoardsWithoutAPress) {
    hold_many(Sensing::Colour, false);
}
TEST(Return, OccupancyBoards) {
    hold_many(Sensing::Occupancy, true);
}
