#include "daemon/referee/conduct.hpp"

#include <algorithm>

namespace xq::referee {

Ruling& Conduct::enter(Ruling r) {
    r.shown.id = static_cast<int>(rulings_.size()) + 1;
    rulings_.push_back(std::move(r));
    return rulings_.back();
}

Ruling* Conduct::find(int id) {
    if (id < 1 || id > static_cast<int>(rulings_.size())) return nullptr;
    return &rulings_[static_cast<std::size_t>(id) - 1];
}

int Conduct::fouls(Side s) const {
    return static_cast<int>(std::count_if(rulings_.begin(), rulings_.end(), [&](const Ruling& r) {
        return r.shown.side == s && r.shown.severity == Severity::Foul &&
               r.shown.status == RulingStatus::Confirmed;
    }));
}

int Conduct::count(Code code, Side s) const {
    return count_since(code, s, -1);
}

int Conduct::count_since(Code code, Side s, int ply) const {
    return static_cast<int>(std::count_if(rulings_.begin(), rulings_.end(), [&](const Ruling& r) {
        return r.shown.code == code && r.shown.side == s && r.ply > ply &&
               r.shown.severity >= Severity::Foul && r.shown.status != RulingStatus::Dismissed;
    }));
}

bool Conduct::waits_for(Code code) const {
    return std::any_of(rulings_.begin(), rulings_.end(), [&](const Ruling& r) {
        return r.shown.code == code && r.shown.severity >= Severity::Foul &&
               r.shown.status == RulingStatus::Proposed;
    });
}

void Conduct::make_offer(Side s) {
    offer_ = s;
    ++offers_[static_cast<std::size_t>(s)];
}

}  // namespace xq::referee
