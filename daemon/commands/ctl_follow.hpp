#pragma once
// `xiangqictl follow`: a board's broadcast as position lines of the UCI and UCCI protocols, for an
// engine that analyses.
#include <boost/json/object.hpp>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}  // namespace CLI

namespace xq::ctl {

/// A game as its broadcast tells it; pure. A move that is provisional does not count yet.
class Line {
public:
    /// Takes in any message of the broadcast. Gives "position fen FEN moves h2e2 ..." if it is
    /// another one than before.
    std::optional<std::string> take(const boost::json::object& message);

private:
    std::string start_;  ///< FEN; empty before the first `state`
    std::vector<std::string> moves_;
    std::string told_;
};

/// Adds the subcommand; `exit` is set to the program's exit status.
void add_follow_command(CLI::App& app, int& exit);

}  // namespace xq::ctl
