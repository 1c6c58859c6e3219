#pragma once
// The figures of the rule books as test data (data/figures.json), and their twins.
#include "rules/repetition.hpp"
#include "rules/rulebook/rulebook.hpp"

#include <string>
#include <vector>

namespace xq::rules::tests {

struct Figure {
    std::string id;
    const RuleBook* book = nullptr;
    Position start;
    std::vector<Move> moves;
    std::vector<std::string> classes;  ///< as printed; empty where the book is silent
    std::string outcome;               ///< "red_must_change", "black_must_change", "draw"
    std::vector<std::size_t> open_plies;
    bool open_verdict = false;
};
const std::vector<Figure>& figures();

Point mirrored(Point p);
Move mirrored(Move m);
Move rotated(Move m);

/// The figure mirrored left to right; with colours exchanged.
Figure mirrored(const Figure& f);
Figure colours_exchanged(const Figure& f);

}  // namespace xq::rules::tests
