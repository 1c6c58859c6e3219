#pragma once
// The names of DhtmlXQ's fields and what they are called in a record. Private to the folder.
#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace xq::rules::record::dhtmlxq {

struct Name {
    std::string_view field;
    std::string_view tag;
};
/// Fields that have a name of their own in PGN; any other one keeps the name it has.
inline constexpr std::array names{
    Name{"title", "Title"},
    Name{"event", "Event"},
    Name{"place", "Site"},
    Name{"date", "Date"},
    Name{"round", "Round"},
    Name{"table", "Board"},
    Name{"red", "Red"},
    Name{"redteam", "RedTeam"},
    Name{"redrating", "RedElo"},
    Name{"redtime", "RedTime"},
    Name{"black", "Black"},
    Name{"blackteam", "BlackTeam"},
    Name{"blackrating", "BlackElo"},
    Name{"blacktime", "BlackTime"},
    Name{"open", "Opening"},
    Name{"timerule", "TimeRule"},
    Name{"type", "Type"},
    Name{"author", "Author"},
    Name{"remark", "Remark"},
};

/// Fields that hold the game itself or speak to the player program. Those of the second row are
/// this project's own: what the format has no place for, and other readers pass over.
inline constexpr std::array<std::string_view, 11> technical{
    "binit", "movelist", "result", "init", "ver", "pver", "length", "firstnum",  //
    "fen",   "plyclock", "stands"};

inline bool is_technical(std::string_view field) {
    return std::find(technical.begin(), technical.end(), field) != technical.end() ||
           field.starts_with("move_") || field.starts_with("comment");
}

/// Before a tag whose name is taken by a technical field.
inline constexpr std::string_view taken = "tag_";

}  // namespace xq::rules::record::dhtmlxq
