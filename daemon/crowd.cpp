#include "daemon/crowd.hpp"

#include <fcntl.h>
#include <sys/epoll.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cerrno>
#include <system_error>

namespace xq::daemon {

namespace asio = boost::asio;
using namespace std::chrono_literals;

namespace {

// How many events are served before others on the io thread have their turn.
constexpr std::size_t events_a_turn = 256;
// How many times a spectator's buffer is emptied in one turn.
constexpr int reads_a_turn = 4;
// How many newcomers are let in before the others are served.
constexpr int accepts_a_turn = 64;
// Looks after those who are waiting to resume, and after those who are stuck.
constexpr auto brisk_tick = 100ms;
constexpr auto slow_tick = 1000ms;

}  // namespace

struct Crowd::Impl : std::enable_shared_from_this<Impl> {
    Impl(const asio::any_io_executor& io, Feed& the_feed, Doorkeeper& the_door,
         CrowdLimits the_limits)
        : feed(the_feed),
          door(the_door),
          limits(the_limits),
          executor(io),
          epoll(io, epoll_create1(EPOLL_CLOEXEC)),
          timer(io) {
        spare_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    }
    ~Impl() {
        for (const int fd : {listening, spare_fd}) {
            if (fd >= 0) close(fd);
        }
    }

    void watch(int fd, std::uint32_t events, void* who) {
        epoll_event event{};
        event.events = events;
        event.data.ptr = who;
        epoll_ctl(epoll.native_handle(), EPOLL_CTL_ADD, fd, &event);
    }

    void wait() {
        epoll.async_wait(asio::posix::stream_descriptor::wait_read,
                         [self = shared_from_this()](boost::system::error_code error) {
                             if (error) return;
                             self->serve();
                             self->wait();
                         });
    }

    void serve() {
        std::array<epoll_event, events_a_turn> events;
        const int n =
            epoll_wait(epoll.native_handle(), events.data(), static_cast<int>(events.size()), 0);
        now = std::chrono::steady_clock::now();
        for (int i = 0; i < n; ++i) {
            const auto& event = events[static_cast<std::size_t>(i)];
            if (event.data.ptr == this) {
                accept_some();
            } else {
                auto& session = *static_cast<Session*>(event.data.ptr);
                if (!serve(session, event.events)) gone.push_back(&session);
            }
        }
        sweep();
    }

    /// False: the connection is over.
    bool serve(Session& session, std::uint32_t events) {
        if ((events & (EPOLLHUP | EPOLLERR | EPOLLRDHUP)) != 0) return false;
        if ((events & EPOLLIN) != 0 && !listen_to(session)) return false;
        if ((events & EPOLLOUT) != 0) session.unblock();
        return session.send(feed, now);
    }

    /// Reads what has come. One who floods us is left with the rest of it in his own buffers.
    bool listen_to(Session& session) {
        std::array<char, longest_input> bytes;
        for (int i = 0; i < reads_a_turn; ++i) {
            const auto size = recv(session.fd(), bytes.data(), bytes.size(), MSG_DONTWAIT);
            if (size <= 0) return size < 0 && errno == EAGAIN;
            const auto n = static_cast<std::size_t>(size);
            if (!hear(session, {bytes.data(), n})) return false;
            if (n < bytes.size()) return true;
        }
        return true;
    }

    bool hear(Session& session, std::string_view bytes) {
        for (const auto& heard : session.input().take(bytes, session.framing())) {
            switch (heard.kind) {
                case Heard::Kind::Line:
                    if (!session.waiting() || !resume(session, read_resume(heard.text))) {
                        ++counts.ignored_input;
                    }
                    break;
                case Heard::Kind::Ping:
                    session.answer(websocket_control(0xA, heard.text), feed);
                    break;
                case Heard::Kind::Ignored:
                    ++counts.ignored_input;
                    break;
                case Heard::Kind::End:
                    if (session.framing() == Framing::WebSocket) {
                        session.answer(websocket_control(0x8, {}), feed);
                        session.send(feed, now);
                    }
                    return false;
            }
        }
        return true;
    }

