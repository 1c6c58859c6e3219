#pragma once
// What xiangqictl shows to people: answers and broadcast messages as text for a terminal. Pure
// functions from JSON to text; only `Live` remembers what the last messages said.
#include <boost/json/object.hpp>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

namespace xq::ctl {

/// "59:30", "1:00:00"; tenths below one minute, "-" for what is no number.
std::string clock_text(const boost::json::value& ms);

/// The position of a FEN as a board, Red below, with coordinates. `last` ("h2e2" or empty) is
/// marked where there are colours. Empty where the text is no FEN.
std::string board_text(std::string_view fen, std::string_view last, bool colours);

/// Answers of the calls (ARBITER.md): what `status`, `board.status` and all that change the game
/// return.
std::string status_text(const boost::json::object& status, bool colours);
std::string points_text(const boost::json::object& board, bool colours);
std::string done_text(const boost::json::object& done);

/// One line for a message that tells of something; empty for clocks and heartbeats.
std::string line_text(const boost::json::object& message);

/// The screen of `watch`: the board, both players, the clocks and the last few lines.
class Live {
public:
    void take(const boost::json::object& message);
    std::string screen() const;

private:
    boost::json::object hello_;
    boost::json::object last_;
    std::deque<std::string> lines_;
};

}  // namespace xq::ctl
