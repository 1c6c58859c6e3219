#pragma once
// One connection of an arbiter, whatever its transport, and all of those of one listener. A session
// hears lines, queues answers up to a cap, and is ended when it does not fetch them or does not say
// who it is. io thread.
#include "daemon/gate.hpp"
#include "daemon/lobby.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>

namespace xq::daemon {

/// A call is a few hundred bytes; the longest, a position with names, under two thousand.
inline constexpr std::size_t longest_call = std::size_t{64} << 10U;
/// Answers that a caller does not fetch: the log of the longest game fits, a dead watcher is ended.
inline constexpr std::size_t most_unsent = std::size_t{4} << 20U;

class ArbiterSession : public Guest, public std::enable_shared_from_this<ArbiterSession> {
public:
    /// `ending` goes behind each line.
    ArbiterSession(const boost::asio::any_io_executor& io, std::string_view ending)
        : patience_(io), ending_(ending) {}

    /// Begins. Who is not `known` when `patience` is over is ended.
    void open(std::unique_ptr<Arbiter::Caller> caller, std::function<void()> ended,
              std::chrono::milliseconds patience);
    /// Ends, now or later; `ended` is called once, when it does.
    void end() override;
    bool known() const override { return known_; }
    void make_known();
    /// Sends a line, without its newline, behind what waits.
    void send(std::string line);

protected:
    /// Does what the transport demands first, then `read`s.
    virtual void begin() { read(); }
    /// Waits for a line, then calls `hear` or `end`.
    virtual void read() = 0;
    /// Writes a line with its ending, which stays where it is until `wrote`.
    virtual void write(const std::string& line) = 0;
    virtual void close() = 0;

    void hear(std::string_view line);
    void wrote();
    bool ended() const { return !ended_; }

private:
    boost::asio::steady_timer patience_;
    std::string_view ending_;
    std::unique_ptr<Arbiter::Caller> caller_;
    std::function<void()> ended_;
    std::deque<std::string> output_;
    std::size_t unsent_ = 0;
    bool known_ = false;
    bool hearing_ = false;
};

class Callers {
public:
    /// Desks, shells and scripts of one board.
    static constexpr std::size_t most = 64;
    /// How long one who must show a token may take.
    static constexpr std::chrono::seconds login_patience{30};

    /// Without a gate everybody must be known when he is admitted.
    explicit Callers(Arbiter& arbiter, Gate* gate = nullptr) : arbiter_(arbiter), gate_(gate) {}
    Callers(const Callers&) = delete;
    Callers& operator=(const Callers&) = delete;
    /// Ends all.
    ~Callers();

    /// Somebody whose name is known, or who has to show a token, from this address.
    void admit(const std::shared_ptr<ArbiterSession>& session, std::optional<Identity> identity,
               const Address& from = {});
    /// Ends those whose token does not stand any more; says how many.
    std::size_t end_revoked();
    std::size_t size() const { return inside_.size(); }

private:
    struct Inside {
        std::shared_ptr<ArbiterSession> session;
        std::optional<TokenEntry> by;
    };
    Result<Identity> log_in(std::list<Inside>::iterator who, const Address& from,
                            const std::string& token);
    bool full() const;

    Arbiter& arbiter_;
    Gate* gate_;
    std::list<Inside> inside_;
};

}  // namespace xq::daemon
