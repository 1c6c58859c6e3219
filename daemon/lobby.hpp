#pragma once
// Connections of which nobody knows yet who they are. There is room for some; when one more comes,
// the one that has stood there longest goes, so that who says nothing keeps nobody out. Owned by a
// listener, io thread.
#include "daemon/address.hpp"

#include <cstddef>
#include <deque>
#include <limits>
#include <memory>
#include <utility>

namespace xq::daemon {

class Guest {
public:
    Guest() = default;
    Guest(const Guest&) = delete;
    Guest& operator=(const Guest&) = delete;
    virtual ~Guest() = default;
    /// Closes the connection.
    virtual void end() = 0;
    /// Whether it has said who it is; it needs no place in the lobby then.
    virtual bool known() const = 0;
};

class Lobby {
public:
    /// Each may be in the middle of a handshake; a Raspberry Pi has room for as many.
    static constexpr std::size_t room = 64;
    /// A browser opens half a dozen connections; with as many as there is room for, one network
    /// could show all others out.
    static constexpr int most_of_a_network = 16;

    /// Counts one in, known or not, for as long as the visit is kept; null where there are too many
    /// of his network.
    std::unique_ptr<Visit> visit(const Address& address) {
        return Visit::enter(door_, address.network());
    }

    /// The oldest goes where there is no room.
    void enter(const std::weak_ptr<Guest>& guest) {
        std::erase_if(guests_, [](const std::weak_ptr<Guest>& one) {
            const auto there = one.lock();
            return !there || there->known();
        });
        if (guests_.size() == room) {
            if (const auto oldest = guests_.front().lock()) oldest->end();
            guests_.pop_front();
        }
        guests_.push_back(guest);
    }
    /// Ends them all.
    void clear() {
        for (const auto& one : std::exchange(guests_, {})) {
            if (const auto there = one.lock()) there->end();
        }
    }

private:
    std::shared_ptr<Doorkeeper> door_ =
        std::make_shared<Doorkeeper>(std::numeric_limits<int>::max(), most_of_a_network);
    std::deque<std::weak_ptr<Guest>> guests_;
};

}  // namespace xq::daemon
