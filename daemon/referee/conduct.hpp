#pragma once
// The rulings of one game: what was found, what of it has taken effect, fouls, draw offers, false
// claims. A ledger without judgement of positions: the Table finds, this counts (4.1.8-4.1.11, 9).
#include "daemon/referee/regulations.hpp"
#include "protocol/broadcast.hpp"

#include <array>
#include <optional>
#include <vector>

namespace xq::referee {

using protocol::Code;
using protocol::RulingStatus;
using protocol::Severity;
using rules::Side;

/// Three fouls lose (4.1.10).
constexpr int foul_limit = 3;

struct Ruling {
    protocol::message::Ruling shown;
    int ply = 0;
    /// The result it leads to, where it is not the one that its severity and side say.
    std::optional<protocol::Outcome> outcome;
};

class Conduct {
public:
    /// Enters a ruling; its id is the next of the game. Returned by reference until the next one.
    Ruling& enter(Ruling r);
    Ruling* find(int id);
    const std::vector<Ruling>& all() const { return rulings_; }

    /// Fouls of a side that have taken effect.
    int fouls(Side s) const;
    /// How many rulings of this code stand against a side, proposed or confirmed, as a foul or
    /// worse.
    int count(Code code, Side s) const;
    /// The same since a ply (a stage of the natural limit, 4.1.11).
    int count_since(Code code, Side s, int ply) const;
    /// Whether a proposed ruling waits that stops the game until it is ruled.
    bool waits_for(Code code) const;

    // Draw offers (22.1, 9.1.3).
    std::optional<Side> offer() const { return offer_; }
    int offers(Side s) const { return offers_[static_cast<std::size_t>(s)]; }
    void make_offer(Side s);
    void end_offer() { offer_.reset(); }

private:
    std::vector<Ruling> rulings_;
    std::optional<Side> offer_;
    std::array<int, 2> offers_{};
};

}  // namespace xq::referee
