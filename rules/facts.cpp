// Facts are studied from one seat: the mover plays Red, and of the position and its mirror image
// the lesser is taken. So twins of a position get the same facts, down to the line among equals,
// even where a search met its bound.
#include "rules/study.hpp"

namespace xq::rules {
namespace {

/// How to look at a board; its own inverse.
class Seat {
public:
    Seat(const Position& before, Move m) : rotate_(before.turn() == Side::Black) {
        const Position plain = view(before);
        const Position other = mirrored(plain);
        const Move there = view(m);
        mirror_ = true;
        const Move mirrored_there = view(m);
        mirror_ = less(other, mirrored_there, plain, there);
    }

    Position view(const Position& p) const {
        Position seen = rotate_ ? colours_exchanged(p) : p;
        return mirror_ ? mirrored(seen) : seen;
    }
    Point view(Point p) const {
        if (p == no_point) return p;
        if (rotate_) p = rotated(p);
        return mirror_ ? point(files - 1 - file_of(p), rank_of(p)) : p;
    }
    Move view(Move m) const { return {view(Point{m.from}), view(Point{m.to})}; }
    Piece view(Piece p) const {
        return rotate_ && !p.empty() ? Piece(rules::other(p.side()), p.kind()) : p;
    }

    void turn(std::vector<Move>& line) const {
        for (Move& m : line) m = view(m);
    }
    void turn(Line& line) const {
        turn(line.moves);
        for (Taken& t : line.taken) {
            t.origin = view(t.origin);
            t.taker = view(t.taker);
            t.piece = view(t.piece);
        }
    }
    void turn(Facts& f) const {
        for (Threat& t : f.threats) {
            t.target.point = view(t.target.point);
            t.target.piece = view(t.target.piece);
            t.taker = view(t.taker);
            turn(t.line);
        }
        for (Exchange& e : f.exchanges) {
            e.ours = view(e.ours);
            e.theirs = view(e.theirs);
            turn(e.accepted);
        }
        turn(f.kill.line);
        turn(f.parried.line);
        turn(f.taken_free);
    }

private:
    static bool less(const Position& a, Move ma, const Position& b, Move mb) {
        for (Point p = 0; p < points; ++p)
            if (a.at(p) != b.at(p)) return a.at(p).code() < b.at(p).code();
        return ma.from != mb.from ? ma.from < mb.from : ma.to < mb.to;
    }

    bool rotate_;
    bool mirror_ = false;
};

}  // namespace

Facts facts_of(const Position& before, Move m, const Position* previous) {
    const Seat seat(before, m);
    const Position seen = seat.view(before);
    std::optional<Position> seen_previous;
    if (previous != nullptr) seen_previous = seat.view(*previous);
    Facts f = study(seen, seat.view(m), seen_previous ? &*seen_previous : nullptr);
    seat.turn(f);
    f.before = before;
    f.after = before.after(m);
    f.move = m;
    return f;
}

}  // namespace xq::rules
