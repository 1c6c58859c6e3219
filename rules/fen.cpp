#include "rules/fen.hpp"

#include <algorithm>
#include <boost/system/result.hpp>
#include <charconv>
#include <vector>

namespace xq::rules {
namespace {

/// More than the longest game has; keeps the counters within their type.
constexpr int counter_limit = 9999;

struct Field {
    std::size_t at = 0;
    std::string_view text;
};

std::vector<Field> split(std::string_view text) {
    constexpr std::string_view blank = " \t\r\n";
    std::vector<Field> fields;
    std::size_t at = text.find_first_not_of(blank);
    while (at != std::string_view::npos) {
        const std::size_t end = std::min(text.find_first_of(blank, at), text.size());
        fields.push_back({at, text.substr(at, end - at)});
        at = text.find_first_not_of(blank, end);
    }
    return fields;
}

std::string rank_is(int rank) {
    return "rank " + std::to_string(rank) + " ";
}

std::string quoted(std::string_view text) {
    return "'" + std::string(text) + "'";
}

std::optional<Side> side_of(std::string_view field) {
    if (field == "w" || field == "r") return Side::Red;
    if (field == "b") return Side::Black;
    return std::nullopt;
}

Result<int> read_counter(const Field& field, std::string_view what) {
    int value = 0;
    const char* const end = field.text.data() + field.text.size();
    const auto [stop, error] = std::from_chars(field.text.data(), end, value);
    if (error != std::errc() || stop != end || value < 0 || value > counter_limit)
        return Fault{field.at, std::string(what) + " is a number up to " +
                                   std::to_string(counter_limit) + ", not " + quoted(field.text)};
    return value;
}

}  // namespace

Result<Placement> read_placement(std::string_view text) {
    Placement placement{};
    int rank = ranks - 1;
    int file = 0;
    const auto short_rank = [&](std::size_t at) {
        return Fault{at, rank_is(rank) + "ends after " + std::to_string(file) + " of 9 points"};
    };
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '/') {
            if (file < files) return short_rank(i);
            if (rank == 0) return Fault{i, "more than 10 ranks"};
            --rank;
            file = 0;
            continue;
        }
        const bool gap = c >= '1' && c <= '9';
        const auto piece = Piece::from_fen(c);
        if (!gap && !piece)
            return Fault{
                i, quoted(text.substr(i, 1)) + " is neither a piece letter nor a number 1..9"};
        const int width = gap ? c - '0' : 1;
        if (file + width > files) return Fault{i, rank_is(rank) + "has more than 9 points"};
        if (piece) placement[static_cast<std::size_t>(point(file, rank))] = *piece;
        file += width;
    }
    if (file < files) return short_rank(text.size());
    if (rank > 0)
        return Fault{text.size(),
                     "only " + std::to_string(ranks - rank) + " of 10 ranks are given"};
    return placement;
}

Result<Position> read_fen(std::string_view text) {
    const std::vector<Field> fields = split(text);
    if (fields.empty()) return Fault{0, "the FEN is empty"};
    auto placement = read_placement(fields[0].text);
    if (!placement) return Fault{fields[0].at + placement.error().at, placement.error().what};
    Side turn = Side::Red;
    if (fields.size() > 1) {
        const auto side = side_of(fields[1].text);
        if (!side)
            return Fault{fields[1].at,
                         "the side to move is w (or r) or b, not " + quoted(fields[1].text)};
        turn = *side;
    }
    for (std::size_t i = 2; i < std::min<std::size_t>(fields.size(), 4); ++i)
        if (fields[i].text != "-")
            return Fault{fields[i].at, "field " + std::to_string(i + 1) +
                                           " is '-' in xiangqi, not " + quoted(fields[i].text)};
    int since_capture = 0;
    int round = 1;
    if (fields.size() > 4) {
        const auto count = read_counter(fields[4], "the count of plies since a capture");
        if (!count) return count.error();
        since_capture = *count;
    }
    if (fields.size() > 5) {
        const auto count = read_counter(fields[5], "the number of the round");
        if (!count) return count.error();
        round = std::max(*count, 1);  // some writers count from 0
    }
    if (fields.size() > 6) return Fault{fields[6].at, "a FEN has no more than 6 fields"};
    Position position(*placement, turn);
    position.set_counters(since_capture, round);
    return position;
}

std::string write_placement(const Placement& p) {
    std::string out;
    for (int rank = ranks - 1; rank >= 0; --rank) {
        int gap = 0;
        const auto close_gap = [&] {
            if (gap > 0) out += static_cast<char>('0' + gap);
            gap = 0;
        };
        for (int file = 0; file < files; ++file) {
            const Piece piece = p[static_cast<std::size_t>(point(file, rank))];
            if (piece.empty()) {
                ++gap;
                continue;
            }
            close_gap();
            out += piece.fen();
        }
        close_gap();
        if (rank > 0) out += '/';
    }
    return out;
}

std::string write_fen(const Position& p) {
    return write_placement(p.placement()) + (p.turn() == Side::Red ? " w - - " : " b - - ") +
           std::to_string(p.since_capture()) + " " + std::to_string(p.round());
}

}  // namespace xq::rules
