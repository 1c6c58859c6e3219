#pragma once
// An arbiter's session of lines over a stream, the Unix socket's or one of TLS. io thread.
#include "daemon/arbiter_session.hpp"

#include <boost/asio/read_until.hpp>
#include <boost/asio/streambuf.hpp>
#include <boost/asio/write.hpp>

namespace xq::daemon {

template <class Stream>
class LineSession : public ArbiterSession {
public:
    explicit LineSession(Stream stream)
        : ArbiterSession(stream.get_executor(), "\n"),
          stream_(std::move(stream)),
          input_(longest_call) {}

protected:
    Stream& stream() { return stream_; }

    void read() override {
        boost::asio::async_read_until(
            stream_, input_, '\n',
            [this, self = shared_from_this()](boost::system::error_code error, std::size_t size) {
                if (ended()) return;
                if (error) return end();
                const auto begin = boost::asio::buffers_begin(input_.data());
                const std::string line(begin, begin + static_cast<std::ptrdiff_t>(size - 1));
                input_.consume(size);
                hear(line);
            });
    }

    void write(const std::string& line) override {
        boost::asio::async_write(
            stream_, boost::asio::buffer(line),
            [this, self = shared_from_this()](boost::system::error_code error, std::size_t) {
                if (ended()) return;
                if (error) return end();
                wrote();
            });
    }

    void close() override {
        boost::system::error_code ignored;
        stream_.lowest_layer().close(ignored);
    }

private:
    Stream stream_;
    boost::asio::streambuf input_;
};

}  // namespace xq::daemon
