// The page of sheet.hpp.
#include "rules/record/sheet_parts.hpp"

#include <algorithm>

namespace xq::rules::record {
namespace {

/// An element with escaped text in it.
std::string element(std::string_view name, std::string_view text, std::string_view cls = "") {
    std::string out = "<" + std::string(name);
    if (!cls.empty()) out += " class=\"" + std::string(cls) + "\"";
    return out + ">" + html_escaped(text) + "</" + std::string(name) + ">";
}

/// Rounds in one of the three blocks that stand side by side: alike, as far as what fits on a page
/// with the rest.
std::size_t block_rows(std::size_t rounds) {
    constexpr std::size_t fewest = 8;
    constexpr std::size_t most = 20;
    return std::clamp((rounds + 2) / 3, fewest, most);
}

constexpr std::string_view style = R"(
@page { size: A4; margin: 12mm 11mm 13mm; }
* { box-sizing: border-box; }
html { background: #d8d2c6; }
body { margin: 8mm auto; width: 210mm; min-height: 297mm; padding: 12mm 11mm; background: #fff;
  color: #1d1a17; box-shadow: 0 2mm 8mm #0004;
  font: 9.4pt/1.35 "Noto Serif CJK SC", "Source Han Serif SC", "Songti SC", "SimSun",
    "Noto Serif", "DejaVu Serif", "WenQuanYi Zen Hei", serif; }
h1 { margin: 0; font-size: 17pt; font-weight: 600; text-align: center; letter-spacing: .06em;
  overflow-wrap: anywhere; }
.kind { margin: .8mm 0 3.5mm; text-align: center; color: #6b6259; letter-spacing: .25em; }
.players { display: grid; grid-template-columns: 1fr auto 1fr; align-items: stretch;
  border: .5mm solid #1d1a17; }
.players > div { padding: 2mm 4mm; min-width: 0; overflow-wrap: anywhere; }
.players .side { font-size: 8.5pt; letter-spacing: .2em; }
.players .name { font-size: 14pt; font-weight: 600; min-height: 1.35em; }
.players .red .side, .players .red .name { color: #b3161c; }
.players .black { text-align: right; }
.players .marks { display: grid; place-items: center; padding: 2mm 6mm; font-size: 17pt;
  font-weight: 600; white-space: nowrap; border-left: .2mm solid #1d1a17;
  border-right: .2mm solid #1d1a17; }
dl { display: flex; flex-wrap: wrap; gap: .6mm 7mm; margin: 2.5mm 0 3.5mm; padding: 0; }
dl div { display: flex; gap: 2mm; }
dt { color: #6b6259; }
dd { margin: 0; overflow-wrap: anywhere; }
.moves { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 3mm 3.5mm;
  align-items: start; }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
.moves table { break-inside: avoid; table-layout: fixed; }
th { font-weight: 400; font-size: 7.6pt; color: #6b6259; border-bottom: .4mm solid #1d1a17;
  padding: 0 .6mm .5mm; text-align: left; white-space: nowrap; }
td { padding: .75mm .6mm; border-bottom: .15mm solid #b9b0a4; white-space: nowrap; }
.moves th.time { width: 11.5mm; }
.moves th:first-child, .moves td:first-child { width: 8mm; text-align: right; color: #6b6259;
  padding-right: 1.6mm; }
.time { text-align: right; font-size: 7.4pt; color: #6b6259; }
.moves td:nth-child(3), .moves th:nth-child(3) { padding-right: 2mm; }
h2 { font-size: 9.4pt; margin: 4.5mm 0 1mm; padding-bottom: .5mm; font-weight: 600;
  letter-spacing: .1em; border-bottom: .4mm solid #1d1a17; break-after: avoid; }
.remarks td { vertical-align: top; white-space: pre-line; overflow-wrap: anywhere; }
.remarks td:first-child { width: 22mm; white-space: nowrap; color: #6b6259; }
.remarks tr { break-inside: avoid; }
.end { break-inside: avoid; }
.totals { margin-top: 4.5mm; border: .5mm solid #1d1a17; }
.totals th, .totals td { padding: 1.2mm 3mm; border: .15mm solid #b9b0a4; font-size: 9.4pt; }
.totals thead th:not(:first-child), .totals td { text-align: center; width: 36%; }
.totals tbody th { color: #1d1a17; }
.totals .outcome td { font-size: 12pt; font-weight: 600; text-align: center; white-space: normal;
  overflow-wrap: anywhere; }
.sign { display: grid; grid-template-columns: repeat(3, 1fr); gap: 8mm; margin-top: 13mm; }
.sign div { border-top: .3mm solid #1d1a17; padding-top: 1mm; font-size: 8.5pt; }
.sign span { display: block; color: #6b6259; overflow-wrap: anywhere; }
@media print {
  html { background: none; }
  body { margin: 0; width: auto; min-height: 0; padding: 0; box-shadow: none; }
}
@media screen and (max-width: 210mm) {
  body { margin: 0; width: 100%; padding: 5mm 4mm; min-height: 0; }
  .moves { grid-template-columns: minmax(0, 1fr); }
}
)";

class Page {
public:
    Page(const GameRecord& record, Language language)
        : parts_(sheet_parts(record, language)), language_(language) {}

    std::string run() const {
        const bool zh = language_ == Language::Chinese;
        std::string out = "<!DOCTYPE html>\n<html lang=\"" + std::string(zh ? "zh" : "en") +
                          "\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
                          "content=\"width=device-width, initial-scale=1\">\n";
        out += element("title", title()) + "\n<style>" + std::string(style) + "</style>\n</head>\n";
        out += "<body>\n" + element("h1", parts_.title) + "\n";
        if (parts_.titled) out += element("p", zh ? "象棋对局记录" : "Score sheet", "kind") + "\n";
        return out + players() + facts() + moves() + remarks() + end() + "</body>\n</html>\n";
    }

private:
    const std::string& say(const words::Both& word) const { return word.in(language_); }

    std::string title() const {
        const bool names = !parts_.red.empty() || !parts_.black.empty();
        return names ? parts_.red + " – " + parts_.black + ", " + parts_.title : parts_.title;
    }

    std::string player(std::string_view cls, const words::Both& side,
                       const std::string& name) const {
        return "<div class=\"" + std::string(cls) + "\">" + element("div", say(side), "side") +
               element("div", name, "name") + "</div>";
    }

    std::string players() const {
        return "<section class=\"players\">" + player("red", sheet_words::red, parts_.red) +
               element("div", parts_.marks.empty() ? ":" : parts_.marks, "marks") +
               player("black", sheet_words::black, parts_.black) + "</section>\n";
    }

    std::string facts() const {
        std::string out = "<dl>";
        for (const auto& [label, value] : parts_.facts)
            out += "<div>" + element("dt", label) + element("dd", value) + "</div>";
        return out + "</dl>\n";
    }

    std::string moves() const {
        std::string out = "<section class=\"moves\">\n";
        const std::size_t block = block_rows(parts_.rows.size());
        for (std::size_t i = 0; i < parts_.rows.size(); ++i) {
            if (i % block == 0) out += open_block();
            const SheetRow& row = parts_.rows[i];
            out += "<tr>" + element("td", std::to_string(row.round));
            for (const auto* move : {&row.red, &row.black})
                out += element("td", move->text) + element("td", move->spent, "time");
            out += "</tr>\n";
            const bool last = i + 1 == parts_.rows.size() || (i + 1) % block == 0;
            if (last) out += "</tbody></table>\n";
        }
        return out + "</section>\n";
    }

    std::string open_block() const {
        std::string out = "<table><thead><tr>" + element("th", say(sheet_words::round));
        for (const auto& side : {sheet_words::red, sheet_words::black})
            out += element("th", say(side)) + element("th", say(sheet_words::spent), "time");
        return out + "</tr></thead><tbody>\n";
    }

    std::string remarks() const {
        if (parts_.remarks.empty()) return {};
        std::string out = element("h2", say(sheet_words::remarks)) + "\n<table class=\"remarks\">";
        for (const auto& [where, text] : parts_.remarks)
            out += "<tr>" + element("td", where) + element("td", text) + "</tr>\n";
        return out + "</table>\n";
    }

    std::string end() const {
        std::string out = "<section class=\"end\">\n<table class=\"totals\"><thead><tr><th></th>" +
                          element("th", say(sheet_words::red)) +
                          element("th", say(sheet_words::black)) + "</tr></thead><tbody>\n";
        out += "<tr class=\"outcome\">" + element("th", say(sheet_words::result)) +
               "<td colspan=\"2\">" + html_escaped(parts_.result) + "</td></tr>\n";
        for (const auto& [label, red, black] : parts_.totals)
            out += "<tr>" + element("th", label) + element("td", red) + element("td", black) +
                   "</tr>\n";
        out += "</tbody></table>\n<div class=\"sign\">" + signature(sheet_words::red, parts_.red) +
               signature(sheet_words::black, parts_.black) + signature(sheet_words::arbiter, "");
        return out + "</div>\n</section>\n";
    }

    std::string signature(const words::Both& who, const std::string& name) const {
        const bool zh = language_ == Language::Chinese;
        return "<div>" + html_escaped(say(who) + (zh ? "" : " ") + say(sheet_words::signature)) +
               element("span", name) + "</div>";
    }

    SheetParts parts_;
    Language language_;
};

}  // namespace

std::string html_escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        switch (c) {
            case '&':
                out += "&amp;";
                break;
            case '<':
                out += "&lt;";
                break;
            case '>':
                out += "&gt;";
                break;
            case '"':
                out += "&quot;";
                break;
            default:
                out += c;
        }
    }
    return out;
}

std::string write_sheet_html(const GameRecord& record, Language language) {
    return Page(record, language).run();
}

}  // namespace xq::rules::record
