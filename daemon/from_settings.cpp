#include "daemon/from_settings.hpp"

#include "config/load.hpp"

namespace xq::daemon {

namespace {

referee::Level level(config::Level level) {
    switch (level) {
        case config::Level::National:
            return referee::Level::National;
        case config::Level::Provincial:
            return referee::Level::Provincial;
        case config::Level::Youth:
            break;
    }
    return referee::Level::Youth;
}

referee::ClockSource clock_source(config::ClockSource source) {
    switch (source) {
        case config::ClockSource::Daemon:
            return referee::ClockSource::Daemon;
        case config::ClockSource::Board:
            return referee::ClockSource::Board;
        case config::ClockSource::None:
            break;
    }
    return referee::ClockSource::None;
}

}  // namespace

referee::Regulations regulations(const config::Settings& settings) {
    const auto& [rulebook, game_level, rulings, completion, settle_ms, lift_ms, released_ms,
                 natural_limit, draw_offer_surplus] = settings.game;
    std::vector<referee::Period> control;
    for (const auto& [time_ms, moves, increment_ms] : settings.clock.control.periods) {
        control.push_back({time_ms, moves, increment_ms});
    }
    return {.rulebook = std::string(text(rulebook)),
            .level = level(game_level),
            .automatic = rulings == config::Rulings::Automatic,
            .completion = completion == config::Completion::Press ? referee::Completion::Press
                                                                  : referee::Completion::Settle,
            .settle_ms = settle_ms,
            .lift_ms = lift_ms,
            .released_ms = released_ms,
            .natural_limit = natural_limit,
            .draw_offer_surplus = draw_offer_surplus,
            .clock_source = clock_source(settings.clock.source),
            .control_text = settings.clock.control.text,
            .control = std::move(control),
            .red_extra_ms = settings.clock.red_extra,
            .outage_ms = settings.clock.outage};
}

referee::GameStart game_start(const config::Settings& settings, int number) {
    const auto& event = settings.event;
    const bool both = !event.name.empty() && !event.round.empty();
    return {.number = number,
            .start_fen = "",
            .event = event.name + (both ? ", " : "") + event.round,
            .red = event.red,
            .black = event.black};
}

protocol::LogHeader log_header(const config::Settings& settings, const referee::GameStart& game,
                               protocol::Millis start_utc_ms) {
    // The names as the game has them now, which a call may have set.
    config::Settings named = settings;
    named.event = {game.event, "", game.red, game.black};
    return {.start = start_utc_ms,
            .board = settings.board,
            .game = game.number,
            .fen = game.start_fen,
            .config = config::write_json(named)};
}

referee::GameStart game_start(const protocol::LogHeader& header, const config::Settings& settings) {
    referee::GameStart game = game_start(settings, header.game.value_or(1));
    game.start_fen = header.fen;
    return game;
}

protocol::Hello hello(const referee::Table& table, const config::Settings& settings,
                      std::int64_t epoch) {
    protocol::Hello hello = table.hello();
    hello.server = server_name();
    hello.epoch = epoch;
    hello.board = settings.board;
    hello.delay_ms = settings.broadcast.delay;
    return hello;
}

std::string_view server_name() {
    return "xiangqid " XQ_VERSION;
}

}  // namespace xq::daemon
