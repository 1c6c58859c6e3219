#pragma once
// How often somebody may try a token that is none: a few times at once from one network, then once
// in a while; and never so often in all that the referee would be late. Reads no clock. Owned by
// the gate, io thread.
#include "daemon/address.hpp"

#include <chrono>
#include <optional>
#include <unordered_map>

namespace xq::daemon {

class LoginLimit {
public:
    using Instant = std::chrono::steady_clock::time_point;

    /// Nothing: one more attempt may be looked at. Else how long to wait.
    std::optional<std::chrono::seconds> wait(const Address& from, Instant now) const;
    /// One was looked at and failed.
    void failed(const Address& from, Instant now);
    /// How many networks are remembered.
    std::size_t remembered() const { return paid_until_.size(); }

private:
    /// When what was done is paid for: each attempt moves it on by its price.
    std::unordered_map<Address, Instant, AddressHash> paid_until_;
    Instant all_paid_until_{};
};

}  // namespace xq::daemon
