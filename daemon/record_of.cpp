#include "daemon/record_of.hpp"

#include "config/time_control.hpp"
#include "protocol/ruling_texts.hpp"
#include "rules/notation.hpp"
#include "rules/record/pgn_times.hpp"

#include <array>
#include <ctime>

namespace xq::daemon {

namespace record = rules::record;
using rules::Language;
using rules::words::Both;

namespace {

constexpr Millis second = 1000;

/// "60m/30,10m/10" as PGN writes it: "30/3600:10/600".
std::string time_control(const std::string& text) {
    std::string fault;
    const auto control = config::read_time_control(text, fault);
    if (!control) return text;
    std::string out;
    for (const auto& [time_ms, moves, increment_ms] : control->periods) {
        if (!out.empty()) out += ":";
        if (moves > 0) out += std::to_string(moves) + "/";
        out += std::to_string(time_ms / second);
        if (increment_ms > 0) out += "+" + std::to_string(increment_ms / second);
    }
    return out;
}

std::string time_text(const char* format, Millis utc_ms, bool local) {
    const std::time_t seconds = utc_ms / second;
    std::tm parts{};
    local ? localtime_r(&seconds, &parts) : gmtime_r(&seconds, &parts);
    std::array<char, 32> text{};
    return {text.data(), std::strftime(text.data(), text.size(), format, &parts)};
}

/// Severities that a record tells of, as it calls them.
const Both* severity(protocol::Severity s) {
    static const Both warning{"警告", "warning"};
    static const Both foul{"犯规", "foul"};
    static const Both loss{"判负", "loss"};
    static const Both draw{"判和", "draw"};
    switch (s) {
        case protocol::Severity::Warning:
            return &warning;
        case protocol::Severity::Foul:
            return &foul;
        case protocol::Severity::Loss:
            return &loss;
        case protocol::Severity::Draw:
            return &draw;
        case protocol::Severity::Info:
            break;
    }
    return nullptr;
}

/// 【犯规】黑方：错误提和（9.1.4）, or empty where there is nothing to tell: what was dismissed,
/// and mere information.
std::string note_text(const protocol::message::Ruling& ruling, Language language) {
    const Both* const kind = severity(ruling.severity);
    if (kind == nullptr || ruling.status == protocol::RulingStatus::Dismissed) return {};
    const bool open = ruling.status == protocol::RulingStatus::Proposed;
    if (language == Language::Chinese)
        return "【" + kind->zh + (open ? "，待裁" : "") + "】" + ruling.zh +
               (ruling.article.empty() ? "" : "（" + ruling.article + "）");
    return "[" + kind->en + (open ? ", proposed" : "") + "] " + ruling.en +
           (ruling.article.empty() ? "" : " (" + ruling.article + ")");
}

void add_line(std::string& text, const std::string& line) {
    if (!line.empty()) text += (text.empty() ? "" : "\n") + line;
}

std::string opening_comment(const KeptGame& game, Language language) {
    const bool zh = language == Language::Chinese;
    std::string text = game.damage;
    for (const auto& [start, moves] : game.score->earlier) {
        std::string line = zh ? "改摆局面之前的着法：" : "Played before the position was set up:";
        rules::Position p = start;
        for (const auto m : moves) {
            line += " " + (zh ? rules::chinese(p, m) : rules::wxf(p, m));
            p.apply(m);
        }
        if (!moves.empty()) add_line(text, line);
    }
    return text;
}

void add_tags(const KeptGame& game, Language language, record::GameRecord& out) {
    const Score& score = *game.score;
    out.add_tag("Event", game.hello.event);
    if (game.t0 > 0) {
        const Millis began = game.t0 + score.began.value_or(0);
        out.add_tag("Date", time_text("%Y.%m.%d", began, true));
        out.add_tag("StartTime", time_text("%H:%M:%S", began, true));
        if (score.ended)
            out.add_tag("EndTime", time_text("%H:%M:%S", game.t0 + *score.ended, true));
        out.add_tag("UTCDate", time_text("%Y.%m.%d", began, false));
        out.add_tag("UTCTime", time_text("%H:%M:%S", began, false));
    }
    out.add_tag("Board", game.hello.board);
    out.add_tag("Red", game.hello.red);
    out.add_tag("Black", game.hello.black);
    out.add_tag("RuleBook", game.hello.rulebook);
    out.add_tag("TimeControl", time_control(game.hello.time_control));
    if (score.clock) {
        out.add_tag("RedTime", record::time_text(score.used_ms[0] / second * second));
        out.add_tag("BlackTime", record::time_text(score.used_ms[1] / second * second));
        out.add_tag("RedClock", record::time_text(score.clock->red_ms / second * second));
        out.add_tag("BlackClock", record::time_text(score.clock->black_ms / second * second));
    }
    out.add_tag("RedFouls", std::to_string(score.fouls(rules::Side::Red)));
    out.add_tag("BlackFouls", std::to_string(score.fouls(rules::Side::Black)));
    if (!score.result) return;
    const auto& reason = protocol::about(score.reason);
    out.add_tag("Termination", language == Language::Chinese ? reason.zh : reason.en);
    // 20.3: a game that was not played is marked with + and − in the table of results.
    if (score.reason == protocol::Code::Late) out.add_tag("Played", "no");
}

}  // namespace

record::GameRecord record_of(const KeptGame& game, Language language) {
    const Score& score = *game.score;
    record::GameRecord out;
    add_tags(game, language, out);
    out.start = score.start;
    if (score.result) out.result = protocol::text(*score.result);
    record::Line& line = out.lines.front();
    for (const auto& [move, spent_ms, clock_ms] : score.plies)
        line.plies.push_back({move, {}, {}, clock_ms, spent_ms});
    line.comment = opening_comment(game, language);
    for (const auto& [ply, ruling] : score.notes) {
        // One on a ply that the board shows and nobody has completed belongs behind the last one.
        const auto at = std::min(static_cast<std::size_t>(ply), line.plies.size());
        add_line(at == 0 ? line.comment : line.plies[at - 1].comment, note_text(ruling, language));
    }
    return out;
}

}  // namespace xq::daemon
