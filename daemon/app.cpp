#include "daemon/app.hpp"

#include "config/difference.hpp"
#include "daemon/arbiter_socket.hpp"
#include "daemon/clerk.hpp"
#include "daemon/crowd.hpp"
#include "daemon/from_settings.hpp"
#include "daemon/http_games.hpp"
#include "daemon/http_server.hpp"
#include "daemon/hub.hpp"
#include "daemon/mqtt.hpp"
#include "daemon/remote_arbiters.hpp"
#include "daemon/report.hpp"
#include "daemon/systemd.hpp"
#include "daemon/worker.hpp"
#include "hal/sources.hpp"

#include <sys/resource.h>
#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <csignal>
#include <random>
#include <stdexcept>

namespace xq::daemon {

namespace asio = boost::asio;
using namespace std::chrono_literals;
using boost::system::error_code;

namespace {

// The status line for `systemctl status` is this old at most.
constexpr auto status_interval = 5s;
// File descriptors for everything that is no spectator: journal, device, pages, and arbiters with
// those who would be some, 320 at most on their three listeners.
constexpr rlim_t reserved_files = 512;

/// Numbers a run of the daemon: at random, for a clock without a battery repeats itself. 48 bits
/// are exact in every JSON reader.
std::uint64_t new_epoch() {
    std::random_device random;
    const std::uint64_t high = random() & 0xFFFFU;
    return (high << 32U | random()) + 1;
}

Millis utc_now() {
    return std::chrono::duration_cast<std::chrono::milliseconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
}

std::chrono::microseconds stopwatch() {
    return std::chrono::duration_cast<std::chrono::microseconds>(
        std::chrono::steady_clock::now().time_since_epoch());
}

hal::SourceOptions source_options(const config::Sensor& sensor) {
    return {.driver = std::string(text(sensor.driver)),
            .ids = sensor.ids,
            .serial = sensor.serial,
            .rotated = sensor.rotated,
            .log = sensor.log,
            .speed = sensor.speed,
            .seed = std::random_device{}()};
}

/// Lets the process have as many files as it may; returns for how many spectators that is enough.
int room_for_spectators(int wanted) {
    rlimit files{};
    getrlimit(RLIMIT_NOFILE, &files);
    const auto needed = static_cast<rlim_t>(wanted) + reserved_files;
    files.rlim_cur = std::min(files.rlim_max, std::max(files.rlim_cur, needed));
    setrlimit(RLIMIT_NOFILE, &files);
    const rlim_t room = files.rlim_cur > reserved_files ? files.rlim_cur - reserved_files : 1;
    return static_cast<int>(std::min(room, static_cast<rlim_t>(wanted)));
}

}  // namespace

struct App::Impl {
    Impl(config::Settings the_settings, Reload the_reload, Log& the_log)
        : settings(std::move(the_settings)),
          reload(std::move(the_reload)),
          log(the_log),
          directory(settings.journal.directory),
          door(room_for_spectators(settings.broadcast.max_clients),
               settings.broadcast.max_per_address),
          feed(epoch),
          crowd(io.get_executor(), feed, door),
          hub(io.get_executor(), feed, crowd, std::chrono::milliseconds(settings.broadcast.delay)),
          journal(real_disk(),
                  [this](const JournalReport& report) {
                      asio::post(io, [this, report] { on_journal(report); });
                  }),
          clerk(settings, epoch, directory, journal, metrics, outlets()),
          worker(io.get_executor()),
          exporter(worker),
          games(worker, directory.path(), settings.board, [this] { return feed.welcome(); }),
          arbiter(
              clerk, hub, exporter, [this] { return now(); },
              [this](boost::json::object& status) { add_status(status); }),
          remote(io.get_executor(), arbiter, log,
                 [this](const std::string& name, const std::optional<config::Endpoint>& endpoint) {
                     return listening(name, endpoint);
                 }),
          clock_timer(io),
          status_timer(io),
          watchdog_timer(io),
          signals(io, SIGTERM, SIGINT, SIGHUP) {}
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;
    ~Impl() { log.about({}); }  // the log outlives what it would ask

    // ------------------------------------------------------------ time

    /// The daemon's clock. It passes at the speed of the game that is played; at speed 0 it stands
    /// where the last event left it.
    Millis now() const { return speed() == 0 ? last_event : clock(); }

    /// A real board knows one speed, whatever stands in the file.
    double speed() const {
        return settings.sensor.driver == config::Driver::Usb ? 1.0 : settings.sensor.speed;
    }

