#include "hal/hand.hpp"

#include "hal/noisy_points.hpp"
#include "hal/transmission.hpp"
#include "rules/fen.hpp"
#include "rules/moves.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>

namespace xq::hal {

namespace {

using protocol::Millis;
using protocol::Seen;
using protocol::Sensing;
using protocol::Timed;
using rules::Move;
using rules::Piece;
using rules::Point;
using rules::Position;
using rules::Side;
namespace event = protocol::event;

constexpr Millis clock_base = 3'600'000;
constexpr Millis clock_increment = 30'000;
constexpr Millis rest_at_end = 4000;  ///< longer than anything that waits for the board to rest

/// Points between, in order, where they lie on a line; an elephant's eye counts, a knight has none.
std::vector<Point> between(Move m) {
    const int df = rules::file_of(m.to) - rules::file_of(m.from);
    const int dr = rules::rank_of(m.to) - rules::rank_of(m.from);
    if (df != 0 && dr != 0 && std::abs(df) != std::abs(dr)) return {};
    const int step = (dr > 0 ? rules::files : dr < 0 ? -rules::files : 0) + (df > 0) - (df < 0);
    std::vector<Point> way;
    for (Point p = m.from + step; p != m.to; p += step) way.push_back(p);
    return way;
}

class Hands : NoisyPoints {
public:
    Hands(const Position& start, const HandOptions& options)
        : NoisyPoints(options), position_(start) {}

    Play play(std::span<const Move> moves);

private:
    enum class Capture : std::uint8_t { OwnFirst, EnemyFirst, Replace };

    bool settles() const { return !o_.can.press; }

    void opening();
    bool ply(Move m, bool break_due);
    void prelude(Move m);
    void hesitation();
    void lawful_touch(Move m);
    void straighten(Point p, Millis least, Millis most);
    void transfer(Move m, bool clean);
    void travel(Move m, Point from);
    void take(Move m, Capture order);
    void press(Side s);
    bool told_apart(Move m) const;
    bool ends_game(Move m) const;
    Capture capture_order(Move m);

    Position position_;
    std::vector<Break> breaks_;
    std::vector<Millis> done_;
    protocol::Reading at_start_{};
    std::optional<Side> owes_press_;  ///< the opponent is already at it
    Point straightened_ = rules::no_point;
    std::array<Millis, 2> left_{clock_base, clock_base};
    Millis turn_began_ = 0;
    Millis heals_ = 0;  ///< when the last misreading ends
};

void Hands::opening() {
    say(t_, event::Hello{o_.sensing, o_.can});
    if (!(position_ == Position::start())) {
        say(t_,
            event::Call{R"({"jsonrpc":"2.0","id":0,"method":"game.new","params":{"start_fen":")" +
                        rules::write_fen(position_) + R"("}})"});
    }
    for (Point p = 0; p < rules::points; ++p) {
        at_start_[static_cast<std::size_t>(p)] = told(position_.at(p));
    }
    say(t_, event::Board{at_start_});
    if (o_.can.clock) say(t_, event::Clock{left_[0], left_[1], {}});
    if (o_.can.press && o_.starts_clock) {
        wait(1000, 2000);
        press(rules::other(position_.turn()));
    }
    turn_began_ = t_;
}

void Hands::hesitation() {
    std::vector<Point> standing;
    for (Point p = 0; p < rules::points; ++p) {
        if (!position_.at(p).empty() && usable(p)) standing.push_back(p);
    }
    const Point p = dice_.one_of(standing);
    for (auto times = dice_.between(1, 4); times > 0; --times) {
        straighten(p, 15, 45);
        wait(60, 320);
    }
}

/// Lifts what stands on `p` and sets it back.
void Hands::straighten(Point p, Millis least, Millis most) {
    const Seen seen = told(position_.at(p));
    show(t_, p, {});
    wait(least, most);
    show(t_, p, seen);
}

/// The rules allow: to touch the piece that one then moves, and to adjust after saying so (5.6).
void Hands::lawful_touch(Move m) {
    if (o_.can.buttons && dice_.chance(0.5)) {
        say(t_, event::Button{position_.turn(), protocol::ButtonKind::Adjust});
        wait(400, 900);
        for (Point p = 0; p < rules::points; ++p) {
            if (!position_.at(p).is(position_.turn()) || !usable(p) || !dice_.chance(0.1)) continue;
            straighten(p, 150, 900);
            wait(300, 900);
        }
    } else {
        straighten(m.from, 150, 900);
    }
    wait(400, 1500);
}

