#pragma once
// What a path of the HTTP servers is answered with: pages and small texts. Plain values; knows no
// socket. io thread.
#include "daemon/report.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace xq::daemon {

struct HttpAnswer {
    int status = 200;
    std::string_view type = "text/plain; charset=utf-8";
    std::string body{};
    /// Besides those that every answer has.
    std::vector<std::pair<std::string_view, std::string>> headers{};
};

/// The path of a request's target, without the query.
std::string_view path_of(std::string_view target);

/// What everybody may see: `/healthz`, `/metrics` and the pages, but for the arbiter's desk.
HttpAnswer public_answer(std::string_view path, const Report& report);

/// For who does not speak WebSocket where nothing else is spoken.
HttpAnswer websocket_wanted();
/// The arbiter's desk: no other page may frame it, and it speaks to nobody but its daemon.
HttpAnswer desk_page();

/// A page that the daemon carries within itself, or 404.
HttpAnswer page_answer(std::string_view path);

}  // namespace xq::daemon
