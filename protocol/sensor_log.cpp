#include "protocol/sensor_log.hpp"

#include <algorithm>
#include <boost/json/stream_parser.hpp>
#include <charconv>
#include <utility>

namespace xq::protocol {

namespace {

using rules::Point;
using rules::Side;

// One table a vocabulary, read and written from the same place.
template <class T>
struct Name {
    T value;
    std::string_view text;
};
constexpr std::array<Name<Sensing>, 3> sensings{{{Sensing::Occupancy, "occupancy"},
                                                 {Sensing::Colour, "colour"},
                                                 {Sensing::Identity, "identity"}}};
constexpr std::array<Name<bool Capabilities::*>, 6> capabilities{
    {{&Capabilities::press, "press"},
     {&Capabilities::clock, "clock"},
     {&Capabilities::leds, "leds"},
     {&Capabilities::buzzer, "buzzer"},
     {&Capabilities::buttons, "buttons"},
     {&Capabilities::battery, "battery"}}};
constexpr std::array<Name<std::optional<Side>>, 2> sides{
    {{Side::Red, "red"}, {Side::Black, "black"}}};
constexpr std::array<Name<std::optional<Side>>, 3> sides_or_none{
    {{Side::Red, "red"}, {Side::Black, "black"}, {std::nullopt, "none"}}};
constexpr std::array<Name<ButtonKind>, 4> buttons{{{ButtonKind::Adjust, "adjust"},
                                                   {ButtonKind::Draw, "draw"},
                                                   {ButtonKind::Resign, "resign"},
                                                   {ButtonKind::Arbiter, "arbiter"}}};
constexpr std::array<Name<PointFault>, 4> point_faults{{{PointFault::None, "ok"},
                                                        {PointFault::Stuck, "stuck"},
                                                        {PointFault::Flicker, "flicker"},
                                                        {PointFault::Unreadable, "unreadable"}}};

template <class Table, class T>
std::string_view text_of(const Table& table, const T& value) {
    for (const auto& entry : table) {
        if (entry.value == value) return entry.text;
    }
    return {};
}

// Fifteen digits: thirty thousand years in ms, and far from the end of 64 bits.
constexpr Millis most_millis = 999'999'999'999'999;
// A sequence number has 16 bits, so no more packets can be told to be missing.
constexpr Millis most_lost = 0xFFFF;

std::optional<Seen> seen_of(char letter) {
    switch (letter) {
        case 'x':
            return Seen::some();
        case 'X':
            return Seen::some(Side::Red);
        case 'o':
            return Seen::some(Side::Black);
        default:
            break;
    }
    const auto piece = rules::Piece::from_fen(letter);
    return piece ? std::optional(Seen(*piece)) : std::nullopt;
}

/// The words of a line, one space between each. It keeps the first fault and goes on giving
/// harmless values, so that a line's reader can say what it wants without asking after every word.
class Words {
public:
    explicit Words(std::string_view line) : line_(line) {}

    const std::optional<Fault>& fault() const { return fault_; }
    void fail(std::size_t at, std::string what) {
        if (!fault_) fault_ = Fault{at, std::move(what)};
    }

    std::size_t next() const { return next_; }
    bool more() const { return next_ < line_.size() && line_[next_] != '#'; }

    /// The next word, or none (and a fault that names `wanted`) at the end of the line.
    std::string_view word(std::string_view wanted) {
        at_ = next_;
        const std::size_t end = std::min(line_.find(' ', at_), line_.size());
        const std::string_view found = line_.substr(at_, end - at_);
        if (!more() || found.empty()) {
            fail(at_, std::string(wanted) + " is missing" +
                          (at_ < line_.size() && line_[at_] == ' '
                               ? ": one space stands between two words"
                               : ""));
            return {};
        }
        next_ = end < line_.size() ? end + 1 : end;
        ended_by_space_ = end < line_.size();
        return found;
    }

    /// Whether the next word is this one; takes it only then.
    bool takes(std::string_view text) {
        Words ahead = *this;
        if (!more() || ahead.word(text) != text) return false;
        *this = ahead;
        return true;
    }

    Millis number(std::string_view wanted, Millis least = 0, Millis most = most_millis) {
        const std::string_view digits = word(wanted);
        Millis value = -1;
        const auto [end, error] =
            std::from_chars(digits.data(), digits.data() + digits.size(), value);
        if (error != std::errc{} || end != digits.data() + digits.size() || value < least ||
            value > most || (digits.size() > 1 && digits.front() == '0')) {
            fail(at_, std::string(wanted) + " must be a number from " + std::to_string(least) +
                          " to " + std::to_string(most) + " without leading zeros");
            return least;
        }
        return value;
    }

