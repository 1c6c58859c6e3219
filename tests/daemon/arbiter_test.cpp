#include "daemon/arbiter.hpp"

#include "court.hpp"
#include "daemon/arbiter_socket.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/json/parse.hpp>

namespace xq::daemon {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::SizeIs;

const Identity anna{"unix:anna", true};

TEST(Arbiter, AnswersWhatOnlyAsks) {
    Court court;
    const auto caller = court.connect(anna);
    caller->hear(R"({"jsonrpc":"2.0","id":1,"method":"status"})");
    caller->hear(R"({"jsonrpc":"2.0","id":2,"method":"board.status"})");
    ASSERT_THAT(court.said, SizeIs(2));
    const auto status = boost::json::parse(court.said[0]).at("result");
    EXPECT_EQ(status.at("game"), 1);
    EXPECT_EQ(status.at("shell"), true);
    EXPECT_EQ(boost::json::parse(court.said[1]).at("id"), 2);
}

TEST(Arbiter, SaysWhatIsWrongWithACall) {
    Court court;
    const auto caller = court.connect(anna);
    caller->hear("nonsense");
    caller->hear(R"({"jsonrpc":"2.0","id":"a","method":"game.explode"})");
    ASSERT_THAT(court.said, SizeIs(2));
    EXPECT_EQ(boost::json::parse(court.said[0]).at("error").at("code"), -32700);
    EXPECT_EQ(boost::json::parse(court.said[1]).at("error").at("code"), -32601);
    EXPECT_EQ(boost::json::parse(court.said[1]).at("id"), "a");
}

TEST(Arbiter, JournalsWhoCalledBeforeTheReply) {
    Court court;
    const auto caller = court.connect(anna);
    caller->hear(R"({"jsonrpc":"2.0","id":1,"method":"game.pause","by":"somebody else"})");
    EXPECT_THAT(court.said, SizeIs(0));
    ASSERT_TRUE(court.hears(1));
    EXPECT_EQ(boost::json::parse(court.said[0]).at("id"), 1);
    const std::string journal = contents(court.clerk.journal_file());
    EXPECT_THAT(journal, HasSubstr(R"("method":"game.pause")"));
    EXPECT_THAT(journal, HasSubstr(R"("by":"unix:anna")"));
    EXPECT_EQ(journal.find("somebody else"), std::string::npos);
}

TEST(Arbiter, ForgetsAReplyToWhoHasLeft) {
    Court court;
    auto caller = court.connect(anna);
    caller->hear(R"({"jsonrpc":"2.0","id":1,"method":"game.pause"})");
    caller.reset();
    const auto other = court.connect(anna);
    other->hear(R"({"jsonrpc":"2.0","id":2,"method":"game.resume"})");
    ASSERT_TRUE(court.hears(1));
    EXPECT_EQ(boost::json::parse(court.said[0]).at("id"), 2);
}

TEST(Arbiter, BeginsAWatchWithHelloAndState) {
    Court court;
    const auto caller = court.connect(anna);
    caller->hear(R"({"jsonrpc":"2.0","id":1,"method":"watch"})");
    ASSERT_GE(court.said.size(), 3U);
    EXPECT_EQ(boost::json::parse(court.said[0]).at("result").at("watching"), true);
    const auto hello = boost::json::parse(court.said[1]);
    EXPECT_EQ(hello.at("method"), "broadcast");
    EXPECT_EQ(hello.at("params").at("type"), "hello");
    EXPECT_EQ(boost::json::parse(court.said[2]).at("params").at("type"), "state");
    const auto so_far = court.said.size();
    caller->hear(R"({"jsonrpc":"2.0","id":2,"method":"game.new","params":{"red":"R"}})");
    ASSERT_TRUE(court.hears(so_far + 2));
    bool told = false;
    for (const auto& line : court.said) told |= line.find(R"("game":2)") != std::string::npos;
    EXPECT_TRUE(told);
}

TEST(Arbiter, WantsATokenWhereNobodyIsKnown) {
    Court court;
    const auto caller = court.connect({}, [](const std::string& token) -> Result<Identity> {
        if (token == "desk") return Identity{"token:desk", true};
        if (token == "screen") return Identity{"token:screen", false};
        return Fault{0, "this token is not known"};
    });
    const auto code = [&] {
        const auto reply = boost::json::parse(court.said.back()).as_object();
        return reply.contains("error") ? reply.at("error").at("code").as_int64() : 0;
    };
    for (const auto* method : {"status", "watch", "game.pause"}) {
        caller->hear(std::string(R"({"jsonrpc":"2.0","id":1,"method":")") + method + "\"}");
        EXPECT_EQ(code(), -32001) << method;
    }
    caller->hear(R"({"jsonrpc":"2.0","id":1,"method":"auth","params":{"token":"x"}})");
    EXPECT_EQ(code(), -32001);
    caller->hear(R"({"jsonrpc":"2.0","id":1,"method":"auth","params":{"token":"screen"}})");
    EXPECT_EQ(code(), 0);
    caller->hear(R"({"jsonrpc":"2.0","id":1,"method":"status"})");
    EXPECT_EQ(code(), 0);
    caller->hear(R"({"jsonrpc":"2.0","id":1,"method":"game.pause"})");
    EXPECT_EQ(code(), -32001);
}

TEST(Arbiter, ExportsTheLog) {
    Court court;
    const auto caller = court.connect(anna);
    caller->hear(R"({"jsonrpc":"2.0","id":1,"method":"game.pause"})");
    ASSERT_TRUE(court.hears(1));
    caller->hear(R"({"jsonrpc":"2.0","id":2,"method":"record.export","params":{"format":"log"}})");
    ASSERT_TRUE(court.hears(2));
    const auto text = boost::json::parse(court.said[1]).at("result").at("text").as_string();
    EXPECT_EQ(std::string_view(text), contents(court.clerk.journal_file()));
}

TEST(Arbiter, ExportsTheGameInEveryFormat) {
    Court court;
    const auto caller = court.connect(anna);
    std::size_t n = 0;
    for (const std::string format : {"pgn", "dhtmlxq", "txt", "html"}) {
        caller->hear(R"({"jsonrpc":"2.0","id":7,"method":"record.export","params":{"format":")" +
                     format + R"("}})");
        ASSERT_TRUE(court.hears(++n));
        const auto reply = boost::json::parse(court.said.back());
        EXPECT_EQ(reply.at("id").as_int64(), 7);
        EXPECT_EQ(reply.at("result").at("format").as_string(), std::string_view(format));
        EXPECT_FALSE(reply.at("result").at("text").as_string().empty());
    }
    EXPECT_THAT(court.said.front(), HasSubstr("Chinese Chess"));
}

