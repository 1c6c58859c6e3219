#pragma once
// The pages that the daemon carries within itself: the files of this folder, made into a table when
// the daemon is built.
#include <string_view>

namespace xq::daemon::web {

struct Page {
    std::string_view path;  ///< as asked for: "/overlay", "/board.js"; the start page is "/"
    std::string_view type;  ///< media type
    std::string_view content;
};

/// The page of this path, or null.
const Page* find_page(std::string_view path);

}  // namespace xq::daemon::web
