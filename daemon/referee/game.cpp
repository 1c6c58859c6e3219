#include "daemon/referee/game.hpp"

#include "rules/notation.hpp"

namespace xq::referee {

Ply make_ply(const rules::Position& before, rules::Move move) {
    return {move, before.at(move.to), rules::chinese(before, move), rules::wxf(before, move), {},
            false};
}

std::vector<rules::Move> Game::moves() const {
    std::vector<rules::Move> out;
    out.reserve(plies_.size());
    for (const Ply& p : plies_) out.push_back(p.move);
    return out;
}

void Game::add(Ply ply) {
    positions_.push_back(position().after(ply.move));
    plies_.push_back(std::move(ply));
}

void Game::take_back(int to_ply) {
    plies_.resize(static_cast<std::size_t>(to_ply));
    positions_.resize(static_cast<std::size_t>(to_ply) + 1);
}

}  // namespace xq::referee