void Hands::prelude(Move m) {
    wait(o_.think_ms / 2, o_.think_ms + o_.think_ms / 2);
    t_ = std::max(t_, heals_ + 50);
    if (dice_.chance(0.1)) wait(o_.think_ms, 4 * o_.think_ms);
    if (straightened_ != rules::no_point && (m.from == straightened_ || m.to == straightened_)) {
        wait(4000, 5000);  // so that it is plain who straightened it
    }
    straightened_ = rules::no_point;
    if (dice_.chance(o_.noise.hesitate)) hesitation();
    if (dice_.chance(o_.noise.touch)) lawful_touch(m);
}

/// Such a move must not be seen at rest, not even on the way to another: it would count (21.6).
bool Hands::ends_game(Move m) const {
    return !rules::has_legal_move(position_.after(m));
}

/// Shows the piece on each point between, the next point often before the last one is left.
void Hands::travel(Move m, Point from) {
    const Seen seen = told(position_.at(m.from));
    Point last = from;
    const Millis rest = settles() ? 200 : 700;
    for (const Point p : between({from, m.to})) {
        if (!usable(p)) continue;
        const bool overlap = last != from && dice_.chance(0.3);
        if (!overlap) {
            leave(last, seen);
            wait(15, 120);
        }
        show(t_, p, seen);
        wait(5, 40);
        if (overlap) leave(last, seen);
        if (dice_.chance(0.1) && !ends_game({m.from, p})) wait(100, rest);
        wait(10, 90);
        last = p;
    }
    leave(last, seen);
    wait(10, 90);
}

/// Whether the reading alone tells this capture on a board that senses occupancy only.
bool Hands::told_apart(Move m) const {
    if (o_.sensing != Sensing::Occupancy || position_.at(m.to).empty()) return true;
    const auto moves = rules::legal_moves(position_);
    return std::ranges::count_if(moves, [&](Move other) {
               return other.from == m.from && !position_.at(other.to).empty();
           }) == 1;
}

Hands::Capture Hands::capture_order(Move m) {
    constexpr std::array orders{Capture::OwnFirst, Capture::EnemyFirst, Capture::Replace};
    const Capture order = dice_.one_of(orders);
    return order == Capture::Replace && !told_apart(m) ? Capture::OwnFirst : order;
}

void Hands::take(Move m, Capture order) {
    const Seen mover = told(position_.at(m.from));
    const Seen taken = told(position_.at(m.to));
    if (order == Capture::EnemyFirst) {
        leave(m.to, taken);
        wait(150, 700);
    }
    const auto way = between(m);
    const bool open = std::ranges::all_of(way, [&](Point p) { return position_.at(p).empty(); });
    if (open && !way.empty() && dice_.chance(o_.noise.slide))
        travel(m, m.from);
    else
        leave(m.from, mover);
    wait(150, 700);
    if (order == Capture::OwnFirst) {
        leave(m.to, taken);
        wait(120, 600);
    }
}

/// Carries the piece over; `clean` where a break is due and the reading must be right after it.
void Hands::transfer(Move m, bool clean) {
    const Piece piece = position_.at(m.from);
    const Seen seen = told(piece);
    const auto misread = clean ? std::nullopt : misreading(piece);
    const Seen arrives = misread.value_or(seen);
    const bool capture = !position_.at(m.to).empty();
    const auto way = between(m);
    const bool open = std::ranges::all_of(way, [&](Point p) { return position_.at(p).empty(); });
    if (capture) {
        take(m, capture_order(m));
        arrive(m.to, arrives);
    } else if (dice_.chance(o_.noise.early)) {
        arrive(m.to, arrives);
        wait(2, 60);
        leave(m.from, seen);
    } else if (open && !way.empty() && dice_.chance(o_.noise.slide)) {
        travel(m, m.from);
        arrive(m.to, arrives);
    } else {
        leave(m.from, seen);
        wait(250, 1200);
        if (dice_.chance(o_.noise.revise)) {
            std::vector<Point> others;
            for (const Move other : rules::legal_moves(position_)) {
                if (other.from == m.from && other.to != m.to && position_.at(other.to).empty() &&
                    usable(other.to) && !ends_game(other)) {
                    others.push_back(other.to);
                }
            }
            if (!others.empty()) {
                const Point p = dice_.one_of(others);
                arrive(p, seen);
                wait(100, settles() ? 300 : 1300);
                leave(p, seen);
                wait(120, 500);
            }
        }
        arrive(m.to, arrives);
    }
    if (!misread) return;
    // An untold piece may stay so over the press; a wrong one is no move until it has healed.
    if (*misread == Seen::some() && o_.can.press && dice_.chance(0.3)) {
        heals_ = t_ + dice_.between(1200, 1500);
        show(heals_, m.to, seen);
    } else {
        wait(100, settles() ? 350 : 900);
        show(t_, m.to, seen);
    }
}

void Hands::press(Side s) {
    say(t_, event::Press{s});
    if (!o_.can.clock) return;
    if (!done_.empty()) {
        auto& left = left_[static_cast<std::size_t>(s)];
        left += clock_increment - (t_ - turn_began_);
    }
    say(t_, event::Clock{left_[0], left_[1], rules::other(s)});
}

