#pragma once
// Reads a configuration: TOML in, a `Settings` and every fault of it out, each with its line and
// column. Also the one line of JSON in a journal's head. Used at start-up, on SIGHUP and when a
// journal is read.
#include "config/settings.hpp"

#include <cstddef>

namespace xq::config {

/// What is wrong with a configuration. Line and column count from 1; 0: no place in the text (the
/// file cannot be read, or the text is the one line of a journal).
struct Problem {
    std::size_t line = 0;
    std::size_t column = 0;
    std::string what;  ///< one clear sentence
};
/// "file:line:column: sentence".
std::string text(const std::string& file, const Problem& problem);

/// The settings, which must not be used where there are problems.
struct Loaded {
    Settings settings;
    std::vector<Problem> problems;
    bool ok() const { return problems.empty(); }
};

/// Reads TOML. Unknown keys, wrong types and values out of their range are problems; all of them
/// are told, in the order of the text.
Loaded read_toml(std::string_view text);
Loaded load(const std::string& file);

/// What decides the outcome of a game, as one line of JSON: the board, [event], [game], [clock].
std::string write_json(const Settings& settings);
/// The settings that `write_json` wrote, over the defaults.
Loaded read_json(std::string_view line);

}  // namespace xq::config
