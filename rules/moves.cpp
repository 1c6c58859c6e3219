#include "rules/moves.hpp"

#include "rules/geometry.hpp"
#include "rules/safety.hpp"

#include <algorithm>

namespace xq::rules {
namespace {

using geometry::index;

class Generator {
public:
    Generator(const Position& p, MoveList& out)
        : board_(p.placement()), side_(p.turn()), out_(out) {}

    void moves_from(Point from) {
        const auto& near = geometry::around(from);
        switch (board_[index(from)].kind()) {
            case Kind::None:
                break;
            case Kind::General:
                for (const Point to : near.straight)
                    if (geometry::in_palace(side_, to)) try_to(from, to);
                break;
            case Kind::Advisor:
                for (const Point to : near.diagonal)
                    if (geometry::in_palace(side_, to)) try_to(from, to);
                break;
            case Kind::Elephant:
                for (const auto& leap : near.elephant)
                    if (!geometry::across_river(side_, leap.to)) try_leap(from, leap);
                break;
            case Kind::Knight:
                for (const auto& leap : near.knight) try_leap(from, leap);
                break;
            case Kind::Rook:
                slide(from, false);
                break;
            case Kind::Cannon:
                slide(from, true);
                break;
            case Kind::Pawn:
                pawn(from);
                break;
        }
    }

private:
    void try_to(Point from, Point to) {
        if (!board_[index(to)].is(side_)) out_.add(Move(from, to));
    }

    void try_leap(Point from, const geometry::Leap& leap) {
        if (board_[index(leap.over)].empty()) try_to(from, leap.to);
    }

    void slide(Point from, bool cannon) {
        const auto& room = geometry::around(from).room;
        for (std::size_t d = 0; d < geometry::directions.size(); ++d) {
            const int step = geometry::directions[d];
            int left = room[d];
            Point to = from + step;
            for (; left > 0 && board_[index(to)].empty(); --left, to += step)
                out_.add(Move(from, to));
            if (left > 0 && cannon) {  // over the screen
                do {
                    --left;
                    to += step;
                } while (left > 0 && board_[index(to)].empty());
            }
            if (left > 0) try_to(from, to);
        }
    }

    void pawn(Point from) {
        const Point ahead = from + geometry::forward(side_);
        if (ahead >= 0 && ahead < points) try_to(from, ahead);
        if (!geometry::across_river(side_, from)) return;
        if (file_of(from) > 0) try_to(from, from - 1);
        if (file_of(from) < files - 1) try_to(from, from + 1);
    }

    const Placement& board_;
    Side side_;
    MoveList& out_;
};

}  // namespace

bool MoveList::contains(Move m) const {
    return std::find(begin(), end(), m) != end();
}

void piece_moves(const Position& p, MoveList& out) {
    out.clear();
    Generator generator(p, out);
    for (const Point from : p.pieces(p.turn())) generator.moves_from(from);
}

void legal_moves(const Position& p, MoveList& out) {
    piece_moves(p, out);
    Safety safety(p);
    out.keep_if([&](Move m) { return safety.safe(m); });
}

MoveList legal_moves(const Position& p) {
    MoveList out;
    legal_moves(p, out);
    return out;
}

bool has_legal_move(const Position& p) {
    MoveList all;
    piece_moves(p, all);
    Safety safety(p);
    return std::any_of(all.begin(), all.end(), [&](Move m) { return safety.safe(m); });
}

Status status(const Position& p) {
    if (has_legal_move(p)) return Status::Playing;
    return in_check(p, p.turn()) ? Status::Checkmate : Status::Stalemate;
}

std::uint64_t perft(Position& p, int depth) {
    if (depth == 0) return 1;
    MoveList moves;
    legal_moves(p, moves);
    if (depth == 1) return moves.size();
    std::uint64_t leaves = 0;
    for (const Move m : moves) {
        const Undo undo = p.apply(m);
        leaves += perft(p, depth - 1);
        p.undo(m, undo);
    }
    return leaves;
}

}  // namespace xq::rules
