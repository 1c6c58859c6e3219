#pragma once
// What the arbiters' listeners show for themselves: a certificate with its key, and the terms of
// TLS. Read anew on SIGHUP; connections go on with what they began with. Owned by the app, io
// thread.
#include <memory>
#include <string>

namespace boost::asio::ssl {
class context;
}  // namespace boost::asio::ssl

namespace xq::daemon {

class Certificate {
public:
    Certificate();
    Certificate(const Certificate&) = delete;
    Certificate& operator=(const Certificate&) = delete;
    ~Certificate();

    /// Reads a chain and its key, PEM. What is wrong, one sentence, and what was read before stays;
    /// empty: it holds for connections from now on.
    std::string load(const std::string& chain_file, const std::string& key_file);

    bool loaded() const { return context_ != nullptr; }
    boost::asio::ssl::context& context() const { return *context_; }

private:
    std::unique_ptr<boost::asio::ssl::context> context_;
};

}  // namespace xq::daemon
