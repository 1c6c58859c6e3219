// Games as records: the recorder against the referee over every log, the tags and comments, the
// archive and what the public may have of it and when.
#include "config/load.hpp"
#include "daemon/archive.hpp"
#include "daemon/export.hpp"
#include "daemon/from_settings.hpp"
#include "daemon/games_page.hpp"
#include "daemon/http_games.hpp"
#include "daemon/hub.hpp"
#include "daemon/past_game.hpp"
#include "rules/fen.hpp"
#include "rules/record/read_record.hpp"
#include "support.hpp"

#include <gmock/gmock.h>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/json/parse.hpp>

namespace xq::daemon {
namespace {

using namespace std::chrono_literals;
using rules::Language;
using rules::Side;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::filesystem::path log_path(const std::string& name) {
    return std::filesystem::path(XQ_TESTS) / "logs" / (name + ".xsl");
}

config::Settings settings_beside(std::filesystem::path log) {
    log.replace_extension(".toml");
    return std::filesystem::exists(log) ? config::load(log).settings : config::Settings{};
}

KeptGame last_game(const std::string& name) {
    const auto log = read_past_log(log_path(name)).value();
    return games_of(log, settings_beside(log_path(name))).back();
}

/// Whatever happened at the table, the recorder has what the referee has.
TEST(Recorder, HasWhatTheRefereeHas) {
    int logs = 0;
    for (const auto& entry : std::filesystem::directory_iterator(std::string(XQ_TESTS) + "/logs")) {
        if (entry.path().extension() != ".xsl") continue;
        const auto log = read_past_log(entry.path()).value();
        ASSERT_EQ(log.damage, "") << entry.path();
        const auto settings = settings_beside(entry.path());
        const auto kept = games_of(log, settings).back().score;
        const Score& score = *kept;

        referee::Table table(regulations(settings), game_start(log.header, settings));
        referee::Output out;
        for (const auto& event : log.events) table.handle(event, out);
        const auto state = table.newcomer().front();
        const auto& body = std::get<protocol::message::State>(state.body);
        EXPECT_EQ(score.game, state.game) << entry.path();
        EXPECT_EQ(score.result, state.result) << entry.path();
        EXPECT_EQ(rules::write_fen(score.start), body.start_fen) << entry.path();
        EXPECT_EQ(score.fouls(Side::Red), body.red_fouls) << entry.path();
        EXPECT_EQ(score.fouls(Side::Black), body.black_fouls) << entry.path();
        // The state's last move may be one that the board shows and nobody has completed.
        ASSERT_LE(score.plies.size(), body.moves.size()) << entry.path();
        EXPECT_LE(body.moves.size() - score.plies.size(), 1U) << entry.path();
        for (std::size_t i = 0; i < score.plies.size(); ++i)
            EXPECT_EQ(score.plies[i].move, body.moves[i]) << entry.path() << " ply " << i + 1;
        ++logs;
    }
    EXPECT_GT(logs, 190);
}

TEST(Recorder, KeepsWhatItHandedOut) {
    Recorder recorder;
    protocol::Message m;
    m.body = protocol::message::State{};
    recorder.take(m);
    const auto before = recorder.score();
    m.ply = 1;
    protocol::message::Ply ply;
    ply.move = rules::Move(7, 4);
    ply.final = true;
    m.body = ply;
    recorder.take(m);
    EXPECT_EQ(before->plies.size(), 0U);
    EXPECT_EQ(recorder.score()->plies.size(), 1U);
}

TEST(RecordOf, TellsTimesFoulsAndRulings) {
    const auto game = last_game("false_claim_twice_black");
    const auto record = record_of(game, Language::English);
    EXPECT_EQ(record.result, "1-0");
    EXPECT_EQ(record.tag("Termination"), "false claim");
    EXPECT_EQ(record.tag("BlackFouls"), "1");
    EXPECT_EQ(record.tag("RedFouls"), "0");
    EXPECT_EQ(record.tag("TimeControl"), "3600+30");
    // Black thought for 4.1 s and 6.1 s, and 2 s more until the end; the five minutes that were
    // taken off his clock are nobody's thinking.
    EXPECT_EQ(record.tag("BlackTime"), "0:00:12");
    EXPECT_EQ(record.tag("BlackClock"), "0:55:47");
    EXPECT_EQ(record.plies()[2].comment, "[foul] Black: false claim (9.1.4, 22.2)");
    EXPECT_EQ(record.plies()[3].spent_ms, 6100);
    EXPECT_EQ(record.plies()[3].clock_ms, 3'349'800);
    EXPECT_THAT(record_of(game, Language::Chinese).plies()[2].comment, StartsWith("【犯规】黑方"));
}

TEST(RecordOf, CountsTimeOnPliesThatWereTakenBack) {
    const auto record = record_of(last_game("drift_found_after_3_ply3"), Language::English);
    EXPECT_EQ(record.plies().size(), 4U);
    EXPECT_EQ(record.tag("RedTime"), "0:00:20");
    EXPECT_THAT(record.plies()[1].comment, HasSubstr("[warning, proposed] piece out of place"));
}

TEST(RecordOf, DatesAGameByItsFirstPly) {
    KeptGame game = last_game("fast_reply");
    game.t0 = 1'777'626'000'000;  // 2026-05-01T09:00:00Z
    const auto record = record_of(game, Language::Chinese);
    EXPECT_EQ(record.tag("UTCDate"), "2026.05.01");
    EXPECT_EQ(record.tag("UTCTime"), "09:00:01");
}

TEST(Export, WritesEveryFormatAndEscapesNames) {
    KeptGame game = last_game("fast_reply");
    game.hello.red = "<script>alert(1)</script> \"A\"";
    game.hello.event = "a & b";
    for (const auto format : {FileFormat::Pgn, FileFormat::DhtmlXq}) {
        const auto text = write_file(game, {.format = format});
        ASSERT_TRUE(text);
        const auto read = rules::record::read_record(*text);
        ASSERT_TRUE(read) << read.error().what;
        EXPECT_EQ(read->tag("Red"), game.hello.red);
        EXPECT_EQ(read->plies().size(), game.score->plies.size());
        EXPECT_EQ(read->plies()[1].spent_ms, game.score->plies[1].spent_ms);
    }
    for (const auto language : {Language::Chinese, Language::English}) {
        const auto html =
            write_file(game, {.format = FileFormat::Html, .language = language}).value();
        EXPECT_THAT(html, AllOf(HasSubstr("&lt;script&gt;"), HasSubstr("a &amp; b"),
                                Not(HasSubstr("<script"))));
    }
    const auto text =
        write_file(game, {.format = FileFormat::Text, .language = Language::English}).value();
    EXPECT_THAT(text, AllOf(HasSubstr("C2=5"), HasSubstr("Arbiter signature")));
}

TEST(PublicLog, LeavesOutWhoCalledAndReplaysToTheSame) {
    Folder folder;
    std::string journal;
    for (const auto& line : protocol::write_header({{}, "b", 1, "", ""}))
        journal += protocol::with_checksum(line) + "\n";
    for (
        const auto* line :
        {"0 hello identity press",
         "0 board rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR",
         R"(1000 rpc {"jsonrpc":"2.0","method":"foul.add","params":{"side":"red","reason":"x"},"by":"unix:anna"})"})
        journal += protocol::with_checksum(line) + "\n";
    const std::string shown = public_log(journal);
    EXPECT_THAT(shown, AllOf(HasSubstr("foul.add"), Not(HasSubstr("anna"))));
    write(folder.path() / "a.xsl", journal);
    write(folder.path() / "b.xsl", shown);
    const auto one = games_of(read_past_log(folder.path() / "a.xsl").value(), {});
    const auto log = read_past_log(folder.path() / "b.xsl").value();
    EXPECT_EQ(log.damage, "");
    EXPECT_EQ(games_of(log, {}).back().score->fouls(Side::Red), 1);
    EXPECT_EQ(one.back().score->fouls(Side::Red), 1);
}

TEST(PastGame, ReadsADamagedJournalAsFarAsItIsGood) {
    Folder folder;
    std::string text = contents(log_path("fast_reply"));
    text.insert(text.find("5160 lift"), "x\n");
    write(folder.path() / "x.xsl", text);
    const auto log = read_past_log(folder.path() / "x.xsl");
    ASSERT_TRUE(log);
    EXPECT_THAT(log->damage, StartsWith("line 10"));
    const auto games = games_of(*log, {});
    EXPECT_EQ(games.back().score->plies.size(), 2U);
    EXPECT_THAT(record_of(games.back(), Language::English).lines[0].comment, HasSubstr("line 10"));
    EXPECT_FALSE(read_past_log((folder.path() / "none.xsl").string()));
}

TEST(Addresses, AreEncodedAndBack) {
    const std::string name = "台 1/..%";
    EXPECT_EQ(percent_decoded(percent_encoded(name)), name);
    EXPECT_EQ(percent_encoded("a-1.b_2~"), "a-1.b_2~");
    for (const auto* broken : {"%", "%4", "%zz", "a%4"})
        EXPECT_FALSE(percent_decoded(broken)) << broken;
}

// ---------------------------------------------------------------- over HTTP

/// A daemon without its sockets: a table, its journal, the public's hub and the games pages.
struct Hall {
    explicit Hall(std::chrono::milliseconds delay) : hub(io.get_executor(), feed, crowd, delay) {
        settings.broadcast.delay = delay.count();
        clerk.set_settings(settings);
        clerk.start({}, 0);
    }

