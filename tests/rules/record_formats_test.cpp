// All recorded games through every format and back: nothing of a game is lost that the format can
// hold. And what the readers make of files that are damaged.
#include "rules/record/dhtmlxq.hpp"
#include "rules/record/encoding.hpp"
#include "rules/record/pgn.hpp"
#include "rules/record/read_record.hpp"
#include "rules/record/xqf.hpp"

#include "support.hpp"
#include "xqf_writer.hpp"

#include <gmock/gmock.h>

namespace xq::rules::record {

void PrintTo(const GameRecord& record, std::ostream* out) {
    *out << write_pgn(record);
}

/// As a test compares them: FEN counters too.
bool same(const GameRecord& a, const GameRecord& b) {
    return a.tags == b.tags && write_fen(a.start) == write_fen(b.start) && a.result == b.result &&
           a.lines == b.lines;
}

}  // namespace xq::rules::record

namespace xq::rules::tests {
namespace {

using record::Encoding;
using record::GameRecord;
using record::Notation;
using record::PgnStyle;
using record::read_record;
using record::same;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

/// A recorded game with all that a refereed one has besides: names, times, rulings. All characters
/// are ones that Big5 has too.
GameRecord refereed(const Game& game, std::size_t number) {
    constexpr std::array<std::string_view, 4> results{"1-0", "0-1", "1/2-1/2", "*"};
    GameRecord r;
    r.tags = {{"Event", "全國大賽"},
              {"Date", "2026.05.01"},
              {"Red", "陳文華"},
              {"Black", "O\"Neil \\ 李"},
              {"TimeControl", "3600+30"}};
    r.add_tag("Board", game.id);
    r.start = position(game.start_fen);
    r.result = results[number % results.size()];
    r.lines[0].comment = "開局";
    std::int64_t clock = 3'600'000;
    for (const Move m : game.moves) {
        auto& ply = r.lines[0].plies.emplace_back();
        ply.move = m;
        ply.spent_ms = static_cast<std::int64_t>(r.plies().size()) * 250;
        clock -= *ply.spent_ms;
        if (clock >= 0) ply.clock_ms = clock;
        if (r.plies().size() % 40 == 0) ply.comment = "紅方犯規 9.1.7\n第二行";
    }
    return r;
}

template <class Check>
void for_each_game(Check check) {
    std::size_t number = 0;
    for (const Game& game : recorded_games()) {
        const GameRecord record = refereed(game, number++);
        check(record);
        if (testing::Test::HasFailure()) FAIL() << game.id;
    }
    EXPECT_GT(number, 900U);
}

/// Three notations times three encodings.
class PgnRoundTrip : public testing::TestWithParam<std::tuple<Notation, Encoding>> {};

TEST_P(PgnRoundTrip, OfEveryGame) {
    const auto [notation, encoding] = GetParam();
    const Script script = encoding == Encoding::Big5 ? Script::Traditional : Script::Simplified;
    for_each_game([&, style = PgnStyle{notation, script}, to = encoding](const GameRecord& record) {
        const auto bytes = from_utf8(write_pgn(record, style), to);
        ASSERT_TRUE(bytes) << bytes.error().what;
        ASSERT_EQ(record::encoding_of(*bytes), to);
        const auto read = read_record(*bytes);
        ASSERT_TRUE(read) << read.error().what;
        EXPECT_TRUE(same(*read, record));
    });
}
INSTANTIATE_TEST_SUITE_P(
    Records, PgnRoundTrip,
    testing::Combine(testing::Values(Notation::Chinese, Notation::Iccs, Notation::Wxf),
                     testing::Values(Encoding::Utf8, Encoding::Gb18030, Encoding::Big5)));

TEST(DhtmlXqRoundTrip, OfEveryGame) {
    for_each_game([](const GameRecord& record) {
        const auto text = write_dhtmlxq(record);
        ASSERT_TRUE(text) << text.error().what;
        const auto read = read_record(*text);
        ASSERT_TRUE(read) << read.error().what;
        EXPECT_TRUE(same(*read, record)) << *text;
    });
}

class XqfRead : public testing::TestWithParam<int> {};

TEST_P(XqfRead, OfEveryGame) {
    std::mt19937 random(static_cast<unsigned>(GetParam()));
    for_each_game([&](const GameRecord& record) {
        const auto read = read_record(write_xqf(record, GetParam(), random));
        ASSERT_TRUE(read) << read.error().what;
        EXPECT_EQ(read->tag("Red"), record.tag("Red"));
        EXPECT_EQ(read->tag("Event"), record.tag("Event"));
        EXPECT_EQ(read->result, record.result);
        EXPECT_EQ(read->start, record.start);
        EXPECT_EQ(read->lines[0].comment, record.lines[0].comment);
        ASSERT_EQ(read->moves(), record.moves());
        for (std::size_t i = 0; i < record.plies().size(); ++i)
            ASSERT_EQ(read->plies()[i].comment, record.plies()[i].comment);
    });
}
INSTANTIATE_TEST_SUITE_P(Records, XqfRead, testing::Values(1, 10, 11, 12, 18));

/// Side lines within side lines, comments before and behind, a start with Black to move, a ply that
/// stood against the rules.
GameRecord study() {
    const auto read = record::read_pgn(
        "[Red \"甲\"]\n[Result \"1/2-1/2\"]\n"
        "[FEN \"4kab2/4a4/4b4/9/9/9/9/4B4/4A4/2BAK3c b - - 7 31\"]\n\n"
        "{one\n\ntwo} 31... i0i9 $1 (31... i0i8 {x} 32. e1d2 (32. e1f2 {y}) e8d9) "
        "(31... i0i7 {z} 32. e2c4) 32. Ee2-e4 {against the rules, left to stand} 1/2-1/2");
    EXPECT_TRUE(read) << read.error().what;
    return read.value();
}

/// `study` with nothing in it that the rules forbid.
GameRecord lawful_study() {
    GameRecord record = study();
    record.lines[0].plies.pop_back();
    return record;
}

TEST(Records, KeepSideLinesAndComments) {
    GameRecord record = study();
    ASSERT_EQ(record.lines.size(), 4U);
    for (const Notation notation : {Notation::Chinese, Notation::Iccs, Notation::Wxf}) {
        const auto again = read_record(write_pgn(record, {notation, Script::Simplified}));
        ASSERT_TRUE(again) << again.error().what;
        EXPECT_TRUE(same(*again, record)) << testing::PrintToString(*again);
    }
    const auto text = write_dhtmlxq(record);
    ASSERT_TRUE(text);
    const auto again = read_record(*text);
    ASSERT_TRUE(again) << again.error().what << "\n" << *text;
    record.lines[0].plies[0].signs.clear();  // the one thing that DhtmlXQ has no place for
    EXPECT_TRUE(same(*again, record)) << *text;
}

TEST(Records, ReadSideLinesOfXqf) {
    std::mt19937 random(5);
    GameRecord record = lawful_study();
    for (const int version : {10, 12}) {
        const auto read = read_record(write_xqf(record, version, random));
        ASSERT_TRUE(read) << read.error().what;
        EXPECT_EQ(read->start, record.start);
        // XQF tells of side lines from the last ply back; the lines are the same.
        EXPECT_EQ(read->lines.size(), record.lines.size());
        for (const auto& line : record.lines) {
            const auto same_line = [&](const record::Line& l) {
                return l.plies.size() == line.plies.size() &&
                       l.plies.back().move == line.plies.back().move &&
                       l.plies.back().comment == line.plies.back().comment && l.at == line.at;
            };
            EXPECT_EQ(std::count_if(read->lines.begin(), read->lines.end(), same_line), 1);
        }
    }
}

TEST(Records, SayWhatAFormatCannotHold) {
    GameRecord record;
    record.start = position("R3k4/9/9/9/9/9/9/9/9/RR2K4 w - - 0 1");
    ASSERT_FALSE(write_dhtmlxq(record));
    EXPECT_THAT(write_dhtmlxq(record).error().what, HasSubstr("no place"));
}

TEST(Records, EscapeWhatWouldEndAText) {
    GameRecord record;
    record.tags = {{"Event", "a]b\"c\\d"}, {"movelist", "7747"}, {"note", "[/DhtmlXQ_x] || ["}};
    record.lines[0].comment = "x } y\n[/DhtmlXQ_comment0]";
    const auto pgn = read_record(write_pgn(record));
    ASSERT_TRUE(pgn) << pgn.error().what;
    EXPECT_EQ(pgn->tags, record.tags);
    EXPECT_EQ(pgn->lines[0].comment, "x ｝ y\n[/DhtmlXQ_comment0]");
    const auto dhtmlxq = read_record(write_dhtmlxq(record).value());
    ASSERT_TRUE(dhtmlxq) << dhtmlxq.error().what;
    EXPECT_EQ(dhtmlxq->tags[1], record.tags[1]);
    EXPECT_EQ(dhtmlxq->tag("note"), "［/DhtmlXQ_x] ｜｜ [");
    EXPECT_EQ(dhtmlxq->lines[0].comment, "x } y\n［/DhtmlXQ_comment0]");
    EXPECT_TRUE(dhtmlxq->plies().empty());
}

TEST(Records, AreFoldedAtEightyColumns) {
    const GameRecord record = refereed(recorded_games().front(), 0);
    std::istringstream text(write_pgn(record));
    for (std::string line; std::getline(text, line);) EXPECT_LE(line.size(), 120U) << line;
    EXPECT_THAT(write_pgn(record, {Notation::Iccs, Script::Simplified}),
                HasSubstr("{[%clk 0:59:59.750] [%emt 0:00:00.250]} 1... B9-C7"));
}

// ---------------------------------------------------------------- files as they come

/// As a web page of the format's home shows games: fields closed by another's name, blanks, names
/// in traditional characters.
TEST(DhtmlXq, ReadsWhatTheWebHolds) {
    const auto record = read_record(
        "text before [DhtmlXQ]\r\n[DhtmlXQ_ver]www_dpxq_com[/DhtmlXQ_ver]\r\n"
        "[DhtmlXQ_title]甲 先勝 乙[/DhtmlXQ_title]\r\n[DhtmlXQ_date]2018-03-24[/DhtmlXQ_date]\r\n"
        "[DhtmlXQ_blacktime][/DhtmlXQ_time]\r\n[DhtmlXQ_result]紅勝[/DhtmlXQ_result]\r\n"
        "[DhtmlXQ_binit]0919293949596979891777062646668600102030405060708012720323436383"
        "[/DhtmlXQ_binit]\r\n[DhtmlXQ_movelist]7747 7242\r\n79678081[/DhtmlXQ_movelist]\r\n"
        "[DhtmlXQ_comment0]一||二[/DhtmlXQ_comment0]\r\n[DhtmlXQ_move_0_2_1]70621927"
        "[/DhtmlXQ_move_0_2_1]\r\n[DhtmlXQ_comment1_3]三[/DhtmlXQ_comment1_3]\r\n[/DhtmlXQ]");
    ASSERT_TRUE(record) << record.error().what;
    EXPECT_EQ(record->start, Position::start());
    EXPECT_EQ(record->tag("Title"), "甲 先勝 乙");
    EXPECT_EQ(record->tag("Date"), "2018.03.24");
    EXPECT_EQ(record->result, "1-0");
    EXPECT_THAT(record->moves(), ElementsAre(from_iccs("h2e2"), from_iccs("h7e7"),
                                             from_iccs("h0g2"), from_iccs("i9i8")));
    EXPECT_EQ(record->lines[0].comment, "一\n二");
    ASSERT_EQ(record->lines.size(), 2U);
    EXPECT_EQ(record->lines[1].at, 1U);
    EXPECT_EQ(record->lines[1].plies[1].comment, "三");
}

std::string fault_of(std::string_view bytes) {
    const auto record = read_record(bytes);
    return record ? "none" : record.error().what;
}

TEST(DhtmlXq, SaysWhatIsDamagedAndWhere) {
    const std::string start = "[DhtmlXQ]\n[DhtmlXQ_binit]";
    const auto moves = [](const std::string& list) {
        return "[DhtmlXQ]\n[DhtmlXQ_movelist]" + list + "[/DhtmlXQ_movelist]\n[/DhtmlXQ]";
    };
    const auto more = [&](const std::string& field, const std::string& value) {
        return "[DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist][DhtmlXQ_" + field + "]" + value +
               "[/DhtmlXQ_" + field + "]";
    };
    EXPECT_THAT(fault_of(moves("7747706")), HasSubstr("line 2, column 23: ply 2 \"706\""));
    EXPECT_THAT(fault_of(moves("77x7")), HasSubstr("column 21: the field movelist holds only"));
    EXPECT_THAT(fault_of(moves("77479967")), HasSubstr("ply 2 \"9967\": no point"));
    EXPECT_THAT(fault_of(moves("77477242 7747")), HasSubstr("ply 3 \"7747\": not allowed"));
    EXPECT_THAT(fault_of(start + "8979"), StartsWith("line 2, column 1: the field binit is not"));
    EXPECT_THAT(fault_of(start + "8979[/DhtmlXQ_binit]"), HasSubstr("cut off"));
    EXPECT_THAT(fault_of(start + "8979[/DhtmlXQ_binit][/DhtmlXQ]"), HasSubstr("4 digits instead"));
    EXPECT_THAT(fault_of(start + std::string(64, '1') + "[/DhtmlXQ_binit][/DhtmlXQ]"),
                HasSubstr("column 18: two pieces on b8"));
    EXPECT_THAT(fault_of(more("move_0_3_1", "7062")), HasSubstr("leaves a ply that there is not"));
    EXPECT_THAT(fault_of(more("move_4_1_5", "7062")), HasSubstr("leaves a line that there is not"));
    EXPECT_THAT(fault_of(more("move_0_1_1", "")), HasSubstr("holds no move"));
    EXPECT_THAT(fault_of(more("move_0_1_0", "1727")), HasSubstr("numbers a branch"));
    EXPECT_THAT(fault_of(more("move_x", "1727")), HasSubstr("names no ply"));
    EXPECT_THAT(fault_of(more("comment9", "x")), HasSubstr("a ply that there is not"));
    EXPECT_THAT(fault_of(more("comment2_1", "x")), HasSubstr("a branch that there is not"));
    EXPECT_THAT(fault_of(more("stands", "x")), HasSubstr("the field stands"));
    EXPECT_THAT(fault_of(more("plyclock", "1/2,3")), HasSubstr("the field plyclock"));
    EXPECT_THAT(fault_of(more("fen", "9/9/9/9/9/9/9/9/9/9 w")), HasSubstr("different positions"));
    EXPECT_EQ(fault_of(more("comment2", "x")), "none");
}

TEST(Xqf, SaysWhatIsDamagedAndWhere) {
    std::mt19937 random(3);
    const std::string good = write_xqf(lawful_study(), 12, random);
    ASSERT_EQ(fault_of(good), "none");
    EXPECT_THAT(fault_of(good.substr(0, 700)), HasSubstr("byte 700: the file is cut off"));
    // Wherever it is cut, it is refused: the last record says whether one more follows.
    for (std::size_t size = 3; size < good.size(); ++size)
        EXPECT_THAT(fault_of(good.substr(0, size)), HasSubstr("cut off")) << size;
    std::string twice = write_xqf(lawful_study(), 10, random);
    twice[0x10 + 1] = twice[0x10 + 4];
    EXPECT_THAT(fault_of(twice), HasSubstr("byte 20: two pieces on e0"));
    std::string wild = write_xqf(lawful_study(), 10, random);
    wild[wild.size() - 8] = '\x7f';
    EXPECT_THAT(fault_of(wild), HasSubstr("move 2: no point of the board"));
    std::string unlawful = write_xqf(lawful_study(), 10, random);
    unlawful[unlawful.size() - 7] = 0x20;
    EXPECT_THAT(fault_of(unlawful), HasSubstr("move 2: e2a0 is not allowed"));
}

TEST(Xqf, KeepsTextsOfOtherEncodings) {
    std::mt19937 random(4);
    std::string file = write_xqf(lawful_study(), 10, random);
    const auto name =
        record::from_utf8("Lại Lý Huynh - Nguyễn Thành Bảo", Encoding::Windows1258).value();
    file[0x50] = static_cast<char>(name.size());
    file.replace(0x51, name.size(), name);
    file.replace(0x131, 2, "A ");
    EXPECT_EQ(read_record(file).value().tag("Title"), "Lại Lý Huynh - Nguyễn Thành Bảo");
    // A name cut off in the middle of its last character.
    std::string cut = write_xqf(refereed(recorded_games().front(), 0), 10, random);
    cut[0x130] = 5;
    EXPECT_EQ(read_record(cut).value().tag("Red"), "陳文");
}

TEST(Records, AreToldApart) {
    EXPECT_THAT(fault_of("CCBridge Record"), HasSubstr("CCBridge"));
    EXPECT_THAT(fault_of("1. h2e2 h9g7\n2. h0h5 *"), StartsWith("line 2, column 4: move 2"));
    EXPECT_THAT(fault_of("1. 炮二平五 {a\n2. x"), StartsWith("line 1, column 9: a comment"));
    EXPECT_THAT(fault_of("\xFF\xFF"), StartsWith("byte 0: "));
    EXPECT_EQ(fault_of("XQ 1. h2e2").substr(0, 6), "line 1");
}

}  // namespace
}  // namespace xq::rules::tests