    Point point() {
        const std::string_view text = word("a point");
        if (text.size() == 2 && text[0] >= 'a' && text[0] <= 'i' && text[1] >= '0' &&
            text[1] <= '9') {
            return rules::point(text[0] - 'a', text[1] - '0');
        }
        fail(at_, "a point is a file a to i and a rank 0 to 9, as in h2");
        return 0;
    }

    template <class Table>
    auto one_of(const Table& table, std::string_view wanted) {
        const std::string_view text = word(wanted);
        for (const auto& entry : table) {
            if (entry.text == text) return entry.value;
        }
        std::string what = std::string(wanted) + " must be ";
        for (std::size_t i = 0; i < table.size(); ++i) {
            if (i > 0) what += i + 1 < table.size() ? ", " : " or ";
            what += table[i].text;
        }
        fail(at_, std::move(what));
        return table.front().value;
    }

    Seen seen() {
        const std::string_view text = word("a piece");
        const auto seen = text.size() == 1 ? seen_of(text.front()) : std::nullopt;
        if (!seen) fail(at_, "a piece is one letter: K A B N R C P, k a b n r c p, x, X or o");
        return seen.value_or(Seen::some());
    }

    /// Ten ranks from Black's side, `/` between them, each of nine points.
    Reading reading() {
        const std::string_view text = word("the placement");
        Reading reading{};
        int rank = rules::ranks - 1;
        int file = 0;
        for (std::size_t i = 0; i < text.size(); ++i) {
            const char c = text[i];
            if (c == '/') {
                if (file != rules::files) fail(at_ + i, "a rank has nine points");
                if (--rank < 0) fail(at_ + i, "a placement has ten ranks");
                file = 0;
            } else if (c >= '1' && c <= '9') {
                file += c - '0';
            } else if (const auto seen = seen_of(c); seen && file < rules::files) {
                reading[static_cast<std::size_t>(rules::point(file++, rank))] = *seen;
            } else {
                fail(at_ + i, seen ? "a rank has nine points"
                                   : "in a placement stand K A B N R C P, k a b n r c p, x, X, o, "
                                     "1 to 9 and /");
            }
            if (file > rules::files) fail(at_ + i, "a rank has nine points");
            if (fault_) return {};
        }
        if (rank != 0 || file != rules::files) {
            fail(at_ + text.size(), "a placement has ten ranks of nine points");
        }
        return reading;
    }

    /// The JSON object that stands here, as it is written.
    std::string object() {
        at_ = next_;
        if (at_ >= line_.size() || line_[at_] != '{') {
            fail(at_, "behind `rpc` stands a JSON object");
            return {};
        }
        boost::json::stream_parser parser;
        boost::system::error_code error;
        const std::string_view rest = line_.substr(at_);
        const std::size_t length = parser.write_some(rest.data(), rest.size(), error);
        if (error || !parser.done()) {
            fail(at_ + std::min(length, rest.size()),
                 "this is not one JSON object: " + (error ? error.message() : "it does not end"));
            return {};
        }
        // The parser takes the spaces behind the object too.
        const std::string_view object = rest.substr(0, rest.find_last_of('}', length - 1) + 1);
        next_ = at_ + object.size();
        ended_by_space_ = false;
        return std::string(object);
    }

    /// Nothing but a comment may stand behind the last word.
    void finish() {
        const std::size_t last = ended_by_space_ ? next_ - 1 : next_;
        const std::size_t more = std::min(line_.find_first_not_of(' ', last), line_.size());
        if (more < line_.size() && line_[more] == '#') return;
        if (more < line_.size()) fail(more, "nothing more belongs on this line");
        if (last < line_.size()) fail(last, "the line ends with a space");
    }

private:
    std::string_view line_;
    std::size_t at_ = 0;
    std::size_t next_ = 0;
    bool ended_by_space_ = false;
    std::optional<Fault> fault_;
};

Event read_hello(Words& w) {
    event::Hello hello{w.one_of(sensings, "what the board senses"), {}};
    while (w.more() && !w.fault()) hello.can.*w.one_of(capabilities, "a capability") = true;
    return hello;
}

Event read_clock(Words& w) {
    if (w.takes("invalid")) return event::ClockInvalid{};
    return event::Clock{w.number("Red's time"), w.number("Black's time"),
                        w.one_of(sides_or_none, "the running side")};
}

struct Verb {
    std::string_view name;
    Event (*read)(Words&);
};
constexpr std::array<Verb, 14> verbs{{
    {"hello", read_hello},
    {"board", [](Words& w) -> Event { return event::Board{w.reading()}; }},
    {"lift", [](Words& w) -> Event { return event::Lift{w.point()}; }},
    {"drop",
     [](Words& w) -> Event {
         return event::Drop{w.point(), w.seen()};
     }},
    {"press", [](Words& w) -> Event { return event::Press{*w.one_of(sides, "the player")}; }},
    {"clock", read_clock},
    {"button",
     [](Words& w) -> Event {
         return event::Button{w.one_of(sides_or_none, "the player"),
                              w.one_of(buttons, "the button")};
     }},
    {"unplug", [](Words&) -> Event { return event::Unplug{}; }},
    {"plug", [](Words&) -> Event { return event::Plug{}; }},
    {"gap",
     [](Words& w) -> Event {
         return event::Gap{static_cast<int>(w.number("the number of packets", 1, most_lost))};
     }},
    {"health",
     [](Words& w) -> Event {
         return event::Health{w.point(), w.one_of(point_faults, "the fault")};
     }},
    {"rpc", [](Words& w) -> Event { return event::Call{w.object()}; }},
    {"time", [](Words&) -> Event { return event::Time{}; }},
    {"end", [](Words&) -> Event { return event::End{}; }},
}};

std::string placement(const Reading& reading) {
    std::string text;
    for (int rank = rules::ranks - 1; rank >= 0; --rank) {
        char empty = '0';
        for (int file = 0; file < rules::files; ++file) {
            const Seen seen = reading[static_cast<std::size_t>(rules::point(file, rank))];
            if (seen.empty()) {
                ++empty;
                continue;
            }
            if (empty > '0') text += std::exchange(empty, '0');
            text += seen.letter();
        }
        if (empty > '0') text += empty;
        if (rank > 0) text += '/';
    }
    return text;
}

/// What stands behind the time.
struct Writer {
    std::string& out;

