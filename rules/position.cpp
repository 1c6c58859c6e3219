#include "rules/position.hpp"

#include "rules/fen.hpp"

namespace xq::rules {
namespace {

constexpr std::size_t piece_codes = 16;

/// One random number a piece on a point, and one for Black to move.
struct KeyTable {
    std::array<std::array<std::uint64_t, points>, piece_codes> piece{};
    std::uint64_t black_to_move = 0;
};

/// A Weyl sequence through a mixing function (splitmix64): fixed, so keys are the same in each run.
constexpr std::uint64_t next_random(std::uint64_t& state) {
    state += 0x9E3779B97F4A7C15U;
    std::uint64_t z = state;
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31U);
}

constexpr KeyTable keys = [] {
    KeyTable t;
    std::uint64_t state = 0;
    t.black_to_move = next_random(state);
    for (std::size_t code = 1; code < piece_codes; ++code)  // an empty point adds nothing
        for (std::uint64_t& k : t.piece[code]) k = next_random(state);
    return t;
}();

constexpr std::size_t index(Side s) {
    return static_cast<std::size_t>(s);
}

}  // namespace

Position::Position(const Placement& placement, Side turn) {
    for (Point p = 0; p < points; ++p) put(p, placement[static_cast<std::size_t>(p)]);
    set_turn(turn);
}

const Position& Position::start() {
    static const Position position =
        *read_fen("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1");
    return position;
}

void Position::put(Point p, Piece piece) {
    const auto i = static_cast<std::size_t>(p);
    const Piece old = board_[i];
    key_ ^= keys.piece[old.code()][i] ^ keys.piece[piece.code()][i];
    board_[i] = piece;
    if (!old.empty()) pieces_[index(old.side())].remove(p);
    if (!piece.empty()) pieces_[index(piece.side())].add(p);
    if (old.kind() == Kind::General) generals_.remove(p);
    if (piece.kind() == Kind::General) generals_.add(p);
}

void Position::set_turn(Side s) {
    if (s != turn_) key_ ^= keys.black_to_move;
    turn_ = s;
}

void Position::set_counters(int since_capture, int round) {
    since_capture_ = static_cast<std::int16_t>(since_capture);
    round_ = static_cast<std::int16_t>(round);
}

Undo Position::apply(Move m) {
    const Undo undo{at(m.to), since_capture_};
    const Piece piece = at(m.from);
    put(m.from, Piece());
    put(m.to, piece);
    since_capture_ =
        undo.captured.empty() ? static_cast<std::int16_t>(since_capture_ + 1) : std::int16_t{0};
    if (turn_ == Side::Black) ++round_;
    set_turn(other(turn_));
    return undo;
}

void Position::undo(Move m, const Undo& u) {
    set_turn(other(turn_));
    if (turn_ == Side::Black) --round_;
    since_capture_ = u.since_capture;
    const Piece piece = at(m.to);
    put(m.to, u.captured);
    put(m.from, piece);
}

Position Position::after(Move m) const {
    Position next = *this;
    next.apply(m);
    return next;
}

Position Position::passed() const {
    Position next = *this;
    next.set_turn(other(turn_));
    return next;
}

Position mirrored(const Position& p) {
    Position out;
    for (Point q = 0; q < points; ++q) out.put(point(files - 1 - file_of(q), rank_of(q)), p.at(q));
    out.set_turn(p.turn());
    out.set_counters(p.since_capture(), p.round());
    return out;
}

Position colours_exchanged(const Position& p) {
    Position out;
    for (Point q = 0; q < points; ++q) {
        const Piece piece = p.at(q);
        if (!piece.empty()) out.put(rotated(q), Piece(other(piece.side()), piece.kind()));
    }
    out.set_turn(other(p.turn()));
    out.set_counters(p.since_capture(), p.round());
    return out;
}

}  // namespace xq::rules
