#pragma once
// The record of one game: where it started, the plies that count, and the position after each.
// A value; holds only what is final.
#include "daemon/referee/regulations.hpp"
#include "rules/position.hpp"

#include <optional>
#include <string>
#include <vector>

namespace xq::referee {

struct Ply {
    rules::Move move;
    rules::Piece captured;
    std::string zh;
    std::string wxf;
    std::optional<Millis> spent_ms;
    bool recovered = false;
};

/// A ply as it would be recorded in `before`: notations and capture filled in.
Ply make_ply(const rules::Position& before, rules::Move move);

class Game {
public:
    explicit Game(const rules::Position& start) : positions_{start} {}

    const rules::Position& start() const { return positions_.front(); }
    const rules::Position& position() const { return positions_.back(); }
    /// The position after `ply` plies.
    const rules::Position& after(int ply) const {
        return positions_[static_cast<std::size_t>(ply)];
    }
    int ply() const { return static_cast<int>(plies_.size()); }
    const std::vector<Ply>& plies() const { return plies_; }
    std::vector<rules::Move> moves() const;

    void add(Ply ply);
    /// Forgets all plies after `to_ply`, which must be 0 .. ply().
    void take_back(int to_ply);

private:
    std::vector<Ply> plies_;
    std::vector<rules::Position> positions_;
};

}  // namespace xq::referee
