#pragma once
// Whether a request may reach the arbiter's desk. The desk changes games, and a browser will carry
// requests there for any page that is open in it; so a page of another site is told from the
// desk's own, and this machine from others. Pure.
#include <string_view>

namespace xq::daemon {

/// What is known of a request; empty texts: the header is not there.
struct DeskRequest {
    bool tls = false;
    bool from_this_machine = false;  ///< both ends' addresses are loopback ones
    bool forwarded = false;          ///< a proxy says that it speaks for somebody else
    std::string_view host{};
    std::string_view origin{};
};

/// Why it may not, one sentence; empty: it may.
/// - Without TLS only from this machine, and under one of its own names: a foreign name that leads
///   here (DNS rebinding) is none.
/// - A page's script may only where its origin is the desk's own. Programs that are no browsers
///   send no `Origin`; browsers always do with a WebSocket.
std::string_view desk_refusal(const DeskRequest& request);

}  // namespace xq::daemon