    /// Whether the client said where it left off; it is then served from there, or from the state.
    bool resume(Session& session, const std::optional<Resume>& from) {
        if (!from) return false;
        const auto place = feed.place_after(from->since, from->epoch, session.framing());
        if (place) {
            ++counts.resumed;
            session.follow_from(*place);
            auto& least = slowest[static_cast<std::size_t>(session.framing())];
            least = std::min(least, *place);
        } else {
            session.want_state();
        }
        return true;
    }

    void accept_some() {
        for (int i = 0; i < accepts_a_turn; ++i) {
            sockaddr_storage peer{};
            socklen_t size = sizeof peer;
            const int fd = accept4(listening, reinterpret_cast<sockaddr*>(&peer), &size,
                                   SOCK_NONBLOCK | SOCK_CLOEXEC);
            if (fd >= 0) {
                admit(fd, Address::of(peer));
            } else if (errno == EAGAIN) {
                return;
            } else if (++counts.accept_errors; errno == EMFILE || errno == ENFILE) {
                turn_one_away();
                return;
            } else if (errno == ENOBUFS || errno == ENOMEM) {
                return rest();
            }
        }
    }

    /// No file descriptor is left: the spare one takes the next in the queue and closes it, or he
    /// would knock for ever.
    void turn_one_away() {
        close(spare_fd);
        const int fd = accept4(listening, nullptr, nullptr, SOCK_CLOEXEC);
        if (fd >= 0) close(fd);
        spare_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
        ++counts.refused;
        if (spare_fd < 0) rest();
    }

    /// The kernel has no memory: look again at the next tick.
    void rest() {
        epoll_ctl(epoll.native_handle(), EPOLL_CTL_DEL, listening, nullptr);
        resting = true;
        tick_within(slow_tick);
    }

    void admit(int fd, const Address& address) {
        if (!door.enter(address)) {
            ++counts.refused;
            close(fd);
            return;
        }
        prepare_client(fd);
        add(fd, Framing::Line, address, feed.hello(Framing::Line));
    }

    Session& add(int fd, Framing framing, const Address& address, Shared first) {
        ++counts.admitted;
        setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &limits.send_buffer, sizeof limits.send_buffer);
        auto& session = *sessions.emplace_back(
            std::make_unique<Session>(fd, framing, address, std::move(first), now));
        // Registered once for everything, edge by edge: a spectator who is slow or not costs no
        // further call.
        watch(fd, EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET, &session);
        tick_within(brisk_tick);
        return session;
    }

    /// Forgets those who are gone. Only here, where no event still points at them.
    void sweep() {
        if (gone.empty()) return;
        std::sort(gone.begin(), gone.end());
        const auto left = std::remove_if(
            sessions.begin(), sessions.end(), [&](const std::unique_ptr<Session>& session) {
                if (!std::binary_search(gone.begin(), gone.end(), session.get())) return false;
                door.leave(session->address());
                return true;
            });
        sessions.erase(left, sessions.end());
        gone.clear();
    }

    void append(std::uint64_t seq, std::string_view line) {
        make_room(line);
        feed.append(seq, line);
        if (flushing) return;
        flushing = true;
        asio::post(executor, [self = shared_from_this()] { self->flush(); });
    }

    void flush() {
        flushing = false;
        now = std::chrono::steady_clock::now();
        for (const auto& session : sessions) {
            if (!session->blocked() && !session->send(feed, now)) gone.push_back(session.get());
        }
        sweep();
    }

