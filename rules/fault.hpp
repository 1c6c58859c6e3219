#pragma once
// What every reader of outside text or bytes gives when it refuses: where, and what is wrong.
#include <boost/system/result.hpp>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>

namespace xq {

struct Fault {
    Fault() = default;
    /// Not an aggregate, or a Result<int> could not tell its value from a Fault.
    Fault(std::size_t place, std::string sentence) : at(place), what(std::move(sentence)) {}

    std::size_t at = 0;  ///< offset in bytes (binary), or column from 0 (text)
    std::string what;    ///< one clear sentence without the place
};

/// What `Result::value()` calls where a fault was not asked for: start-up code and tests.
[[noreturn]] inline void throw_exception_from_error(const Fault& fault,
                                                    const boost::source_location& /*where*/) {
    throw std::runtime_error(fault.what);
}

template <class T>
using Result = boost::system::result<T, Fault>;

}  // namespace xq
