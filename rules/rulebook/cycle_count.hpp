#pragma once
// What a cycle holds, side by side: the counts that the articles on cycles speak of.
#include "rules/move_class.hpp"

#include <span>

namespace xq::rules {

/// One side's plies in a cycle.
class SideCount {
public:
    SideCount(std::span<const ClassifiedMove> cycle, Side s);

    int plies() const { return plies_; }
    bool all_checks() const { return plies_ > 0 && checks_ == plies_; }
    bool all_chases() const { return plies_ > 0 && chases_ == plies_; }
    bool all_forbidden() const { return plies_ > 0 && forbidden_ == plies_; }
    bool any_chase() const { return chases_ > 0; }
    bool any_forbidden() const { return forbidden_ > 0; }
    int of(MoveClass c) const;
    /// "两捉一闲" - how often each class, for the ruling's text.
    std::string zh() const;
    std::string en() const;

private:
    int plies_ = 0;
    int checks_ = 0;
    int chases_ = 0;
    int forbidden_ = 0;
    std::vector<std::pair<MoveClass, int>> classes_;
};

/// "红方一将一捉，黑方两闲" and its English.
std::string tally_zh(std::span<const ClassifiedMove> cycle);
std::string tally_en(std::span<const ClassifiedMove> cycle);

}  // namespace xq::rules
