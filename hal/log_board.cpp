#include "hal/log_board.hpp"

#include <utility>

namespace xq::hal {

using protocol::Timed;
namespace event = protocol::event;

LogBoard::LogBoard(const boost::asio::any_io_executor& io, Now now, std::ifstream file,
                   std::string name, double speed)
    : pacer_(io, speed), now_(std::move(now)), file_(std::move(file)), name_(std::move(name)) {}

/// The next event; an `end` behind the last one, where the log has none or cannot be read further.
std::optional<Timed> LogBoard::next() {
    std::string line;
    while (!ended_ && std::getline(file_, line)) {
        auto read = reader_.next(line);
        if (!read) {
            notice_(name_ + ": " + read.error().what + "; the log is played no further");
            break;
        }
        if (!*read) continue;
        last_ = (*read)->t;
        ended_ = std::holds_alternative<event::End>((*read)->event);
        return std::move(**read);
    }
    if (std::exchange(ended_, true)) return {};
    return Timed{last_, event::End{}};
}

void LogBoard::start(Sink sink, Notice notice) {
    sink_ = std::move(sink);
    notice_ = std::move(notice);
    running_ = true;
    notice_("no board is used: the log " + name_ + " is played, as the configuration says");
    pacer_.start([this] { return next(); },
                 [this, began = now_()](Timed line) {
                     line.t += began;
                     if (running_) sink_(std::move(line));
                 });
}

void LogBoard::stop() {
    running_ = false;
    pacer_.stop();
}

}  // namespace xq::hal
