// Prints one broadcast message of every kind, for schema_test.py.
#include "tests/protocol/samples.hpp"

#include <iostream>

int main() {
    namespace samples = xq::protocol::samples;
    std::cout << xq::protocol::encode(samples::hello()) << '\n';
    std::uint64_t seq = 0;
    for (const auto& message : samples::all()) {
        std::cout << xq::protocol::encode(message, ++seq, samples::stream) << '\n';
    }
}
