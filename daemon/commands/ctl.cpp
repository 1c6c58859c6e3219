// xiangqictl: the arbiter's calls from a shell, over the daemon's Unix socket (ARBITER.md), and
// what the broadcast says, for an engine.
#include "config/load.hpp"
#include "daemon/commands/ctl_channel.hpp"
#include "daemon/commands/ctl_exit.hpp"
#include "daemon/commands/ctl_follow.hpp"
#include "daemon/commands/ctl_token.hpp"
#include "daemon/commands/ctl_view.hpp"
#include "protocol/json_rpc.hpp"

#include <unistd.h>
#include <CLI/CLI.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>

namespace {

using namespace xq;
using ctl::no_daemon;
using ctl::ok;
using ctl::refused;
using ctl::silence_ms;
using ctl::wrong_use;
namespace json = boost::json;

// The daemon answers within milliseconds unless its disk is dying.
constexpr int answer_ms = 10'000;
constexpr int self_test_ms = 500;

constexpr const char* default_config = "/etc/xiangqid/xiangqid.toml";

enum class Kind : std::uint8_t { Text, Number, Time, Running };

struct Parameter {
    const char* name;  ///< as in the channel
    Kind kind;
    bool needed;
    const char* help;
};
/// A method that the shell only has to pass on.
struct Command {
    const char* method;
    const char* help;
    std::vector<Parameter> parameters;
};

const std::vector<Command>& commands() {
    static const Parameter side{"side", Kind::Text, true, "red or black"};
    static const std::vector<Command> all{
        {"game.new",
         "Begin the next game; names left out stay",
         {{"start_fen", Kind::Text, false, "where it starts, if not from the start array"},
          {"red", Kind::Text, false, "Red's name"},
          {"black", Kind::Text, false, "Black's name"},
          {"event", Kind::Text, false, "name of the event"}}},
        {"game.pause", "Stop both clocks; what hands do does not count", {}},
        {"game.resume", "Let the clock of the side to move run", {}},
        {"game.result",
         "End the game, or correct its result",
         {{"result", Kind::Text, true, "1-0, 0-1, 1/2-1/2 or 0-0"},
          {"reason", Kind::Text, true, "a ruling code, as in late, arbiter, conduct"}}},
        {"game.takeback",
         "Take moves back",
         {{"to_ply", Kind::Number, true, "the last ply that stands"}}},
        {"game.stand",
         "Let the illegal move stand that waits to be ruled",
         {{"ply", Kind::Number, true, "its ply"}}},
        {"game.move",
         "Say which move it was, or replace an earlier one",
         {{"iccs", Kind::Text, true, "the move, as in h2e2"},
          {"ply", Kind::Number, false, "the ply that it replaces"}}},
        {"position.set",
         "Go on from another position",
         {{"fen", Kind::Text, true, "FEN, in quotes"}}},
        {"board.accept", "Make the pieces as they stand the official position", {}},
        {"board.designate",
         "Say where a piece between two points belongs (5.10)",
         {{"point", Kind::Text, true, "as in e2"}}},
        {"touch.adjust", "A player has announced that he sets pieces straight (5.6)", {side}},
        {"clock.set",
         "Set both clocks",
         {{"red_ms", Kind::Time, true, "Red's time: 45:00, 1:00:00 or milliseconds"},
          {"black_ms", Kind::Time, true, "Black's time"},
          {"running", Kind::Running, true, "whose runs: red, black or none"}}},
        {"ruling.confirm",
         "Let a proposed ruling take effect",
         {{"id", Kind::Number, true, "its number"}}},
        {"ruling.dismiss", "Declare a ruling void", {{"id", Kind::Number, true, "its number"}}},
        {"foul.add", "Give a foul of conduct", {side, {"reason", Kind::Text, true, "in words"}}},
        {"draw.offer", "A player offers a draw", {side}},
        {"draw.accept", "A player accepts the draw", {side}},
        {"draw.decline", "A player declines the draw", {side}},
        {"resign", "A player resigns", {side}},
        {"claim.natural_limit", "A player claims the natural limit (22.2)", {side}},
        {"claim.repetition", "A player claims a repetition (23)", {side}},
    };
    return all;
}

/// "1:00:00", "45:00" or milliseconds; nothing for other texts.
std::optional<std::int64_t> read_time(std::string_view text) {
    std::int64_t total = 0;
    const bool milliseconds = text.find(':') == std::string_view::npos;
    for (bool more = true; more;) {
        const auto colon = std::min(text.find(':'), text.size());
        std::int64_t part = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + colon, part);
        if (error != std::errc{} || end != text.data() + colon || part < 0 || part > 0xFFFFFFFF) {
            return {};
        }
        total = total * 60 + part;
        more = colon < text.size();
        text.remove_prefix(std::min(colon + 1, text.size()));
        if (more && text.empty()) return {};
    }
    return milliseconds ? total : total * 1000;
}

