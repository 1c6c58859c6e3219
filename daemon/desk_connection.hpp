#pragma once
// An HTTP connection that has the arbiter's desk among its paths. For the .cpp files of the HTTP
// servers alone. io thread.
#include "daemon/desk_door.hpp"
#include "daemon/http_connection.hpp"

#include <algorithm>
#include <array>
#include <sstream>

namespace xq::daemon {

template <class Stream>
class DeskConnection : public HttpConnection<Stream> {
protected:
    using HttpConnection<Stream>::HttpConnection;

    /// Answers with the desk's page, or gives its WebSocket over, to those who may. `from` says
    /// what the request's headers do not.
    void desk(DeskRequest from) {
        from.host = this->header("Host");
        from.origin = this->header("Origin");
        from.forwarded = forwarded();
        if (const auto why = desk_refusal(from); !why.empty()) {
            return this->send({.status = 403, .body = std::string(why) + '\n'});
        }
        if (!this->upgrades()) return this->send(desk_page());
        std::ostringstream opening;
        opening << this->request().base();
        take_over(opening.str() + std::string(this->rest()));
    }

    /// Gives the stream to the desk. `opening` is the WebSocket's request and what came behind it.
    virtual void take_over(std::string opening) = 0;

private:
    bool forwarded() const {
        constexpr std::array names{"Forwarded", "X-Forwarded-For", "X-Real-IP", "Via"};
        return std::any_of(names.begin(), names.end(),
                           [this](const char* name) { return !this->header(name).empty(); });
    }
};

}  // namespace xq::daemon
