#pragma once
// Who may come in as an arbiter from the network: asks for a token, and not too often. Knows no
// socket and reads no clock. Owned by the app, io thread.
#include "daemon/address.hpp"
#include "daemon/arbiter.hpp"
#include "daemon/login_limit.hpp"
#include "daemon/tokens.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace xq::daemon {

class Gate {
public:
    /// `notice` tells the administrator who came in or tried to; never by which token.
    explicit Gate(std::function<void(const std::string&)> notice) : notice_(std::move(notice)) {}

    /// The tokens that hold from now on.
    void set(std::vector<TokenEntry> tokens) { tokens_ = std::move(tokens); }

    struct Entered {
        Identity identity;
        TokenEntry by;
    };
    /// The fault is for him who tried.
    Result<Entered> enter(const Address& from, std::string_view token, LoginLimit::Instant now);
    /// Whether one who came in by this may stay.
    bool stands(const TokenEntry& by) const;

private:
    std::function<void(const std::string&)> notice_;
    std::vector<TokenEntry> tokens_;
    LoginLimit limit_;
};

}  // namespace xq::daemon
