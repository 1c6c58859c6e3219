#pragma once
// Everything behind an arbiter's connection, on one io context: clerk, journal, hub.
#include "daemon/arbiter.hpp"
#include "support.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

namespace xq::daemon {

using namespace std::chrono_literals;

struct Court {
    Court() { clerk.start({}, 0); }
    std::unique_ptr<Arbiter::Caller> connect(std::optional<Identity> identity,
                                             Arbiter::Login login = {}) {
        return arbiter.connect(
            std::move(identity), [this](std::string line) { said.push_back(std::move(line)); },
            std::move(login));
    }
    /// Runs until `n` lines were said in all.
    bool hears(std::size_t n) {
        const auto limit = std::chrono::steady_clock::now() + 5s;
        while (said.size() < n && std::chrono::steady_clock::now() < limit) io.run_one_for(10ms);
        return said.size() >= n;
    }

    boost::asio::io_context io{1};
    boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work{
        io.get_executor()};
    Folder folder;
    JournalDirectory directory{folder.path() / "journal"};
    Metrics metrics;
    Doorkeeper door{10, 10};
    Feed feed{1};
    Crowd crowd{io.get_executor(), feed, door};
    Hub hub{io.get_executor(), feed, crowd, 0ms};
    Journal journal{real_disk(), [this](const JournalReport& report) {
                        boost::asio::post(io, [this, report] { clerk.on_journal(report); });
                    }};
    Clerk clerk{
        config::Settings{},
        1,
        directory,
        journal,
        metrics,
        {.announce = [this](const Batch& batch, std::optional<Millis>) { hub.announce(batch, {}); },
         .command = [](const auto&) {},
         .notice = [](const std::string&) {},
         .utc = [] { return Millis{1'777'626'000'000}; },
         .stopwatch = [] { return std::chrono::microseconds(0); }}};
    Worker worker{io.get_executor()};
    Exporter exporter{worker};
    Arbiter arbiter{clerk, hub, exporter, [] { return Millis{0}; },
                    [](boost::json::object& status) { status["shell"] = true; }};
    std::vector<std::string> said;
};

}  // namespace xq::daemon
