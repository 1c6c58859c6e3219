#include "hal/transmission.hpp"

#include <algorithm>
#include <utility>

namespace xq::hal {

using protocol::Millis;
using protocol::Seen;
using protocol::Timed;
namespace event = protocol::event;

std::vector<Timed> transmit(std::vector<Timed> happened, protocol::Reading reading,
                            std::span<const Break> breaks) {
    std::ranges::stable_sort(happened, {}, &Timed::t);
    std::vector<Timed> told;
    const Break* open = nullptr;
    auto next = breaks.begin();
    int lost = 0;
    const auto close = [&] {
        if (open->unplugged)
            told.push_back({open->to, event::Plug{}});
        else
            told.push_back({open->to, event::Gap{std::max(lost, 1)}});
        told.push_back({open->to, event::Board{reading}});
        open = nullptr;
    };
    const auto until = [&](Millis t) {
        for (;;) {
            if (open != nullptr) {
                if (open->to > t) return;
                close();
            }
            if (next == breaks.end() || next->from > t) return;
            open = &*next++;
            lost = 0;
            if (open->unplugged) told.push_back({open->from, event::Unplug{}});
        }
    };
    for (auto& line : happened) {
        until(line.t);
        const auto* lift = std::get_if<event::Lift>(&line.event);
        const auto* drop = std::get_if<event::Drop>(&line.event);
        if (lift != nullptr || drop != nullptr) {
            const rules::Point p = lift != nullptr ? lift->point : drop->point;
            const Seen seen = lift != nullptr ? Seen{} : drop->seen;
            if (reading[static_cast<std::size_t>(p)] == seen) continue;
            reading[static_cast<std::size_t>(p)] = seen;
        }
        if (open != nullptr)
            ++lost;
        else
            told.push_back(std::move(line));
    }
    if (open != nullptr) close();
    return told;
}

}  // namespace xq::hal