    void add(std::string_view word) const { out.append(1, ' ').append(word); }
    void add(Point p) const {
        out += ' ';
        out += static_cast<char>('a' + rules::file_of(p));
        out += static_cast<char>('0' + rules::rank_of(p));
    }

    void operator()(const event::Hello& e) const {
        add("hello");
        add(text_of(sensings, e.sensing));
        for (const auto& [member, text] : capabilities) {
            if (e.can.*member) add(text);
        }
    }
    void operator()(const event::Board& e) const {
        add("board");
        add(placement(e.reading));
    }
    void operator()(const event::Lift& e) const {
        add("lift");
        add(e.point);
    }
    void operator()(const event::Drop& e) const {
        add("drop");
        add(e.point);
        add(std::string_view(std::array{e.seen.letter()}.data(), 1));
    }
    void operator()(const event::Press& e) const {
        add("press");
        add(rules::name(e.side));
    }
    void operator()(const event::Clock& e) const {
        add("clock");
        add(std::to_string(e.red_ms));
        add(std::to_string(e.black_ms));
        add(text_of(sides_or_none, e.running));
    }
    void operator()(const event::ClockInvalid& /*e*/) const { add("clock invalid"); }
    void operator()(const event::Button& e) const {
        add("button");
        add(text_of(sides_or_none, e.side));
        add(text_of(buttons, e.what));
    }
    void operator()(const event::Unplug& /*e*/) const { add("unplug"); }
    void operator()(const event::Plug& /*e*/) const { add("plug"); }
    void operator()(const event::Gap& e) const {
        add("gap");
        add(std::to_string(e.packets));
    }
    void operator()(const event::Health& e) const {
        add("health");
        add(e.point);
        add(text_of(point_faults, e.fault));
    }
    void operator()(const event::Call& e) const {
        add("rpc");
        add(e.json);
    }
    void operator()(const event::Time& /*e*/) const { add("time"); }
    void operator()(const event::Restart& /*e*/) const { add("time"); }
    void operator()(const event::End& /*e*/) const { add("end"); }
};

std::string_view trimmed(std::string_view text) {
    const std::size_t first = std::min(text.find_first_not_of(" \t"), text.size());
    return text.substr(first, text.find_last_not_of(" \t") + 1 - first);
}

}  // namespace

Result<std::variant<Timed, Comment>> read_log_line(std::string_view line) {
    if (const auto cr = line.find('\r'); cr != std::string_view::npos) {
        return Fault{cr, "a carriage return: lines end with a line feed alone"};
    }
    if (line.empty()) return Comment{};
    if (line.front() == '#') return Comment{std::string(trimmed(line.substr(1)))};

    Words w(line);
    const Millis t = w.number("the time");
    const std::size_t at = w.next();
    const std::string_view name = w.word("what happened");
    if (w.fault()) return *w.fault();
    const auto* const verb =
        std::find_if(verbs.begin(), verbs.end(), [&](const Verb& v) { return v.name == name; });
    if (verb == verbs.end()) return Fault{at, "`" + std::string(name) + "` is not known here"};
    Timed timed{t, verb->read(w)};
    w.finish();
    if (w.fault()) return *w.fault();
    return timed;
}

std::string write_log_line(const Timed& line) {
    std::string out = std::to_string(line.t);
    std::visit(Writer{out}, line.event);
    return out;
}

}  // namespace xq::protocol
