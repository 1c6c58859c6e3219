#pragma once
// Everything that can be configured, as a plain value: the members' initial values are the defaults
// and stand nowhere else. Owned by whoever loaded it; read-only afterwards. Keys and their meaning
// for people: `xiangqid.toml` beside this file and the man page.
#include "config/time_control.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace xq::config {

/// Where to listen or connect: a host (an address or a name; IPv6 without brackets) and a port.
struct Endpoint {
    std::string host;
    std::uint16_t port = 0;
    bool operator==(const Endpoint&) const = default;
};
/// "host:port" or "[v6]:port" with a port from 0 to 65535 (0: the system chooses); else nothing.
std::optional<Endpoint> read_endpoint(std::string_view text);
std::string write_endpoint(const Endpoint& endpoint);

enum class Driver : std::uint8_t { Usb, Sim, Log };
enum class Rulebook : std::uint8_t { Cxa2010, Cxa1999, Asian };
enum class Level : std::uint8_t { National, Provincial, Youth };
enum class Rulings : std::uint8_t { Propose, Automatic };
enum class Completion : std::uint8_t { Press, Settle };
enum class ClockSource : std::uint8_t { Daemon, Board, None };

struct Event {
    std::string name;
    std::string round;
    std::string red;
    std::string black;
    bool operator==(const Event&) const = default;
};

struct Sensor {
    Driver driver = Driver::Usb;
    std::vector<std::string> ids;
    std::string serial;
    bool rotated = false;
    std::string log;
    double speed = 1.0;
    bool operator==(const Sensor&) const = default;
};

struct Game {
    Rulebook rulebook = Rulebook::Cxa2010;
    Level level = Level::National;
    Rulings rulings = Rulings::Propose;
    Completion completion = Completion::Press;
    int settle_ms = 400;
    int lift_ms = 80;
    int released_ms = 2000;
    int natural_limit = 60;
    int draw_offer_surplus = 2;
    bool operator==(const Game&) const = default;
};

struct Clock {
    ClockSource source = ClockSource::Daemon;
    TimeControl control{"60m+30s", {{60 * minute, 0, 30 * second}}};
    Millis red_extra = 0;
    Millis outage = 10 * second;
    bool operator==(const Clock&) const = default;
};

struct Broadcast {
    std::optional<Endpoint> listen = Endpoint{"0.0.0.0", 9955};
    std::optional<Endpoint> http = Endpoint{"0.0.0.0", 9956};
    Millis delay = 0;
    int max_clients = 4096;
    int max_per_address = 64;
    bool operator==(const Broadcast&) const = default;
};

struct Arbiter {
    std::string socket = "/run/xiangqid/arbiter.sock";
    std::optional<Endpoint> listen;
    std::optional<Endpoint> https;
    std::string certificate;
    std::string key;
    std::string token_file;
    bool operator==(const Arbiter&) const = default;
};

struct Journal {
    std::string directory = "/var/lib/xiangqid";
    bool operator==(const Journal&) const = default;
};

struct Mqtt {
    std::string broker;
    std::string ca;
    std::string user;
    std::string password_file;
    std::string topic = "xiangqi/{event}/{board}";
    bool operator==(const Mqtt&) const = default;
};

struct Settings {
    std::string board = "table-01";
    Event event;
    Sensor sensor;
    Game game;
    Clock clock;
    Broadcast broadcast;
    Arbiter arbiter;
    Journal journal;
    Mqtt mqtt;
    bool operator==(const Settings&) const = default;
};

/// The name that the configuration gives to a choice.
std::string_view text(Driver choice);
std::string_view text(Rulebook choice);
std::string_view text(Level choice);
std::string_view text(Rulings choice);
std::string_view text(Completion choice);
std::string_view text(ClockSource choice);

}  // namespace xq::config
