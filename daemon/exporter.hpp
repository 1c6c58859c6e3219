#pragma once
// Answers the arbiter's `record.export`: the game as it stands, undelayed, as a file. `write` is
// called on the io thread, where the reply comes back; the worker's thread does the writing.
#include "daemon/record_of.hpp"
#include "daemon/worker.hpp"
#include "protocol/json_rpc.hpp"

#include <functional>
#include <string>

namespace xq::daemon {

class Exporter {
public:
    using Reply = std::function<void(const Result<std::string>&)>;

    explicit Exporter(Worker& worker) : worker_(worker) {}

    /// `journal` is the file of this game, for the format `log`.
    void write(KeptGame game, std::string journal, protocol::call::Format format, Reply reply);

private:
    Worker& worker_;
};

}  // namespace xq::daemon
