#pragma once
// One connection to an MQTT broker, from looking up its name to its end: sends what lies in the
// outbox, and knows what the broker has acknowledged. Lives on the publisher's thread; libmosquitto
// is named nowhere but in its source.
#include "config/settings.hpp"
#include "daemon/outbox.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <string>

struct mosquitto;

namespace xq::daemon {

/// How to reach the broker, and under which topics.
struct MqttAccount {
    std::string broker;  ///< "mqtt://host:1883", for the log
    config::Endpoint endpoint;
    bool tls = false;
    std::string ca;  ///< a file; empty: the system's authorities
    std::string user;
    std::string
        password_file;  ///< read at each connection, so that a new password needs no restart
    std::string topic;
    /// The same after each restart, so that a broker that has not noticed the end of an old
    /// connection ends it, with its will, before the new one says that the board is online.
    std::string client_id;
};
MqttAccount mqtt_account(const config::Settings& settings);

class MqttSession {
public:
    MqttSession(const MqttAccount& account, Outbox& outbox);
    MqttSession(const MqttSession&) = delete;
    MqttSession& operator=(const MqttSession&) = delete;
    /// What was not acknowledged goes back into the outbox.
    ~MqttSession();

    /// Connects, says so by `connected`, and serves until the connection ends or the outbox is
    /// closed and what it holds is sent, or had time to be. Returns why it ended, without a secret.
    std::string run(const std::function<void()>& connected);

    // Called by libmosquitto.
    void on_connect(int code);
    void on_acknowledged(int id);
    void on_error(const char* text) { error_ = text; }

private:
    struct InFlight {
        int id;
        Encoded event;
    };
    struct Free {
        void operator()(mosquitto* client) const;
    };

    std::string prepare();
    std::string connect();
    int serve_socket();
    int send_what_waits();
    int send(const std::string& subtopic, const std::string& text, bool retained, int* id);
    void say_goodbye();
    std::string because(int code) const;

    const MqttAccount& account_;
    Outbox& outbox_;
    std::unique_ptr<mosquitto, Free> client_;
    bool opened_ = false;  ///< the connection of the network stands
    bool connected_ = false;
    std::string refusal_;
    std::string error_;  ///< libmosquitto's last word
    std::deque<InFlight> in_flight_;
    int state_id_ = 0;   ///< of the state that is not acknowledged; 0: none
    std::string hello_;  ///< as it was last sent
};

}  // namespace xq::daemon
