#include "rules/natural_limit.hpp"

#include "rules/moves.hpp"

#include <algorithm>

namespace xq::rules {

int Stage::rounds_for(Side claimant) const {
    const int checks = claimant == Side::Red ? red_checks : black_checks;
    return plies / 2 - std::max(0, checks - counted_checks);
}

Stage natural_stage(const History& h) {
    Stage stage;
    stage.plies = h.start.since_capture();
    Position p = h.start;
    int ply = 0;
    for (const Move m : h.moves) {
        ++ply;
        const Side mover = p.turn();
        const bool takes = !p.at(m.to).empty();
        p.apply(m);
        if (takes) {
            stage = Stage{.from_ply = ply + 1};
            continue;
        }
        ++stage.plies;
        if (in_check(p, p.turn())) ++(mover == Side::Red ? stage.red_checks : stage.black_checks);
    }
    return stage;
}

bool no_winner_possible(const Position& p) {
    const auto defends_only = [&](Point at) {
        const Kind kind = p.at(at).kind();
        return kind == Kind::General || kind == Kind::Advisor || kind == Kind::Elephant;
    };
    return std::all_of(p.pieces(Side::Red).begin(), p.pieces(Side::Red).end(), defends_only) &&
           std::all_of(p.pieces(Side::Black).begin(), p.pieces(Side::Black).end(), defends_only);
}

}  // namespace xq::rules
