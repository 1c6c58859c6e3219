#include "daemon/referee/clock.hpp"

#include <algorithm>

namespace xq::referee {

using rules::Side;

GameClock::GameClock(const Regulations& r)
    : source_(r.clock_source), control_(r.control), valid_(r.clock_source != ClockSource::None) {
    if (control_.empty()) control_.push_back({0, 0, 0});
    if (source_ == ClockSource::None) return;
    for (const Side s : {Side::Red, Side::Black}) {
        Hand& h = hand(s);
        h.left = control_.front().time_ms + (s == Side::Red ? r.red_extra_ms : 0);
        h.books.given = h.left;
    }
}

void GameClock::charge(Millis t) {
    if (!running_) return;
    Hand& h = hand(*running_);
    const Millis used = std::clamp<Millis>(t - since_, 0, h.left);
    h.left -= used;
    h.spent += used;
    h.books.used += used;
    since_ = std::max(since_, t);
}

void GameClock::start(Side side, Millis t) {
    if (none()) return;
    charge(t);
    running_ = side;
    since_ = t;
    begun_ = true;
    hand(side).ran = true;
}

void GameClock::stop(Millis t) {
    charge(t);
    running_.reset();
}

std::optional<Millis> GameClock::complete_move(Side side, Millis t) {
    if (none()) return {};
    charge(t);
    Hand& h = hand(side);
    const std::optional<Millis> spent = h.ran ? std::optional(h.spent) : std::nullopt;
    // A first move made before any clock was started costs nothing and earns nothing.
    Millis gift = h.ran ? period(h).increment_ms : 0;
    h.spent = 0;
    h.ran = false;
    ++h.moves;
    if (period(h).moves > 0 && h.moves >= period(h).moves) {
        // The last period that asks for moves repeats (6.2); what is left over is kept.
        h.moves = 0;
        if (h.period + 1 < control_.size()) ++h.period;
        gift += period(h).time_ms;
    }
    h.may_rise += gift;
    if (!told_by_board()) {
        h.left += gift;
        h.books.given += gift;
    }
    start(rules::other(side), t);
    return spent;
}

Millis GameClock::left(Side side, Millis t) const {
    const Hand& h = hand(side);
    if (running_ != side || (told_by_board() && !valid_)) return h.left;
    return std::clamp<Millis>(h.left - (t - since_), 0, h.left);
}

std::optional<Millis> GameClock::falls_at() const {
    if (!running_ || told_by_board()) return {};
    return since_ + hand(*running_).left;
}

bool GameClock::next_period(Millis t) {
    if (!running_) return false;
    Hand& h = hand(*running_);
    if (period(h).moves > 0 || h.period + 1 >= control_.size()) return false;
    charge(t);
    ++h.period;
    h.moves = 0;
    h.left += period(h).time_ms;
    h.books.given += period(h).time_ms;
    return true;
}

void GameClock::deduct(Side side, Millis ms, Millis t) {
    charge(t);
    Hand& h = hand(side);
    const Millis taken = std::min(ms, h.left);
    h.left -= taken;
    h.books.deducted += taken;
}

void GameClock::set(Millis red_ms, Millis black_ms, std::optional<Side> running, Millis t) {
    if (none()) return;
    charge(t);
    for (const Side s : {Side::Red, Side::Black}) {
        Hand& h = hand(s);
        const Millis now = s == Side::Red ? red_ms : black_ms;
        h.books.adjusted += now - h.left;
        h.left = now;
        h.may_rise = 0;
    }
    running_.reset();
    valid_ = true;
    if (running) start(*running, t);
}

bool GameClock::board_reading(const protocol::event::Clock& c, Millis t) {
    bool believed = true;
    if (told_) {
        for (const Side s : {Side::Red, Side::Black}) {
            const Millis told = s == Side::Red ? c.red_ms : c.black_ms;
            if (told > left(s, t) + hand(s).may_rise + board_clock_slack_ms) believed = false;
        }
    }
    charge(t);
    valid_ = believed;
    if (believed) {
        for (const Side s : {Side::Red, Side::Black}) {
            Hand& h = hand(s);
            const Millis told = s == Side::Red ? c.red_ms : c.black_ms;
            if (told > h.left) h.may_rise = std::max<Millis>(0, h.may_rise - (told - h.left));
            h.books.adjusted += told - h.left;
            h.left = told;
        }
        told_ = true;
    }
    running_ = c.running;
    since_ = t;
    if (running_) {
        begun_ = true;
        hand(*running_).ran = true;
    }
    return believed;
}

void GameClock::board_invalid() {
    if (told_by_board()) valid_ = false;
}

std::optional<Side> GameClock::board_fallen() const {
    if (!told_by_board() || !told_ || !valid_) return {};
    for (const Side s : {Side::Red, Side::Black})
        if (hand(s).left == 0) return s;
    return {};
}

protocol::ClockFace GameClock::face(Millis t) const {
    return {left(Side::Red, t), left(Side::Black, t), running_, valid_};
}

GameClock::Books GameClock::books(Side side, Millis t) const {
    Books b = hand(side).books;
    b.used += hand(side).left - left(side, t);
    return b;
}

}  // namespace xq::referee