    /// Before a message overwrites the oldest bytes: whoever still needs them, or soon will, gives
    /// up his place. Looks at all only once in a quarter of the ring.
    void make_room(std::string_view line) {
        const auto tail_of = [&](Framing framing) { return feed.tail_after(line, framing); };
        const auto slack = feed.ring(Framing::Line).size() / 4;
        bool needed = false;
        for (std::size_t i = 0; i < framings; ++i) {
            needed |= tail_of(static_cast<Framing>(i)) > slowest[i];
        }
        if (!needed) return;
        for (std::size_t i = 0; i < framings; ++i) {
            slowest[i] = feed.ring(static_cast<Framing>(i)).head();
        }
        for (const auto& session : sessions) {
            const auto place = session->place();
            if (!place) continue;
            auto& least = slowest[static_cast<std::size_t>(session->framing())];
            if (*place < tail_of(session->framing()) + slack) {
                session->fall_behind(feed);
                ++counts.fell_behind;
            } else {
                least = std::min(least, *place);
            }
        }
    }

    /// The next tick is no later than this from now, whatever was intended before.
    void tick_within(std::chrono::milliseconds time) {
        const auto due = std::chrono::steady_clock::now() + time;
        if (ticking && timer.expiry() <= due) return;
        ticking = true;
        timer.expires_at(due);
        timer.async_wait([self = shared_from_this()](boost::system::error_code error) {
            if (!error) self->tick();
        });
    }

    void tick() {
        ticking = false;
        now = std::chrono::steady_clock::now();
        if (resting) {
            resting = false;
            watch(listening, EPOLLIN, this);
        }
        for (const auto& session : sessions) {
            if (session->waiting() && now - session->progress() >= limits.resume_window) {
                session->want_state();
                if (!session->send(feed, now)) gone.push_back(session.get());
            } else if (session->blocked() && now - session->progress() >= limits.stall) {
                ++counts.evicted;
                gone.push_back(session.get());
            }
        }
        sweep();
        if (sessions.empty() && !resting) return;
        const bool waiting = std::any_of(sessions.begin(), sessions.end(),
                                         [](const auto& session) { return session->waiting(); });
        tick_within(waiting ? brisk_tick : slow_tick);
    }

    Feed& feed;
    Doorkeeper& door;
    CrowdLimits limits;
    CrowdCounts counts;
    asio::any_io_executor executor;
    asio::posix::stream_descriptor epoll;
    asio::steady_timer timer;
    std::vector<std::unique_ptr<Session>> sessions;
    std::vector<Session*> gone;                     ///< found gone, not yet forgotten
    std::array<std::uint64_t, framings> slowest{};  ///< no session is at an older place
    Instant now = std::chrono::steady_clock::now();
    int listening = -1;
    int spare_fd = -1;
    bool resting = false;
    bool flushing = false;
    bool ticking = false;
};

Crowd::Crowd(const asio::any_io_executor& io, Feed& feed, Doorkeeper& door, CrowdLimits limits)
    : impl_(std::make_shared<Impl>(io, feed, door, limits)) {
    impl_->wait();
}

Crowd::~Crowd() {
    boost::system::error_code ignored;
    impl_->timer.cancel(ignored);
    impl_->epoll.close(ignored);
    impl_->sessions.clear();
}

void Crowd::accept_from(int listening_fd) {
    impl_->listening = listening_fd;
    impl_->watch(listening_fd, EPOLLIN, impl_.get());
}

void Crowd::adopt(int fd, Framing framing, const Address& address, const std::string& answer,
                  std::string_view input, std::optional<Resume> resume) {
    impl_->now = std::chrono::steady_clock::now();
    auto first = std::make_shared<const std::string>(answer + *impl_->feed.hello(framing));
    Session& session = impl_->add(fd, framing, address, std::move(first));
    // Server-sent events are one-way: what a client has to say it has said in the request.
    if (!impl_->resume(session, resume) && framing == Framing::ServerSent) session.want_state();
    if (!impl_->hear(session, input) || !session.send(impl_->feed, impl_->now)) {
        impl_->gone.push_back(&session);
        impl_->sweep();
    }
}

void Crowd::append(std::uint64_t seq, std::string_view line) {
    impl_->append(seq, line);
}

std::size_t Crowd::size() const {
    return impl_->sessions.size();
}

const CrowdCounts& Crowd::counts() const {
    return impl_->counts;
}

}  // namespace xq::daemon