    /// Three plies.
    void play() {
        for (const auto& event : read_past_log(log_path("fast_reply")).value().events)
            clerk.take({begin + event.t, event.event}, begin + event.t);
        begin += 20'000;
    }
    void call(const std::string& method, const std::string& params) {
        clerk.call(R"({"jsonrpc":"2.0","method":")" + method + R"(","params":)" + params +
                       R"(,"by":"unix:anna"})",
                   begin, {});
    }
    /// Until what was said so far is durable and let out.
    void settle() {
        const auto limit = std::chrono::steady_clock::now() + 5s;
        while (clerk.waiting() > 0 && std::chrono::steady_clock::now() < limit)
            io.run_one_for(10ms);
        ASSERT_EQ(clerk.waiting(), 0U);
    }
    HttpAnswer get(const std::string& target, const std::string& accept = "",
                   const std::string& if_none_match = "") {
        std::optional<HttpAnswer> answer;
        games.answer(target, accept, if_none_match,
                     [&](HttpAnswer given) { answer = std::move(given); });
        const auto limit = std::chrono::steady_clock::now() + 5s;
        while (!answer && std::chrono::steady_clock::now() < limit) io.run_one_for(10ms);
        return answer.value_or(HttpAnswer{.status = 0});
    }
    boost::json::value index() { return boost::json::parse(get("/games/index.json").body); }

