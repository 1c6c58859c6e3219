#pragma once
// How xiangqictl ends, as its manual page says.

namespace xq::ctl {

enum Exit : int { ok = 0, refused = 1, wrong_use = 2, no_daemon = 3 };

}  // namespace xq::ctl
