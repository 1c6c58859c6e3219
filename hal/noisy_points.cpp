#include "hal/noisy_points.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace xq::hal {

using protocol::Millis;
using protocol::Seen;
using protocol::Sensing;
using rules::Kind;
using rules::Move;
using rules::Piece;
using rules::Point;
namespace event = protocol::event;

namespace {

std::vector<Point> neighbours(Point p) {
    std::vector<Point> found;
    constexpr std::array<std::array<int, 2>, 4> steps{{{1, 0}, {-1, 0}, {0, 1}, {0, -1}}};
    for (const auto& [df, dr] : steps) {
        const int file = rules::file_of(p) + df;
        const int rank = rules::rank_of(p) + dr;
        if (rules::on_board(file, rank)) found.push_back(rules::point(file, rank));
    }
    return found;
}

}  // namespace

void NoisyPoints::show(Millis t, Point p, Seen seen) {
    if (seen.empty())
        say(t, event::Lift{p});
    else
        say(t, event::Drop{p, seen});
}

void NoisyPoints::toggle(Point p, Seen first, Seen second) {
    for (auto times = dice_.between(1, 3); times > 0; --times) {
        wait(3, 30);
        show(t_, p, first);
        wait(3, 10);
        show(t_, p, second);
    }
}

void NoisyPoints::arrive(Point p, Seen seen) {
    show(t_, p, seen);
    if (dice_.chance(o_.noise.bounce)) toggle(p, {}, seen);
}

void NoisyPoints::leave(Point p, Seen seen) {
    show(t_, p, {});
    if (dice_.chance(o_.noise.bounce)) toggle(p, seen, {});
}

std::optional<Seen> NoisyPoints::misreading(Piece p) {
    if (o_.sensing == Sensing::Occupancy || !dice_.chance(o_.noise.misread)) return {};
    if (dice_.chance(0.5)) return Seen::some();
    if (o_.sensing == Sensing::Colour) return Seen::some(rules::other(p.side()));
    constexpr std::array kinds{Kind::Advisor, Kind::Elephant, Kind::Knight,
                               Kind::Rook,    Kind::Cannon,   Kind::Pawn};
    const Kind kind = dice_.one_of(kinds);
    return kind == p.kind() ? Seen::some() : Seen(Piece(p.side(), kind));
}

void NoisyPoints::couple(Move m, const rules::Position& before) {
    if (!dice_.chance(o_.noise.coupling)) return;
    std::vector<Point> free;
    for (const Point p : neighbours(m.to)) {
        if (before.at(p).empty() && usable(p) && p != m.from) free.push_back(p);
    }
    if (free.empty()) return;
    const Point p = dice_.one_of(free);
    show(t_ + 2, p, o_.sensing == Sensing::Colour ? told(before.at(m.from)) : Seen::some());
    show(t_ + dice_.between(8, 40), p, {});
}

void NoisyPoints::choose_bad_point(std::span<const Move> moves) {
    if (!dice_.chance(o_.noise.bad_point)) return;
    std::vector<Point> free;
    for (Point p = 0; p < rules::points; ++p) {
        if (std::ranges::none_of(moves, [p](Move m) { return m.from == p || m.to == p; })) {
            free.push_back(p);
        }
    }
    if (!free.empty()) bad_point_ = dice_.one_of(free);
}

void NoisyPoints::bad_point_acts(Seen right, Millis from, Millis until) {
    const Seen wrong = right.empty() ? Seen::some() : Seen{};
    Millis t = from;
    const Millis most = std::min(until, t + dice_.between(1000, 3000));
    const Millis period = dice_.between(60, 250);
    // A piece that is away for longer would be a touch, as far as anybody can tell.
    const Millis wrong_for = right.empty() ? period : std::min<Millis>(period, 70);
    for (int times = 0; t < most || times < 4; ++times) {
        show(t, bad_point_, wrong);
        t += dice_.between(20, wrong_for);
        show(t, bad_point_, right);
        t += dice_.between(20, period);
    }
    if (dice_.chance(0.5)) show(t, bad_point_, wrong);
}

}  // namespace xq::hal
