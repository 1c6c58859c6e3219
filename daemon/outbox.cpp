#include "daemon/outbox.hpp"

#include <sys/eventfd.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <iterator>
#include <system_error>

namespace xq::daemon {

Outbox::Outbox(std::size_t cap) : cap_(cap), bell_(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
    if (bell_ < 0) throw std::system_error(errno, std::generic_category(), "eventfd");
}

Outbox::~Outbox() {
    ::close(bell_);
}

void Outbox::ring() const {
    // It can only fail where it rings already.
    eventfd_write(bell_, 1);
}

void Outbox::hush() const {
    eventfd_t ignored = 0;
    eventfd_read(bell_, &ignored);
}

void Outbox::drop_oldest() {
    while (events_.size() > cap_) events_.pop_front();
}

void Outbox::put(const Batch& batch) {
    {
        const std::lock_guard lock(mutex_);
        std::copy_if(batch.messages.begin(), batch.messages.end(), std::back_inserter(events_),
                     [this](const Encoded& message) { return online_ || !message.momentary; });
        drop_oldest();
        welcome_ = batch.welcome;
        welcome_sent_ = false;
    }
    ring();
}

void Outbox::close() {
    {
        const std::lock_guard lock(mutex_);
        closed_ = true;
    }
    ring();
}

Outbox::Parcel Outbox::take(std::size_t most, bool wanted) {
    const std::lock_guard lock(mutex_);
    Parcel parcel;
    const auto end =
        std::next(events_.begin(), static_cast<std::ptrdiff_t>(std::min(most, events_.size())));
    std::move(events_.begin(), end, std::back_inserter(parcel.events));
    events_.erase(events_.begin(), end);
    if (wanted && events_.empty() && !welcome_sent_) {
        parcel.welcome = welcome_;
        welcome_sent_ = true;
    }
    return parcel;
}

bool Outbox::closed() const {
    const std::lock_guard lock(mutex_);
    return closed_;
}

bool Outbox::empty() const {
    const std::lock_guard lock(mutex_);
    return events_.empty() && welcome_sent_;
}

void Outbox::online() {
    const std::lock_guard lock(mutex_);
    online_ = true;
}

void Outbox::offline(std::deque<Encoded> unacknowledged) {
    const std::lock_guard lock(mutex_);
    online_ = false;
    events_.insert(events_.begin(), std::make_move_iterator(unacknowledged.begin()),
                   std::make_move_iterator(unacknowledged.end()));
    std::erase_if(events_, [](const Encoded& message) { return message.momentary; });
    drop_oldest();
    welcome_sent_ = false;
}

}  // namespace xq::daemon
