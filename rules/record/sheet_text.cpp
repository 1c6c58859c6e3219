// The plain text of sheet.hpp.
#include "rules/record/sheet_parts.hpp"

namespace xq::rules::record {
namespace {

/// Fills up to so many columns, a Chinese sign being two wide.
std::string padded(std::string text, std::size_t columns) {
    std::size_t width = 0;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        width += byte >= 0xE0 ? 2U : (byte & 0xC0U) == 0x80 ? 0U : 1U;
    }
    return text.append(width < columns ? columns - width : 1, ' ');
}

/// A line of its own, whatever the text holds.
std::string one_line(std::string text) {
    for (char& c : text)
        if (static_cast<unsigned char>(c) < ' ') c = ' ';
    return text;
}

constexpr std::size_t label_width = 14;
constexpr std::size_t move_width = 14;
constexpr std::size_t time_width = 10;

}  // namespace

std::string write_sheet_text(const GameRecord& record, Language language) {
    const SheetParts parts = sheet_parts(record, language);
    const auto say = [&](const words::Both& word) { return word.in(language); };
    const auto line = [](const std::string& label, const std::string& value) {
        return padded(label, label_width) + one_line(value) + "\n";
    };
    std::string out = one_line(parts.title) + "\n\n";
    out += line(say(sheet_words::red), parts.red);
    out += line(say(sheet_words::black), parts.black);
    for (const auto& [label, value] : parts.facts) out += line(label, value);

    out += "\n" + padded(say(sheet_words::round), 6);
    for (const auto& side : {sheet_words::red, sheet_words::black})
        out += padded(say(side), move_width) + padded(say(sheet_words::spent), time_width);
    out += "\n";
    for (const auto& row : parts.rows) {
        std::string text = padded(std::to_string(row.round) + ".", 6);
        for (const auto* move : {&row.red, &row.black})
            text += padded(move->text.empty() ? "…" : move->text, move_width) +
                    padded(move->spent, time_width);
        text.resize(text.find_last_not_of(' ') + 1);
        out += text + "\n";
    }

    if (!parts.remarks.empty()) out += "\n" + say(sheet_words::remarks) + "\n";
    for (const auto& remark : parts.remarks)
        out += (remark.where.empty() ? "" : remark.where + "  ") + one_line(remark.text) + "\n";

    out += "\n" + line(say(sheet_words::result),
                       parts.result + (parts.marks.empty() ? "" : "  " + parts.marks));
    for (const auto& total : parts.totals)
        out += line(total.label, say(sheet_words::red) + " " +
                                     (total.red.empty() ? "________" : total.red) + "   " +
                                     say(sheet_words::black) + " " +
                                     (total.black.empty() ? "________" : total.black));
    out += "\n";
    for (const auto& who : {sheet_words::red, sheet_words::black, sheet_words::arbiter})
        out += "\n" +
               padded(say(who) + (language == Language::Chinese ? "" : " ") +
                          say(sheet_words::signature),
                      2 * label_width) +
               "______________________________\n";
    return out;
}

}  // namespace xq::rules::record
