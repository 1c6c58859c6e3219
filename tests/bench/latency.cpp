// From a report's arrival in the process to the bytes on a spectator's socket: a provisional ply,
// which goes out at once, and a final one, which waits for the journal's sync; with 1 and 1,000
// spectators, seen by the first and by the last of them. The journal's disk is the real one, or one
// that takes no time, to show what the sync costs.
#include "daemon/clerk.hpp"
#include "daemon/crowd.hpp"
#include "daemon/hub.hpp"
#include "hal/games.hpp"

#include <benchmark/benchmark.h>
#include <netinet/in.h>
#include <sys/resource.h>
#include <unistd.h>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace {

using namespace xq;
using namespace xq::daemon;
using namespace std::chrono_literals;
namespace event = protocol::event;
using Clock = std::chrono::steady_clock;

class NoDisk : public Disk {
public:
    int open(const std::string& /*path*/, std::error_code& error) override {
        error.clear();
        return 0;
    }
    std::error_code write(int, std::uint64_t, std::string_view) override { return {}; }
    std::error_code sync(int) override { return {}; }
    void close(int) override {}
};

class Hall {
public:
    Hall(bool sync, int spectators)
        : directory(folder()),
          journal(sync ? real_disk() : std::make_unique<NoDisk>(),
                  [this](const JournalReport& report) {
                      boost::asio::post(io, [this, report] { clerk.on_journal(report); });
                  }) {
        clerk.start({}, 0);
        const auto socket = listen_tcp("127.0.0.1", 0);
        sockaddr_in own{};
        socklen_t length = sizeof own;
        getsockname(socket.fd, reinterpret_cast<sockaddr*>(&own), &length);
        crowd.accept_from(socket.fd);
        for (int i = 0; i < spectators; ++i) {
            const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
            clients.push_back(fd);
            if (connect(fd, reinterpret_cast<sockaddr*>(&own), sizeof own) != 0) std::abort();
            while (crowd.size() < clients.size()) io.run_one_for(1ms);
        }
        io.run_for(300ms);
        drain();
        tell({0, event::Hello{protocol::Sensing::Identity, {.press = true}}});
        set_up();
    }
    Hall(const Hall&) = delete;
    Hall& operator=(const Hall&) = delete;
    ~Hall() {
        for (const int fd : clients) close(fd);
        journal.close(5s);
        std::filesystem::remove_all(directory.path());
    }

    /// The next ply: what is between the last report of it and the bytes at a client.
    /// `final`: from the press; else from the drop. Seconds, or less than 0 if nothing came.
    double ply(bool final, int client) {
        const auto& game = hal::built_in_game();
        if (played == game.moves.size()) set_up();
        const auto move = game.moves[played++];
        const auto piece = position.at(move.from);
        const bool capture = !position.at(move.to).empty();
        position.apply(move);
        const auto mover = rules::other(position.turn());
        constexpr Millis hand = 700;
        tell({now += hand, event::Lift{move.from}});
        if (capture) tell({now += hand, event::Lift{move.to}});
        drain();
        now += hand;
        auto start = Clock::now();
        clerk.take({now, event::Drop{move.to, protocol::Seen(piece)}}, now);
        auto seconds = until_bytes(client, start);
        if (final) {
            settle();
            now += hand;
            start = Clock::now();
            clerk.take({now, event::Press{mover}}, now);
            seconds = until_bytes(client, start);
        } else {
            clerk.take({now += hand, event::Press{mover}}, now);
        }
        settle();
        return seconds;
    }

private:
    static std::filesystem::path folder() {
        std::string name = (std::filesystem::current_path() / "bench-XXXXXX").string();
        return mkdtemp(name.data());
    }

    void tell(const protocol::Timed& input) {
        clerk.tick(input.t);
        clerk.take(input, input.t);
        io.poll();
    }
    void set_up() {
        clerk.call(R"({"jsonrpc":"2.0","method":"game.new","params":{},"by":"bench"})", now, {});
        position = hal::built_in_game().start;
        protocol::Reading reading;
        for (std::size_t p = 0; p < reading.size(); ++p) {
            const auto piece = position.placement()[p];
            reading[p] = piece.empty() ? protocol::Seen() : protocol::Seen(piece);
        }
        now += 5000;
        tell({now, event::Board{reading}});
        played = 0;
        settle();
    }
    void settle() {
        do {
            io.run_one_for(1ms);
        } while (clerk.waiting() > 0);
        io.poll();
        drain();
    }
    void drain() {
        std::array<char, 65536> bytes;
        for (const int fd : clients) {
            while (recv(fd, bytes.data(), bytes.size(), MSG_DONTWAIT) > 0) {
            }
        }
    }
    double until_bytes(int client, Clock::time_point start) {
        const int fd = clients[static_cast<std::size_t>(client)];
        std::array<char, 65536> bytes;
        while (Clock::now() - start < 5s) {
            io.poll();
            if (recv(fd, bytes.data(), bytes.size(), MSG_DONTWAIT) > 0) {
                return std::chrono::duration<double>(Clock::now() - start).count();
            }
        }
        return -1;
    }

    boost::asio::io_context io{1};
    boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work{
        io.get_executor()};
    Metrics metrics;
    Doorkeeper door{50'000, 50'000};
    Feed feed{1};
    Crowd crowd{io.get_executor(), feed, door, {.resume_window = 0ms}};
    Hub hub{io.get_executor(), feed, crowd, 0ms};
    JournalDirectory directory;
    Journal journal;
    Clerk clerk{
        config::Settings{},
        1,
        directory,
        journal,
        metrics,
        {.announce = [this](const Batch& batch, std::optional<Millis>) { hub.announce(batch, {}); },
         .command = [](const auto&) {},
         .notice = [](const std::string&) {},
         .utc = [] { return Millis{0}; },
         .stopwatch = [] { return std::chrono::microseconds(0); }}};
    std::vector<int> clients;
    rules::Position position;
    std::size_t played = 0;
    Millis now = 0;
};

/// Arguments: final?, sync?, spectators.
void latency(benchmark::State& state) {
    rlimit files{};
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
    const auto spectators = static_cast<int>(state.range(2));
    Hall hall(state.range(1) != 0, spectators);
    std::vector<double> first, last;
    while (state.KeepRunning()) {
        const bool at_the_end = first.size() > last.size();
        const double seconds = hall.ply(state.range(0) != 0, at_the_end ? spectators - 1 : 0);
        if (seconds < 0) return state.SkipWithError("nothing came");
        (at_the_end ? last : first).push_back(seconds);
        state.SetIterationTime(seconds);
    }
    const auto median_us = [](std::vector<double>& of) {
        if (of.empty()) return 0.0;
        const auto middle = of.begin() + static_cast<std::ptrdiff_t>(of.size() / 2);
        std::nth_element(of.begin(), middle, of.end());
        return *middle * 1e6;
    };
    state.counters["first_us"] = median_us(first);
    state.counters["last_us"] = median_us(last);
}
BENCHMARK(latency)
    ->ArgNames({"final", "sync", "spectators"})
    ->Args({0, 1, 1})
    ->Args({0, 1, 1000})
    ->Args({1, 0, 1})
    ->Args({1, 0, 1000})
    ->Args({1, 1, 1})
    ->Args({1, 1, 1000})
    ->UseManualTime()
    ->Iterations(200)
    ->Unit(benchmark::kMicrosecond);

}  // namespace

BENCHMARK_MAIN();