    /// When that was in life, where spectators wait out the broadcast's delay.
    Instant instant(Millis time) const {
        const double ago = speed() > 0 ? static_cast<double>(now() - time) / speed() : 0;
        return std::chrono::steady_clock::now() -
               std::chrono::milliseconds(static_cast<std::int64_t>(ago));
    }

    /// Sets the timer for when the clerk next wants to be told the time.
    void arm() {
        auto wait = clerk.patience_left();
        const auto next = clerk.next_tick();
        if (next && speed() > 0) {
            const auto ms = static_cast<double>(*next - now());
            const std::chrono::microseconds until(static_cast<std::int64_t>(ms * 1000 / speed()) +
                                                  1);
            wait = wait ? std::min(*wait, until) : until;
        }
        if (!wait) return;
        clock_timer.expires_after(std::max(*wait, std::chrono::microseconds(0)));
        clock_timer.async_wait([this](error_code error) {
            if (error) return;
            // Behind what has come meanwhile: after a stall its events happened before this moment.
            asio::post(io, [this] {
                clerk.tick(now());
                arm();
            });
        });
    }

    // ------------------------------------------------------------ wiring

    Outlets outlets() {
        return {.announce =
                    [this](const Batch& batch, std::optional<Millis> at) {
                        hub.announce(batch, at ? instant(*at) : Instant::min());
                    },
                .command =
                    [this](const protocol::wire::Command& command) {
                        if (source) source->send(command);
                    },
                .notice = [this](const std::string& text) { log.warn(text); },
                .utc = utc_now,
                .stopwatch = stopwatch};
    }

    void on_event(const protocol::Timed& event) {
        last_event = std::max(last_event, event.t);
        clerk.take(event, now());
        arm();
    }

    void on_journal(const JournalReport& report) {
        clerk.on_journal(report);
        arm();
    }

    void add_status(boost::json::object& status) const {
        status["server"] = server_name();
        status["spectators"] = door.inside();
        status["journal"] = {{"file", clerk.journal_file()},
                             {"durable", clerk.journal_fault().empty()},
                             {"fault", clerk.journal_fault()}};
    }

    Report report() const {
        return {.settings = settings,
                .clerk = clerk,
                .metrics = metrics,
                .crowd = crowd,
                .door = door,
                .hub = hub};
    }

    // ------------------------------------------------------------ start

    void start() {
        const auto device = source_options(settings.sensor);
        const Instant started = std::chrono::steady_clock::now();
        clock = hal::paced(speed(), [started] {
            return std::chrono::duration_cast<std::chrono::milliseconds>(
                       std::chrono::steady_clock::now() - started)
                .count();
        });
        // The driver gets the clock itself: it reads it on a thread of its own.
        auto made = hal::make_source(device, io.get_executor(), clock);
        if (!made) throw std::runtime_error(made.error().what);
        source = std::move(*made);

        if (!directory.fault().empty()) log.error(directory.fault());
        auto recovery = recover(directory, settings.board);
        for (const auto& notice : recovery.notices) log.warn(notice);
        const bool resumed = recovery.game.has_value();
        if (resumed) log.info("the game of " + recovery.game->path + " goes on");
        publish();
        clerk.start(std::move(recovery), now());
        log.about([this] { return about(); });
        if (resumed && settings.sensor.driver == config::Driver::Sim) begin_anew();
        listen();

        source->start([this](const protocol::Timed& event) { on_event(event); },
                      [this](const std::string& text) { log.info(text); });
        arm();
        signals.async_wait([this](error_code error, int signal) { on_signal(error, signal); });
        feed_watchdog();
        tell_status();
        systemd::notify("READY=1");
    }

    /// Simulated hands have set up their pieces afresh and know nothing of an older game.
    void begin_anew() {
        clerk.call(R"({"jsonrpc":"2.0","method":"game.new","params":{},"by":"simulated board"})",
                   now(), {});
    }

    void publish() {
        if (settings.mqtt.broker.empty()) return;
        mqtt.emplace(settings, [this](bool fault, const std::string& line) {
            asio::post(io, [this, fault, line] { fault ? log.error(line) : log.info(line); });
        });
        hub.show_to([this](const Batch& batch) { mqtt->publish(batch); });
    }

    void listen() {
        const auto& broadcast = settings.broadcast;
        if (const int fd = listening("broadcast", broadcast.listen); fd >= 0) crowd.accept_from(fd);
        if (const int fd = listening("http", broadcast.http); fd >= 0) {
            http.emplace(io.get_executor(), fd, crowd, door, games, remote.desk(),
                         [this] { return report(); });
        }
        remote.open(settings.arbiter);
        if (settings.arbiter.socket.empty()) return;
        try {
            arbiter_socket.emplace(io.get_executor(), arbiter, settings.arbiter.socket);
        } catch (const std::runtime_error& error) {
            // The game can be played and shown without.
            log.error("no arbiter can be heard: " + std::string(error.what()));
        }
    }

