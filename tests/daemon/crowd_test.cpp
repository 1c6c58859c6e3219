#include "daemon/crowd.hpp"

#include "support.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>
#include <boost/asio/io_context.hpp>

namespace xq::daemon {
namespace {

using namespace std::chrono_literals;

constexpr CrowdLimits brisk{.resume_window = 30ms, .stall = 100ms, .send_buffer = 8192};
constexpr CrowdLimits patient{.resume_window = 30ms, .stall = 1h, .send_buffer = 8192};
constexpr std::uint64_t epoch = 5;

/// A spectator with a blocking socket and a receive buffer of its own size.
class Client {
public:
    explicit Client(std::uint16_t port, int receive_buffer = 0)
        : fd_(socket(AF_INET, SOCK_STREAM, 0)) {
        if (receive_buffer > 0) {
            setsockopt(fd_, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
        }
        sockaddr_in to{};
        to.sin_family = AF_INET;
        to.sin_port = htons(port);
        to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        EXPECT_EQ(connect(fd_, reinterpret_cast<sockaddr*>(&to), sizeof to), 0);
    }
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;
    ~Client() { close(fd_); }

    void say(const std::string& text) const { send(fd_, text.data(), text.size(), MSG_NOSIGNAL); }
    /// What has come by now; `ended` where the other side has closed.
    std::string read() {
        std::string text;
        std::array<char, 65536> bytes;
        while (true) {
            const auto n = recv(fd_, bytes.data(), bytes.size(), MSG_DONTWAIT);
            if (n > 0) text.append(bytes.data(), static_cast<std::size_t>(n));
            if (n == 0 || (n < 0 && errno == ECONNRESET)) ended = true;
            if (n <= 0) return text;
        }
    }
    bool ended = false;

private:
    int fd_;
};

struct Stage {
    explicit Stage(int most = 100, int most_per_address = 100, std::size_t size = feed_size,
                   CrowdLimits limits = brisk)
        : door(most, most_per_address),
          feed(epoch, size),
          crowd(io.get_executor(), feed, door, limits) {
        const auto socket = listen_tcp("127.0.0.1", 0);
        EXPECT_GE(socket.fd, 0) << socket.fault;
        sockaddr_in own{};
        socklen_t length = sizeof own;
        getsockname(socket.fd, reinterpret_cast<sockaddr*>(&own), &length);
        port = ntohs(own.sin_port);
        crowd.accept_from(socket.fd);
        show(1, "first");
    }
    void show(std::uint64_t seq, const std::string& line) {
        crowd.append(seq, line);
        feed.set_welcome(welcome(seq));
    }
    void run(std::chrono::milliseconds time) {
        io.restart();
        io.run_for(time);
    }
    /// Runs until `done`; false after two seconds.
    template <class Done>
    bool until(Done done) {
        const auto limit = std::chrono::steady_clock::now() + 2s;
        while (!done()) {
            if (std::chrono::steady_clock::now() > limit) return false;
            run(2ms);
        }
        return true;
    }
    /// What a client reads until it has seen `text`.
    std::string hear(Client& client, const std::string& text) {
        std::string heard;
        EXPECT_TRUE(until([&] {
            heard += client.read();
            return heard.find(text) != std::string::npos;
        })) << "not heard: "
            << text << "\nbut: " << heard.substr(0, 500);
        return heard;
    }

