#include "daemon/session.hpp"

#include <sys/socket.h>
#include <unistd.h>
#include <cerrno>

namespace xq::daemon {

Session::Session(int fd, Framing framing, const Address& address, Shared first, Instant now)
    : fd_(fd), framing_(framing), own_(std::move(first)), progress_(now), address_(address) {}

Session::~Session() {
    ::close(fd_);
}

void Session::follow_from(std::uint64_t place) {
    mode_ = Mode::Following;
    place_ = place;
}

std::optional<std::uint64_t> Session::place() const {
    return mode_ == Mode::Following ? std::optional(place_) : std::nullopt;
}

void Session::fall_behind(const Feed& feed) {
    if (!own_) {
        const auto rest = feed.rest_of_message(place_, framing_);
        if (!rest.empty()) own_ = std::make_shared<const std::string>(rest);
        own_sent_ = 0;
    }
    mode_ = Mode::WantsState;
}

Session::Sent Session::put(std::string_view bytes, std::uint64_t& place, Instant now) {
    const auto sent = ::send(fd_, bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent < 0 && errno != EAGAIN && errno != EINTR) return Sent::Gone;
    progress_ = now;
    if (sent > 0) place += static_cast<std::uint64_t>(sent);
    if (sent == static_cast<ssize_t>(bytes.size())) return Sent::All;
    blocked_ = true;
    return Sent::Part;
}

bool Session::send(Feed& feed, Instant now) {
    while (!blocked_) {
        if (own_) {
            const Sent sent = put(std::string_view(*own_).substr(own_sent_), own_sent_, now);
            if (sent != Sent::All) return sent == Sent::Part;
            own_.reset();
            own_sent_ = 0;
        }
        if (mode_ == Mode::Waiting) return true;
        if (mode_ == Mode::WantsState) {
            own_ = feed.state(framing_);
            follow_from(feed.ring(framing_).head());
            continue;
        }
        const auto bytes = feed.ring(framing_).from(place_);
        return bytes.empty() || put(bytes, place_, now) != Sent::Gone;
    }
    return true;
}

void Session::answer(std::string_view bytes, const Feed& feed) {
    // Room for hello, state and a few answers behind them.
    constexpr std::size_t most_own = std::size_t{32} << 10U;
    std::string text;
    if (own_) {
        text = own_->substr(own_sent_);
    } else if (mode_ == Mode::Following) {
        text = feed.rest_of_message(place_, framing_);
        place_ += text.size();
    }
    if (text.size() > most_own) return;
    own_ = std::make_shared<const std::string>(text.append(bytes));
    own_sent_ = 0;
}

}  // namespace xq::daemon