    /// The socket that systemd holds for us, or one of our own; -1 where there is to be none.
    int listening(const std::string& name, const std::optional<config::Endpoint>& endpoint) {
        if (const auto held = systemd::socket_named(name)) return *held;
        if (!endpoint) return -1;
        const auto socket = listen_tcp(endpoint->host, endpoint->port);
        const std::string where = write_endpoint(*endpoint);
        if (socket.fd < 0)
            throw std::runtime_error("cannot listen on " + where + ": " + socket.fault);
        log.info(name + " on " + where);
        return socket.fd;
    }

    // ------------------------------------------------------------ systemd and signals

    /// Fed while every thread lives: this one by coming here, the others by answering in time.
    void feed_watchdog() {
        const auto interval = systemd::watchdog();
        if (!interval) return;
        const bool journal_lives = journal.answers();
        const bool driver_lives = source->answers();
        if (journal_lives && driver_lives) systemd::notify("WATCHDOG=1");
        if (!journal_lives) log.error("the journal's thread hangs");
        if (!driver_lives) log.error("the board's thread hangs");
        watchdog_timer.expires_after(*interval);
        watchdog_timer.async_wait([this](error_code error) {
            if (!error) feed_watchdog();
        });
    }

    About about() const {
        const auto state = clerk.table().newcomer().front();
        return {settings.board, state.game, state.ply};
    }

    void tell_status() {
        systemd::notify("STATUS=" + status_line(report()));
        status_timer.expires_after(status_interval);
        status_timer.async_wait([this](error_code error) {
            if (!error) tell_status();
        });
    }

    void on_signal(error_code error, int signal) {
        if (error) return;
        if (signal != SIGHUP) {
            stop();
            return;
        }
        change_settings();
        signals.async_wait([this](error_code e, int s) { on_signal(e, s); });
    }

    /// What can change without a restart changes; the rest is named.
    void change_settings() {
        systemd::notify("RELOADING=1");
        if (auto fresh = reload()) {
            config::Settings next = settings;
            next.event = fresh->event;
            next.game = fresh->game;
            next.clock = fresh->clock;
            next.broadcast.max_clients = fresh->broadcast.max_clients;
            next.broadcast.max_per_address = fresh->broadcast.max_per_address;
            door.set(room_for_spectators(next.broadcast.max_clients),
                     next.broadcast.max_per_address);
            clerk.set_settings(next);
            next.arbiter.certificate = fresh->arbiter.certificate;
            next.arbiter.key = fresh->arbiter.key;
            next.arbiter.token_file = fresh->arbiter.token_file;
            settings = next;
            log.info(
                "the configuration was read again: [event], [game] and [clock] hold from the "
                "next game on; the limits of [broadcast], certificate, key and tokens of "
                "[arbiter] from now on");
            for (const auto& key : config::differing(next, *fresh)) {
                log.warn("`" + key + "` was changed, which needs a restart");
            }
            remote.open(settings.arbiter);
        }
        systemd::notify("READY=1");
    }

    void stop() {
        systemd::notify("STOPPING=1");
        log.info("stops");
        if (mqtt) mqtt->close();
        source->stop();
        io.stop();
    }

    config::Settings settings;
    const Reload reload;
    Log& log;
    const std::uint64_t epoch = new_epoch();
    hal::Now clock;
    Millis last_event = 0;

    asio::io_context io{1};
    JournalDirectory directory;
    Metrics metrics;
    Doorkeeper door;
    Feed feed;
    Crowd crowd;
    Hub hub;
    std::optional<Mqtt> mqtt;
    Journal journal;
    Clerk clerk;
    Worker worker;
    Exporter exporter;
    HttpGames games;
    Arbiter arbiter;
    RemoteArbiters remote;
    std::unique_ptr<hal::SensorSource> source;
    std::optional<ArbiterSocket> arbiter_socket;
    std::optional<HttpServer> http;
    asio::steady_timer clock_timer;
    asio::steady_timer status_timer;
    asio::steady_timer watchdog_timer;
    asio::signal_set signals;
};

App::App(config::Settings settings, Reload reload, Log& log)
    : impl_(std::make_unique<Impl>(std::move(settings), std::move(reload), log)) {
    impl_->start();
}

App::~App() = default;

bool App::run() {
    impl_->io.run();
    constexpr auto patience = 1500ms;
    return impl_->journal.close(patience);
}

}  // namespace xq::daemon
