// Game records as they come: notations, encodings, what is passed over, what is refused.
#include "rules/record/encoding.hpp"
#include "rules/record/pgn.hpp"

#include "support.hpp"

#include <gmock/gmock.h>

namespace xq::rules::tests {
namespace {

using record::Encoding;
using record::from_utf8;
using record::read_pgn;
using record::to_utf8;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> moves_of(std::string_view pgn) {
    std::vector<std::string> all;
    const auto record = read_pgn(pgn);
    if (!record) return {"fault: " + record.error().what};
    for (const Move m : record->moves()) all.push_back(iccs(m));
    return all;
}

TEST(Pgn, ReadsTagsMovesAndResult) {
    const auto record = read_pgn(
        "[Event \"Cup \\\"A\\\"\"]\n[Red \"甲\"]\n[Black \"乙\"]\n\n"
        "1. 炮二平五 马8进7\n2. 马二进三 1/2-1/2\n");
    ASSERT_TRUE(record) << record.error().what;
    EXPECT_EQ(record->tag("Event"), "Cup \"A\"");
    EXPECT_EQ(record->tag("Black"), "乙");
    EXPECT_EQ(record->tag("Site"), "");
    EXPECT_EQ(record->result, "1/2-1/2");
    EXPECT_EQ(record->start, Position::start());
    EXPECT_EQ(record->plies().size(), 3U);
}

TEST(Pgn, ReadsEveryNotation) {
    const std::vector<std::string> expected{"h2e2", "h9g7", "h0g2"};
    EXPECT_EQ(moves_of("1. 炮二平五 马8进7 2. 马二进三 *"), expected);
    EXPECT_EQ(moves_of("1.炮二平五 馬８進７ 2.馬二進三"), expected);
    EXPECT_EQ(moves_of("1. H2-E2 H9-G7 2. H0-G2 *"), expected);
    EXPECT_EQ(moves_of("1. C2=5 h8+7 2. H2+3"), expected);
    EXPECT_EQ(moves_of("1. C2.5 H8+7 2. H2+3"), expected);
    EXPECT_EQ(moves_of("h2e2 h9g7\nh0g2"), expected);
}

TEST(Pgn, PassesOverCommentsSideLinesAndSigns) {
    EXPECT_THAT(
        moves_of("{start} 1. h2e2 {a (b) c} $1 (1. b2e2 {x)} (1. c3c4) b9c7) 1... h9g7 ; to "
                 "the end (\n2. h0g2"),
        ElementsAre("h2e2", "h9g7", "h0g2"));
}

TEST(Pgn, BeginsWhereTheFenTagSays) {
    const auto record =
        read_pgn("[FEN \"3k5/9/9/9/9/9/9/9/4p4/5K3 b - - 0 1\"]\n\n1... 卒5平4 2. 帅四进一");
    ASSERT_TRUE(record) << record.error().what;
    EXPECT_EQ(record->start.turn(), Side::Black);
    EXPECT_EQ(record->plies().size(), 2U);
}

TEST(Pgn, KeepsCommentsTimesSignsAndSideLines) {
    const auto record = read_pgn(
        "{before} 1. h2e2! {[%clk 0:59:30] [%emt 0:00:30.5] good\nand sound} $10 (1. b2e2 {x} b9c7 "
        "(1... h9g7)) h9g7?! ;to the end\n*");
    ASSERT_TRUE(record) << record.error().what;
    EXPECT_EQ(record->lines[0].comment, "before");
    const auto& first = record->plies()[0];
    EXPECT_EQ(first.comment, "good\nand sound");
    EXPECT_THAT(first.signs, ElementsAre(1, 10));
    EXPECT_EQ(first.clock_ms, 3'570'000);
    EXPECT_EQ(first.spent_ms, 30'500);
    const auto& second = record->plies()[1];
    EXPECT_THAT(second.signs, ElementsAre(6));
    EXPECT_EQ(second.comment, "to the end");
    ASSERT_EQ(record->lines.size(), 3U);
    EXPECT_EQ(record->lines[1].plies[0].comment, "x");
    EXPECT_EQ(record->lines[2].parent, 1U);
    EXPECT_EQ(record->lines[2].at, 1U);
}

TEST(Pgn, TakesTheResultFromTheTagWhereTheMovesLeaveItOpen) {
    EXPECT_EQ(read_pgn("[Result \"1-0\"]\n\n1. h2e2 *").value().result, "1-0");
    EXPECT_EQ(read_pgn("[Result \"1-0\"]\n\n1. h2e2").value().result, "1-0");
    EXPECT_EQ(read_pgn("[Result \"*\"]\n\n1. h2e2 0-1").value().result, "0-1");
    EXPECT_EQ(read_pgn("1. h2e2").value().result, "*");
}

/// A ply against the rules that was left to stand has a spelling of its own, which no other text
/// is taken for.
TEST(Pgn, ReadsAPlyThatStoodAgainstTheRules) {
    EXPECT_THAT(moves_of("1. 马b0-c3 HH9-G8 2. h2e2"), ElementsAre("b0c3", "h9g8", "h2e2"));
    EXPECT_THAT(moves_of("1. b0c3")[0], HasSubstr("not allowed"));
    EXPECT_THAT(moves_of("1. 车b0-c3")[0], HasSubstr("move 1"));
    EXPECT_EQ(read_pgn("1. 马b0-c3").value().first_illegal(), 0U);
    EXPECT_EQ(read_pgn("1. h2e2").value().first_illegal(), std::nullopt);
}

TEST(Pgn, StopsAtTheNextGame) {
    EXPECT_THAT(moves_of("1. h2e2 *\n\n[Event \"2\"]\n1. b2e2 *"), ElementsAre("h2e2"));
    EXPECT_THAT(moves_of("1. h2e2\n\n[Event \"2\"]\n1. b2e2 *"), ElementsAre("h2e2"));
}

TEST(Pgn, SaysWhichMoveIsWrongAndWhere) {
    const auto record = read_pgn("1. h2e2 h9g7\n2. h0h5 *");
    ASSERT_FALSE(record);
    EXPECT_THAT(record.error().what, HasSubstr("move 2 \"h0h5\""));
    EXPECT_EQ(record.error().at, 16U);
    EXPECT_THAT(read_pgn("1. h2e2 h9h7").error().what, HasSubstr("move 1... \"h9h7\""));
}

TEST(Pgn, RefusesWhatIsNotClosed) {
    for (const auto* text :
         {"[Event \"x\"", "[Event x]", "1. h2e2 {", "1. h2e2 (b2e2", "1. h2e2 )", "(1. h2e2)",
          "1. h2e2 ()", "1. h2e2 $", "1. h2e2 [x", "[FEN \"x\"]", ""})
        EXPECT_FALSE(read_pgn(text)) << text;
    EXPECT_TRUE(read_pgn("[Event \"x\"]"));
}

TEST(Pgn, TakesAnyBytesWithoutHarm) {
    std::mt19937 random(7);
    const std::string signs = "[]{}();\"\\ \n.1$*hec2炮FEN";
    for (int i = 0; i < 2000; ++i) {
        std::string text;
        for (int n = 0; n < 30; ++n) text += signs[random() % signs.size()];
        const auto record = read_pgn(text);
        EXPECT_TRUE(record || record.error().at <= text.size()) << text;
    }
}

// 炮二平五 in the other encodings.
constexpr std::string_view gb18030 = "1. \xC5\xDA\xB6\xFE\xC6\xBD\xCE\xE5";
constexpr std::string_view big5 = "1. \xAC\xB6\xA4\x47\xA5\xAD\xA4\xAD";

TEST(Encoding, IsTold) {
    EXPECT_EQ(to_utf8("1. 炮二平五").value(), "1. 炮二平五");
    EXPECT_EQ(to_utf8("\xEF\xBB\xBF"
                      "1. 炮二平五")
                  .value(),
              "1. 炮二平五");
    EXPECT_EQ(to_utf8(gb18030).value(), "1. 炮二平五");
    EXPECT_EQ(to_utf8(big5).value(), "1. 炮二平五");
    EXPECT_EQ(to_utf8("").value(), "");
}

TEST(Encoding, RefusesWhatIsNone) {
    const auto text = to_utf8("h2e2 \xFF\xFF");
    ASSERT_FALSE(text);
    EXPECT_EQ(text.error().at, 5U);
}

TEST(Encoding, IsToldByNamesAlone) {
    const std::string name = "[Red \"陳文華\"]\n1. h2e2";
    for (const auto encoding : {Encoding::Gb18030, Encoding::Big5})
        EXPECT_EQ(to_utf8(from_utf8(name, encoding).value()).value(), name);
}

TEST(Encoding, NamesTheCharacterThatItHasNot) {
    const auto bytes = from_utf8("1. 车一平二", Encoding::Big5);
    ASSERT_FALSE(bytes);
    EXPECT_EQ(bytes.error().at, 3U);
    EXPECT_THAT(bytes.error().what, HasSubstr("\"车\""));
}

TEST(Encoding, GuessesVietnameseAndShowsBrokenText) {
    const std::string vietnamese = "Nguyễn Thành Bảo thắng Lại Lý Huynh, giải vô địch quốc gia";
    const auto bytes = from_utf8(vietnamese, Encoding::Windows1258).value();
    EXPECT_EQ(record::likely_encoding(bytes), Encoding::Windows1258);
    EXPECT_EQ(record::to_utf8_anyhow(bytes, Encoding::Windows1258), vietnamese);
    EXPECT_EQ(record::likely_encoding(gb18030), Encoding::Gb18030);
    EXPECT_EQ(record::to_utf8_anyhow("\xC5\xDA\xFF\xB6\xFE\xB6", Encoding::Gb18030), "炮\uFFFD二");
}

TEST(Encoding, DoesNotTakeACutCharacterForGood) {
    EXPECT_FALSE(to_utf8("\xE7\x82") && to_utf8("\xE7\x82").value() == "\xE7\x82");
}

}  // namespace
}  // namespace xq::rules::tests
