#include "daemon/feed.hpp"

#include <algorithm>

namespace xq::daemon {

namespace {

constexpr std::array<Framing, framings> all{Framing::Line, Framing::WebSocket, Framing::ServerSent};

}  // namespace

std::string websocket_text(std::string_view payload) {
    constexpr char final_text = '\x81';
    std::string frame{final_text};
    const std::size_t size = payload.size();
    const auto append_big_endian = [&](int bytes) {
        for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) {
            frame += static_cast<char>(size >> static_cast<unsigned>(shift) & 0xFFU);
        }
    };
    if (size < 126) {
        append_big_endian(1);
    } else if (size <= 0xFFFF) {
        frame += static_cast<char>(126);
        append_big_endian(2);
    } else {
        frame += static_cast<char>(127);
        append_big_endian(8);
    }
    return frame.append(payload);
}

Feed::Feed(std::uint64_t epoch, std::size_t size) : epoch_(epoch) {
    for (auto& ring : rings_) ring = std::make_unique<Ring>(size);
}

std::string Feed::framed(std::string_view line, Framing framing,
                         std::optional<std::uint64_t> seq) const {
    switch (framing) {
        case Framing::Line:
            return std::string(line) + '\n';
        case Framing::WebSocket:
            return websocket_text(line);
        case Framing::ServerSent:
            break;
    }
    std::string event;
    if (seq) event = "id: " + std::to_string(epoch_) + ':' + std::to_string(*seq) + '\n';
    return event.append("data: ").append(line).append("\n\n");
}

void Feed::append(std::uint64_t seq, std::string_view line) {
    Entry entry{seq, {}};
    for (const Framing framing : all) {
        Ring& ring = *rings_[index(framing)];
        const std::string bytes = framed(line, framing, seq);
        if (bytes.size() <= ring.size() / 4) ring.append(bytes);
        entry.end[index(framing)] = ring.head();
    }
    entries_.push_back(entry);
    const auto gone = [&](const Entry& e) {
        return std::any_of(all.begin(), all.end(), [&](Framing framing) {
            return e.end[index(framing)] < ring(framing).tail();
        });
    };
    while (gone(entries_.front())) entries_.pop_front();
}

std::uint64_t Feed::tail_after(std::string_view line, Framing framing) const {
    const Ring& ring = *rings_[index(framing)];
    // A frame's header or an event's fields are far smaller than this.
    constexpr std::size_t most_overhead = 128;
    const std::uint64_t head = ring.head() + line.size() + most_overhead;
    return head > ring.size() ? head - ring.size() : 0;
}

void Feed::set_welcome(std::shared_ptr<const Welcome> welcome) {
    welcome_ = std::move(welcome);
    hello_ = {};
    state_ = {};
}

const Shared& Feed::cached(std::array<Shared, framings>& cache, Framing framing,
                           std::string (Feed::*make)(Framing) const) {
    Shared& place = cache[index(framing)];
    if (!place) place = std::make_shared<const std::string>((this->*make)(framing));
    return place;
}

const Shared& Feed::hello(Framing framing) {
    return cached(hello_, framing, &Feed::make_hello);
}

const Shared& Feed::state(Framing framing) {
    return cached(state_, framing, &Feed::make_state);
}

std::string Feed::make_hello(Framing framing) const {
    return framed(welcome_->hello_line(), framing, {});
}

std::string Feed::make_state(Framing framing) const {
    std::string bytes;
    for (const auto& line : welcome_->state_lines()) bytes += framed(line, framing, welcome_->seq);
    return bytes;
}

std::optional<std::uint64_t> Feed::place_after(std::uint64_t since, std::uint64_t epoch,
                                               Framing framing) const {
    if (epoch != epoch_ || entries_.empty() || since < entries_.front().seq ||
        since > entries_.back().seq) {
        return {};
    }
    return entries_[static_cast<std::size_t>(since - entries_.front().seq)].end[index(framing)];
}

std::string_view Feed::rest_of_message(std::uint64_t place, Framing framing) const {
    const auto ends_before = [&](const Entry& e, std::uint64_t at) {
        return e.end[index(framing)] < at;
    };
    const auto entry = std::lower_bound(entries_.begin(), entries_.end(), place, ends_before);
    if (entry == entries_.end() || entry->end[index(framing)] == place) return {};
    const std::string_view bytes = ring(framing).from(place);
    return bytes.substr(0, static_cast<std::size_t>(entry->end[index(framing)] - place));
}

}  // namespace xq::daemon
