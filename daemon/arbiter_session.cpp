#include "daemon/arbiter_session.hpp"

#include <algorithm>

namespace xq::daemon {

void ArbiterSession::open(std::unique_ptr<Arbiter::Caller> caller, std::function<void()> ended,
                          std::chrono::milliseconds patience) {
    caller_ = std::move(caller);
    ended_ = std::move(ended);
    if (!known_) {
        patience_.expires_after(patience);
        patience_.async_wait([weak = weak_from_this()](boost::system::error_code error) {
            if (const auto self = weak.lock(); self && !error && !self->known_) self->end();
        });
    }
    begin();
}

void ArbiterSession::end() {
    if (!ended_) return;
    const auto self = weak_from_this().lock();
    const auto ended = std::exchange(ended_, {});
    close();
    // It may be its own answer that was too much; then it goes when it has finished.
    if (!hearing_) caller_.reset();
    ended();
}

void ArbiterSession::make_known() {
    known_ = true;
    patience_.cancel();
}

void ArbiterSession::send(std::string line) {
    if (!ended_) return;
    line += ending_;
    unsent_ += line.size();
    if (unsent_ > most_unsent) return end();
    output_.push_back(std::move(line));
    if (output_.size() == 1) write(output_.front());
}

void ArbiterSession::hear(std::string_view line) {
    hearing_ = true;
    caller_->hear(line);
    hearing_ = false;
    if (ended_) return read();
    caller_.reset();
}

void ArbiterSession::wrote() {
    unsent_ -= output_.front().size();
    output_.pop_front();
    if (!output_.empty()) write(output_.front());
}

// ---------------------------------------------------------------- all of one listener

Callers::~Callers() {
    while (!inside_.empty()) inside_.front().session->end();
}

void Callers::admit(const std::shared_ptr<ArbiterSession>& session,
                    std::optional<Identity> identity, const Address& from) {
    if (identity) {
        if (full()) return;
        session->make_known();
    }
    const auto who = inside_.insert(inside_.end(), {session, {}});
    // The caller belongs to the session, so it must not keep it alive.
    const std::weak_ptr<ArbiterSession> weak = session;
    const bool must_log_in = !identity;
    const auto log_in_here = [this, who, from](const std::string& token) {
        return log_in(who, from, token);
    };
    auto caller = arbiter_.connect(
        std::move(identity),
        [weak](std::string line) {
            if (const auto there = weak.lock()) there->send(std::move(line));
        },
        must_log_in ? Arbiter::Login(log_in_here) : Arbiter::Login());
    session->open(
        std::move(caller), [this, who] { inside_.erase(who); }, login_patience);
}

Result<Identity> Callers::log_in(std::list<Inside>::iterator who, const Address& from,
                                 const std::string& token) {
    if (!who->session->known() && full()) return Fault{0, "too many arbiters are connected"};
    auto entered = gate_->enter(from, token, std::chrono::steady_clock::now());
    if (!entered) return entered.error();
    who->by = std::move(entered->by);
    who->session->make_known();
    return std::move(entered->identity);
}

std::size_t Callers::end_revoked() {
    std::vector<std::shared_ptr<ArbiterSession>> revoked;
    for (const auto& [session, by] : inside_) {
        if (by && !gate_->stands(*by)) revoked.push_back(session);
    }
    for (const auto& session : revoked) session->end();
    return revoked.size();
}

bool Callers::full() const {
    return most <= static_cast<std::size_t>(
                       std::count_if(inside_.begin(), inside_.end(),
                                     [](const Inside& one) { return one.session->known(); }));
}

}  // namespace xq::daemon