    boost::asio::io_context io{1};
    Doorkeeper door;
    Feed feed;
    Crowd crowd;
    std::uint16_t port = 0;
};

TEST(Crowd, GreetsANewcomerAndTellsWhatHappens) {
    Stage stage;
    Client client(stage.port);
    EXPECT_EQ(stage.hear(client, "\n").find(R"({"type":"hello")"), 0U);
    EXPECT_EQ(stage.hear(client, "\n").find(R"({"type":"state","seq":1,)"), 0U);
    stage.show(2, "second");
    stage.show(3, "third");
    EXPECT_EQ(stage.hear(client, "third\n"), "second\nthird\n");
}

TEST(Crowd, GivesTheStateOfTheMomentItIsSent) {
    Stage stage;
    Client client(stage.port);
    stage.hear(client, "hello");
    stage.show(2, "second");  // while it could still say where it left off
    const std::string heard = stage.hear(client, R"("type":"state")");
    EXPECT_NE(heard.find(R"("seq":2,)"), std::string::npos);
    EXPECT_EQ(heard.find("second"), std::string::npos);
}

TEST(Crowd, LetsNoNewcomerWaitForTheNextLookAtTheOthers) {
    Stage stage;
    Client first(stage.port);
    stage.hear(first, R"("type":"state")");  // from here on he is looked after once in a second
    Client second(stage.port);
    const auto came = std::chrono::steady_clock::now();
    stage.hear(second, R"("type":"state")");
    EXPECT_LT(std::chrono::steady_clock::now() - came, 700ms);
}

TEST(Crowd, TakesUpWhereAClientLeftOff) {
    Stage stage;
    for (std::uint64_t seq = 2; seq <= 6; ++seq) stage.show(seq, "m" + std::to_string(seq));
    Client client(stage.port);
    client.say(R"({"since": 4, "epoch": 5})"
               "\n");
    const std::string heard = stage.hear(client, "m6\n");
    EXPECT_NE(heard.find("\nm5\nm6\n"), std::string::npos);
    EXPECT_EQ(heard.find("m4"), std::string::npos);
    EXPECT_EQ(heard.find("state"), std::string::npos);
    EXPECT_EQ(stage.crowd.counts().resumed, 1U);
}

TEST(Crowd, GivesTheStateAtOnceWhereItCannotTakeUp) {
    Stage stage;
    for (const auto* said : {R"({"since": 1, "epoch": 6})", R"({"since": 99, "epoch": 5})"}) {
        Client client(stage.port);
        client.say(std::string(said) + "\n");
        stage.hear(client, R"("type":"state")");
    }
    EXPECT_EQ(stage.crowd.counts().resumed, 0U);
}

TEST(Crowd, IgnoresAndCountsWhatElseIsSaid) {
    Stage stage;
    Client client(stage.port);
    client.say("GET / HTTP/1.1\r\n\r\n{\"method\":\"game.new\"}\n");
    stage.hear(client, R"("type":"state")");
    client.say("{\"since\": 1, \"epoch\": 5}\n");  // too late
    EXPECT_TRUE(stage.until([&] { return stage.crowd.counts().ignored_input == 4; }));
    stage.show(2, "second");
    EXPECT_EQ(stage.hear(client, "second\n"), "second\n");
}

TEST(Crowd, EndsAClientWhoseLineIsTooLong) {
    Stage stage;
    Client client(stage.port);
    stage.hear(client, "hello");
    client.say(std::string(longest_input + 1, 'x'));
    EXPECT_TRUE(stage.until([&] { return client.read(), client.ended; }));
    EXPECT_EQ(stage.crowd.size(), 0U);
    EXPECT_EQ(stage.door.inside(), 0);
}

TEST(Crowd, ForgetsWhoHasLeft) {
    Stage stage;
    {
        Client client(stage.port);
        stage.hear(client, "hello");
        EXPECT_EQ(stage.door.inside(), 1);
    }
    EXPECT_TRUE(stage.until([&] { return stage.crowd.size() == 0; }));
    EXPECT_EQ(stage.door.inside(), 0);
}

TEST(Crowd, TurnsAwayWhoIsOneTooMany) {
    Stage stage(3, 2);
    Client a(stage.port), b(stage.port), c(stage.port);
    EXPECT_TRUE(stage.until([&] { return c.read(), c.ended; }));
    EXPECT_EQ(stage.crowd.size(), 2U);
    EXPECT_EQ(stage.crowd.counts().refused, 1U);
}

TEST(Crowd, GivesASlowClientAFreshStateAndOthersEverything) {
    constexpr std::size_t small = std::size_t{64} << 10U;
    Stage stage(100, 100, small, patient);
    Client slow(stage.port, 4096), quick(stage.port);
    stage.hear(quick, R"("type":"state")");
    stage.hear(slow, R"("type":"state")");
    std::string heard;
    const std::string filler(400, 'f');
    constexpr std::uint64_t last = 1000;
    for (std::uint64_t seq = 2; seq <= last; ++seq) {
        stage.show(seq, "m" + std::to_string(seq) + filler);
        stage.run(1ms);
        heard += quick.read();
    }
    EXPECT_TRUE(stage.until([&] {
        heard += quick.read();
        return heard.find("m1000f") != std::string::npos;
    }));
    for (std::uint64_t seq = 2; seq <= last; ++seq) {
        ASSERT_NE(heard.find("m" + std::to_string(seq) + "f"), std::string::npos);
    }
    // The slow one wakes: whole messages up to a point, then a state, then the newest.
    std::string late;
    EXPECT_TRUE(stage.until([&] {
        late += slow.read();
        return late.find(R"("type":"state")") != std::string::npos && late.back() == '\n';
    }));
    stage.show(last + 1, "end");
    late += stage.hear(slow, "end\n");
    EXPECT_GE(stage.crowd.counts().fell_behind, 1U);
    std::size_t from = 0;
    for (std::size_t end = late.find('\n'); end != std::string::npos; end = late.find('\n', from)) {
        const std::string line = late.substr(from, end - from);
        EXPECT_TRUE((line[0] == 'm' && line.ends_with(filler) && line.size() < 410) ||
                    line == "end" || (line.front() == '{' && line.back() == '}'))
            << line;
        from = end + 1;
    }
}

TEST(Crowd, EndsWhoTakesNothing) {
    Stage stage;
    Client dead(stage.port, 4096);
    stage.hear(dead, R"("type":"state")");
    for (std::uint64_t seq = 2; seq <= 1000; ++seq) stage.show(seq, std::string(1000, 'x'));
    EXPECT_TRUE(stage.until([&] { return stage.crowd.size() == 0; }));
    EXPECT_EQ(stage.crowd.counts().evicted, 1U);
}

TEST(Crowd, SpeaksWebSocketWithWhomHttpHandsOver) {
    Stage stage;
    std::array<int, 2> ends{};
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()), 0);
    ASSERT_TRUE(stage.door.enter({}));
    const std::string ping = "\x89\x82\x01\x01\x01\x01hi";  // masked: "ih" xor 1
    stage.crowd.adopt(ends[0], Framing::WebSocket, {}, "HEAD", ping, Resume{1, epoch});
    stage.show(2, "two");
    stage.run(5ms);
    std::array<char, 4096> bytes;
    const auto n = recv(ends[1], bytes.data(), bytes.size(), MSG_DONTWAIT);
    ASSERT_GT(n, 0);
    const std::string heard(bytes.data(), static_cast<std::size_t>(n));
    EXPECT_TRUE(heard.starts_with("HEAD\x81"));
    EXPECT_TRUE(heard.ends_with("\x8A\x02ih\x81\x03two")) << heard.substr(heard.size() - 12);
    close(ends[1]);
    EXPECT_TRUE(stage.until([&] { return stage.crowd.size() == 0; }));
}

TEST(Crowd, ServesEventsAtOnce) {
    Stage stage;
    std::array<int, 2> ends{};
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()), 0);
    ASSERT_TRUE(stage.door.enter({}));
    stage.crowd.adopt(ends[0], Framing::ServerSent, {}, "HEAD\n\n", "", {});
    std::array<char, 4096> bytes;
    const auto n = recv(ends[1], bytes.data(), bytes.size(), MSG_DONTWAIT);
    ASSERT_GT(n, 0);
    const std::string heard(bytes.data(), static_cast<std::size_t>(n));
    EXPECT_TRUE(heard.starts_with("HEAD\n\ndata: {\"type\":\"hello\""));
    EXPECT_NE(heard.find("id: 5:1\ndata: {\"type\":\"state\""), std::string::npos);
    close(ends[1]);
}

TEST(Sockets, SayWhyTheyCannotListen) {
    const auto first = listen_tcp("127.0.0.1", 0);
    ASSERT_GE(first.fd, 0);
    sockaddr_in own{};
    socklen_t length = sizeof own;
    getsockname(first.fd, reinterpret_cast<sockaddr*>(&own), &length);
    const auto second = listen_tcp("127.0.0.1", ntohs(own.sin_port));
    EXPECT_EQ(second.fd, -1);
    EXPECT_EQ(second.fault, "Address already in use");
    close(first.fd);
    const auto v6 = listen_tcp("::", 0);
    EXPECT_GE(v6.fd, 0) << v6.fault;
    close(v6.fd);
}

}  // namespace
}  // namespace xq::daemon