TEST(Arbiter, DoesNotExportToOneWhoHasLeft) {
    Court court;
    auto caller = court.connect(anna);
    caller->hear(R"({"jsonrpc":"2.0","id":1,"method":"record.export","params":{"format":"pgn"}})");
    caller.reset();
    EXPECT_TRUE(court.said.empty());
    const auto other = court.connect(anna);
    other->hear(R"({"jsonrpc":"2.0","id":2,"method":"record.export","params":{"format":"pgn"}})");
    ASSERT_TRUE(court.hears(1));
    EXPECT_THAT(court.said.front(), HasSubstr(R"("id":2)"));
}

TEST(ArbiterSocket, HearsOneLineACallAndIsForItsGroupAlone) {
    Court court;
    const std::string path = (court.folder.path() / "run" / "arbiter.sock").string();
    write(court.folder.path() / "x", "");
    ArbiterSocket socket(court.io.get_executor(), court.arbiter, path);
    struct stat there {};
    ASSERT_EQ(stat(path.c_str(), &there), 0);
    EXPECT_EQ(there.st_mode & 0777U, 0660U);
    EXPECT_THROW(ArbiterSocket(court.io.get_executor(), court.arbiter, path), std::runtime_error);

    boost::asio::local::stream_protocol::socket client(court.io);
    client.connect(boost::asio::local::stream_protocol::endpoint(path));
    const std::string calls =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"status\"}\n"
        "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"game.pause\"}\n";
    client.send(boost::asio::buffer(calls));
    client.non_blocking(true);
    std::string heard;
    const auto limit = std::chrono::steady_clock::now() + 5s;
    while (std::count(heard.begin(), heard.end(), '\n') < 2 &&
           std::chrono::steady_clock::now() < limit) {
        court.io.run_one_for(5ms);
        std::array<char, 8192> bytes;
        boost::system::error_code error;
        heard.append(bytes.data(), client.receive(boost::asio::buffer(bytes), 0, error));
    }
    EXPECT_THAT(heard, HasSubstr(R"("id":2)"));
    EXPECT_THAT(contents(court.clerk.journal_file()), HasSubstr(R"("by":"unix:)"));
    EXPECT_EQ(socket.callers(), 1U);
}

}  // namespace
}  // namespace xq::daemon