    Millis begin = 0;
    boost::asio::io_context io{1};
    boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work{
        io.get_executor()};
    Folder folder;
    config::Settings settings;
    JournalDirectory directory{folder.path() / "journal"};
    Metrics metrics;
    Doorkeeper door{10, 10};
    Feed feed{1};
    Crowd crowd{io.get_executor(), feed, door};
    Hub hub;
    Journal journal{real_disk(), [this](const JournalReport& report) {
                        boost::asio::post(io, [this, report] { clerk.on_journal(report); });
                    }};
    /// What is announced belongs to now; a start is as old as the delay.
    static Instant at(Millis ms) {
        return std::chrono::steady_clock::now() +
               std::chrono::milliseconds(std::min<Millis>(ms, 0));
    }
    Clerk clerk{settings,
                1,
                directory,
                journal,
                metrics,
                {.announce =
                     [this](const Batch& batch, std::optional<Millis> ms) {
                         hub.announce(batch, ms ? at(*ms) : Instant::min());
                     },
                 .command = [](const auto&) {},
                 .notice = [](const std::string&) {},
                 .utc = [] { return Millis{1'777'626'000'000}; },
                 .stopwatch =
                     [] {
                         return std::chrono::duration_cast<std::chrono::microseconds>(
                             std::chrono::steady_clock::now().time_since_epoch());
                     }}};
    Worker worker{io.get_executor()};
    HttpGames games{worker, directory.path(), settings.board, [this] { return feed.welcome(); }};
};

std::size_t plies_of(const HttpAnswer& answer) {
    const auto record = rules::record::read_record(answer.body);
    return record ? record->plies().size() : 999;
}

TEST(HttpGames, ShowTheGameAtHandAndThenTheFinishedOne) {
    Hall hall(0ms);
    hall.play();
    hall.settle();
    EXPECT_EQ(plies_of(hall.get("/games/current.pgn")), 3U);
    EXPECT_EQ(hall.index().at("games").as_array().size(), 0U);
    EXPECT_EQ(hall.index().at("current").at("plies").as_int64(), 3);

    hall.call("game.result", R"({"result":"1/2-1/2","reason":"draw_agreed"})");
    hall.settle();
    const auto over = hall.index().at("games").as_array();
    ASSERT_EQ(over.size(), 1U);
    EXPECT_EQ(over[0].at("result").as_string(), "1/2-1/2");
    EXPECT_FALSE(over[0].at("files").as_object().contains("log"));
    const std::string id(over[0].at("id").as_string());
    EXPECT_EQ(plies_of(hall.get("/games/" + id + ".pgn")), 3U);
    EXPECT_EQ(hall.get("/games/" + id + ".log").status, 404);

    hall.call("game.new", R"({"red":"甲"})");
    hall.settle();
    EXPECT_EQ(plies_of(hall.get("/games/current.pgn")), 0U);
    EXPECT_THAT(hall.get("/games/current.pgn").body, HasSubstr("[Red \"甲\"]"));
    EXPECT_EQ(hall.index().at("games").as_array().size(), 1U);
    for (const auto* ending : {"pgn", "dhtmlxq"}) {
        const auto answer = hall.get("/games/" + id + "." + ending);
        EXPECT_EQ(answer.status, 200);
        EXPECT_EQ(plies_of(answer), 3U) << ending;
    }
    EXPECT_THAT(hall.get("/games/" + id + ".html?lang=en").body, HasSubstr("draw agreed"));
    EXPECT_THAT(hall.get("/games/" + id + ".txt").body, HasSubstr("裁判员签名"));
    const auto log = hall.get("/games/" + id + ".log");
    EXPECT_EQ(log.status, 200);
    EXPECT_THAT(log.body, AllOf(HasSubstr("game.result"), Not(HasSubstr("anna"))));
    EXPECT_THAT(hall.get("/games/", "text/html").body,
                AllOf(HasSubstr(id + ".pgn"), HasSubstr("½ : ½")));
    EXPECT_THAT(hall.get("/games/", "application/json").body, StartsWith("{"));
}

/// Behind the broadcast's delay there is nothing to be had, by whatever address.
TEST(HttpGames, TellNothingBeforeTheBroadcastDoes) {
    Hall hall(std::chrono::hours(1));
    hall.play();
    hall.call("game.result", R"({"result":"1-0","reason":"resign"})");
    hall.call("game.new", "{}");
    hall.settle();
    ASSERT_EQ(hall.clerk.table().game().number, 2);
    const std::string id =
        std::filesystem::path(journals(hall.directory.path(), "table-01").front()).stem();
    EXPECT_EQ(plies_of(hall.get("/games/current.pgn")), 0U);
    EXPECT_THAT(hall.get("/games/current.pgn").body, HasSubstr("[Result \"*\"]"));
    EXPECT_EQ(hall.index().at("games").as_array().size(), 0U);
    for (const auto* ending : {"pgn", "dhtmlxq", "txt", "html", "log"})
        EXPECT_EQ(hall.get("/games/" + id + "." + ending).status, 404) << ending;
    EXPECT_THAT(hall.get("/games/").body, Not(HasSubstr(id)));
}

TEST(HttpGames, SpeakTheNotationsAndEncodings) {
    Hall hall(0ms);
    hall.play();
    hall.settle();
    EXPECT_THAT(hall.get("/games/current.pgn").body, HasSubstr("炮二平五"));
    EXPECT_THAT(hall.get("/games/current.pgn?moves=iccs").body, HasSubstr("H2-E2"));
    EXPECT_THAT(hall.get("/games/current.pgn?moves=wxf&x=1").body, HasSubstr("C2=5"));
    const auto big5 = hall.get("/games/current.pgn?charset=big5");
    EXPECT_EQ(big5.type, "application/vnd.chess-pgn; charset=big5");
    EXPECT_THAT(big5.body, HasSubstr("\xAC\xB6\xA4\x47\xA5\xAD\xA4\xAD"));
    EXPECT_EQ(plies_of(hall.get("/games/current.pgn?charset=gb18030")), 3U);
    EXPECT_EQ(hall.get("/games/current.pgn?moves=fr").status, 400);
    EXPECT_EQ(hall.get("/games/current.pgn?charset=").status, 400);
}

TEST(HttpGames, AnswerAPollerThatHasItAlready) {
    Hall hall(0ms);
    hall.play();
    hall.settle();
    const auto first = hall.get("/games/current.pgn");
    const auto tag = std::find_if(first.headers.begin(), first.headers.end(),
                                  [](const auto& header) { return header.first == "ETag"; });
    ASSERT_NE(tag, first.headers.end());
    const auto again = hall.get("/games/current.pgn", "", tag->second);
    EXPECT_EQ(again.status, 304);
    EXPECT_EQ(again.body, "");
    hall.call("foul.add", R"({"side":"red","reason":"x"})");
    hall.settle();
    EXPECT_EQ(hall.get("/games/current.pgn", "", tag->second).status, 200);
}

TEST(HttpGames, RefuseWhatIsNotThere) {
    Hall hall(0ms);
    write(hall.folder.path() / "secret.xsl", contents(log_path("fast_reply")));
    for (const auto* target :
         {"/games/x.pgn", "/games/current.log", "/games/current", "/games/current.exe",
          "/games/..%2Fsecret.pgn", "/games/../secret.log", "/games/..%2F..%2Fetc%2Fpasswd.log",
          "/games/%00.pgn", "/games/.pgn"})
        EXPECT_EQ(hall.get(target).status, 404) << target;
    EXPECT_EQ(hall.get("/games/%zz.pgn").status, 400);
    EXPECT_EQ(hall.get("/games").status, 308);
}

}  // namespace
}  // namespace xq::daemon
