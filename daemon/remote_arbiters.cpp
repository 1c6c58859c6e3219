#include "daemon/remote_arbiters.hpp"

#include "daemon/systemd.hpp"
#include "daemon/token_file.hpp"

#include <stdexcept>

namespace xq::daemon {

namespace {

// As in the unit of the sockets (FileDescriptorName=).
constexpr auto lines_name = "arbiter";
constexpr auto https_name = "arbiter-https";

}  // namespace

RemoteArbiters::RemoteArbiters(const boost::asio::any_io_executor& io, Arbiter& arbiter, Log& log,
                               Listen listen)
    : io_(io),
      arbiter_(arbiter),
      log_(log),
      listen_(std::move(listen)),
      gate_([&log](const std::string& text) { log.info(text); }),
      desk_(io, arbiter, gate_) {}

void RemoteArbiters::open(const config::Arbiter& settings) {
    const bool wants_lines = settings.listen || systemd::socket_named(lines_name);
    const bool wants_https = settings.https || systemd::socket_named(https_name);
    if (!wants_lines && !wants_https) return;
    const bool certified = read_certificate(settings);
    const bool guarded = read_tokens(settings);
    if (!certified || !guarded) return;
    if (wants_lines && !lines_) {
        const int fd = listen(lines_name, settings.listen);
        if (fd >= 0) lines_.emplace(io_, fd, arbiter_, gate_, certificate_);
    }
    if (wants_https && !https_open_) {
        const int fd = listen(https_name, settings.https);
        if (fd >= 0) desk_.accept_from(fd, certificate_);
        https_open_ = fd >= 0;
    }
}

int RemoteArbiters::listen(const std::string& name,
                           const std::optional<config::Endpoint>& endpoint) {
    try {
        return listen_(name, endpoint);
    } catch (const std::runtime_error& error) {
        log_.error("no arbiter can be heard there: " + std::string(error.what()));
        return -1;
    }
}

bool RemoteArbiters::read_certificate(const config::Arbiter& settings) {
    const std::string fault = certificate_.load(systemd::credential(settings.certificate),
                                                systemd::credential(settings.key));
    if (fault.empty()) return true;
    log_.error((certificate_.loaded() ? "the certificate in use stays: "
                                      : "no arbiter can be heard over TLS: ") +
               fault);
    return certificate_.loaded();
}

bool RemoteArbiters::read_tokens(const config::Arbiter& settings) {
    auto tokens = load_tokens(systemd::credential(settings.token_file));
    if (!tokens) {
        log_.error(
            (tokens_read_ ? "the tokens in use stay: " : "no arbiter can be heard over TLS: ") +
            tokens.error().what);
        return tokens_read_;
    }
    if (tokens->empty()) log_.warn(settings.token_file + ": holds no token, so nobody can log in");
    gate_.set(std::move(*tokens));
    tokens_read_ = true;
    const auto ended =
        desk_.callers().end_revoked() + (lines_ ? lines_->callers().end_revoked() : 0);
    if (ended > 0) {
        log_.info(std::to_string(ended) + " arbiters' connections have ended with their tokens");
    }
    return true;
}

}  // namespace xq::daemon
