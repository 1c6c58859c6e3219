// xiangqi-boardsim: makes a sensor board of a machine with a USB device controller, a Raspberry Pi
// Zero for instance. Simulated hands play a game on it, or a sensor log is told again; whoever is
// at the other end of the cable sees a board (BOARD_WIRE.md).
#include "daemon/commands/function_fs.hpp"
#include "daemon/commands/gadget.hpp"
#include "hal/board_model.hpp"
#include "hal/pacer.hpp"
#include "hal/series.hpp"
#include "protocol/sensor_log.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cctype>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <optional>

namespace {

using namespace xq;
namespace asio = boost::asio;
namespace event = protocol::event;
namespace wire = protocol::wire;
using boost::system::error_code;
using protocol::Millis;
using protocol::Timed;

constexpr int exit_wrong_use = 2;
// A whole BOARD comes so often, that silence is noticed (BOARD_WIRE.md).
constexpr auto board_interval = std::chrono::seconds(5);

struct Options {
    std::string log;
    std::string game;
    std::size_t games = 0;
    std::size_t from_ply = 0;
    std::string sensing = "identity";
    std::string can = "press buttons";
    std::vector<std::string> faults;
    std::uint64_t seed = 1;
    Millis think_ms = 3000;
    double speed = 1;
    bool print = false;
    boardsim::GadgetOptions gadget{.serial = "BOARDSIM", .controller = {}};
};

struct NamedFault {
    std::string_view name;
    double hal::Noise::*share;
};
constexpr std::array<NamedFault, 10> shares{{{"bounce", &hal::Noise::bounce},
                                             {"slide", &hal::Noise::slide},
                                             {"early", &hal::Noise::early},
                                             {"coupling", &hal::Noise::coupling},
                                             {"misread", &hal::Noise::misread},
                                             {"hesitate", &hal::Noise::hesitate},
                                             {"touch", &hal::Noise::touch},
                                             {"revise", &hal::Noise::revise},
                                             {"hasty", &hal::Noise::hasty},
                                             {"bad-point", &hal::Noise::bad_point}}};

std::string fault_names() {
    std::string names = "what hands and sensors get wrong, NAME=SHARE of the moves: ";
    for (const auto& fault : shares) names += std::string(fault.name) + ", ";
    return names +
           "breaks=TIMES in a game (the plug is pulled, packets are lost); \"evening\" is all "
           "of them as on a bad evening";
}

/// "slide=0.5" into the noise. Throws CLI::ValidationError where it is none.
void add_fault(const std::string& text, hal::Noise& noise) {
    if (text == "evening") {
        noise = hal::Noise::heavy();
        return;
    }
    const auto equals = std::min(text.find('='), text.size());
    const std::string_view name = std::string_view(text).substr(0, equals);
    const std::string number = equals < text.size() ? text.substr(equals + 1) : "1";
    double value = 0;
    const auto* const end = number.data() + number.size();
    const auto read = std::from_chars(number.data(), end, value);
    const bool good = read.ec == std::errc{} && read.ptr == end && value >= 0;
    const auto* const fault = std::find_if(shares.begin(), shares.end(),
                                           [&](const NamedFault& f) { return f.name == name; });
    if (good && name == "breaks") {
        noise.breaks = static_cast<int>(value);
    } else if (good && value <= 1 && fault != shares.end()) {
        noise.*fault->share = value;
    } else {
        throw CLI::ValidationError("--fault", text + " is no fault; " + fault_names());
    }
}

/// What the board says of itself, in the words of a sensor log.
event::Hello hello(const Options& options) {
    const auto line = protocol::read_log_line("0 hello " + options.sensing + " " + options.can);
    if (!line) throw CLI::ValidationError("--sensing, --can", line.error().what);
    return std::get<event::Hello>(std::get<Timed>(*line).event);
}

/// What happens on the board, one thing after the other.
using Script = hal::Pacer::Next;

Script told_again(const std::string& path) {
    auto file = std::make_shared<std::ifstream>(path);
    if (!*file) throw CLI::ValidationError("--log", path + " cannot be read");
    auto reader = std::make_shared<protocol::LogReader>();
    return [file, reader, path]() -> std::optional<Timed> {
        for (std::string text; std::getline(*file, text);) {
            auto line = reader->next(text);
            if (!line) throw std::runtime_error(path + ": " + line.error().what);
            if (*line) return std::move(**line);
        }
        return {};
    };
}

Script played(const Options& options) {
    std::vector<hal::Game> games{hal::built_in_game()};
    if (!options.game.empty()) {
        auto loaded = hal::load_games(options.game);
        if (!loaded) throw CLI::ValidationError("--game", loaded.error().what);
        games = std::move(*loaded);
    }
    const auto board = hello(options);
    hal::HandOptions hands{.sensing = board.sensing,
                           .can = board.can,
                           .seed = options.seed,
                           .think_ms = options.think_ms};
    for (const auto& fault : options.faults) add_fault(fault, hands.noise);
    return [series = std::make_shared<hal::Series>(std::move(games), hands, options.games,
                                                   options.from_ply)] { return series->next(); };
}

/// The board between what happens on it and the cable.
class Board {
public:
    Board(asio::io_context& io, const Options& options)
        : options_(options),
          gadget_(options.gadget),
          model_({.serial = options.gadget.serial, .firmware = "boardsim"}),
          pacer_(io.get_executor(), options.speed),
          due_(io) {
        usb_.emplace(io.get_executor(), gadget_.functions(),
                     boardsim::Listener{[this](bool there) { host(there); },
                                        [this](const wire::Bytes& bytes) { hear(bytes); }});
    }
    Board(const Board&) = delete;
    Board& operator=(const Board&) = delete;
    ~Board() {
        gadget_.unplug();  // so that the threads come back
        usb_.reset();
    }

