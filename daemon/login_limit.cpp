#include "daemon/login_limit.hpp"

#include <algorithm>

namespace xq::daemon {

namespace {

using namespace std::chrono_literals;
using Instant = LoginLimit::Instant;

/// `burst` attempts at once, then one in each `price`.
struct Rate {
    std::chrono::milliseconds price;
    int burst;
    std::chrono::milliseconds credit() const { return price * (burst - 1); }
};
// Somebody who mistypes is not kept waiting; five a minute guess nothing.
constexpr Rate of_network{12s, 5};
// An attempt costs the io thread about a millisecond. This bounds what is remembered, too: five a
// second for the minute that one network's failures are kept.
constexpr Rate of_all{200ms, 10};

std::optional<std::chrono::seconds> until(Instant paid_until, const Rate& rate, Instant now) {
    const auto left = paid_until - rate.credit() - now;
    if (left <= 0s) return {};
    return std::chrono::ceil<std::chrono::seconds>(left);
}

}  // namespace

std::optional<std::chrono::seconds> LoginLimit::wait(const Address& from, Instant now) const {
    const auto known = paid_until_.find(from.network());
    if (known != paid_until_.end()) {
        if (const auto left = until(known->second, of_network, now)) return left;
    }
    return until(all_paid_until_, of_all, now);
}

void LoginLimit::failed(const Address& from, Instant now) {
    all_paid_until_ = std::max(all_paid_until_, now) + of_all.price;
    std::erase_if(paid_until_, [&](const auto& network) { return network.second <= now; });
    auto& paid_until = paid_until_[from.network()];
    paid_until = std::max(paid_until, now) + of_network.price;
}

}  // namespace xq::daemon
