#pragma once
// What the daemon says to its administrator: a line to standard error, or under systemd an entry of
// the journal with fields for board, game and ply. Made by main, io thread; keeps spdlog out of
// every other header.
#include <memory>
#include <string>

namespace xq::daemon {

class Log {
public:
    Log();
    Log(const Log&) = delete;
    Log& operator=(const Log&) = delete;
    ~Log();

    void info(const std::string& text);
    void warn(const std::string& text);
    void error(const std::string& text);

    /// What the next lines are about.
    void about(const std::string& board, int game, int ply);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace xq::daemon
