#include "rules/record/game_record.hpp"

#include "rules/moves.hpp"

#include <algorithm>
#include <array>

namespace xq::rules::record {

std::string_view GameRecord::tag(std::string_view name) const {
    const auto found =
        std::find_if(tags.begin(), tags.end(), [&](const auto& t) { return t.first == name; });
    return found == tags.end() ? std::string_view{} : std::string_view(found->second);
}

void GameRecord::add_tag(std::string_view name, std::string_view value) {
    if (!value.empty()) tags.emplace_back(name, value);
}

std::vector<Move> GameRecord::moves() const {
    std::vector<Move> all;
    all.reserve(plies().size());
    for (const Ply& ply : plies()) all.push_back(ply.move);
    return all;
}

std::optional<std::size_t> GameRecord::first_illegal() const {
    Position p = start;
    for (std::size_t i = 0; i < plies().size(); ++i) {
        if (!is_legal(p, plies()[i].move)) return i;
        p.apply(plies()[i].move);
    }
    return std::nullopt;
}

Position GameRecord::before(std::size_t line, std::size_t ply) const {
    const Line& l = lines[line];
    Position p = line == 0 ? start : before(l.parent, l.at);
    for (std::size_t i = 0; i < ply; ++i) p.apply(l.plies[i].move);
    return p;
}

std::optional<std::size_t> GameRecord::branch(std::size_t parent, std::size_t at) {
    int depth = 1;
    for (std::size_t line = parent; line != 0; line = lines[line].parent) ++depth;
    if (depth > deepest) return std::nullopt;
    lines.push_back({parent, at, {}, {}});
    return lines.size() - 1;
}

bool is_result(std::string_view word) {
    constexpr std::array<std::string_view, 5> results{"1-0", "0-1", "1/2-1/2", "0-0", "*"};
    return std::find(results.begin(), results.end(), word) != results.end();
}

}  // namespace xq::rules::record
