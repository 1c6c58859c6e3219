#include "tests/usb/shipped_daemon.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/json/parse.hpp>

#include <array>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace xq::test {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

namespace {

sockaddr_in local(int port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    return address;
}

/// A port that nobody holds at the moment.
int free_port() {
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    auto address = local(0);
    socklen_t size = sizeof address;
    auto* raw = reinterpret_cast<sockaddr*>(&address);
    const bool ok = bind(fd, raw, size) == 0 && getsockname(fd, raw, &size) == 0;
    close(fd);
    if (!ok) throw std::runtime_error("no free port");
    return ntohs(address.sin_port);
}

}  // namespace

ShippedDaemon::ShippedDaemon(const std::string& sensor, const std::string& game)
    : port_(free_port()) {
    std::string pattern = (std::filesystem::temp_directory_path() / "xiangqid-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no directory");
    directory_ = pattern;
    const std::string config = directory_ + "/xiangqid.toml";
    std::ofstream(config) << "board = \"test\"\n[sensor]\ndriver = \"usb\"\n"
                          << sensor << "\n[game]\n"
                          << game << "\n[broadcast]\nlisten = \"127.0.0.1:" << port_
                          << "\"\nhttp = \"127.0.0.1:0\"\n[arbiter]\nsocket = \"\"\n"
                          << "[journal]\ndirectory = \"" << directory_ << "/journal\"\n";
    const std::string program = XQ_BUILD "/xiangqid";
    const std::string output = directory_ + "/log";
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.c_str(),
                                     O_WRONLY | O_CREAT | O_APPEND, 0600);
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    std::array<std::string, 3> words{program, "--config", config};
    std::array<char*, 4> argv{words[0].data(), words[1].data(), words[2].data(), nullptr};
    const int error = posix_spawn(&pid_, program.c_str(), &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) throw std::runtime_error("the daemon does not start");
}

ShippedDaemon::~ShippedDaemon() {
    if (pid_ > 0 && !end(5s)) {
        kill(pid_, SIGKILL);
        waitpid(pid_, nullptr, 0);
    }
    std::filesystem::remove_all(directory_);
}

std::optional<int> ShippedDaemon::end(std::chrono::milliseconds limit) {
    kill(pid_, SIGTERM);
    const auto until = Clock::now() + limit;
    int status = 0;
    while (waitpid(pid_, &status, WNOHANG) == 0) {
        if (Clock::now() > until) return {};
        std::this_thread::sleep_for(10ms);
    }
    pid_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::string ShippedDaemon::log() const {
    std::ifstream file(directory_ + "/log");
    return {std::istreambuf_iterator<char>(file), {}};
}

std::size_t ShippedDaemon::open_files() const {
    const std::filesystem::directory_iterator files("/proc/" + std::to_string(pid_) + "/fd");
    return static_cast<std::size_t>(std::distance(files, std::filesystem::directory_iterator()));
}

Spectator::Spectator(int port) : socket_(-1) {
    const auto until = Clock::now() + 20s;
    const auto address = local(port);
    for (;;) {
        socket_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
            return;
        }
        close(socket_);
        if (Clock::now() > until) throw std::runtime_error("the broadcast does not answer");
        std::this_thread::sleep_for(20ms);
    }
}

Spectator::~Spectator() {
    close(socket_);
}

std::optional<std::string> Spectator::line(Clock::time_point limit) {
    for (;;) {
        if (const auto end = buffer_.find('\n'); end != std::string::npos) {
            auto found = buffer_.substr(0, end);
            buffer_.erase(0, end + 1);
            return found;
        }
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(limit - Clock::now());
        pollfd wait{socket_, POLLIN, 0};
        if (left <= 0ms || poll(&wait, 1, static_cast<int>(left.count())) <= 0) return {};
        std::array<char, 4096> bytes{};
        const auto got = read(socket_, bytes.data(), bytes.size());
        if (got <= 0) return {};
        buffer_.append(bytes.data(), static_cast<std::size_t>(got));
    }
}

std::optional<boost::json::object> Spectator::await(const Condition& condition,
                                                    std::chrono::milliseconds limit) {
    const auto until = Clock::now() + limit;
    while (const auto text = line(until)) {
        const auto message = boost::json::parse(*text).as_object();
        if (condition(message)) return message;
        seen.push_back(message);
    }
    return {};
}

std::optional<boost::json::object> Spectator::move(const std::string& iccs,
                                                   const std::string& status) {
    return await([&](const boost::json::object& m) {
        return says(m, "type", "move") && says(m, "iccs", iccs) && says(m, "status", status);
    });
}

std::optional<boost::json::object> Spectator::link(const std::string& link) {
    return await([&](const boost::json::object& m) {
        return (says(m, "type", "board") || says(m, "type", "state")) && says(m, "link", link);
    });
}

}  // namespace xq::test
