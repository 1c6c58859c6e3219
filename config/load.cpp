#include "config/load.hpp"

#include "config/keys.hpp"

// toml++ 3.3 asserts, and lets clang assume in a release build, what `[#` at a line's start breaks;
// without the assertion the error that follows it is reported like any other.
#define TOML_EXCEPTIONS 0
#define TOML_HEADER_ONLY 1
#define TOML_ASSERT(condition) static_assert(true)
#pragma push_macro("NDEBUG")
#undef NDEBUG
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

#include <algorithm>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <set>
#include <sstream>

namespace xq::config {

namespace {

// Ten times a generous configuration; a parser need not see more.
constexpr std::size_t largest_file = std::size_t{256} << 10U;

Problem problem_at(const toml::source_region& place, std::string what) {
    return {place.begin.line, place.begin.column, std::move(what)};
}

std::string quoted(std::string_view text) {
    return "`" + std::string(text) + "`";
}

/// Texts go into log lines and headers, so none may break a line.
bool has_control(std::string_view text) {
    return std::any_of(text.begin(), text.end(),
                       [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
}

/// Walks the table of keys and takes each key that the text has into its member.
class Reader {
public:
    Reader(const toml::table& root, std::vector<Problem>& problems)
        : root_(root), problems_(problems) {}

    void section(std::string_view name) {
        section_ = name;
        known_.emplace_back(name);
        if (name.empty()) {
            table_ = &root_;
            return;
        }
        const auto* const node = root_.get(name);
        table_ = node != nullptr ? node->as_table() : nullptr;
        if (node != nullptr && table_ == nullptr) {
            fail(*node, quoted(name) + " is a section: write [" + std::string(name) + "]");
        }
    }

    void key(std::string_view name, std::string& member, Text rule) {
        if (const auto* const node = find(name)) read_text(name, *node, member, rule);
    }
    void key(std::string_view name, std::vector<std::string>& member, Text rule) {
        const auto* const node = find(name);
        if (node == nullptr) return;
        const auto* const array = node->as_array();
        if (array == nullptr) return fail(*node, full(name) + " must be a list, as in [\"a\"]");
        member.clear();
        for (const auto& element : *array) {
            read_text(name, element, member.emplace_back(), rule);
        }
    }
    void key(std::string_view name, bool& member) {
        const auto* const node = find(name);
        if (node == nullptr) return;
        const auto value = node->value_exact<bool>();
        if (!value) return fail(*node, full(name) + " must be true or false");
        member = *value;
    }
    void key(std::string_view name, int& member, Range range) {
        const auto* const node = find(name);
        if (node == nullptr) return;
        const auto value = node->value_exact<std::int64_t>();
        if (!value || *value < range.least || *value > range.most) {
            return fail(*node, full(name) + " must be a whole number from " +
                                   std::to_string(range.least) + " to " +
                                   std::to_string(range.most));
        }
        member = static_cast<int>(*value);
    }
    void key(std::string_view name, double& member, Range range) {
        const auto* const node = find(name);
        if (node == nullptr) return;
        const auto value = node->is_number() ? node->value<double>() : std::nullopt;
        // Written so that a NaN is refused too.
        if (!value || !(*value >= static_cast<double>(range.least) &&
                        *value <= static_cast<double>(range.most))) {
            return fail(*node, full(name) + " must be a number from " +
                                   std::to_string(range.least) + " to " +
                                   std::to_string(range.most));
        }
        member = *value;
    }
    void key(std::string_view name, Millis& member) {
        const auto* const node = find(name);
        if (node == nullptr) return;
        const auto text = node->value_exact<std::string_view>();
        const auto ms = text ? read_duration(*text) : std::nullopt;
        if (!ms) {
            return fail(*node, full(name) +
                                   " must be a time such as \"10s\", \"5m\" or "
                                   "\"1h30m\", at most 100 hours");
        }
        member = *ms;
    }
    void key(std::string_view name, TimeControl& member) {
        const auto* const node = find(name);
        if (node == nullptr) return;
        const auto text = node->value_exact<std::string_view>();
        if (!text) return fail(*node, full(name) + " must be a text, as in \"60m+30s\"");
        std::string fault;
        const auto control = read_time_control(*text, fault);
        if (!control) return fail(*node, full(name) + ": " + fault);
        member = *control;
    }
    void key(std::string_view name, std::optional<Endpoint>& member) {
        const auto* const node = find(name);
        if (node == nullptr) return;
        const auto text = node->value_exact<std::string_view>();
        const auto endpoint = text ? read_endpoint(*text) : std::nullopt;
        if (!endpoint && !(text && text->empty())) {
            return fail(*node, full(name) + R"( must be "host:port", or "" for none)");
        }
        member = endpoint;
    }
    template <class Choice, std::size_t n>
    void key(std::string_view name, Choice& member, std::span<const Named<Choice>, n> choices) {
        const auto* const node = find(name);
        if (node == nullptr) return;
        const auto text = node->value_exact<std::string_view>();
        const auto choice = std::find_if(choices.begin(), choices.end(),
                                         [&](const auto& c) { return text && c.text == *text; });
        if (choice != choices.end()) {
            member = choice->value;
            return;
        }
        std::string names;
        for (const auto& c : choices) names += (names.empty() ? "" : ", ") + std::string(c.text);
        fail(*node, full(name) + " must be one of: " + names);
    }

    /// Tells every key that no `key` or `section` asked for.
    void refuse_unknown() {
        for (const auto& [key, node] : root_) {
            const auto* const inner = node.as_table();
            if (!known(key.str())) {
                refuse(key, inner != nullptr ? "section [" + std::string(key.str()) + "]"
                                             : "key " + quoted(key.str()));
            } else if (inner != nullptr) {
                for (const auto& [name, value] : *inner) {
                    if (known(std::string(key.str()) + '.' + std::string(name.str()))) continue;
                    refuse(name,
                           "key " + quoted(name.str()) + " in [" + std::string(key.str()) + "]");
                }
            }
        }
    }

    /// The place of a key of the text, for what is wrong with several keys together; the start of
    /// the text where it does not stand there.
    void fail_at(std::string_view path, std::string what) {
        const auto node = root_.at_path(path);
        problems_.push_back(node ? problem_at(node.node()->source(), std::move(what))
                                 : Problem{1, 1, std::move(what)});
    }

private:
    const toml::node* find(std::string_view name) {
        known_.push_back(path(name));
        return table_ != nullptr ? table_->get(name) : nullptr;
    }
    bool known(std::string_view path) const {
        return std::find(known_.begin(), known_.end(), path) != known_.end();
    }
    std::string path(std::string_view name) const {
        return section_.empty() ? std::string(name) : section_ + '.' + std::string(name);
    }
    std::string full(std::string_view name) const { return quoted(path(name)); }

    void read_text(std::string_view name, const toml::node& node, std::string& member, Text rule) {
        const auto text = node.value_exact<std::string_view>();
        if (!text) return fail(node, full(name) + " must be a text in quotation marks");
        if (has_control(*text)) return fail(node, full(name) + " must not break a line");
        if (rule == Text::NotEmpty && text->empty()) {
            return fail(node, full(name) + " must not be empty");
        }
        member = *text;
    }
    void refuse(const toml::key& key, const std::string& what) {
        problems_.push_back(problem_at(key.source(), "there is no " + what));
    }
    void fail(const toml::node& node, std::string what) {
        problems_.push_back(problem_at(node.source(), std::move(what)));
    }

    const toml::table& root_;
    std::vector<Problem>& problems_;
    const toml::table* table_ = nullptr;
    std::string section_;
    std::vector<std::string> known_;
};

/// Keys that need each other.
void check_together(const Settings& s, Reader& reader) {
    if (s.sensor.driver == Driver::Log && s.sensor.log.empty()) {
        reader.fail_at("sensor.driver", "the driver `log` needs `sensor.log`, the file to play");
    }
    const auto& a = s.arbiter;
    for (const auto& [path, endpoint] :
         {std::pair("arbiter.listen", &a.listen), std::pair("arbiter.https", &a.https)}) {
        if (*endpoint && (a.certificate.empty() || a.key.empty() || a.token_file.empty())) {
            reader.fail_at(path, quoted(path) +
                                     " needs `certificate`, `key` and `token_file`: "
                                     "arbiters are heard over TLS and by token only");
        }
    }
    const std::string_view broker = s.mqtt.broker;
    const auto scheme = broker.find("://");
    if (!broker.empty() && ((!broker.starts_with("mqtt://") && !broker.starts_with("mqtts://")) ||
                            !read_endpoint(broker.substr(scheme + 3)))) {
        reader.fail_at("mqtt.broker",
                       R"(`mqtt.broker` must be "mqtt://host:port" or "mqtts://host:port")");
    }
}

Loaded read_table(const toml::table& table) {
    Loaded loaded;
    Reader reader(table, loaded.problems);
    for_each_key(loaded.settings, reader);
    reader.refuse_unknown();
    check_together(loaded.settings, reader);
    std::stable_sort(loaded.problems.begin(), loaded.problems.end(),
                     [](const Problem& a, const Problem& b) {
                         return std::pair(a.line, a.column) < std::pair(b.line, b.column);
                     });
    return loaded;
}

/// The sections that a journal keeps: what decides the outcome of a game. The rest belongs to the
/// machine that it was played on.
constexpr std::array<std::string_view, 4> journaled{"", "event", "game", "clock"};

class Writer {
public:
    void section(std::string_view name) {
        wanted_ = std::find(journaled.begin(), journaled.end(), name) != journaled.end();
        if (wanted_) object_ = name.empty() ? &root_ : &root_[name].emplace_object();
    }
    template <class Member, class... Rule>
    void key(std::string_view name, const Member& member, const Rule&... /*rule*/) {
        if (wanted_) (*object_)[name] = value(member);
    }
    std::string line() const { return boost::json::serialize(root_); }

private:
    static boost::json::value value(const std::string& text) { return boost::json::string(text); }
    static boost::json::value value(bool flag) { return flag; }
    static boost::json::value value(int number) { return number; }
    static boost::json::value value(double number) { return number; }
    static boost::json::value value(Millis ms) { return boost::json::string(write_duration(ms)); }
    static boost::json::value value(const TimeControl& control) {
        return boost::json::string(control.text);
    }
    static boost::json::value value(const std::optional<Endpoint>& endpoint) {
        return boost::json::string(endpoint ? write_endpoint(*endpoint) : "");
    }
    static boost::json::value value(const std::vector<std::string>& list) {
        return boost::json::array(list.begin(), list.end());
    }
    template <class Choice>
    requires std::is_enum_v<Choice>
    static boost::json::value value(Choice choice) { return boost::json::string(text(choice)); }

    boost::json::object root_;
    boost::json::object* object_ = &root_;
    bool wanted_ = false;
};

/// What JSON can say, as TOML, so that both are read and checked by the same table of keys.
toml::table to_toml(const boost::json::object& object) {
    toml::table table;
    for (const auto& [key, value] : object) {
        const std::string_view name(key.data(), key.size());
        if (const auto* const inner = value.if_object()) table.insert(name, to_toml(*inner));
        if (const auto* const text = value.if_string()) {
            table.insert(name, std::string(text->data(), text->size()));
        }
        if (const auto* const number = value.if_int64()) table.insert(name, *number);
        if (const auto* const number = value.if_double()) table.insert(name, *number);
        if (const auto* const flag = value.if_bool()) table.insert(name, *flag);
        // A journal keeps no lists and no nulls; as an empty list either is refused like any wrong
        // type.
        if (value.is_array() || value.is_null()) table.insert(name, toml::array());
    }
    return table;
}

template <class Choice, std::size_t n>
std::string_view name_of(const std::array<Named<Choice>, n>& choices, Choice choice) {
    return choices[static_cast<std::size_t>(choice)].text;
}

}  // namespace

std::string_view text(Driver choice) {
    return name_of(drivers, choice);
}
std::string_view text(Rulebook choice) {
    return name_of(rulebooks, choice);
}
std::string_view text(Level choice) {
    return name_of(levels, choice);
}
std::string_view text(Rulings choice) {
    return name_of(rulings, choice);
}
std::string_view text(Completion choice) {
    return name_of(completions, choice);
}
std::string_view text(ClockSource choice) {
    return name_of(clock_sources, choice);
}

std::optional<Endpoint> read_endpoint(std::string_view text) {
    const auto colon = text.rfind(':');
    if (colon == std::string_view::npos || has_control(text)) return {};
    std::string_view host = text.substr(0, colon);
    const std::string_view digits = text.substr(colon + 1);
    if (host.size() >= 2 && host.front() == '[' && host.back() == ']') {
        host = host.substr(1, host.size() - 2);
    } else if (host.find(':') != std::string_view::npos) {
        return {};
    }
    std::uint16_t port = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
    if (host.empty() || error != std::errc{} || end != digits.data() + digits.size()) return {};
    return Endpoint{std::string(host), port};
}

std::string write_endpoint(const Endpoint& endpoint) {
    const bool v6 = endpoint.host.find(':') != std::string::npos;
    return (v6 ? '[' + endpoint.host + ']' : endpoint.host) + ':' + std::to_string(endpoint.port);
}

std::string text(const std::string& file, const Problem& problem) {
    std::string place = file + ':';
    if (problem.line > 0) {
        place += std::to_string(problem.line) + ':' + std::to_string(problem.column) + ':';
    }
    return place + ' ' + problem.what;
}

Loaded read_toml(std::string_view text) {
    Loaded loaded;
    if (text.size() > largest_file) {
        loaded.problems.push_back({1, 1, "this is too large for a configuration"});
        return loaded;
    }
    const auto parsed = toml::parse(text);
    if (!parsed) {
        const auto& error = parsed.error();
        loaded.problems.push_back(problem_at(error.source(), std::string(error.description())));
        return loaded;
    }
    return read_table(parsed.table());
}

Loaded load(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    std::string content(largest_file + 1, '\0');
    in.read(content.data(), static_cast<std::streamsize>(content.size()));
    if (!in.is_open() || in.bad() || (in.fail() && !in.eof())) {
        Loaded loaded;
        loaded.problems.push_back({0, 0, std::string("cannot be read: ") + std::strerror(errno)});
        return loaded;
    }
    content.resize(static_cast<std::size_t>(in.gcount()));
    return read_toml(content);
}

std::string write_json(const Settings& settings) {
    Writer writer;
    for_each_key(settings, writer);
    return writer.line();
}

Loaded read_json(std::string_view line) {
    boost::system::error_code error;
    const auto value = boost::json::parse(line, error);
    if (error || !value.is_object()) {
        Loaded loaded;
        loaded.problems.push_back({0, 0, "the configuration is not one JSON object"});
        return loaded;
    }
    return read_table(to_toml(value.get_object()));
}

}  // namespace xq::config
