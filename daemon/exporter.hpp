#pragma once
// Answers the arbiter's `record.export`: the game as it stands, undelayed, as a file. `write` is
// called on the io thread, where the reply comes back; the worker's thread does the writing.
#include "daemon/record_of.hpp"
#include "daemon/worker.hpp"
#include "protocol/json_rpc.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <functional>
#include <string>

namespace xq::daemon {

class Exporter {
public:
    using Reply = std::function<void(const Result<std::string>&)>;

    Exporter(boost::asio::any_io_executor io, Worker& worker)
        : io_(std::move(io)), worker_(worker) {}

    /// `journal` is the file of this game, for the format `log`.
    void write(KeptGame game, std::string journal, protocol::call::Format format, Reply reply);

private:
    boost::asio::any_io_executor io_;
    Worker& worker_;
};

}  // namespace xq::daemon