/// An argument as the channel wants it; what is no number goes as text, and the check of the call
/// says what is wrong.
json::value argument(Kind kind, const std::string& text) {
    if (kind == Kind::Running && text == "none") return nullptr;
    if (kind == Kind::Number) {
        std::int64_t n = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
        if (error == std::errc{} && end == text.data() + text.size()) return n;
    }
    if (kind == Kind::Time) {
        if (const auto ms = read_time(text)) return *ms;
    }
    return json::value(text);
}

struct Options {
    std::string config;
    std::string socket;
    bool raw = false;
};

/// The section [arbiter] of the configuration that was named or is the usual one.
std::optional<config::Arbiter> configuration(const Options& options) {
    if (options.config.empty() && !std::filesystem::exists(default_config)) {
        return config::Arbiter{};
    }
    const std::string file = options.config.empty() ? default_config : options.config;
    const config::Loaded loaded = config::load(file);
    for (const auto& problem : loaded.problems) std::cerr << text(file, problem) << '\n';
    return loaded.ok() ? std::optional(loaded.settings.arbiter) : std::nullopt;
}

/// The socket that was named, or that of the configuration.
std::optional<std::string> socket_path(const Options& options) {
    if (!options.socket.empty()) return options.socket;
    const auto arbiter = configuration(options);
    return arbiter ? std::optional(arbiter->socket) : std::nullopt;
}

class Client {
public:
    Client(const Options& options, ctl::Channel channel)
        : raw_(options.raw), colours_(::isatty(STDOUT_FILENO) == 1), channel_(std::move(channel)) {}

    /// Calls, and passes the result on to `show` unless it is wanted raw.
    template <class Show>
    int call(std::string_view method, const json::object& params, Show&& show) {
        const auto reply = ask(method, params);
        if (!reply) return lost();
        if (raw_) std::cout << json::serialize(*reply) << '\n';
        if (const json::value* const error = reply->if_contains("error")) {
            std::cerr << "xiangqictl: " << std::string_view(error->at("message").as_string())
                      << '\n';
            return refused;
        }
        if (!raw_) show(reply->at("result").as_object());
        return ok;
    }

    int simple(std::string_view method, const json::object& params) {
        return call(method, params,
                    [](const json::object& done) { std::cout << ctl::done_text(done); });
    }
    int status() {
        return call("status", {}, [&](const json::object& status) {
            std::cout << ctl::status_text(status, colours_);
        });
    }
    int board(bool follow) {
        for (;;) {
            const int exit = call("board.status", {}, [&](const json::object& board) {
                if (follow && colours_) std::cout << clear;
                std::cout << ctl::points_text(board, colours_) << std::flush;
            });
            if (exit != ok || !follow) return exit;
            ::usleep(self_test_ms * 1000);
        }
    }
    int save(const std::string& format, const std::string& file) {
        return call("record.export", {{"format", format}}, [&](const json::object& record) {
            const std::string_view text = record.at("text").as_string();
            if (file.empty()) {
                std::cout << text;
                return;
            }
            std::ofstream out(file, std::ios::binary);
            out << text;
            out.close();
            if (!out) throw std::runtime_error(file + " cannot be written");
        });
    }
    int watch() {
        const int exit = call("watch", {}, [](const json::object&) {});
        if (exit != ok) return exit;
        ctl::Live live;
        while (const auto line = channel_.read_line(silence_ms)) {
            const json::value parsed = json::parse(*line);
            const json::object& message = parsed.at("params").as_object();
            live.take(message);
            if (raw_) {
                std::cout << json::serialize(message) << std::endl;
            } else if (colours_) {
                std::cout << clear << live.screen() << std::flush;
            } else if (const auto text = ctl::line_text(message); !text.empty()) {
                std::cout << text << std::endl;
            }
        }
        return lost();
    }

private:
    static constexpr std::string_view clear = "\x1b[H\x1b[2J";

