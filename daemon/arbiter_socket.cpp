#include "daemon/arbiter_socket.hpp"

#include "daemon/accept_loop.hpp"
#include "daemon/line_session.hpp"

#include <grp.h>
#include <pwd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <boost/asio/local/stream_protocol.hpp>
#include <filesystem>
#include <stdexcept>

namespace xq::daemon {

namespace asio = boost::asio;
namespace fs = std::filesystem;
using Local = asio::local::stream_protocol;
using boost::system::error_code;

namespace {

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
        auto* const end = groups.begin() + std::clamp(n, 0, static_cast<int>(groups.size()));
        entitled = std::find(groups.begin(), end, group) != end;
    }
    return entitled ? std::optional(Identity{"unix:" + name, true}) : std::nullopt;
}

}  // namespace

struct ArbiterSocket::Impl {
    Impl(const asio::any_io_executor& io, Arbiter& arbiter, std::string the_path)
        : path(std::move(the_path)), callers(arbiter) {
        const auto loop = [this](Local::socket socket) { admit(std::move(socket)); };
        accepting = std::make_shared<AcceptLoop<Local>>(listen(io), loop);
        accepting->start();
    }

    Local::acceptor listen(const asio::any_io_executor& io) {
        Local::acceptor acceptor(io);
        struct stat there {};
        if (stat(path.c_str(), &there) == 0 && S_ISSOCK(there.st_mode)) {
            Local::socket probe(io);
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
        return acceptor;
    }

    void admit(Local::socket socket) {
        auto identity = peer(socket.native_handle(), group);
        if (!identity) return;  // closes it
        callers.admit(std::make_shared<LineSession<Local::socket>>(std::move(socket)),
                      std::move(identity));
    }

    const std::string path;
    gid_t group = 0;
    Callers callers;
    std::shared_ptr<AcceptLoop<Local>> accepting;
};

ArbiterSocket::ArbiterSocket(const asio::any_io_executor& io, Arbiter& arbiter,
                             const std::string& path)
    : impl_(std::make_unique<Impl>(io, arbiter, path)) {}

ArbiterSocket::~ArbiterSocket() {
    impl_->accepting->stop();
    unlink(impl_->path.c_str());
}

std::size_t ArbiterSocket::callers() const {
    return impl_->callers.size();
}

}  // namespace xq::daemon
