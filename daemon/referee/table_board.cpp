// What stands on the board and how it differs from what should.
#include "daemon/referee/table_impl.hpp"

#include <algorithm>
#include <cstdlib>
#include <tuple>

namespace xq::referee {

namespace message = protocol::message;

void Table::Impl::read(Point p, Seen seen, bool heard) {
    if (sensing.raw(p) == seen) return;
    // While it is asked what was missed, hands go on with what nobody knows.
    unheard.set(at(p), !heard || (question && !question->pressed));
    std::vector<Change> changes;
    sensing.read(now, p, seen, changes);
    turn.stirred.set(at(p));
    told_since_ply = true;
    silent = false;
    on_changes(changes);
}

void Table::Impl::on_changes(const std::vector<Change>& changes) {
    if (!changes.empty()) noted = false;
    std::erase_if(recent, [&](const Change& c) { return now - c.t > remembered_ms; });
    for (const Change& c : changes) {
        changed_at[at(c.point)] = c.t;
        recent.push_back(c);
        if (c.now.empty())
            on_lift(c);
        else
            on_drop(c);
    }
}

void Table::Impl::on_lift(const Change& c) {
    const Piece piece = expected[at(c.point)];
    if (!judging() || piece.empty() || piece != game.position().at(c.point)) return;
    if (turn.provisional && turn.provisional->ply.move.from == c.point) return;
    if (unheard.test(at(c.point))) return;  // no hand was seen
    if (piece.is(side())) {
        // What other points tell matters from here on: a captured piece may hide among them.
        for (Point p = 0; p < rules::points; ++p)
            if (sensing.last_report(p) < c.t - reply_ms) turn.stirred.reset(at(p));
        turn.refilled.reset();
    }
    if (sensing.flickering().test(at(c.point))) return;  // that alone shows no hand
    turn.lifts.push_back(
        {c.t, c.point, piece, {}, adjusting[static_cast<std::size_t>(side())], false});
    const auto swept = std::count_if(turn.lifts.begin(), turn.lifts.end(), [&](const Lift& l) {
        return c.t - l.t <= sweep_ms && !l.returned;
    });
    if (swept >= sweep_pieces && !turn.sweep_said) {
        turn.sweep_said = true;
        rule({Code::Knocked, side(), Severity::Warning, {}, {}, {}, {{"t", c.t}}});
    }
}

void Table::Impl::on_drop(const Change& c) {
    if (over() && c.now.fits(Position::start().at(c.point))) came_home.set(at(c.point));
    if (c.was.empty()) turn.refilled.set(at(c.point));
    for (Lift& l : turn.lifts) {
        if (l.point != c.point || l.returned || !c.now.fits(l.piece)) continue;
        l.returned = c.t;
    }
}

/// Whose piece it was is presumed: set back at once after one's own press, one has straightened it.
bool Table::Impl::straightened(const Lift& l) const {
    return l.piece.is(rules::other(side())) && l.returned && game.ply() > 0 &&
           *l.returned - turn.began <= straighten_ms;
}

void Table::Impl::say_straightened() {
    for (Lift& l : turn.lifts) {
        if (l.said || !straightened(l)) continue;
        l.said = true;
        rule({Code::Adjust,
              rules::other(side()),
              Severity::Info,
              {},
              rules::name(l.point),
              "a piece straightened on " + rules::name(l.point),
              {{"point", rules::name(l.point)}}});
    }
}

PointSet Table::Impl::masked() const {
    PointSet m = sensing.toggling() | stuck;
    for (std::size_t p = 0; p < m.size(); ++p)
        if (health[p] != protocol::PointFault::None) m.set(p);
    return m;
}

Scene Table::Impl::scene(const Reading& seen, const PointSet& mask) const {
    return {game.position(),      expected,     seen,         tells_pieces(), mask,
            sensing.flickering(), turn.stirred, turn.refilled};
}

Reading Table::Impl::reading() const {
    return plausible(sensing.believed(), expected);
}

bool Table::Impl::tells_pieces() const {
    return !board || board->sensing == protocol::Sensing::Identity;
}

/// The board as it was believed to be at `t`, no longer ago than `remembered_ms`.
Reading Table::Impl::reading_at(Millis t) const {
    Reading then = sensing.believed();
    std::for_each(recent.rbegin(), recent.rend(), [&](const Change& c) {
        if (c.t > t) then[at(c.point)] = c.was;
    });
    return plausible(then, expected);
}

/// Whether hands are judged now: a game is on, nobody stopped it, nothing waits for the arbiter.
bool Table::Impl::judging() const {
    return sensing.begun() && link == Link::Online && !over() && !paused && !restoring &&
           !unlawful && !question;
}

/// The official position is the arbiter's word, or a new game's: the board must show it.
void Table::Impl::set_restoring() {
    stood.reset();
    unheard.reset();
    restoring = sensing.begun() && differences(expected, sensing.believed(), masked()).any();
}

void Table::Impl::evaluate() {
    if (!sensing.begun()) return;
    const PointSet mask = masked();
    const Reading seen = reading();

    // For the eye of clients: against the official position, provisional ply included.
    const auto refresh = [&] {
        const PointSet d = differences(
            turn.provisional ? turn.provisional->after.placement() : game.position().placement(),
            seen, mask);
        if (d != differs) {
            differs = d;
            differs_since = now;
            noted = false;
        }
        const bool told = !said_board.missing.empty() || !said_board.extra.empty();
        const auto& faults = said_board.faults;
        const bool speaks = !silent && std::any_of(faults.begin(), faults.end(), [](const auto& f) {
            return f.point == rules::no_point;
        });
        if ((differs.none() && told) || speaks) say_board();
    };

    if (restoring && differences(expected, seen, mask).none()) {
        restoring = false;
        turn.lifts.clear();
    }
    // The board that nobody could explain shows the official position again.
    if (question && !question->pressed && differences(expected, seen, mask).none())
        question.reset();
    if (!judging()) {
        refresh();
        return;
    }

    // A point that is believed to toggle is not listened to until it has long been well.
    stuck |= sensing.toggling();
    // One that flickered and has come to rest on what nobody did there is stuck.
    const PointSet flickers = sensing.flickering();
    for (Point p = 0; p < rules::points; ++p) {
        const bool of_the_ply = turn.provisional && turn.provisional->ply.move.from == p;
        if (flickered.test(at(p)) && !flickers.test(at(p)) && !of_the_ply &&
            !seen[at(p)].fits(expected[at(p)]) && now - sensing.last_report(p) >= flicker_quiet_ms)
            stuck.set(at(p));
    }
    flickered = flickers;
    // A point that was stuck and has long read what it should is well again.
    for (Point p = 0; p < rules::points; ++p)
        if (stuck.test(at(p)) && seen[at(p)].fits(expected[at(p)]) &&
            now - sensing.last_report(p) >= flicker_quiet_ms)
            stuck.reset(at(p));

    // A piece known to stand elsewhere that has come home is no longer known to.
    for (std::size_t p = 0; p < expected.size(); ++p) {
        const Piece official = game.position().at(static_cast<Point>(p));
        if (expected[p] != official && seen[p].fits(official)) expected[p] = official;
    }

    if (may_be_two() && seek_return(false)) return;
    const Scene now_seen = scene(seen, mask);
    seek_move(now_seen);
    if (!turn.provisional) seek_out_of_turn(now_seen);
    if (differences(now_seen).none()) {
        say_straightened();
        show_duty();
    }
    if (turn.press && resolve_now(*turn.press)) {
        evaluate();
        return;
    }
    refresh();
}

/// Whether differences are what a hand does in the ordinary way: one own piece in the air, and an
/// enemy piece taken off.
bool Table::Impl::ordinary(const PointSet& d) const {
    int own = 0;
    int enemy = 0;
    const Position& p = turn.provisional ? turn.provisional->after : game.position();
    const Reading seen = reading();
    for (std::size_t i = 0; i < d.size(); ++i) {
        if (!d.test(i)) continue;
        if (!seen[i].empty()) return false;
        ++(p.at(static_cast<Point>(i)).is(p.turn()) ? own : enemy);
    }
    return own <= 1 && enemy <= 1;
}

/// Whether what is not told yet is a hand's ordinary motion. That something told is over is news.
bool Table::Impl::of_a_hand() const {
    if (!judging() || missed().any()) return false;
    const message::Board note = board_note();
    const auto holds = [](const auto& all, const auto& part) {
        return std::all_of(part.begin(), part.end(), [&](const auto& one) {
            return std::find(all.begin(), all.end(), one) != all.end();
        });
    };
    if (!holds(note.missing, said_board.missing) || !holds(note.extra, said_board.extra) ||
        !holds(said_board.extra, note.extra))
        return false;
    PointSet untold = differs;
    for (const auto& m : said_board.missing) untold.reset(at(m.point));
    for (const auto& e : said_board.extra) untold.reset(at(e.point));
    return ordinary(untold);
}

std::optional<Millis> Table::Impl::difference_due() const {
    if (noted || !sensing.begun() || over() || (differs.none() && unjudged.none())) return {};
    // What came with the reading after a break must have stood for a while since.
    const Millis since = link == Link::Online ? std::max(differs_since, broken_at) : differs_since;
    return since + difference_ms;
}

void Table::Impl::note_differences() {
    noted = true;
    const PointSet drifted = unjudged & differs;
    unjudged.reset();
    if (drifted.any() && judging()) {
        // What the side now to move has meanwhile begun is its own business.
        PointSet of_hand;
        if (turn.provisional) {
            of_hand.set(at(turn.provisional->ply.move.from));
            of_hand.set(at(turn.provisional->ply.move.to));
        }
        for (const Lift& l : turn.lifts)
            if (!l.returned) of_hand.set(at(l.point));
        const PointSet rest = drifted & ~of_hand;
        if (rest.any()) {
            freeze(rest);
            misplaced(rest);
        }
    }
    if (judging()) mask_impossible(differs);
    if (judging() && !turn.provisional) accept_at_rest();
    if (restoring && link == Link::Online && !over() && !paused && !unlawful && !question) {
        play_on();
        stood = differs;
    }
    // A move may have ended where nothing was heard, or where nothing can be read.
    if (judging() && (missed().any() || (masked().any() && !turn.provisional))) seek_return(true);
    if (judging() && lost()) ask_return();
    if (differs.any() && !of_a_hand()) say_board();
}

/// Points that read a piece where every piece is accounted for: nobody has a thirty-third, so the
/// point is at fault.
PointSet Table::Impl::impossible(const PointSet& d) const {
    const Reading seen = reading();
    PointSet extra;
    for (std::size_t p = 0; p < d.size(); ++p) {
        if (!d.test(p)) continue;
        if (seen[p].empty() || !expected[p].empty()) return {};
        if (!seen[p].piece()) extra.set(p);
    }
    return extra;
}

void Table::Impl::mask_impossible(const PointSet& d) {
    const PointSet fault = impossible(d);
    if (fault.none()) return;
    stuck |= fault;
    evaluate();
    say_board();
}

int Table::Impl::displaced(const PointSet& d, const Placement& against) const {
    const Reading seen = reading();
    int gone = 0;
    int come = 0;
    for (std::size_t p = 0; p < d.size(); ++p) {
        if (!d.test(p)) continue;
        if (!against[p].empty()) ++gone;
        if (!seen[p].empty()) ++come;
    }
    return std::max(gone, come);
}

/// From here on the pieces on these points are known to stand as they read.
void Table::Impl::freeze(const PointSet& points) {
    const Reading seen = reading();
    const Placement was = expected;
    struct Way {
        Point from;
        Point to;
    };
    std::vector<Way> ways;
    for (Point from = 0; from < rules::points; ++from) {
        if (!points.test(at(from)) || was[at(from)].empty()) continue;
        expected[at(from)] = Piece();
        for (Point to = 0; to < rules::points; ++to)
            if (points.test(at(to)) && !seen[at(to)].empty() && seen[at(to)].fits(was[at(from)]))
                ways.push_back({from, to});
    }
    // The likeliest first: a piece that is told, then the shortest way, then what happened
    // together.
    const auto likelihood = [&](const Way& w) {
        const int files = rules::file_of(w.to) - rules::file_of(w.from);
        const int ranks = rules::rank_of(w.to) - rules::rank_of(w.from);
        const Piece piece = was[at(w.from)];
        return std::tuple(!seen[at(w.to)].piece(), files * files + ranks * ranks,
                          std::abs(changed_at[at(w.to)] - changed_at[at(w.from)]),
                          piece.side() != side(), piece.kind());
    };
    std::stable_sort(ways.begin(), ways.end(),
                     [&](const Way& a, const Way& b) { return likelihood(a) < likelihood(b); });
    PointSet gone;
    for (const Way& w : ways) {
        if (gone.test(at(w.from)) || !expected[at(w.to)].empty()) continue;
        gone.set(at(w.from));
        expected[at(w.to)] = was[at(w.from)];
    }
}

void Table::Impl::misplaced(const PointSet& points) {
    const message::Board note = board_note();
    boost::json::array missing;
    boost::json::array extra;
    for (const auto& m : note.missing)
        missing.push_back({{"point", rules::name(m.point)}, {"piece", std::string(1, m.piece)}});
    for (const auto& e : note.extra)
        extra.push_back({{"point", rules::name(e.point)}, {"piece", std::string(1, e.piece)}});
    rule({Code::Misplaced,
          std::nullopt,
          Severity::Warning,
          {},
          point_list(points),
          "on " + point_list(points),
          {{"missing", missing}, {"extra", extra}, {"since_ply", game.ply()}}});
}

bool Table::Impl::settled() const {
    return now - differs_since >= difference_ms;
}

message::Board Table::Impl::board_note() const {
    message::Board b;
    b.link = link;
    if (sensing.begun() && !over()) {
        const Reading seen = reading();
        const Position& p = turn.provisional ? turn.provisional->after : game.position();
        for (Point i = 0; i < rules::points; ++i) {
            if (!differs.test(at(i))) continue;
            if (!p.at(i).empty()) b.missing.push_back({i, p.at(i).fen()});
            if (!seen[at(i)].empty()) b.extra.push_back({i, seen[at(i)].letter()});
        }
    }
    b.in_sync = b.missing.empty() && b.extra.empty();
    for (Point i = 0; i < rules::points; ++i) {
        switch (health[at(i)]) {
            case protocol::PointFault::Stuck:
                b.faults.push_back({i, "stuck"});
                break;
            case protocol::PointFault::Flicker:
                b.faults.push_back({i, "flicker"});
                break;
            case protocol::PointFault::Unreadable:
                b.faults.push_back({i, "unreadable"});
                break;
            case protocol::PointFault::None:
                if (sensing.flickering().test(at(i)))
                    b.faults.push_back({i, "flicker"});
                else if (stuck.test(at(i)))
                    b.faults.push_back({i, "stuck"});
        }
    }
    if (silent) b.faults.push_back({rules::no_point, "silent"});
    if (question) b.candidates = question->candidates;
    return b;
}

void Table::Impl::say_board() {
    message::Board b = board_note();
    // Differences are told when they have settled; a fault or the link is told at once.
    if (differs.any() && !settled()) {
        b.missing = said_board.missing;
        b.extra = said_board.extra;
        b.in_sync = b.missing.empty() && b.extra.empty();
    }
    if (b == said_board) return;
    if (board && board->can.leds &&
        (b.missing != said_board.missing || b.extra != said_board.extra)) {
        protocol::wire::Leds leds;
        leds.pattern = b.in_sync ? protocol::wire::Led::Off : protocol::wire::Led::Blink;
        for (const auto& m : b.missing) leds.on[at(m.point)] = true;
        for (const auto& e : b.extra) leds.on[at(e.point)] = true;
        out->commands.emplace_back(leds);
    }
    said_board = b;
    say(std::move(b));
}

std::string point_list(const PointSet& points) {
    std::string s;
    for (Point p = 0; p < rules::points; ++p) {
        if (!points.test(at(p))) continue;
        if (!s.empty()) s += ", ";
        s += rules::name(p);
    }
    return s;
}

std::vector<Point> neighbours(Point p) {
    std::vector<Point> out;
    for (int df = -1; df <= 1; ++df)
        for (int dr = -1; dr <= 1; ++dr)
            if ((df != 0 || dr != 0) &&
                rules::on_board(rules::file_of(p) + df, rules::rank_of(p) + dr))
                out.push_back(rules::point(rules::file_of(p) + df, rules::rank_of(p) + dr));
    return out;
}

}  // namespace xq::referee
