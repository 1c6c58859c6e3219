#pragma once
// A set of points of the board as bits: what a side occupies, which points matter to a question.
// A plain value; iteration goes from a0 to i9.
#include "rules/types.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>

namespace xq::rules {

class PointSet {
public:
    constexpr PointSet() = default;
    static constexpr PointSet all() {
        PointSet s;
        s.words_ = {~std::uint64_t{0}, (std::uint64_t{1} << (points - bits)) - 1};
        return s;
    }

    constexpr void add(Point p) { words_[word(p)] |= bit(p); }
    constexpr void remove(Point p) { words_[word(p)] &= ~bit(p); }
    constexpr bool contains(Point p) const { return (words_[word(p)] & bit(p)) != 0; }
    constexpr bool empty() const { return (words_[0] | words_[1]) == 0; }
    constexpr int size() const { return std::popcount(words_[0]) + std::popcount(words_[1]); }
    constexpr bool operator==(const PointSet&) const = default;
    friend constexpr PointSet operator&(PointSet a, const PointSet& b) {
        a.words_[0] &= b.words_[0];
        a.words_[1] &= b.words_[1];
        return a;
    }
    /// The point nearest to a0, or no_point.
    constexpr Point first() const { return empty() ? no_point : *begin(); }

    /// Gives the points one by one.
    class Iterator {
    public:
        using iterator_category = std::input_iterator_tag;
        using value_type = Point;
        using difference_type = std::ptrdiff_t;
        using pointer = void;
        using reference = Point;

        constexpr Iterator() = default;
        constexpr explicit Iterator(const PointSet& set) : rest_(set.words_) {}
        constexpr Point operator*() const {
            return rest_[0] != 0 ? std::countr_zero(rest_[0]) : bits + std::countr_zero(rest_[1]);
        }
        constexpr Iterator& operator++() {
            std::uint64_t& w = rest_[rest_[0] != 0 ? 0 : 1];
            w &= w - 1;
            return *this;
        }
        constexpr bool operator==(const Iterator&) const = default;

    private:
        std::array<std::uint64_t, 2> rest_{};
    };
    constexpr Iterator begin() const { return Iterator(*this); }
    // A member like begin(), so that algorithms take a set's ends alike.
    constexpr Iterator end() const {  // NOLINT(readability-convert-member-functions-to-static)
        return {};
    }

private:
    static constexpr int bits = 64;
    static constexpr std::size_t word(Point p) { return static_cast<std::size_t>(p) / bits; }
    static constexpr std::uint64_t bit(Point p) {
        return std::uint64_t{1} << (static_cast<unsigned>(p) % bits);
    }
    std::array<std::uint64_t, 2> words_{};
};

}  // namespace xq::rules
