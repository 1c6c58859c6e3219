#include "daemon/commands/ctl_token.hpp"

#include "daemon/commands/ctl_exit.hpp"
#include "daemon/token_file.hpp"

#include <unistd.h>
#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>

namespace xq::ctl {

namespace {

using daemon::TokenEntry;

struct Options {
    std::string file;
    std::string name;
    bool watch = false;
};

int fail(Exit how, const std::string& why) {
    std::cerr << "xiangqictl: " << why << '\n';
    return how;
}

/// The file's text and entries; of one that is not there yet, none.
Result<std::string> present(const std::string& file, std::vector<TokenEntry>& entries) {
    std::string text;
    if (access(file.c_str(), F_OK) == 0) {
        auto read = daemon::read_secret(file);
        if (!read) return read;
        text = std::move(*read);
    }
    auto parsed = daemon::read_tokens(text);
    if (!parsed) return Fault{0, file + ": " + parsed.error().what};
    entries = std::move(*parsed);
    return text;
}

auto named(const std::vector<TokenEntry>& entries, const std::string& name) {
    return std::find_if(entries.begin(), entries.end(),
                        [&](const TokenEntry& entry) { return entry.name == name; });
}

int save(const std::string& file, const std::string& text) {
    const std::string fault = daemon::save_secret(file, text);
    if (!fault.empty()) return fail(refused, fault);
    std::cerr << "xiangqid reads the file when it is reloaded: systemctl reload xiangqid\n";
    return ok;
}

int add(const Options& options, const std::string& text, const std::vector<TokenEntry>& entries) {
    if (!daemon::is_token_name(options.name)) {
        return fail(wrong_use, "a name has 1 to 32 of a-z A-Z 0-9 - _");
    }
    if (named(entries, options.name) != entries.end()) {
        return fail(refused, options.name + " has a token already: remove it first");
    }
    const auto made = daemon::make_token(options.name, !options.watch);
    const std::string before = text.empty() || text.back() == '\n' ? text : text + '\n';
    const int saved = save(options.file, before + daemon::write_token(made.entry) + '\n');
    if (saved == ok) std::cout << made.token << '\n';
    return saved;
}

int remove(const Options& options, const std::string& text,
           const std::vector<TokenEntry>& entries) {
    const auto found = named(entries, options.name);
    if (found == entries.end()) return fail(refused, options.name + " has no token");
    const std::string line = daemon::write_token(*found);
    const auto at = text.find(line);
    if (at == std::string::npos) return fail(refused, options.file + ": remove it by hand");
    return save(options.file, std::string(text).erase(at, line.size() + 1));
}

int list(const Options& /*options*/, const std::string& /*text*/,
         const std::vector<TokenEntry>& entries) {
    for (const auto& entry : entries) {
        std::cout << entry.name << (entry.may_change ? "  arbiter\n" : "  watch\n");
    }
    return ok;
}

}  // namespace

void add_token_commands(CLI::App& app, std::function<std::optional<std::string>()> configured,
                        int& exit) {
    const auto options = std::make_shared<Options>();
    CLI::App* const token =
        app.add_subcommand("token", "Who may come in as an arbiter from the network");
    token->require_subcommand(1);
    token->add_option("--file", options->file, "the token file; else that of the configuration");
    using Work = int (*)(const Options&, const std::string&, const std::vector<TokenEntry>&);
    const auto runs = [options, configured = std::move(configured), &exit](CLI::App* command,
                                                                           Work work) {
        command->callback([options, configured, &exit, work] {
            if (options->file.empty()) {
                const auto file = configured();
                if (!file) {
                    exit = wrong_use;
                    return;
                }
                options->file = *file;
            }
            if (options->file.empty()) {
                exit = fail(wrong_use,
                            "the configuration names no `arbiter.token_file`: say --file FILE");
                return;
            }
            std::vector<TokenEntry> entries;
            const auto text = present(options->file, entries);
            exit = text ? work(*options, *text, entries) : fail(refused, text.error().what);
        });
    };
    CLI::App* const adding = token->add_subcommand("add", "Make a token; it is printed once");
    adding->add_option("name", options->name, "stands in the journal with each call")->required();
    adding->add_flag("--watch", options->watch, "may only look");
    runs(adding, add);
    CLI::App* const removing = token->add_subcommand("remove", "Take a token back");
    removing->add_option("name", options->name, "whose")->required();
    runs(removing, remove);
    runs(token->add_subcommand("list", "The names"), list);
}

}  // namespace xq::ctl
