#include "daemon/certificate.hpp"

#include <openssl/err.h>
#include <openssl/x509err.h>
#include <sys/stat.h>
#include <unistd.h>
#include <boost/asio/ssl/context.hpp>
#include <cerrno>
#include <cstring>

namespace xq::daemon {

namespace ssl = boost::asio::ssl;
using boost::system::error_code;

namespace {

/// For TLS 1.2; those of 1.3 are all good. Keys are of one session, bytes cannot be changed unseen.
constexpr auto ciphers = "ECDHE+AESGCM:ECDHE+CHACHA20";

/// Why the file cannot be read; empty: it can.
std::string unreadable(const std::string& file) {
    return access(file.c_str(), R_OK) == 0 ? "" : file + ": " + std::strerror(errno);
}

}  // namespace

Certificate::Certificate() = default;
Certificate::~Certificate() = default;

std::string Certificate::load(const std::string& chain_file, const std::string& key_file) {
    for (const auto& file : {chain_file, key_file}) {
        if (auto why = unreadable(file); !why.empty()) return why;
    }
    struct stat key {};
    constexpr mode_t by_others = 0007;
    if (stat(key_file.c_str(), &key) == 0 && (key.st_mode & by_others) != 0) {
        return key_file + ": everybody may open this key; chmod 600, and make a new one";
    }
    auto fresh = std::make_unique<ssl::context>(ssl::context::tls_server);
    SSL_CTX* const native = fresh->native_handle();
    SSL_CTX_set_min_proto_version(native, TLS1_2_VERSION);
    SSL_CTX_set_cipher_list(native, ciphers);
    SSL_CTX_set_options(native, SSL_OP_NO_RENEGOTIATION | SSL_OP_CIPHER_SERVER_PREFERENCE);
    // A desk is open for hours and mostly silent.
    SSL_CTX_set_mode(native, SSL_MODE_RELEASE_BUFFERS);

    error_code error;
    // A key that wants a password must not ask for it at a terminal.
    fresh->set_password_callback(
        [](std::size_t, ssl::context::password_purpose) { return std::string(); }, error);
    fresh->use_certificate_chain_file(chain_file, error);
    if (error) return chain_file + ": holds no certificate in PEM";
    fresh->use_private_key_file(key_file, ssl::context::pem, error);
    if (error) {
        // OpenSSL holds the key against the certificate at once.
        const bool of_another =
            ERR_GET_REASON(static_cast<unsigned long>(error.value())) == X509_R_KEY_VALUES_MISMATCH;
        return key_file + (of_another ? ": is not the key of " + chain_file
                                      : ": holds no key in PEM that opens without a password");
    }
    context_ = std::move(fresh);
    return {};
}

}  // namespace xq::daemon
