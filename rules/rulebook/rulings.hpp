#pragma once
// Verdicts in words, the same for every book.
#include "rules/move_class.hpp"
#include "rules/verdict.hpp"

#include <initializer_list>
#include <span>

namespace xq::rules {

using Articles = std::initializer_list<std::string_view>;

/// One-sided perpetual check: it has lost.
Verdict lost_by_checks(std::span<const ClassifiedMove> cycle, Side s, Articles articles);
/// Adds the articles of the side's own forbidden plies behind those of the ruling.
Verdict must_change_verdict(std::span<const ClassifiedMove> cycle, Side s, Articles articles);
/// Nine rounds without purpose (23.4): the side must change at once.
Verdict must_change_at_once(std::span<const ClassifiedMove> plies, Side s, Articles articles);
Verdict drawn(std::span<const ClassifiedMove> cycle, Articles articles);

}  // namespace xq::rules
