#include "daemon/gate.hpp"

#include <algorithm>

namespace xq::daemon {

Result<Gate::Entered> Gate::enter(const Address& from, std::string_view token,
                                  LoginLimit::Instant now) {
    if (const auto wait = limit_.wait(from, now)) {
        return Fault{0,
                     "too many wrong tokens: try again in " + std::to_string(wait->count()) + " s"};
    }
    const auto* const entry = find_token(tokens_, token);
    if (entry == nullptr) {
        limit_.failed(from, now);
        notice_("a token from " + from.text() + " is none of the token file");
        return Fault{0, "this token is not known"};
    }
    const Identity identity{"token:" + entry->name, entry->may_change};
    notice_(identity.name + " has come in from " + from.text());
    return Entered{identity, *entry};
}

bool Gate::stands(const TokenEntry& by) const {
    return std::find(tokens_.begin(), tokens_.end(), by) != tokens_.end();
}

}  // namespace xq::daemon
