#pragma once
// From facts to a named class with its reason. A rule book decides which of these a ply is, by
// which article; here it is put into words, with line, targets and protectors.
#include "rules/threats.hpp"

#include <span>

namespace xq::rules {

ClassifiedMove called_check(const Facts& f, std::string_view article);
ClassifiedMove called_kill(const Facts& f, std::string_view article);
/// `threats` are those that the book counts, the heaviest first; at least one.
ClassifiedMove called_chase(const Facts& f, std::span<const Threat* const> threats,
                            std::string_view article);
ClassifiedMove called_exchange(const Facts& f, const Exchange& e, std::string_view article);
ClassifiedMove called_offer(const Facts& f, std::string_view article);
ClassifiedMove called_block(const Facts& f, std::string_view article);
ClassifiedMove called_follow(const Facts& f, Point followed, std::string_view article);
/// Idle, with a word on why what looks like more is not; empty: it threatens nothing.
ClassifiedMove called_idle(const Facts& f, std::string_view article, std::string_view zh = {},
                           std::string_view en = {});

/// The threats that satisfy `counts`, in their order.
template <class Predicate>
std::vector<const Threat*> threats_that(const Facts& f, Predicate counts) {
    std::vector<const Threat*> found;
    for (const Threat& t : f.threats)
        if (counts(t)) found.push_back(&t);
    return found;
}

/// The exchange that the ply offers anew, its own piece rooted (25.4); null if it offers none.
const Exchange* offered_exchange(const Facts& f);
/// Whether the moved piece may be taken and not taken back (25.5).
bool offers_itself(const Facts& f);
/// Whether the moved piece stands in the way of the mate that the opponent had (25.6).
bool blocks(const Facts& f);
/// A protected strong piece that the moved piece newly attacks without a gain (25.7), or no_point.
Point followed(const Facts& f);

}  // namespace xq::rules