    std::optional<json::object> ask(std::string_view method, const json::object& params) {
        const std::string request = json::serialize(
            json::object{{"jsonrpc", "2.0"}, {"id", 1}, {"method", method}, {"params", params}});
        // The daemon would say the same; here it costs no connection and no journal line.
        if (const auto checked = protocol::parse_call(request); !checked) {
            throw CLI::ValidationError(std::string(method), checked.error().message);
        }
        if (!channel_.send(request)) return {};
        const auto line = channel_.read_line(answer_ms);
        return line ? std::optional(json::parse(*line).as_object()) : std::nullopt;
    }
    static int lost() {
        std::cerr << "xiangqictl: the daemon does not answer\n";
        return no_daemon;
    }

    bool raw_;
    bool colours_;
    ctl::Channel channel_;
};

/// Connects and lets `work` talk.
template <class Work>
int with_daemon(const Options& options, Work&& work) {
    const auto path = socket_path(options);
    if (!path) return wrong_use;
    auto channel = ctl::Channel::open(*path);
    if (!channel) {
        std::cerr << "xiangqictl: " << channel.error().what << '\n';
        return no_daemon;
    }
    Client client(options, std::move(*channel));
    return work(client);
}

/// A subcommand for a method: what is needed by position, the rest as options.
void add(CLI::App& app, const Command& command, Options& options, int& exit) {
    CLI::App* const sub = app.add_subcommand(command.method, command.help);
    auto given = std::make_shared<std::vector<std::string>>(command.parameters.size());
    for (std::size_t i = 0; i < command.parameters.size(); ++i) {
        const Parameter& p = command.parameters[i];
        CLI::Option* const option =
            sub->add_option((p.needed ? "" : "--") + std::string(p.name), (*given)[i], p.help);
        if (p.needed) option->required();
    }
    sub->callback([&command, &options, &exit, sub, given] {
        json::object params;
        for (std::size_t i = 0; i < command.parameters.size(); ++i) {
            const Parameter& p = command.parameters[i];
            if (sub->count((p.needed ? "" : "--") + std::string(p.name)) == 0) continue;
            params[p.name] = argument(p.kind, (*given)[i]);
        }
        exit = with_daemon(options,
                           [&](Client& client) { return client.simple(command.method, params); });
    });
}

int run(int argc, char** argv) {
    CLI::App app{
        "The arbiter's calls to xiangqid.\n"
        "Exit: 0 done, 1 refused, 2 wrong use, 3 no daemon."};
    app.name("xiangqictl");
    app.require_subcommand(1);
    app.fallthrough();
    Options options;
    int exit = ok;
    app.add_option("--config", options.config, "the daemon's configuration, for its socket");
    app.add_option("--socket", options.socket, "the daemon's socket itself");
    app.add_flag("--json", options.raw, "print answers and messages as they come");

    app.add_subcommand("status", "The game, and what waits for a decision")->callback([&] {
        exit = with_daemon(options, [](Client& client) { return client.status(); });
    });
    bool follow = false;
    CLI::App* const board = app.add_subcommand("board", "Self-test: every point of the board");
    board->alias("board.status");
    board->add_flag("--follow", follow, "again and again, while somebody lifts the pieces");
    board->callback(
        [&] { exit = with_daemon(options, [&](Client& client) { return client.board(follow); }); });
    app.add_subcommand("watch", "The live board, undelayed")->callback([&] {
        exit = with_daemon(options, [](Client& client) { return client.watch(); });
    });
    ctl::add_follow_command(app, exit);
    std::string format = "pgn";
    std::string file;
    CLI::App* const save = app.add_subcommand("export", "The record of the game");
    save->alias("record.export");
    save->add_option("format", format, "pgn, dhtmlxq, txt or html (for print), log")
        ->capture_default_str();
    save->add_option("-o,--output", file, "into this file instead of standard output");
    save->callback([&] {
        exit = with_daemon(options, [&](Client& client) { return client.save(format, file); });
    });
    ctl::add_token_commands(
        app,
        [&]() -> std::optional<std::string> {
            const auto arbiter = configuration(options);
            return arbiter ? std::optional(arbiter->token_file) : std::nullopt;
        },
        exit);
    for (const Command& command : commands()) add(app, command, options, exit);

    try {
        app.parse(argc, argv);
        return exit;
    } catch (const CLI::ParseError& e) {
        return app.exit(e) == 0 ? ok : wrong_use;
    }
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return run(argc, argv);
    } catch (const std::exception& e) {
        std::fprintf(stderr, "xiangqictl: %s\n", e.what());
        return refused;
    }
}
