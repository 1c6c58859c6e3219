#pragma once
// Random numbers of the simulated hands: the same seed gives the same numbers with every compiler
// and library, which std::uniform_int_distribution does not promise.
#include <cstdint>
#include <random>

namespace xq::hal {

class Dice {
public:
    explicit Dice(std::uint64_t seed) : engine_(seed) {}

    /// Evenly from `low` to `high`, both included.
    std::int64_t between(std::int64_t low, std::int64_t high) {
        const auto span = static_cast<std::uint64_t>(high - low) + 1;
        return low + static_cast<std::int64_t>(engine_() % span);
    }
    bool chance(double share) { return static_cast<double>(engine_() >> 11U) * 0x1p-53 < share; }
    template <class Range>
    const auto& one_of(const Range& range) {
        return range[static_cast<std::size_t>(
            between(0, static_cast<std::int64_t>(range.size()) - 1))];
    }

private:
    std::mt19937_64 engine_;
};

}  // namespace xq::hal
