#pragma once
// The arbiter's side of the daemon: hears calls line by line, answers what only asks, and hands
// what changes the game to the clerk. Knows no socket: a transport makes a `Caller` for each
// connection that it has found entitled. Owned by the app, io thread.
#include "daemon/clerk.hpp"
#include "daemon/exporter.hpp"
#include "daemon/hub.hpp"
#include "protocol/json_rpc.hpp"

#include <boost/json/object.hpp>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

namespace xq::daemon {

/// Who is at the other end of a connection.
struct Identity {
    std::string name;  ///< goes into the journal with each call: "unix:anna", "token:desk", "local"
    bool may_change = true;
};

class Arbiter {
public:
    class Caller;
    /// Sends one line, without its newline, to the caller.
    using Send = std::function<void(std::string line)>;
    /// Answers `auth`; the fault says why not.
    using Login = std::function<Result<Identity>(const std::string& token)>;

    /// `now` reads the daemon's monotonic clock in ms; `more_status` adds the shell's own facts.
    Arbiter(Clerk& clerk, Hub& hub, Exporter& exporter, std::function<Millis()> now,
            std::function<void(boost::json::object&)> more_status);

    /// A new connection. Without an identity it must `login` by a token first. The caller must not
    /// outlive the arbiter.
    std::unique_ptr<Caller> connect(std::optional<Identity> identity, Send send, Login login = {});

private:
    Clerk& clerk_;
    Hub& hub_;
    Exporter& exporter_;
    std::function<Millis()> now_;
    std::function<void(boost::json::object&)> more_status_;
};

class Arbiter::Caller {
public:
    Caller(Arbiter& arbiter, std::optional<Identity> identity, Send send, Login login);
    Caller(const Caller&) = delete;
    Caller& operator=(const Caller&) = delete;
    ~Caller();

    /// One line of the channel, without its newline.
    void hear(std::string_view line);

private:
    using Answer = std::variant<boost::json::object, protocol::RpcError>;
    /// Answers a call that only asks.
    Answer ask(const protocol::Call& asked);
    Answer log_in(const std::string& token);
    Answer watch();
    void export_record(protocol::call::Format format, const boost::json::value& id);
    void reply(const boost::json::object& object);

    Arbiter& arbiter_;
    std::optional<Identity> identity_;
    std::shared_ptr<Send> send_;  ///< shared with replies that wait for the disk
    Login login_;
    std::optional<Hub::WatcherId> watching_;
};

}  // namespace xq::daemon
