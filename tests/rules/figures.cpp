#include "figures.hpp"

#include "support.hpp"

#include <boost/json.hpp>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace xq::rules::tests {
namespace {

Figure read(const boost::json::value& v) {
    Figure f;
    f.id = std::string(v.at("id").as_string());
    f.book = find_rule_book(std::string(v.at("book").as_string()));
    if (f.book == nullptr) throw std::runtime_error(f.id + ": no such book");
    f.start = position(v.at("fen").as_string());
    for (const auto& word : words(v.at("moves").as_string())) f.moves.push_back(from_iccs(word));
    for (const auto& c : v.at("classes").as_array())
        f.classes.emplace_back(c.is_null() ? "" : std::string(c.as_string()));
    f.outcome = std::string(v.at("outcome").as_string());
    if (const auto* open = v.as_object().if_contains("open")) {
        for (const auto& ply : open->at("plies").as_array())
            f.open_plies.push_back(ply.to_number<std::size_t>());
        f.open_verdict = open->at("verdict").as_bool();
    }
    return f;
}

std::vector<Figure> read_all() {
    std::ifstream file(std::string(XQ_TESTS) + "/rules/data/figures.json");
    if (!file) throw std::runtime_error("cannot open figures.json");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    std::vector<Figure> all;
    const auto json = boost::json::parse(text);
    for (const auto& v : json.as_array()) all.push_back(read(v));
    return all;
}

}  // namespace

const std::vector<Figure>& figures() {
    static const std::vector<Figure> all = read_all();
    return all;
}

Point mirrored(Point p) {
    return point(files - 1 - file_of(p), rank_of(p));
}

Move mirrored(Move m) {
    return {mirrored(Point{m.from}), mirrored(Point{m.to})};
}

Move rotated(Move m) {
    return {rules::rotated(m.from), rules::rotated(m.to)};
}

Figure mirrored(const Figure& f) {
    Figure twin = f;
    twin.start = rules::mirrored(f.start);
    for (Move& m : twin.moves) m = mirrored(m);
    return twin;
}

Figure colours_exchanged(const Figure& f) {
    Figure twin = f;
    twin.start = rules::colours_exchanged(f.start);
    for (Move& m : twin.moves) m = rotated(m);
    if (f.outcome == "red_must_change") twin.outcome = "black_must_change";
    if (f.outcome == "black_must_change") twin.outcome = "red_must_change";
    return twin;
}

}  // namespace xq::rules::tests