/// Plays one ply; says whether the break that was due came about in it.
bool Hands::ply(Move m, bool break_due) {
    bool breaks = false;
    const Side mover = position_.turn();
    const bool capture = !position_.at(m.to).empty();
    if (owes_press_) {
        // The opponent's hand is on its way while the lever still waits.
        wait(120, 250);
        say(t_, event::Lift{m.from});
        wait(30, 200);
        press(*owes_press_);
        owes_press_.reset();
        turn_began_ = t_;
        wait(200, 600);
        if (capture) {
            leave(m.to, told(position_.at(m.to)));
            wait(120, 600);
        }
        arrive(m.to, told(position_.at(m.from)));
    } else {
        prelude(m);
        const Millis began = t_;
        breaks = break_due && told_apart(m);
        transfer(m, breaks);
        if (breaks) {
            const bool unplugged = dice_.chance(0.5);
            const Millis from = dice_.between(began, t_);
            const Millis to =
                unplugged ? t_ + dice_.between(200, 9000) : dice_.between(from + 1, t_ + 300);
            breaks_.push_back({from, to, unplugged});
            t_ = std::max(t_, to) + 100;
        }
    }
    couple(m, position_);
    done_.push_back(t_);
    position_.apply(m);
    if (settles()) {
        wait(700, 900);
        return breaks;
    }
    wait(250, 900);
    if (heals_ < t_ && dice_.chance(o_.noise.hasty)) {
        owes_press_ = mover;
        return breaks;
    }
    press(mover);
    turn_began_ = t_;
    if (!dice_.chance(o_.noise.touch)) return breaks;
    // His own piece, at once after his own press: he straightens it.
    for (Point p = 0; p < rules::points; ++p) {
        if (position_.at(p).is(mover) && usable(p) && p != m.to && dice_.chance(0.1)) {
            wait(100, 300);
            straighten(p, 150, 700);
            straightened_ = p;
            break;
        }
    }
    return breaks;
}

Play Hands::play(std::span<const Move> moves) {
    opening();
    choose_bad_point(moves);
    const auto plies = static_cast<std::int64_t>(moves.size());
    const auto some_ply = [&] { return dice_.between(0, std::max<std::int64_t>(plies - 1, 0)); };
    const auto bad_ply = bad_point_ == rules::no_point ? -1 : some_ply();
    std::vector<std::int64_t> broken(static_cast<std::size_t>(o_.noise.breaks));
    std::ranges::generate(broken, some_ply);
    std::int64_t due = 0;
    Millis bad_from = 0;
    for (std::int64_t i = 0; i < plies; ++i) {
        due += std::ranges::count(broken, i);
        if (i == bad_ply) bad_from = t_ + dice_.between(20, o_.think_ms);
        if (ply(moves[static_cast<std::size_t>(i)], due > 0)) --due;
        if (i == bad_ply) bad_point_acts(told(position_.at(bad_point_)), bad_from, t_);
    }
    if (owes_press_) {
        wait(100, 400);
        press(*owes_press_);
    }
    Play out;
    out.log = transmit(std::move(log_), at_start_, breaks_);
    out.done = std::move(done_);
    out.bad_point = bad_point_;
    out.ends = std::max(t_, out.log.back().t) + rest_at_end;
    return out;
}

}  // namespace

Noise Noise::heavy() {
    return {.bounce = 1.0 / 3,
            .slide = 0.5,
            .early = 0.1,
            .coupling = 0.2,
            .misread = 1.0 / 30,
            .hesitate = 0.2,
            .touch = 0.1,
            .revise = 0.05,
            .hasty = 0.1,
            .bad_point = 0.1,
            .breaks = 2};
}

Play play(const Position& start, std::span<const Move> moves, const HandOptions& options) {
    return Hands(start, options).play(moves);
}

std::vector<Timed> set_up(const rules::Placement& standing, const rules::Placement& wanted,
                          const HandOptions& options) {
    Dice dice(options.seed);
    std::vector<Timed> log;
    Millis t = options.from;
    const auto each_wrong = [&](auto&& act) {
        for (std::size_t p = 0; p < standing.size(); ++p) {
            if (standing[p] != wanted[p]) act(static_cast<Point>(p), standing[p], wanted[p]);
        }
    };
    each_wrong([&](Point p, Piece stands, Piece) {
        if (!stands.empty()) log.push_back({t += dice.between(150, 400), event::Lift{p}});
    });
    each_wrong([&](Point p, Piece, Piece comes) {
        if (comes.empty()) return;
        log.push_back(
            {t += dice.between(200, 500), event::Drop{p, Seen::of(comes, options.sensing)}});
    });
    return log;
}

}  // namespace xq::hal
