// xiangqi-replay: sensor logs and journals through the same referee as the daemon's, in virtual
// time, as fast as it goes. Standard output is the broadcast, byte for byte the same each run, or
// the games as records. Game records are played by hands that take the time they tell.
#include "config/load.hpp"
#include "daemon/commands/replay_record.hpp"
#include "daemon/export.hpp"
#include "daemon/from_settings.hpp"
#include "protocol/sensor_log.hpp"
#include "rules/record/read_record.hpp"

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>

namespace {

using namespace xq;

constexpr int exit_bad_input = 2;

/// A whole log, read and found good before anything is printed, with what it is played by.
struct Log {
    daemon::PastLog past;
    config::Settings settings;
};

std::optional<std::string> read_file(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(in), {}};
    if (in.is_open() && !in.bad()) return text;
    std::cerr << file << ": cannot be read: " << std::strerror(errno) << '\n';
    return {};
}

/// Reads a log; on a fault says where and gives nothing.
std::optional<daemon::PastLog> read_log(const std::string& file, const std::string& text) {
    daemon::PastLog log;
    protocol::LogReader reader;
    for (std::size_t from = 0; from < text.size();) {
        const std::size_t end = std::min(text.find('\n', from), text.size());
        auto event = reader.next(std::string_view(text).substr(from, end - from));
        if (!event) {
            const auto& fault = event.error();
            std::cerr << file << ':' << reader.line() << ':' << fault.at + 1 << ": " << fault.what
                      << '\n';
            return {};
        }
        if (*event) log.events.push_back(std::move(**event));
        from = end + 1;
    }
    if (reader.line() == 0) {
        std::cerr << file << ":1:1: the log is empty\n";
        return {};
    }
    log.header = reader.header();
    return log;
}

/// The settings of a file or of a journal's head; on faults says where and gives nothing.
std::optional<config::Settings> settings_of(const config::Loaded& loaded, const std::string& file) {
    for (const auto& problem : loaded.problems) std::cerr << text(file, problem) << '\n';
    return loaded.ok() ? std::optional(loaded.settings) : std::nullopt;
}

class Printer {
public:
    explicit Printer(const config::Settings& settings)
        : board_(settings.board), rulebook_(text(settings.game.rulebook)) {}

    static void print(const protocol::Hello& hello) { put(protocol::encode(hello)); }
    void print(const protocol::Message& message) {
        put(protocol::encode(message, ++seq_, {.board = board_, .rulebook = rulebook_, .t0 = 0}));
    }
    void print(std::vector<protocol::Message>& messages) {
        for (const auto& message : messages) print(message);
        messages.clear();
    }

private:
    static void put(const std::string& line) {
        std::fwrite(line.data(), 1, line.size(), stdout);
        std::fputc('\n', stdout);
    }

    std::string board_;
    std::string rulebook_;
    std::uint64_t seq_ = 0;
};

/// A sensor log or a game record, by its first line; on a fault says where and gives nothing.
std::optional<Log> read(const std::string& file, const std::optional<config::Settings>& given) {
    const auto text = read_file(file);
    if (!text) return {};
    if (text->empty() || text->starts_with('#')) {
        auto past = read_log(file, *text);
        if (!past) return {};
        auto settings = given;
        if (!settings && past->header.config.empty()) settings.emplace();
        if (!settings) settings = settings_of(config::read_json(past->header.config), file);
        if (!settings) return {};
        return Log{std::move(*past), *settings};
    }
    const auto record = rules::record::read_record(*text);
    if (!record) {
        std::cerr << file << ": " << record.error().what << '\n';
        return {};
    }
    return Log{replay::log_of(*record), given ? *given : replay::settings_of(*record)};
}

/// Feeds the whole log to a fresh table and prints what it says.
void replay_stream(const Log& all) {
    const auto& [log, settings] = all;
    referee::Table table(daemon::regulations(settings), daemon::game_start(log.header, settings));
    Printer printer(settings);
    referee::Output out;
    auto event = log.events.begin();

    // What the board senses belongs into `hello`, and the log's first line tells it.
    const protocol::Message state = table.newcomer().front();
    if (event != log.events.end() && std::holds_alternative<protocol::event::Hello>(event->event)) {
        table.handle(*event++, out);
    }
    Printer::print(daemon::hello(table, settings, 0));
    printer.print(state);
    printer.print(out.messages);
    for (; event != log.events.end(); ++event) {
        table.handle(*event, out);
        printer.print(out.messages);
    }
}

daemon::FileStyle style_of(const std::string& format, const std::string& lang) {
    daemon::FileStyle style;
    style.format = format == "dhtmlxq" ? daemon::FileFormat::DhtmlXq
                   : format == "txt"   ? daemon::FileFormat::Text
                   : format == "html"  ? daemon::FileFormat::Html
                                       : daemon::FileFormat::Pgn;
    if (lang == "en") style.language = rules::Language::English;
    return style;
}

/// Prints the games in which something was played or decided; on a fault says which and gives
/// false.
bool print_records(const Log& log, const std::string& file, const daemon::FileStyle& style) {
    for (const auto& game : daemon::games_of(log.past, log.settings)) {
        if (game.score->plies.empty() && !game.score->result) continue;
        const auto text = daemon::write_file(game, style);
        if (!text) {
            std::cerr << file << ": " << text.error().what << '\n';
            return false;
        }
        std::cout << *text << '\n';
    }
    return true;
}

}  // namespace

int main(int argc, char** argv) try {
    CLI::App app("Replays sensor logs and journals through the referee and prints the broadcast.",
                 "xiangqi-replay");
    std::string config_file;
    std::vector<std::string> files;
    app.add_option("--config", config_file, "configuration, as for the daemon");
    std::string format;
    std::string lang = "zh";
    app.add_option("--record", format, "print the games instead: pgn, dhtmlxq, txt or html")
        ->check(CLI::IsMember({"pgn", "dhtmlxq", "txt", "html"}));
    app.add_option("--lang", lang, "of --record: zh or en")
        ->check(CLI::IsMember({"zh", "en"}))
        ->capture_default_str();
    app.add_option("FILE", files, "sensor logs, journals or game records")->required();
    app.set_version_flag("--version", std::string(daemon::server_name()));
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : exit_bad_input;
    }

    std::optional<config::Settings> given;
    if (!config_file.empty()) {
        given = settings_of(config::load(config_file), config_file);
        if (!given) return exit_bad_input;
    }
    for (const auto& file : files) {
        const auto log = read(file, given);
        if (!log) return exit_bad_input;
        if (format.empty())
            replay_stream(*log);
        else if (!print_records(*log, file, style_of(format, lang)))
            return exit_bad_input;
    }
    std::cout.flush();
    return std::fflush(stdout) == 0 && std::ferror(stdout) == 0 ? 0 : 1;
} catch (const std::exception& error) {
    std::fprintf(stderr, "xiangqi-replay: %s\n", error.what());
    return 1;
}
