#include "daemon/referee/sensing.hpp"

#include <algorithm>

namespace xq::referee {

namespace {
constexpr std::size_t at(Point p) {
    return static_cast<std::size_t>(p);
}
/// Notes a moment and says how many there were within the window that ends with it.
int count(std::deque<Millis>& moments, Millis t) {
    moments.push_back(t);
    while (t - moments.front() > flicker_window_ms) moments.pop_front();
    return static_cast<int>(moments.size());
}
}  // namespace

void Sensing::begin(const Reading& reading) {
    raw_ = believed_ = reading;
    begun_ = true;
}

Millis Sensing::hold(Point p, Seen seen) const {
    if (seen.empty()) return empty_ms_;
    // A misread piece that heals, or an arrival that is told exactly, need not wait.
    if (seen.piece()) return 0;
    return believed_[at(p)].empty() ? bounce_ms : 0;
}

void Sensing::believe(Point p, std::vector<Change>& out) {
    Watch& w = points_[at(p)];
    w.pending = false;
    out.push_back({w.since, p, believed_[at(p)], raw_[at(p)]});
    believed_[at(p)] = raw_[at(p)];
    if (count(w.changes, w.since) >= flicker_changes) toggling_.set(at(p));
}

void Sensing::read(Millis t, Point p, Seen seen, std::vector<Change>& out) {
    Watch& w = points_[at(p)];
    if (raw_[at(p)] == seen) return;
    raw_[at(p)] = seen;
    w.last = last_ = t;
    w.reports.push_back(t);
    while (t - w.reports.front() > 60'000) w.reports.pop_front();
    const bool was_pending = w.pending;
    const Millis began = w.since;
    w.since = t;
    w.pending = seen != believed_[at(p)];
    if (!w.pending) {
        // Bounces of one contact are one disturbance.
        if (was_pending) {
            if (began - w.disturbed > disturbance_ms && count(w.blips, t) >= flicker_blips)
                blinking_.set(at(p));
            w.disturbed = t;
        }
        return;
    }
    if (!toggling_.test(at(p)) && hold(p, seen) == 0) believe(p, out);
}

void Sensing::cut_off(Millis t) {
    for (Point p = 0; p < rules::points; ++p) {
        const auto& blips = points_[at(p)].blips;
        const auto late = std::count_if(blips.begin(), blips.end(),
                                        [&](Millis when) { return t - when <= flicker_window_ms; });
        if (late >= flicker_blips - 1) blinking_.set(at(p));
    }
}

void Sensing::settle(Millis t, std::vector<Change>& out) {
    const std::size_t first = out.size();
    for (Point p = 0; p < rules::points; ++p) {
        Watch& w = points_[at(p)];
        if (t - w.last >= flicker_quiet_ms) {
            blinking_.reset(at(p));
            toggling_.reset(at(p));
        }
        if (toggling_.test(at(p))) continue;
        if (w.pending && t - w.since >= hold(p, raw_[at(p)])) believe(p, out);
    }
    std::stable_sort(out.begin() + static_cast<std::ptrdiff_t>(first), out.end(),
                     [](const Change& a, const Change& b) { return a.t < b.t; });
}

int Sensing::changes_per_minute(Point p, Millis t) const {
    const auto& r = points_[at(p)].reports;
    return static_cast<int>(
        std::count_if(r.begin(), r.end(), [&](Millis when) { return t - when <= 60'000; }));
}

std::optional<Millis> Sensing::next_deadline() const {
    std::optional<Millis> next;
    for (Point p = 0; p < rules::points; ++p) {
        const Watch& w = points_[at(p)];
        const auto due = [&](Millis t) {
            if (!next || t < *next) next = t;
        };
        if (w.pending && !toggling_.test(at(p))) due(w.since + hold(p, raw_[at(p)]));
        if (blinking_.test(at(p)) || toggling_.test(at(p))) due(w.last + flicker_quiet_ms);
    }
    return next;
}

}  // namespace xq::referee
