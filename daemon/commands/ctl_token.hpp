#pragma once
// `xiangqictl token`: who may come in as an arbiter from the network. Works on the token file alone
// and needs no daemon.
#include <functional>
#include <optional>
#include <string>

namespace CLI {
class App;
}  // namespace CLI

namespace xq::ctl {

/// Adds the subcommand. `configured` gives the file that the configuration names, nothing where it
/// cannot be read (it has said why then); `exit` is set to the program's exit status.
void add_token_commands(CLI::App& app, std::function<std::optional<std::string>()> configured,
                        int& exit);

}  // namespace xq::ctl
