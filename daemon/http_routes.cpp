#include "daemon/http_routes.hpp"

#include "daemon/web/pages.hpp"

namespace xq::daemon {

std::string_view path_of(std::string_view target) {
    return target.substr(0, target.find('?'));
}

HttpAnswer public_answer(std::string_view path, const Report& report) {
    if (path == "/healthz") return {.type = "application/json", .body = health(report)};
    if (path == "/metrics") {
        return {.type = "text/plain; version=0.0.4", .body = metrics_text(report)};
    }
    return page_answer(path);
}

HttpAnswer websocket_wanted() {
    return {.status = 426,
            .body = "a WebSocket of version 13 is spoken here\n",
            .headers = {{"Sec-WebSocket-Version", "13"}}};
}

HttpAnswer desk_page() {
    HttpAnswer answer = page_answer("/arbiter");
    answer.headers = {{"Content-Security-Policy",
                       "default-src 'self'; style-src 'self' 'unsafe-inline'; "
                       "img-src 'self' data:; frame-ancestors 'none'; form-action 'none'; "
                       "base-uri 'none'"},
                      {"X-Frame-Options", "DENY"},
                      {"Referrer-Policy", "no-referrer"}};
    return answer;
}

HttpAnswer page_answer(std::string_view path) {
    const auto* const page = web::find_page(path);
    if (page == nullptr) return {.status = 404, .body = "there is no such page\n"};
    // The wall follows other boards' daemons.
    return {.type = page->type,
            .body = std::string(page->content),
            .headers = {{"Content-Security-Policy",
                         "default-src 'self'; style-src 'self' 'unsafe-inline'; "
                         "img-src 'self' data:; connect-src *"}}};
}

}  // namespace xq::daemon
