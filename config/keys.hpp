#pragma once
// The one table of keys: each key of the configuration, the member it sets and the values it may
// take. The loader, the writer and the tests walk it; nothing else knows a key by its name.
#include "config/settings.hpp"

#include <array>
#include <limits>
#include <span>

namespace xq::config {

template <class Choice>
struct Named {
    Choice value;
    std::string_view text;
};

inline constexpr std::array<Named<Driver>, 3> drivers{
    {{Driver::Usb, "usb"}, {Driver::Sim, "sim"}, {Driver::Log, "log"}}};
inline constexpr std::array<Named<Rulebook>, 3> rulebooks{
    {{Rulebook::Cxa2010, "cxa-2010"}, {Rulebook::Cxa1999, "cxa-1999"}, {Rulebook::Asian, "asian"}}};
inline constexpr std::array<Named<Level>, 3> levels{
    {{Level::National, "national"}, {Level::Provincial, "provincial"}, {Level::Youth, "youth"}}};
inline constexpr std::array<Named<Rulings>, 2> rulings{
    {{Rulings::Propose, "propose"}, {Rulings::Automatic, "automatic"}}};
inline constexpr std::array<Named<Completion>, 2> completions{
    {{Completion::Press, "press"}, {Completion::Settle, "settle"}}};
inline constexpr std::array<Named<ClockSource>, 3> clock_sources{
    {{ClockSource::Daemon, "daemon"}, {ClockSource::Board, "board"}, {ClockSource::None, "none"}}};

/// What a text must be; the loader says so when it is not.
enum class Text : std::uint8_t { Any, NotEmpty };
/// The least and the most that a number may be.
struct Range {
    std::int64_t least;
    std::int64_t most;
};

/// A daemon with fewer has no use, one with more no memory: a Raspberry Pi holds a few ten
/// thousand sockets.
inline constexpr Range client_range{1, 50'000};
/// Ten minutes: beyond it a threshold of the sensing can only be a slip of the pen.
inline constexpr Range threshold_range{0, 600'000};

/// Calls `section(name)` before each section and `key(name, member, rule)` for each key in it.
/// `S` is `Settings` or `const Settings`.
template <class S, class Visitor>
void for_each_key(S& s, Visitor&& v) {
    v.section("");
    v.key("board", s.board, Text::NotEmpty);
    v.section("event");
    v.key("name", s.event.name, Text::Any);
    v.key("round", s.event.round, Text::Any);
    v.key("red", s.event.red, Text::Any);
    v.key("black", s.event.black, Text::Any);
    v.section("sensor");
    v.key("driver", s.sensor.driver, std::span(drivers));
    v.key("ids", s.sensor.ids, Text::NotEmpty);
    v.key("serial", s.sensor.serial, Text::Any);
    v.key("rotated", s.sensor.rotated);
    v.key("log", s.sensor.log, Text::Any);
    v.key("speed", s.sensor.speed, Range{0, 1'000'000});
    v.section("game");
    v.key("rulebook", s.game.rulebook, std::span(rulebooks));
    v.key("level", s.game.level, std::span(levels));
    v.key("rulings", s.game.rulings, std::span(rulings));
    v.key("completion", s.game.completion, std::span(completions));
    v.key("settle_ms", s.game.settle_ms, threshold_range);
    v.key("lift_ms", s.game.lift_ms, threshold_range);
    v.key("released_ms", s.game.released_ms, threshold_range);
    v.key("natural_limit", s.game.natural_limit, Range{1, 1000});
    v.key("draw_offer_surplus", s.game.draw_offer_surplus, Range{1, 1000});
    v.section("clock");
    v.key("source", s.clock.source, std::span(clock_sources));
    v.key("control", s.clock.control);
    v.key("red_extra", s.clock.red_extra);
    v.key("outage", s.clock.outage);
    v.section("broadcast");
    v.key("listen", s.broadcast.listen);
    v.key("http", s.broadcast.http);
    v.key("delay", s.broadcast.delay);
    v.key("max_clients", s.broadcast.max_clients, client_range);
    v.key("max_per_address", s.broadcast.max_per_address, client_range);
    v.section("arbiter");
    v.key("socket", s.arbiter.socket, Text::Any);
    v.key("listen", s.arbiter.listen);
    v.key("https", s.arbiter.https);
    v.key("certificate", s.arbiter.certificate, Text::Any);
    v.key("key", s.arbiter.key, Text::Any);
    v.key("token_file", s.arbiter.token_file, Text::Any);
    v.section("journal");
    v.key("directory", s.journal.directory, Text::NotEmpty);
    v.section("mqtt");
    v.key("broker", s.mqtt.broker, Text::Any);
    v.key("ca", s.mqtt.ca, Text::Any);
    v.key("user", s.mqtt.user, Text::Any);
    v.key("password_file", s.mqtt.password_file, Text::Any);
    v.key("topic", s.mqtt.topic, Text::NotEmpty);
}

}  // namespace xq::config
