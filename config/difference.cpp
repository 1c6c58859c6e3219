#include "config/difference.hpp"

#include "config/keys.hpp"

namespace xq::config {

namespace {

/// Where the members of one configuration are, in the order of the table.
struct Members {
    void section(std::string_view /*name*/) {}
    template <class Member, class... Rule>
    void key(std::string_view /*name*/, const Member& member, const Rule&... /*rule*/) {
        places.push_back(&member);
    }
    std::vector<const void*> places;
};

/// Holds them against those of another: the same table, so the same types in the same order.
class Comparison {
public:
    explicit Comparison(const Members& others) : other_(others.places.begin()) {}

    void section(std::string_view name) {
        section_ = name.empty() ? std::string() : std::string(name) + '.';
    }
    template <class Member, class... Rule>
    void key(std::string_view name, const Member& member, const Rule&... /*rule*/) {
        const auto& other = *static_cast<const Member*>(*other_++);
        if (!(member == other)) names.push_back(section_ + std::string(name));
    }
    std::vector<std::string> names;

private:
    std::vector<const void*>::const_iterator other_;
    std::string section_;
};

}  // namespace

std::vector<std::string> differing(const Settings& a, const Settings& b) {
    Members others;
    for_each_key(a, others);
    Comparison comparison(others);
    for_each_key(b, comparison);
    return comparison.names;
}

}  // namespace xq::config
