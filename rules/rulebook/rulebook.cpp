#include "rules/rulebook/rulebook.hpp"

#include <algorithm>
#include <array>

namespace xq::rules {

std::span<const RuleBook* const> rule_books() {
    static const std::array<const RuleBook*, 3> books{&cxa_2010(), &cxa_1999(), &asian()};
    return books;
}

const RuleBook* find_rule_book(std::string_view name) {
    const auto books = rule_books();
    const auto found = std::find_if(books.begin(), books.end(),
                                    [&](const RuleBook* b) { return b->name() == name; });
    return found == books.end() ? nullptr : *found;
}

}  // namespace xq::rules
