#include "daemon/commands/judge_report.hpp"
#include "rules/notation.hpp"
#include "rules/words.hpp"

#include <array>

namespace xq::judge {
namespace {

using namespace rules;

/// One point, four columns wide: red pieces (车), black ones [车]; in English the FEN letters.
std::string cell(Piece piece, Language l) {
    if (piece.empty()) return l == Language::Chinese ? " ·  " : " .";
    if (l == Language::English) return std::string(" ") + piece.fen();
    const auto what = words::piece(piece).zh;
    return piece.side() == Side::Red ? "(" + what + ")" : "[" + what + "]";
}

/// The board as Red sees it, with the files as both sides count them.
std::string board(const Position& p, Language l) {
    constexpr std::array<std::string_view, 9> red_files{"九", "八", "七", "六", "五",
                                                        "四", "三", "二", "一"};
    const bool zh = l == Language::Chinese;
    std::string out = zh ? "   " : "  ";
    for (int f = 1; f <= files; ++f)
        out += zh ? " " + std::to_string(f) + "  " : " " + std::to_string(f);
    out += '\n';
    for (int r = ranks - 1; r >= 0; --r) {
        out += std::to_string(r) + (zh ? "  " : " ");
        for (int f = 0; f < files; ++f) out += cell(p.at(point(f, r)), l);
        out += '\n';
        if (r == 5)
            out += zh ? "   -------- 楚河 ---------- 汉界 --------\n" : "   - - - - - - - - -\n";
    }
    out += zh ? "   " : "  ";
    for (int f = 0; f < files; ++f)
        out += zh ? " " + std::string(red_files[static_cast<std::size_t>(f)]) + " "
                  : std::string(" ") + static_cast<char>('a' + f);
    return out + '\n';
}

std::string ply_line(const Position& before, const ClassifiedMove& m, int ply, Language l) {
    const bool red = m.side == Side::Red;
    std::string out = std::to_string((ply + 1) / 2) + (red ? ". " : "... ");
    const words::Both who = words::side(m.side);
    if (l == Language::Chinese)
        out += who.zh + " " + chinese(before, m.move) + "（" + std::string(name_zh(m.cls)) +
               "）：" + m.zh + "。[" + m.article + "]";
    else
        out += who.en + " " + iccs(m.move) + " (" + std::string(name(m.cls)) + "): " + m.en +
               ". [" + m.article + "]";
    return out + '\n';
}

std::string articles(const Verdict& v, Language l) {
    std::string out;
    for (const std::string& a : v.articles) out += (out.empty() ? "" : ", ") + a;
    return l == Language::Chinese ? "（依据 " + out + "）" : " (articles " + out + ")";
}

std::string ruling(const Finding& f, Language l) {
    const auto from = std::to_string(f.cycle.from_ply);
    const auto length = std::to_string(f.cycle.length);
    const auto times = std::to_string(f.cycle.times);
    if (l == Language::Chinese) {
        const std::string what =
            f.ground == Ground::Cycle
                ? "自第" + from + "着起，" + length + "着一循环，已满" + times + "次。"
                : "自第" + from + "着起九回合连续禁止着法。";
        return what + "裁定：" + f.verdict.zh + "。" + articles(f.verdict, l) + '\n';
    }
    const std::string what = f.ground == Ground::Cycle
                                 ? "From ply " + from + " a cycle of " + length +
                                       " plies, complete " + times + " times. "
                                 : "From ply " + from + " nine rounds of forbidden moves. ";
    return what + "Ruling: " + f.verdict.en + "." + articles(f.verdict, l) + '\n';
}

std::string event_line(const Event& e, Language l) {
    const auto ply = std::to_string(e.ply);
    if (e.kind == Event::Kind::Repetition)
        return (l == Language::Chinese ? "第" + ply + "着后：" : "After ply " + ply + ": ") +
               ruling(*e.finding, l);
    const auto who = words::side(e.claimant).in(l);
    const auto rounds = std::to_string(e.rounds);
    if (l == Language::Chinese)
        return "第" + ply + "着后：" + std::string(who) + "可提自然限着（已" + rounds +
               "回合未吃子，22.2）。\n";
    return "After ply " + ply + ": " + std::string(who) + " may claim the natural limit (" +
           rounds + " rounds without a capture, 22.2).\n";
}

std::string end_line(const Position& end, Language l) {
    const auto who = words::side(end.turn());
    switch (status(end)) {
        case Status::Checkmate:
            return l == Language::Chinese ? who.zh + "被将死。\n" : who.en + " is checkmated.\n";
        case Status::Stalemate:
            return l == Language::Chinese ? who.zh + "被困毙。\n" : who.en + " is stalemated.\n";
        case Status::Playing:
            break;
    }
    return {};
}

}  // namespace

std::string to_text(const Report& r, Language l) {
    std::string out =
        std::string(l == Language::Chinese ? r.book->title_zh() : r.book->title_en()) + "\n\n" +
        board(r.game.start, l) + '\n';
    Position p = r.game.start;
    // Plies are counted as in a game that Red begins.
    int ply = p.turn() == Side::Red ? 0 : 1;
    for (const ClassifiedMove& m : r.plies) {
        out += ply_line(p, m, ++ply, l);
        p.apply(m.move);
    }
    if (!r.plies.empty() && !r.as_cycle) out += '\n' + board(p, l);
    out += end_line(p, l);
    if (!r.events.empty()) out += '\n';
    for (const Event& e : r.events) out += event_line(e, l);
    if (r.finding && (r.events.empty() || r.as_cycle)) out += '\n' + ruling(*r.finding, l);
    if (r.as_cycle && !r.closed())
        out += l == Language::Chinese ? "注意：这些着法没有回到起始局面。\n"
                                      : "Note: the moves do not lead back to the start.\n";
    if (!out.empty() && out.back() == '\n') out.pop_back();
    return out;
}

}  // namespace xq::judge
