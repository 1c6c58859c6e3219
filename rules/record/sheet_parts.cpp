#include "rules/record/sheet_parts.hpp"

#include "rules/record/move_text.hpp"
#include "rules/record/pgn_times.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace xq::rules::record {
namespace {

using words::Both;

struct Fact {
    std::string_view tag;
    Both label;
};
const std::array facts{
    Fact{"Round", {"轮次", "Round"}},
    Fact{"Board", {"台次", "Board"}},
    Fact{"Site", {"地点", "Place"}},
    Fact{"Date", {"日期", "Date"}},
    Fact{"StartTime", {"开始", "Began"}},
    Fact{"EndTime", {"结束", "Ended"}},
    Fact{"TimeControl", {"用时规定", "Time control"}},
    Fact{"TimeRule", {"用时规定", "Time control"}},
    Fact{"RuleBook", {"规则", "Rule book"}},
    Fact{"Opening", {"开局", "Opening"}},
};

struct Result {
    std::string_view result;
    std::string_view marks;
    std::string_view marks_unplayed;  ///< 20.3: of a game that was decided by absence
    Both words;
};
const std::array results{
    Result{"1-0", "1 : 0", "+ : −", {"红方胜", "Red wins"}},
    Result{"0-1", "0 : 1", "− : +", {"黑方胜", "Black wins"}},
    Result{"1/2-1/2", "½ : ½", "½ : ½", {"和棋", "Draw"}},
    Result{"0-0", "0 : 0", "− : −", {"双方负", "Both lose"}},
};

struct Total {
    std::string_view red_tag;
    std::string_view black_tag;
    Both label;
};
const std::array totals{
    Total{"RedTime", "BlackTime", {"所用时间", "Time used"}},
    Total{"RedClock", "BlackClock", {"剩余时间", "Time left"}},
    Total{"RedFouls", "BlackFouls", {"犯规次数", "Fouls"}},
};

/// Times on paper are whole seconds, rounded down as clocks show them.
std::string on_paper(const std::optional<std::int64_t>& ms) {
    if (!ms) return {};
    std::string text = time_text(*ms / 1000 * 1000);
    if (!text.starts_with("0:")) return text;
    return text.substr(text[2] == '0' ? 3 : 2);  // 0:07, 12:07
}

std::optional<std::int64_t> number(std::string_view text) {
    std::int64_t n = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
    if (error != std::errc() || end != text.data() + text.size() || n < 0) return std::nullopt;
    return n;
}

/// "60 分" or "90 秒".
std::string duration(std::int64_t seconds, bool zh) {
    if (seconds % 60 == 0) return std::to_string(seconds / 60) + (zh ? " 分" : " min");
    return std::to_string(seconds) + (zh ? " 秒" : " s");
}

/// PGN's "3600+30" and "30/3600:10/600" in words; as it is where it is neither.
std::string time_control(std::string_view text, Language language) {
    const bool zh = language == Language::Chinese;
    std::string out;
    for (std::string_view rest = text; !rest.empty();) {
        const auto colon = std::min(rest.find(':'), rest.size());
        std::string_view period = rest.substr(0, colon);
        rest.remove_prefix(std::min(colon + 1, rest.size()));
        std::optional<std::int64_t> moves;
        std::optional<std::int64_t> increment;
        if (const auto slash = period.find('/'); slash != std::string_view::npos) {
            moves = number(period.substr(0, slash));
            if (!moves) return std::string(text);
            period.remove_prefix(slash + 1);
        }
        if (const auto plus = period.find('+'); plus != std::string_view::npos) {
            increment = number(period.substr(plus + 1));
            if (!increment) return std::string(text);
            period = period.substr(0, plus);
        }
        const auto seconds = number(period);
        if (!seconds) return std::string(text);
        if (!out.empty()) out += zh ? "，" : ", ";
        out += duration(*seconds, zh);
        if (moves) out += " / " + std::to_string(*moves) + (zh ? " 着" : " moves");
        if (increment) out += " + " + std::to_string(*increment) + (zh ? " 秒" : " s");
    }
    return out;
}

std::string with_team(const GameRecord& record, std::string_view name, std::string_view team) {
    std::string out(record.tag(name));
    if (const auto of = record.tag(team); !of.empty()) out += "（" + std::string(of) + "）";
    return out;
}

void add_rows(const GameRecord& record, Language language, SheetParts& parts) {
    const Notation notation = language == Language::Chinese ? Notation::Chinese : Notation::Wxf;
    if (const auto& opening = record.lines.front().comment; !opening.empty())
        parts.remarks.push_back({"", opening});
    Position p = record.start;
    for (const Ply& ply : record.plies()) {
        const bool red = p.turn() == Side::Red;
        if (red || parts.rows.empty()) parts.rows.push_back({p.round(), {}, {}});
        (red ? parts.rows.back().red : parts.rows.back().black) = {
            write_played(p, ply.move, notation, Script::Simplified), on_paper(ply.spent_ms)};
        if (!ply.comment.empty())
            parts.remarks.push_back({std::to_string(p.round()) + ". " +
                                         (red ? sheet_words::red : sheet_words::black).in(language),
                                     ply.comment});
        p.apply(ply.move);
    }
}

}  // namespace

SheetParts sheet_parts(const GameRecord& record, Language language) {
    SheetParts parts;
    const auto title = record.tag("Event").empty() ? record.tag("Title") : record.tag("Event");
    parts.titled = !title.empty();
    parts.title = title.empty() ? Both{"象棋对局记录", "Xiangqi score sheet"}.in(language) : title;
    for (const auto& [tag, label] : facts) {
        const auto value = record.tag(tag);
        if (!value.empty())
            parts.facts.emplace_back(label.in(language), tag == "TimeControl"
                                                             ? time_control(value, language)
                                                             : std::string(value));
    }
    parts.red = with_team(record, "Red", "RedTeam");
    parts.black = with_team(record, "Black", "BlackTeam");
    parts.result = sheet_words::open.in(language);
    for (const auto& [result, marks, marks_unplayed, text] : results) {
        if (record.result != result) continue;
        parts.marks = record.tag("Played") == "no" ? marks_unplayed : marks;
        parts.result = text.in(language);
        if (const auto why = record.tag("Termination"); !why.empty())
            parts.result += (language == Language::Chinese ? " · " : ", ") + std::string(why);
    }
    for (const auto& [red, black, label] : totals)
        parts.totals.push_back(
            {label.in(language), std::string(record.tag(red)), std::string(record.tag(black))});
    add_rows(record, language, parts);
    return parts;
}

}  // namespace xq::rules::record
