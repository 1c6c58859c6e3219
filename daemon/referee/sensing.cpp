#include "daemon/referee/sensing.hpp"

#include <algorithm>

namespace xq::referee {

namespace {
constexpr std::size_t at(Point p) {
    return static_cast<std::size_t>(p);
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
    const Seen was = believed_[at(p)];
    out.push_back({w.since, p, was, raw_[at(p)]});
    believed_[at(p)] = raw_[at(p)];
    if (believed_[at(p)] == w.before) note_return(w.since, p);
    w.before = was;
}

void Sensing::note_return(Millis t, Point p) {
    Watch& w = points_[at(p)];
    if (t - w.disturbed > disturbance_ms) {
        w.returns.push_back(t);
        while (t - w.returns.front() > flicker_window_ms) w.returns.pop_front();
        if (static_cast<int>(w.returns.size()) >= flicker_times) flickering_.set(at(p));
    }
    w.disturbed = t;
}

void Sensing::read(Millis t, Point p, Seen seen, std::vector<Change>& out) {
    Watch& w = points_[at(p)];
    if (raw_[at(p)] == seen) return;
    raw_[at(p)] = seen;
    w.last = t;
    w.reports.push_back(t);
    while (t - w.reports.front() > 60'000) w.reports.pop_front();
    const bool was_pending = w.pending;
    w.since = t;
    w.pending = seen != believed_[at(p)];
    if (!w.pending) {
        if (was_pending) note_return(t, p);
        return;
    }
    if (!flickering_.test(at(p)) && hold(p, seen) == 0) believe(p, out);
}

void Sensing::settle(Millis t, std::vector<Change>& out) {
    const std::size_t first = out.size();
    for (Point p = 0; p < rules::points; ++p) {
        Watch& w = points_[at(p)];
        if (flickering_.test(at(p))) {
            if (t - w.last < flicker_quiet_ms) continue;
            flickering_.reset(at(p));
            w.returns.clear();
        }
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
        std::optional<Millis> due;
        if (flickering_.test(at(p)))
            due = w.last + flicker_quiet_ms;
        else if (w.pending)
            due = w.since + hold(p, raw_[at(p)]);
        if (due && (!next || *due < *next)) next = due;
    }
    return next;
}

}  // namespace xq::referee
