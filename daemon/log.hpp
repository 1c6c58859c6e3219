#pragma once
// What the daemon says to its administrator: a line to standard error, or under systemd an entry of
// the journal with fields for board, game and ply. Made by main, io thread; keeps spdlog out of
// every other header.
#include <functional>
#include <memory>
#include <string>

namespace xq::daemon {

/// What a line is about.
struct About {
    std::string board;
    int game = 0;
    int ply = 0;
};

class Log {
public:
    Log();
    Log(const Log&) = delete;
    Log& operator=(const Log&) = delete;
    ~Log();

    void info(const std::string& text);
    void warn(const std::string& text);
    void error(const std::string& text);

    /// Who says what a line is about: asked for each, on the io thread. Nobody: nothing is said.
    void about(std::function<About()> about);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace xq::daemon
