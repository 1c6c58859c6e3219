#include "daemon/mqtt_session.hpp"

#include "config/broker.hpp"
#include "daemon/systemd.hpp"

#include <mosquitto.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>

namespace xq::daemon {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

namespace {

constexpr int at_least_once = 1;
// Silence of this length and half of it again is a connection that broke unseen.
constexpr int keepalive_s = 10;
// From the lookup's end to the broker's answer, TLS included.
constexpr auto answer_within = 10s;
// How long what waits may take when the daemon ends; less than the app waits for.
constexpr auto farewell = 300ms;
// Events that the broker has not acknowledged; libmosquitto's own queue begins at 20.
constexpr std::size_t most_in_flight = 16;
// MQTT's limit.
constexpr std::size_t longest_password = 65'535;

/// libmosquitto's preparations; once, and kept to the end of the process.
void prepare_library() {
    static const int once = mosquitto_lib_init();
    static_cast<void>(once);
}

/// FNV-1a of 64 bits: the same for the same topic on every machine.
std::string hash(std::string_view text) {
    std::uint64_t value = 0xcbf29ce484222325U;
    for (const char c : text) {
        value = (value ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    }
    std::array<char, 17> digits{};
    std::snprintf(digits.data(), digits.size(), "%016llx", static_cast<unsigned long long>(value));
    return digits.data();
}

/// The first line of the file, or why it cannot be used.
std::string read_password(const std::string& file, std::string& fault) {
    struct stat about {};
    constexpr mode_t by_others = 0007;
    std::ifstream in(file, std::ios::binary);
    if (stat(file.c_str(), &about) != 0 || !in) {
        fault = file + ": " + std::strerror(errno);
    } else if (S_ISDIR(about.st_mode)) {
        fault = file + ": is a directory";
    } else if ((about.st_mode & by_others) != 0) {
        fault = file + ": everybody may open this password; chmod 600, and choose a new one";
    }
    std::string password;
    if (!fault.empty()) return password;
    password.resize(longest_password + 1);
    in.read(password.data(), static_cast<std::streamsize>(password.size()));
    password.resize(static_cast<std::size_t>(in.gcount()));
    password.resize(std::min(password.find_first_of("\r\n"), password.size()));
    if (password.empty()) fault = file + ": holds no password";
    if (password.size() > longest_password) fault = file + ": is too long for a password";
    return password;
}

MqttSession& session(void* self) {
    return *static_cast<MqttSession*>(self);
}

}  // namespace

MqttAccount mqtt_account(const config::Settings& settings) {
    const auto& m = settings.mqtt;
    const auto broker = config::read_broker(m.broker).value();
    const std::string topic = config::topic(settings);
    // 23 letters and digits are what every broker must take.
    return {.broker = m.broker,
            .endpoint = broker.endpoint,
            .tls = broker.tls,
            .ca = systemd::credential(m.ca),
            .user = m.user,
            .password_file = systemd::credential(m.password_file),
            .topic = topic,
            .client_id = "xiangqi" + hash(topic)};
}

void MqttSession::Free::operator()(mosquitto* client) const {
    mosquitto_destroy(client);
}

MqttSession::MqttSession(const MqttAccount& account, Outbox& outbox)
    : account_(account), outbox_(outbox) {
    prepare_library();
    client_.reset(mosquitto_new(account_.client_id.c_str(), true, this));
}

MqttSession::~MqttSession() {
    std::deque<Encoded> events;
    for (auto& sent : in_flight_) events.push_back(std::move(sent.event));
    outbox_.offline(std::move(events));
}

void MqttSession::on_connect(int code) {
    connected_ = code == 0;
    if (!connected_) {
        refusal_ = std::string("the broker refuses the login: ") + mosquitto_connack_string(code);
    }
}

void MqttSession::on_acknowledged(int id) {
    if (id == state_id_) state_id_ = 0;
    std::erase_if(in_flight_, [&](const InFlight& sent) { return sent.id == id; });
}

/// Gives libmosquitto what it must know before it connects; what is wrong, or nothing.
std::string MqttSession::prepare() {
    if (!client_) return std::strerror(errno);
    mosquitto* const m = client_.get();
    mosquitto_connect_callback_set(
        m, [](mosquitto*, void* self, int code) { session(self).on_connect(code); });
    mosquitto_publish_callback_set(
        m, [](mosquitto*, void* self, int id) { session(self).on_acknowledged(id); });
    mosquitto_log_callback_set(m, [](mosquitto*, void* self, int level, const char* text) {
        if (level == MOSQ_LOG_ERR) session(self).on_error(text);
    });
    const std::string offline = "offline";
    int code =
        mosquitto_will_set(m, (account_.topic + "/status").c_str(),
                           static_cast<int>(offline.size()), offline.data(), at_least_once, true);
    if (code != MOSQ_ERR_SUCCESS) return account_.topic + ": " + mosquitto_strerror(code);
    if (!account_.user.empty()) {
        std::string fault, password;
        const bool wanted = !account_.password_file.empty();
        if (wanted) password = read_password(account_.password_file, fault);
        if (!fault.empty()) return fault;
        code = mosquitto_username_pw_set(m, account_.user.c_str(),
                                         wanted ? password.c_str() : nullptr);
    }
    if (code == MOSQ_ERR_SUCCESS && account_.tls) {
        if (account_.ca.empty()) {
            code = mosquitto_int_option(m, MOSQ_OPT_TLS_USE_OS_CERTS, 1);
        } else if (access(account_.ca.c_str(), R_OK) != 0) {
            return account_.ca + ": " + std::strerror(errno);
        } else {
            code = mosquitto_tls_set(m, account_.ca.c_str(), nullptr, nullptr, nullptr, nullptr);
        }
    }
    return code == MOSQ_ERR_SUCCESS ? "" : because(code);
}

std::string MqttSession::because(int code) const {
    if (!refusal_.empty()) return refusal_;
    std::string text = code == MOSQ_ERR_ERRNO ? std::strerror(errno) : mosquitto_strerror(code);
    if (!error_.empty()) text += " (" + error_ + ')';
    return text;
}

std::string MqttSession::connect() {
    if (auto fault = prepare(); !fault.empty()) return fault;
    const auto& [host, port] = account_.endpoint;
    int code = mosquitto_connect_async(client_.get(), host.c_str(), port, keepalive_s);
    const auto limit = Clock::now() + answer_within;
    while (code == MOSQ_ERR_SUCCESS && !connected_) {
        if (outbox_.closed()) return "the daemon ends";
        if (Clock::now() > limit) return "it does not answer";
        code = serve_socket();
    }
    return code == MOSQ_ERR_SUCCESS ? "" : because(code);
}

std::string MqttSession::run(const std::function<void()>& connected) {
    if (auto fault = connect(); !fault.empty()) return fault;
    outbox_.online();
    connected();
    int code = send("status", "online", true, nullptr);
    auto limit = Clock::time_point::max();
    while (code == MOSQ_ERR_SUCCESS) {
        code = send_what_waits();
        if (outbox_.closed()) {
            const bool all_sent = outbox_.empty() && in_flight_.empty() && state_id_ == 0;
            limit = std::min(limit, Clock::now() + farewell);
            if (all_sent || Clock::now() >= limit) {
                say_goodbye();
                return "the daemon ends";
            }
        }
        if (code == MOSQ_ERR_SUCCESS) code = serve_socket();
    }
    return because(code);
}

/// Waits for the socket or the outbox, and does what the connection needs.
int MqttSession::serve_socket() {
    mosquitto* const m = client_.get();
    const bool want_write = mosquitto_want_write(m) || !opened_;
    std::array<pollfd, 2> fds{
        {{mosquitto_socket(m), static_cast<short>(want_write ? POLLIN | POLLOUT : POLLIN), 0},
         {outbox_.bell(), POLLIN, 0}}};
    // libmosquitto wants to be asked about the keepalive each second; at the end time is short.
    constexpr int usually_ms = 1000, at_the_end_ms = 20;
    poll(fds.data(), fds.size(), outbox_.closed() ? at_the_end_ms : usually_ms);
    outbox_.hush();
    int code = MOSQ_ERR_SUCCESS;
    // TLS may hold a message back that the socket no longer shows.
    if (connected_ || (fds[0].revents & ~POLLOUT) != 0) code = mosquitto_loop_read(m, 1);
    if (code == MOSQ_ERR_SUCCESS && (fds[0].revents & POLLOUT) != 0) {
        opened_ = true;
        code = mosquitto_loop_write(m, 1);
    }
    return code == MOSQ_ERR_SUCCESS ? mosquitto_loop_misc(m) : code;
}

/// Events in their order, then the state as it stands behind them.
int MqttSession::send_what_waits() {
    auto parcel = outbox_.take(most_in_flight - in_flight_.size(), state_id_ == 0);
    int code = MOSQ_ERR_SUCCESS;
    for (auto& event : parcel.events) {
        in_flight_.push_back({0, std::move(event)});
        if (code == MOSQ_ERR_SUCCESS) {
            code = send("event", in_flight_.back().event.line, false, &in_flight_.back().id);
        }
    }
    if (!parcel.welcome || code != MOSQ_ERR_SUCCESS) return code;
    if (auto hello = parcel.welcome->hello_line(); hello != hello_) {
        hello_ = std::move(hello);
        code = send("hello", hello_, true, nullptr);
    }
    if (code != MOSQ_ERR_SUCCESS) return code;
    return send("state", parcel.welcome->state_lines().front(), true, &state_id_);
}

int MqttSession::send(const std::string& subtopic, const std::string& text, bool retained,
                      int* id) {
    return mosquitto_publish(client_.get(), id, (account_.topic + '/' + subtopic).c_str(),
                             static_cast<int>(text.size()), text.data(), at_least_once, retained);
}

/// A broker that does not get this any more announces the will, which says the same.
void MqttSession::say_goodbye() {
    send("status", "offline", true, nullptr);
    mosquitto_disconnect(client_.get());
}

}  // namespace xq::daemon
