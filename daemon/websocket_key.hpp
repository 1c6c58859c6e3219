#pragma once
// The answer to a WebSocket's key (RFC 6455, 4.2.2). Pure.
#include <string>
#include <string_view>

namespace xq::daemon {

/// The value of `Sec-WebSocket-Accept` for one of `Sec-WebSocket-Key`.
std::string websocket_accept(std::string_view key);

}  // namespace xq::daemon
