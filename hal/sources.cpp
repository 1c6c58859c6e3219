#include "hal/sources.hpp"

#include "hal/log_board.hpp"
#include "hal/sim_board.hpp"
#include "hal/usb_board.hpp"

#include <array>
#include <string_view>
#include <utility>

namespace xq::hal {

namespace {

using boost::asio::any_io_executor;
using Made = Result<std::unique_ptr<SensorSource>>;

Made make_usb(const SourceOptions& options, const any_io_executor& io, Now now) {
    std::vector<UsbId> ids;
    for (const auto& text : options.ids) {
        const auto id = read_usb_id(text);
        if (!id) return Fault{0, "\"" + text + "\" is no USB id; one is written as 1209:0001"};
        ids.push_back(*id);
    }
    return Made(std::make_unique<UsbBoard>(
        io, std::move(now), UsbFilter{std::move(ids), options.serial}, options.rotated));
}

Made make_sim(const SourceOptions& options, const any_io_executor& io, Now now) {
    std::vector<Game> games{built_in_game()};
    if (!options.log.empty()) {
        auto loaded = load_games(options.log);
        if (!loaded) return loaded.error();
        games = std::move(*loaded);
    }
    return Made(std::make_unique<SimBoard>(io, std::move(now), std::move(games), options.speed,
                                           HandOptions{.seed = options.seed}));
}

Made make_log(const SourceOptions& options, const any_io_executor& io, Now now) {
    std::ifstream file(options.log);
    std::string first;
    if (!std::getline(file, first)) return Fault{0, options.log + ": cannot be read"};
    if (const auto line = protocol::LogReader().next(first); !line) {
        return Fault{line.error().at, options.log + ": " + line.error().what};
    }
    file.seekg(0);
    return Made(std::make_unique<LogBoard>(io, std::move(now), std::move(file), options.log,
                                           options.speed));
}

}  // namespace

Now paced(double speed, Now now) {
    if (speed == 0 || speed == 1) return now;
    return [speed, now = std::move(now)] {
        return static_cast<protocol::Millis>(static_cast<double>(now()) * speed);
    };
}

Result<std::unique_ptr<SensorSource>> make_source(const SourceOptions& options,
                                                  const any_io_executor& io, Now now) {
    struct Driver {
        std::string_view name;
        Made (*make)(const SourceOptions&, const any_io_executor&, Now);
    };
    static constexpr std::array<Driver, 3> drivers{
        {{"usb", make_usb}, {"sim", make_sim}, {"log", make_log}}};
    for (const auto& driver : drivers) {
        if (driver.name == options.driver) return driver.make(options, io, std::move(now));
    }
    return Fault{0, "there is no sensor driver \"" + options.driver + "\"; usb, sim and log are"};
}

}  // namespace xq::hal
