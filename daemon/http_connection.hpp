#pragma once
// One HTTP connection, plain or over TLS: reads requests one after another, sends answers, and lets
// who derives from it say which. For the .cpp files of the HTTP servers alone: it brings Beast with
// it. io thread.
#include "daemon/from_settings.hpp"
#include "daemon/http_routes.hpp"

#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/stream_traits.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket/rfc6455.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <string>

namespace xq::daemon {

/// A request that has not arrived by then is none, and a connection that asks nothing is ended.
inline constexpr std::chrono::seconds request_patience{10};
/// Browsers send one or two thousand bytes of header.
inline constexpr std::uint32_t largest_header = 8 * 1024;

template <class Stream>
class HttpConnection : public std::enable_shared_from_this<HttpConnection<Stream>> {
public:
    using Request = boost::beast::http::request<boost::beast::http::empty_body>;

    explicit HttpConnection(Stream stream) : stream_(std::move(stream)) {}
    HttpConnection(const HttpConnection&) = delete;
    HttpConnection& operator=(const HttpConnection&) = delete;
    virtual ~HttpConnection() = default;

    /// Waits for the next request.
    void read() {
        namespace http = boost::beast::http;
        parser_.emplace();
        parser_->header_limit(largest_header);
        boost::beast::get_lowest_layer(stream_).expires_after(request_patience);
        http::async_read(stream_, buffer_, *parser_,
                         [self = this->shared_from_this()](boost::system::error_code error,
                                                           std::size_t /*size*/) {
                             if (!error) self->hear();
                         });
    }

protected:
    /// A GET or HEAD has come: `send`s an answer, or takes the stream over.
    virtual void route() = 0;

    const Request& request() const { return parser_->get(); }
    std::string_view path() const { return path_of(view(request().target())); }
    std::string_view header(std::string_view name) const {
        return view(request()[boost::beast::string_view(name.data(), name.size())]);
    }
    /// What has come behind the request already.
    std::string_view rest() const {
        const auto data = buffer_.data();
        return {static_cast<const char*>(data.data()), data.size()};
    }
    /// Whether it asks for a WebSocket.
    bool upgrades() const { return boost::beast::websocket::is_upgrade(request()); }
    Stream& stream() { return stream_; }

    void send(HttpAnswer answer) {
        namespace http = boost::beast::http;
        response_ = Response(static_cast<http::status>(answer.status), request().version());
        response_.set(http::field::server, boost::beast::string_view(server_name()));
        response_.set(http::field::content_type,
                      boost::beast::string_view(answer.type.data(), answer.type.size()));
        response_.set("X-Content-Type-Options", "nosniff");
        response_.set(http::field::cache_control, "no-cache");
        for (const auto& [name, value] : answer.headers) {
            response_.set(boost::beast::string_view(name.data(), name.size()), value);
        }
        response_.keep_alive(request().keep_alive());
        response_.body() = std::move(answer.body);
        response_.prepare_payload();
        // HEAD is told how long the body would be.
        if (request().method() == http::verb::head) response_.body().clear();
        http::async_write(stream_, response_,
                          [self = this->shared_from_this()](boost::system::error_code error,
                                                            std::size_t /*size*/) {
                              if (error) return;
                              if (self->response_.keep_alive()) return self->read();
                              self->finish();
                          });
    }

private:
    using Response = boost::beast::http::response<boost::beast::http::string_body>;

    static std::string_view view(boost::beast::string_view text) {
        return {text.data(), text.size()};
    }

    void hear() {
        using boost::beast::http::verb;
        if (request().method() == verb::get || request().method() == verb::head) return route();
        send({.status = 405, .body = "only GET and HEAD\n", .headers = {{"Allow", "GET, HEAD"}}});
    }

    void finish() {
        boost::system::error_code ignored;
        boost::beast::get_lowest_layer(stream_).socket().shutdown(
            boost::asio::socket_base::shutdown_send, ignored);
    }

    Stream stream_;
    boost::beast::flat_buffer buffer_{largest_header};
    std::optional<boost::beast::http::request_parser<boost::beast::http::empty_body>> parser_;
    Response response_;
};

}  // namespace xq::daemon
