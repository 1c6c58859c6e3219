#include "daemon/commands/ctl_follow.hpp"

#include "daemon/commands/ctl_channel.hpp"
#include "daemon/commands/ctl_exit.hpp"

#include <unistd.h>
#include <CLI/CLI.hpp>
#include <algorithm>
#include <boost/json/parse.hpp>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <stdexcept>

namespace xq::ctl {

std::optional<std::string> Line::take(const boost::json::object& message) {
    const auto keep = [this](const boost::json::value& ply) {
        const auto n = std::max<std::int64_t>(ply.as_int64(), 0);
        moves_.resize(std::min(moves_.size(), static_cast<std::size_t>(n)));
    };
    const auto& type = message.at("type").as_string();
    if (type == "state") {
        start_ = message.at("start_fen").as_string();
        moves_.clear();
        for (const auto& move : message.at("moves").as_array()) {
            moves_.emplace_back(move.as_string());
        }
    } else if (type == "move") {
        keep(message.at("ply").as_int64() - 1);
        if (message.at("status").as_string() == "final") {
            moves_.emplace_back(message.at("iccs").as_string());
        }
    } else if (type == "retract") {
        keep(message.at("to_ply"));
    }
    if (start_.empty()) return {};

    std::string line = "position fen " + start_;
    if (!moves_.empty()) line += " moves";
    for (const std::string& move : moves_) line.append(" ").append(move);
    if (line == told_) return {};
    return told_ = std::move(line);
}

namespace {

struct Options {
    std::string board = "localhost:9955";
    std::string engine;
    std::string file;
};

/// Hands each position line on: into the file, or to whoever reads the standard output.
class Reader {
public:
    explicit Reader(const Options& options) : options_(options) {
        if (!options_.engine.empty()) std::cout << options_.engine << "\nisready" << std::endl;
    }
    void tell(const std::string& line) {
        if (!options_.file.empty()) {
            replace_file(line);
        } else if (options_.engine.empty()) {
            std::cout << line << std::endl;
        } else {
            std::cout << (searches_ ? "stop\n" : "") << line << "\ngo infinite" << std::endl;
            searches_ = true;
        }
        // An engine that has ended sends SIGPIPE; what else may fail is a full disk.
        if (!std::cout) throw std::runtime_error("the standard output cannot be written");
    }

private:
    /// Whoever reads the file sees one whole line, the old or the new one.
    void replace_file(const std::string& line) const {
        const std::string fresh = options_.file + ".new";
        std::ofstream out(fresh, std::ios::binary);
        out << line << '\n';
        out.close();
        std::error_code error;
        if (out) std::filesystem::rename(fresh, options_.file, error);
        if (!out || error) throw std::runtime_error(options_.file + " cannot be written");
    }

    const Options& options_;
    bool searches_ = false;
};

/// One connection, until it ends or is silent for too long.
void follow(Channel& channel, const Options& options, Line& game, Reader& reader) {
    while (const auto received = channel.read_line(silence_ms)) {
        std::optional<std::string> line;
        try {
            line = game.take(boost::json::parse(*received).as_object());
        } catch (const std::exception&) {
            throw std::runtime_error(options.board + " sends what is no broadcast of a board: " +
                                     received->substr(0, 60));
        }
        if (line) reader.tell(*line);
    }
}

int run(const Options& options) {
    Line game;
    Reader reader(options);
    for (bool found = false;; ::sleep(1)) {
        auto channel = Channel::connect(options.board);
        if (!channel) {
            if (found) continue;
            std::cerr << "xiangqictl: " << channel.error().what << '\n';
            return no_daemon;
        }
        found = true;
        follow(*channel, options, game, reader);
        std::cerr << "xiangqictl: " << options.board << " has gone silent; tries again"
                  << std::endl;
    }
}

}  // namespace

void add_follow_command(CLI::App& app, int& exit) {
    CLI::App* const follow = app.add_subcommand(
        "follow", "A board's positions for an engine that analyses, as they are broadcast");
    const auto options = std::make_shared<Options>();
    follow->add_option("board", options->board, "HOST or HOST:PORT of its broadcast")
        ->capture_default_str();
    CLI::Option* const engine =
        follow
            ->add_option("--engine", options->engine,
                         "uci or ucci: greet the engine and let it search each position")
            ->check(CLI::IsMember({"uci", "ucci"}));
    follow->add_option("-o,--output", options->file, "the newest position alone, into this file")
        ->excludes(engine);
    follow->callback([options, &exit] { exit = run(*options); });
}

}  // namespace xq::ctl
