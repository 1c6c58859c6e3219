#include "daemon/games_page.hpp"

#include "protocol/ruling_texts.hpp"
#include "protocol/utc.hpp"
#include "rules/record/sheet.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

namespace xq::daemon {

namespace json = boost::json;
using rules::record::html_escaped;

namespace {

constexpr std::string_view style = R"(
main, footer { max-width: 1100px; margin: 0 auto; padding: 1.2rem; display: grid; gap: 1.2rem; }
section { background: var(--card); border: 1px solid var(--edge); border-radius: .7rem;
  padding: 1rem 1.1rem; min-width: 0; }
h2 { font-size: 1.1rem; margin-bottom: .6rem; }
ul { list-style: none; margin: 0; padding: 0; }
li { display: grid; grid-template-columns: 4.2rem minmax(0, 1fr) auto; gap: .2rem 1rem;
  align-items: center; padding: .6rem 0; border-top: 1px solid var(--edge); }
li:first-child { border-top: 0; }
.marks { font-size: 1.15rem; font-variant-numeric: tabular-nums; text-align: center; }
.who { overflow-wrap: anywhere; }
.who b { font-weight: 600; }
.red { color: var(--strong); }
.small { overflow-wrap: anywhere; }
.files { display: flex; flex-wrap: wrap; gap: .2rem .9rem; }
@media (max-width: 620px) { li { grid-template-columns: 3.4rem minmax(0, 1fr); }
  .files { grid-column: 2; } }
)";

std::string_view marks(const Score& score) {
    if (!score.result) return "…";
    switch (*score.result) {
        case protocol::Outcome::RedWins:
            return "1 : 0";
        case protocol::Outcome::BlackWins:
            return "0 : 1";
        case protocol::Outcome::Draw:
            return "½ : ½";
        case protocol::Outcome::BothLose:
            break;
    }
    return "0 : 0";
}

std::string link(const std::string& file, std::string_view text) {
    return "<a href=\"" + file + "\">" + std::string(text) + "</a>";
}

std::string row(const KeptGame& game, const std::string& file, bool log) {
    const Score& score = *game.score;
    const auto name = [](const std::string& given, std::string_view otherwise) {
        return html_escaped(given.empty() ? otherwise : given);
    };
    std::string facts = html_escaped(game.hello.event);
    const auto add = [&](const std::string& fact) {
        if (!facts.empty()) facts += " · ";
        facts += fact;
    };
    if (game.t0 > 0) {
        const std::string utc = protocol::utc_text(game.t0 + score.began.value_or(0));
        add("<time datetime=\"" + utc + "\">" + utc.substr(0, 10) + " " + utc.substr(11, 5) +
            " UTC</time>");
    }
    if (score.result) {
        const auto& reason = protocol::about(score.reason);
        add(std::string(reason.zh) + " <i>" + std::string(reason.en) + "</i>");
    }
    add(std::to_string((score.plies.size() + 1) / 2) + " 回合 <i>rounds</i>");
    std::string files = link(file + ".html", "记录纸") + " " +
                        link(file + ".html?lang=en", "<i>Score sheet</i>") + " " +
                        link(file + ".pgn", "PGN") + " " + link(file + ".dhtmlxq", "DhtmlXQ") +
                        " " + link(file + ".txt", "TXT");
    if (log) files += " " + link(file + ".log", "Log");
    return "<li><span class=\"marks\">" + std::string(marks(score)) +
           R"(</span><div><div class="who"><b class="red">)" + name(game.hello.red, "红方 Red") +
           "</b> – <b>" + name(game.hello.black, "黑方 Black") + "</b></div><div class=\"small\">" +
           facts + "</div></div><div class=\"files\">" + files + "</div></li>\n";
}

json::value text_or_null(const std::string& text) {
    return text.empty() ? json::value() : json::value(text);
}

json::object object(const KeptGame& game, const std::string& file, bool log) {
    const Score& score = *game.score;
    const auto utc = [&](const std::optional<Millis>& t) {
        return game.t0 > 0 && t ? json::value(protocol::utc_text(game.t0 + *t)) : json::value();
    };
    json::object files;
    for (const auto* ending : {"pgn", "dhtmlxq", "txt", "html", "log"})
        if (log || std::string_view(ending) != "log") files[ending] = file + "." + ending;
    return {{"game", score.game},
            {"event", text_or_null(game.hello.event)},
            {"red", text_or_null(game.hello.red)},
            {"black", text_or_null(game.hello.black)},
            {"result", score.result ? json::value(protocol::text(*score.result)) : json::value()},
            {"reason", score.result ? json::value(protocol::text(score.reason)) : json::value()},
            {"plies", score.plies.size()},
            {"began", utc(score.began)},
            {"ended", utc(score.ended)},
            {"files", std::move(files)}};
}

constexpr std::string_view current_file = "current";

bool is_unreserved(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
           c == '.' || c == '_' || c == '~';
}

int hex_value(char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

}  // namespace

std::string games_html(const GamesList& list) {
    const std::string board = html_escaped(list.board);
    std::string out =
        "<!DOCTYPE html>\n<html lang=\"zh\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>棋谱 "
        "Games, " +
        board +
        "</title>\n<link rel=\"icon\" href=\"../icon.svg\">\n<link rel=\"stylesheet\" "
        "href=\"../pages.css\">\n<style>" +
        std::string(style) + "</style>\n</head>\n<body>\n<header class=\"top\"><h1>" + board +
        " · 棋谱 <i>Games</i></h1>\n<nav aria-label=\"Pages\"><a href=\"../\">首页 "
        "<i>Start</i></a> "
        "<a href=\"../overlay\">直播画面 <i>Overlay</i></a></nav></header>\n<main>\n";
    if (list.current)
        out +=
            "<section><h2>正在进行 <i>Being played</i></h2>\n"
            "<ul aria-label=\"正在进行 Being played\">" +
            row(*list.current, std::string(current_file), false) + "</ul></section>\n";
    out += "<section><h2>已结束的对局 <i>Finished games</i></h2>\n";
    if (list.games.empty()) out += "<p>还没有。 <i>None yet.</i></p>\n";
    out += "<ul aria-label=\"已结束的对局 Finished games\">";
    for (const auto& [id, game] : list.games)
        out += row(game, percent_encoded(id), id != list.no_log);
    return out +
           "</ul></section>\n</main>\n<footer class=\"small\"><p><i>For programs:</i> "
           "<a href=\"index.json\">index.json</a> · current.pgn · "
           "?moves=zh|iccs|wxf · ?charset=utf-8|gb18030|big5 · ?lang=zh|en</p></footer>\n"
           "</body>\n</html>\n";
}

std::string games_json(const GamesList& list) {
    json::array games;
    for (const auto& [id, game] : list.games) {
        auto one = object(game, percent_encoded(id), id != list.no_log);
        one["id"] = id;
        games.push_back(std::move(one));
    }
    return json::serialize(json::object{
               {"board", list.board},
               {"current",
                list.current ? json::value(object(*list.current, std::string(current_file), false))
                             : json::value()},
               {"games", std::move(games)}}) +
           "\n";
}

std::string percent_encoded(std::string_view text) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string out;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (is_unreserved(c))
            out += c;
        else
            out += {'%', digits[byte >> 4U], digits[byte & 0xFU]};
    }
    return out;
}

std::optional<std::string> percent_decoded(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            out += text[i];
            continue;
        }
        const int high = i + 2 < text.size() ? hex_value(text[i + 1]) : -1;
        const int low = high >= 0 ? hex_value(text[i + 2]) : -1;
        if (low < 0) return std::nullopt;
        out += static_cast<char>(high * 16 + low);
        i += 2;
    }
    return out;
}

}  // namespace xq::daemon
