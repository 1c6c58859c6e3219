// xiangqid: referee and broadcaster of one sensor board. Reads the command line and the
// configuration, then leaves the rest to App.
#include "config/load.hpp"
#include "daemon/app.hpp"
#include "daemon/from_settings.hpp"
#include "daemon/log.hpp"

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>

namespace {

using namespace xq;

constexpr auto usual_file = "/etc/xiangqid/xiangqid.toml";
constexpr int exit_bad_configuration = 2;

/// Loads the file and tells what is wrong with it.
std::optional<config::Settings> load(const std::string& file, daemon::Log& log) {
    auto loaded = config::load(file);
    for (const auto& problem : loaded.problems) log.error(text(file, problem));
    return loaded.ok() ? std::optional(std::move(loaded.settings)) : std::nullopt;
}

int serve(const std::string& file, daemon::Log& log) {
    std::optional<config::Settings> settings;
    if (file.empty()) {
        log.info(std::string("no configuration file (") + usual_file +
                 "): everything is at its default; --config config/demo.toml shows a simulated "
                 "board");
        settings.emplace();
    } else {
        settings = load(file, log);
    }
    if (!settings) return exit_bad_configuration;
    const auto reload = [&]() -> std::optional<config::Settings> {
        if (!file.empty()) return load(file, log);
        log.info("there is no configuration file to read again");
        return {};
    };
    try {
        daemon::App app(std::move(*settings), reload, log);
        if (app.run()) return EXIT_SUCCESS;
        log.error("the journal's disk did not take the last lines in time");
        // Its thread hangs in the disk: nothing may wait for it.
        std::_Exit(EXIT_FAILURE);
    } catch (const std::exception& error) {
        log.error(error.what());
        return EXIT_FAILURE;
    }
}

}  // namespace

int main(int argc, char** argv) try {
    CLI::App command("Referees and broadcasts a game of xiangqi on a sensor board.", "xiangqid");
    std::string file;
    bool check = false;
    command.add_option("--config", file, std::string("configuration; without: ") + usual_file);
    command.add_flag("--check-config", check, "only say whether the configuration is good");
    command.set_version_flag("--version", std::string(daemon::server_name()));
    try {
        command.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return command.exit(error) == 0 ? EXIT_SUCCESS : exit_bad_configuration;
    }
    if (file.empty() && std::filesystem::exists(usual_file)) file = usual_file;

    if (check) {
        const auto loaded = file.empty() ? config::Loaded{} : config::load(file);
        for (const auto& problem : loaded.problems) std::cerr << text(file, problem) << '\n';
        if (loaded.ok()) std::cout << (file.empty() ? "no file: the defaults" : file) << ": good\n";
        return loaded.ok() ? EXIT_SUCCESS : exit_bad_configuration;
    }
    std::signal(SIGPIPE, SIG_IGN);
    daemon::Log log;
    return serve(file, log);
} catch (const std::exception& error) {
    std::fprintf(stderr, "xiangqid: %s\n", error.what());
    return EXIT_FAILURE;
}