    void start(Script script) {
        std::cerr << "plugs the board " << options_.gadget.serial << " into "
                  << gadget_.controller() << '\n';
        if (options_.print) std::cout << protocol::log_first_line << '\n';
        gadget_.plug();
        pacer_.start(std::move(script), [this](Timed line) { happens(std::move(line)); });
        send_whole_board();
    }

private:
    Millis now() const {
        return std::chrono::duration_cast<std::chrono::milliseconds>(
                   std::chrono::steady_clock::now() - began_)
            .count();
    }

    void happens(Timed line) {
        // The script's time passes at the speed of the options, the board's own never does.
        line.t = static_cast<Millis>(static_cast<double>(line.t) / options_.speed);
        if (options_.print) std::cout << protocol::write_log_line(line) << std::endl;
        if (std::holds_alternative<event::Unplug>(line.event)) gadget_.unplug();
        if (std::holds_alternative<event::Plug>(line.event)) gadget_.plug();
        send(model_.happen(line));
    }

    /// The host sets the board up, or it is gone: pulled out, reset, switched off.
    void host(bool there) {
        std::cerr << (there ? "a host is there\n" : "the host is gone\n");
        send(model_.happen({now(), there ? protocol::Event(event::Plug{}) : event::Unplug{}}));
    }

    void hear(const wire::Bytes& bytes) {
        if (const auto command = wire::decode_command(bytes)) {
            send(model_.command(*command, now()));
        } else {
            std::cerr << "the host says what is no command: " << command.error().what << '\n';
        }
    }

    void send_whole_board() {
        send(model_.board(now()));
        due_.expires_after(board_interval);
        due_.async_wait([this](error_code cancelled) {
            if (!cancelled) send_whole_board();
        });
    }

    void send(hal::BoardModel::Packets packets) {
        for (auto& packet : packets) usb_->send(std::move(packet));
    }

    const Options& options_;
    boardsim::Gadget gadget_;
    std::optional<boardsim::FunctionFs> usb_;
    hal::BoardModel model_;
    hal::Pacer pacer_;
    asio::steady_timer due_;
    const std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

void read_command_line(CLI::App& command, Options& o) {
    auto* const log = command.add_option("--log", o.log, "tells this sensor log again");
    command
        .add_option("--game", o.game,
                    "plays these games, PGN or JSON lines; without: one of its own")
        ->excludes(log);
    command.add_option("--games", o.games, "how many games; 0: again and again")->excludes(log);
    command.add_option("--from-ply", o.from_ply, "begins in the first game, after this ply")
        ->excludes(log);
    command.add_option("--sensing", o.sensing, "identity, colour or occupancy")
        ->capture_default_str()
        ->excludes(log);
    command.add_option("--can", o.can, "what the board has: press, clock, leds, buzzer, buttons")
        ->capture_default_str()
        ->excludes(log);
    command.add_option("--fault", o.faults, fault_names())->excludes(log);
    command.add_option("--seed", o.seed, "the same number, the same hands")->capture_default_str();
    command.add_option("--think", o.think_ms, "the usual thought before a move, ms")
        ->check(CLI::Range(Millis{0}, Millis{3'600'000}))
        ->capture_default_str();
    command.add_option("--speed", o.speed, "how many times faster than life")
        ->check(CLI::Range(0.01, 100.0))
        ->capture_default_str();
    command.add_option("--serial", o.gadget.serial, "the board's serial number")
        ->check([](const std::string& serial) {
            const bool good = !serial.empty() && serial.size() <= 16 &&
                              std::all_of(serial.begin(), serial.end(), [](unsigned char c) {
                                  return std::isalnum(c) != 0 || c == '-';
                              });
            return good ? std::string() : "up to 16 letters, digits and hyphens";
        })
        ->capture_default_str();
    command.add_option("--udc", o.gadget.controller,
                       "the USB device controller, as in /sys/class/udc; without: the first");
    command.add_flag("--print", o.print, "prints what happens, as a sensor log");
    command.set_version_flag("--version", "xiangqi-boardsim " XQ_VERSION);
}

}  // namespace

int main(int argc, char** argv) try {
    CLI::App command("Makes a simulated xiangqi board of this machine's USB device port.",
                     "xiangqi-boardsim");
    Options options;
    Script script;
    try {
        read_command_line(command, options);
        command.parse(argc, argv);
        script = options.log.empty() ? played(options) : told_again(options.log);
    } catch (const CLI::ParseError& error) {
        return command.exit(error) == 0 ? EXIT_SUCCESS : exit_wrong_use;
    }
    asio::io_context io{1};
    asio::signal_set signals(io, SIGTERM, SIGINT);
    signals.async_wait([&io](error_code, int) { io.stop(); });
    Board board(io, options);
    board.start(std::move(script));
    io.run();
    return EXIT_SUCCESS;
} catch (const std::exception& error) {
    std::fprintf(stderr, "xiangqi-boardsim: %s\n", error.what());
    return EXIT_FAILURE;
}
