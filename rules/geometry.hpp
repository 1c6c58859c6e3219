#pragma once
// The drawn board: which points lie next to which, who is at home where (articles 1.1 and 2.2).
// Tables made at compile time; private to the room.
#include "rules/types.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace xq::rules::geometry {

constexpr std::size_t index(Point p) {
    return static_cast<std::size_t>(p);
}

/// The rank counted from the side's own back rank, 0..9.
constexpr int own_rank(Side s, Point p) {
    return s == Side::Red ? rank_of(p) : ranks - 1 - rank_of(p);
}
/// The step of a side's pawn towards the opponent.
constexpr int forward(Side s) {
    return s == Side::Red ? files : -files;
}
constexpr bool in_palace(Side s, Point p) {
    return file_of(p) >= 3 && file_of(p) <= 5 && own_rank(s, p) <= 2;
}
constexpr bool across_river(Side s, Point p) {
    return own_rank(s, p) >= ranks / 2;
}

/// At most N values, known at compile time.
template <class T, std::size_t N>
struct Few {
    std::array<T, N> items{};
    std::size_t count = 0;
    constexpr void add(T t) { items[count++] = t; }
    constexpr const T* begin() const { return items.data(); }
    constexpr const T* end() const { return items.data() + count; }
};

/// A step over one point that must be empty: a knight's leg, an elephant's eye.
struct Leap {
    Point over = no_point;
    Point to = no_point;
};

struct Neighbours {
    /// How many points lie between the point and the edge: up, down, right, left.
    std::array<int, 4> room{};
    Few<Point, 4> straight;
    Few<Point, 4> diagonal;
    Few<Leap, 4> elephant;
    Few<Leap, 8> knight;
    /// Where knights stand that attack the point, with their legs.
    Few<Leap, 8> knight_attackers;
};
/// Steps of the four directions, in the order of `Neighbours::room`.
constexpr std::array<int, 4> directions{files, -files, 1, -1};
/// The first two of them lie on a file: only there generals face each other.
constexpr std::size_t vertical = 2;

constexpr Neighbours neighbours_of(Point p) {
    constexpr std::array<int, 2> signs{1, -1};
    const int f = file_of(p);
    const int r = rank_of(p);
    Neighbours n;
    n.room = {ranks - 1 - r, r, files - 1 - f, f};
    for (std::size_t d = 0; d < directions.size(); ++d)
        if (n.room[d] > 0) n.straight.add(p + directions[d]);
    for (const int df : signs) {
        for (const int dr : signs) {
            if (on_board(f + df, r + dr)) n.diagonal.add(point(f + df, r + dr));
            if (on_board(f + 2 * df, r + 2 * dr))
                n.elephant.add({point(f + df, r + dr), point(f + 2 * df, r + 2 * dr)});
            if (on_board(f + df, r + 2 * dr)) {
                n.knight.add({point(f, r + dr), point(f + df, r + 2 * dr)});
                n.knight_attackers.add({point(f + df, r + dr), point(f + df, r + 2 * dr)});
            }
            if (on_board(f + 2 * df, r + dr)) {
                n.knight.add({point(f + df, r), point(f + 2 * df, r + dr)});
                n.knight_attackers.add({point(f + df, r + dr), point(f + 2 * df, r + dr)});
            }
        }
    }
    return n;
}

inline constexpr auto table = [] {
    std::array<Neighbours, points> t{};
    for (Point p = 0; p < points; ++p) t[index(p)] = neighbours_of(p);
    return t;
}();

constexpr const Neighbours& around(Point p) {
    return table[index(p)];
}

}  // namespace xq::rules::geometry
