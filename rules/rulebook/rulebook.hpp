#pragma once
// What a rule book is: a name, how it calls a move by the facts of the ply, and how it rules a
// cycle by its classes. Three stand here; a fourth is one more file and one more line in the table.
#include "rules/move_class.hpp"
#include "rules/threats.hpp"
#include "rules/verdict.hpp"

#include <span>

namespace xq::rules {

class RuleBook {
public:
    virtual ~RuleBook() = default;
    virtual std::string_view name() const = 0;  ///< as in the configuration, "cxa-2010"
    virtual std::string_view title_zh() const = 0;
    virtual std::string_view title_en() const = 0;

    /// What this book calls a ply, with its reason.
    virtual ClassifiedMove classify(const Facts& facts) const = 0;
    /// Changes classes that depend on the rest of the cycle; most books have none.
    virtual void settle(std::span<ClassifiedMove> /*cycle*/) const {}
    /// Who must change if these plies, one whole cycle, go on being repeated. One-sided perpetual
    /// check comes back as a loss; all else as must-change or draw, never final (23.5 is
    /// `find_repetition`'s).
    virtual Verdict rule(std::span<const ClassifiedMove> cycle) const = 0;
};

const RuleBook& cxa_2010();
const RuleBook& cxa_1999();
const RuleBook& asian();

/// All rule books, the default one first.
std::span<const RuleBook* const> rule_books();
/// The book of a name as in the configuration; null for any other text.
const RuleBook* find_rule_book(std::string_view name);

}  // namespace xq::rules
