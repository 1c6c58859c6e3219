#pragma once
// What every reader of outside text or bytes gives when it refuses: where, and what is wrong.
#include <boost/system/result.hpp>
#include <cstddef>
#include <string>

namespace xq {

struct Fault {
    std::size_t at = 0;  ///< offset in bytes (binary), or column from 0 (text)
    std::string what;    ///< one clear sentence without the place
};

template <class T>
using Result = boost::system::result<T, Fault>;

}  // namespace xq
