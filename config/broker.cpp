#include "config/broker.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace xq::config {

namespace {

// MQTT's limit of 65,535 bytes, less what the daemon appends; no broker wants a tenth of it.
constexpr std::size_t longest_topic = 65'000;

/// A name as one level of a topic.
std::string level(std::string name) {
    constexpr std::string_view reserved("+#/\0", 4);
    for (char& c : name) {
        if (reserved.find(c) != std::string_view::npos) c = '_';
    }
    return name.empty() ? "_" : name;
}

}  // namespace

std::optional<Broker> read_broker(std::string_view text) {
    constexpr std::string_view plain = "mqtt://";
    constexpr std::string_view secure = "mqtts://";
    const bool tls = text.starts_with(secure);
    if (!tls && !text.starts_with(plain)) return {};
    auto endpoint = read_endpoint(text.substr(tls ? secure.size() : plain.size()));
    if (!endpoint || endpoint->port == 0 ||
        endpoint->host.find_first_of("@/ ") != std::string::npos) {
        return {};
    }
    return Broker{std::move(*endpoint), tls};
}

std::string topic(const Settings& settings) {
    const std::array<std::pair<std::string_view, std::string>, 2> names{
        {{"{event}", level(settings.event.name)}, {"{board}", level(settings.board)}}};
    std::string_view rest = settings.mqtt.topic;
    std::string topic;
    while (!rest.empty()) {
        const auto* const name = std::find_if(
            names.begin(), names.end(), [&](const auto& n) { return rest.starts_with(n.first); });
        if (name == names.end()) {
            topic += rest.front();
            rest.remove_prefix(1);
        } else {
            topic += name->second;
            rest.remove_prefix(name->first.size());
        }
    }
    // Topics of this beginning are the broker's own.
    if (topic.starts_with('$')) topic.front() = '_';
    return topic;
}

std::string topic_fault(const Settings& settings) {
    // Braces and a dollar that are written into the topic itself, not into a name.
    Settings bare = settings;
    bare.event.name = bare.board = "x";
    const std::string written = topic(bare);
    if (settings.mqtt.topic.find_first_of("+#") != std::string::npos) {
        return "must not hold `+` or `#`, which MQTT reserves";
    }
    if (written.find_first_of("{}") != std::string::npos) {
        return "knows the placeholders {event} and {board} only";
    }
    if (settings.mqtt.topic.starts_with('$')) {
        return "must not begin with `$`: such topics are the broker's own";
    }
    if (topic(settings).size() > longest_topic) return "is too long for MQTT";
    return {};
}

}  // namespace xq::config
