#include "daemon/arbiter_socket.hpp"

#include <grp.h>
#include <pwd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/streambuf.hpp>
#include <boost/asio/write.hpp>
#include <deque>
#include <filesystem>
#include <set>
#include <stdexcept>

namespace xq::daemon {

namespace asio = boost::asio;
namespace fs = std::filesystem;
using Local = asio::local::stream_protocol;
using boost::system::error_code;

namespace {

// A call is a few hundred bytes; the longest, a position with names, under two thousand.
constexpr std::size_t longest_call = std::size_t{64} << 10U;
// Answers that a caller does not fetch: a log of the longest game fits, a dead watcher is ended.
constexpr std::size_t most_unsent = std::size_t{16} << 20U;
// Desks, shells and scripts of one board.
constexpr std::size_t most_callers = 64;

/// The name of the user at the other end, if he may call.
std::optional<Identity> peer(int fd, gid_t group) {
    ucred who{};
    socklen_t size = sizeof who;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &size) != 0) return {};
    const passwd* const user = getpwuid(who.uid);
    const std::string name = user != nullptr ? user->pw_name : std::to_string(who.uid);
    bool entitled = who.uid == 0 || who.uid == geteuid() || who.gid == group;
    if (!entitled && user != nullptr) {
        std::array<gid_t, 256> groups{};
        int n = static_cast<int>(groups.size());
        getgrouplist(user->pw_name, user->pw_gid, groups.data(), &n);
        const auto end = groups.begin() + std::clamp(n, 0, static_cast<int>(groups.size()));
        entitled = std::find(groups.begin(), end, group) != end;
    }
    return entitled ? std::optional(Identity{"unix:" + name, true}) : std::nullopt;
}

class Connection : public std::enable_shared_from_this<Connection> {
public:
    explicit Connection(Local::socket socket) : socket_(std::move(socket)), input_(longest_call) {}

    void start(Arbiter& arbiter, std::optional<Identity> identity,
               std::function<void(const std::shared_ptr<Connection>&)> ended) {
        ended_ = std::move(ended);
        // The caller belongs to the connection, so it must not keep it alive.
        const auto weak = weak_from_this();
        caller_ = arbiter.connect(std::move(identity), [weak](std::string line) {
            if (const auto self = weak.lock()) self->send(std::move(line));
        });
        read();
    }

    void end() {
        if (!ended_) return;
        const auto ended = std::exchange(ended_, {});
        const auto self = shared_from_this();
        caller_.reset();
        error_code ignored;
        socket_.close(ignored);
        ended(self);
    }

private:
    void read() {
        asio::async_read_until(socket_, input_, '\n',
                               [self = shared_from_this()](error_code error, std::size_t size) {
                                   if (!self->ended_) return;
                                   if (error) return self->end();
                                   self->hear(size);
                               });
    }

    void hear(std::size_t size) {
        const auto data = input_.data();
        const std::string line(asio::buffers_begin(data),
                               asio::buffers_begin(data) + static_cast<std::ptrdiff_t>(size - 1));
        input_.consume(size);
        caller_->hear(line);
        if (ended_) read();
    }

    void send(std::string line) {
        line += '\n';
        unsent_ += line.size();
        if (unsent_ > most_unsent) return end();
        output_.push_back(std::move(line));
        if (output_.size() == 1) write();
    }

    void write() {
        asio::async_write(socket_, asio::buffer(output_.front()),
                          [self = shared_from_this()](error_code error, std::size_t size) {
                              if (!self->ended_) return;
                              if (error) return self->end();
                              self->unsent_ -= size;
                              self->output_.pop_front();
                              if (!self->output_.empty()) self->write();
                          });
    }

    Local::socket socket_;
    asio::streambuf input_;
    std::deque<std::string> output_;
    std::size_t unsent_ = 0;
    std::unique_ptr<Arbiter::Caller> caller_;
    std::function<void(const std::shared_ptr<Connection>&)> ended_;
};

}  // namespace

struct ArbiterSocket::Impl : std::enable_shared_from_this<Impl> {
    Impl(asio::any_io_executor io, Arbiter& the_arbiter, std::string the_path)
        : arbiter(the_arbiter), path(std::move(the_path)), acceptor(io), pause(io) {}

    void listen() {
        struct stat there {};
        if (stat(path.c_str(), &there) == 0 && S_ISSOCK(there.st_mode)) {
            Local::socket probe(acceptor.get_executor());
            error_code error;
            probe.connect(Local::endpoint(path), error);
            if (!error) throw std::runtime_error(path + ": another xiangqid listens here");
            unlink(path.c_str());
        }
        error_code error;
        fs::create_directories(fs::path(path).parent_path(), error);
        try {
            acceptor.open();
            acceptor.bind(Local::endpoint(path));
            constexpr mode_t for_user_and_group = 0660;
            chmod(path.c_str(), for_user_and_group);
            acceptor.listen();
        } catch (const boost::system::system_error& e) {
            throw std::runtime_error(path + ": " + e.code().message());
        }
        if (stat(path.c_str(), &there) == 0) group = there.st_gid;
        accept();
    }

    void accept() {
        acceptor.async_accept([self = shared_from_this()](error_code error, Local::socket socket) {
            if (error == asio::error::operation_aborted) return;
            if (!error) self->admit(std::move(socket));
            self->accept_again(error);
        });
    }

    void accept_again(error_code error) {
        if (!error) return accept();
        // No file descriptor or memory is left: others need the processor more than this loop.
        constexpr auto breather = std::chrono::milliseconds(200);
        pause.expires_after(breather);
        pause.async_wait([self = shared_from_this()](error_code stopped) {
            if (!stopped) self->accept();
        });
    }

    void admit(Local::socket socket) {
        auto identity = peer(socket.native_handle(), group);
        if (!identity || connections.size() >= most_callers) return;  // closes it
        const auto connection = std::make_shared<Connection>(std::move(socket));
        connections.insert(connection);
        connection->start(
            arbiter, std::move(identity),
            [this](const std::shared_ptr<Connection>& ended) { connections.erase(ended); });
    }

    Arbiter& arbiter;
    const std::string path;
    Local::acceptor acceptor;
    asio::steady_timer pause;
    gid_t group = 0;
    std::set<std::shared_ptr<Connection>> connections;
};

ArbiterSocket::ArbiterSocket(asio::any_io_executor io, Arbiter& arbiter, const std::string& path)
    : impl_(std::make_shared<Impl>(std::move(io), arbiter, path)) {
    impl_->listen();
}

ArbiterSocket::~ArbiterSocket() {
    impl_->acceptor.close();
    impl_->pause.cancel();
    const auto connections = impl_->connections;
    for (const auto& connection : connections) connection->end();
    unlink(impl_->path.c_str());
}

std::size_t ArbiterSocket::callers() const {
    return impl_->connections.size();
}

}  // namespace xq::daemon
