#include "daemon/arbiter_session.hpp"

#include "court.hpp"
#include "daemon/line_session.hpp"

#include <gmock/gmock.h>
#include <boost/asio/local/connect_pair.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/json/parse.hpp>

namespace xq::daemon {
namespace {

using testing::HasSubstr;
using Local = boost::asio::local::stream_protocol;

constexpr auto status = R"({"jsonrpc":"2.0","id":1,"method":"status"})";

/// Callers over pairs of sockets; the test holds the far ends.
struct Hall {
    Local::socket connect(std::optional<Identity> identity) {
        Local::socket here(court.io), there(court.io);
        boost::asio::local::connect_pair(here, there);
        callers.admit(std::make_shared<LineSession<Local::socket>>(std::move(here)),
                      std::move(identity));
        there.non_blocking(true);
        return there;
    }
    static void say(Local::socket& socket, const std::string& line) {
        socket.send(boost::asio::buffer(line + '\n'));
    }
    /// The next line; empty: the other end has closed.
    std::string hear(Local::socket& socket) {
        std::string line;
        const auto limit = std::chrono::steady_clock::now() + 10s;
        while (!line.ends_with('\n') && std::chrono::steady_clock::now() < limit) {
            char byte = 0;
            boost::system::error_code error;
            if (socket.receive(boost::asio::buffer(&byte, 1), 0, error) == 1) {
                line += byte;
            } else if (error != boost::asio::error::would_block) {
                return {};
            } else {
                court.io.run_one_for(10ms);
            }
        }
        return line;
    }
    std::string auth(Local::socket& socket, const std::string& token) {
        say(socket,
            R"({"jsonrpc":"2.0","id":1,"method":"auth","params":{"token":")" + token + "\"}}");
        return hear(socket);
    }

    Court court;
    Gate gate{[](const std::string&) {}};
    Callers callers{court.arbiter, &gate};
};

TEST(Callers, AreServedAndLeave) {
    Hall hall;
    auto socket = hall.connect(Identity{"unix:anna", true});
    Hall::say(socket, status);
    EXPECT_THAT(hall.hear(socket), HasSubstr(R"("result":{)"));
    EXPECT_EQ(hall.callers.size(), 1U);
    socket.close();
    for (int i = 0; i < 100 && hall.callers.size() > 0; ++i) hall.court.io.run_one_for(10ms);
    EXPECT_EQ(hall.callers.size(), 0U);
}

TEST(Callers, AreSoManyAtMost) {
    Hall hall;
    const auto anna = make_token("anna", true);
    hall.gate.set({anna.entry});
    auto stranger = hall.connect({});
    std::vector<Local::socket> sockets;
    for (std::size_t i = 0; i < Callers::most; ++i) {
        sockets.push_back(hall.connect(Identity{"unix:anna", true}));
    }
    auto late = hall.connect(Identity{"unix:anna", true});
    EXPECT_EQ(hall.hear(late), "");
    EXPECT_THAT(hall.auth(stranger, anna.token), HasSubstr("too many arbiters"));
    sockets.pop_back();
    for (int i = 0; i < 100 && hall.callers.size() > Callers::most; ++i) {
        hall.court.io.run_one_for(10ms);
    }
    EXPECT_THAT(hall.auth(stranger, anna.token), HasSubstr("token:anna"));
}

TEST(Callers, WhoFetchesNothingIsEnded) {
    Hall hall;
    auto slow = hall.connect(Identity{"unix:slow", true});
    std::string asking;
    for (int i = 0; i < 500; ++i) {
        asking += "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"board.status\"}\n";
    }
    std::string left = asking;
    // An answer is about six kB without points, and the cap four MiB.
    const auto limit = std::chrono::steady_clock::now() + 30s;
    boost::system::error_code error;
    while (hall.callers.size() > 0 && std::chrono::steady_clock::now() < limit) {
        const auto sent = slow.send(boost::asio::buffer(left), 0, error);
        left.erase(0, sent);
        if (left.empty()) left = asking;
        hall.court.io.run_one_for(1ms);
    }
    EXPECT_EQ(hall.callers.size(), 0U);
}

TEST(Callers, WhoseTokenIsGoneAreEnded) {
    Hall hall;
    const auto anna = make_token("anna", true), bea = make_token("bea", true);
    hall.gate.set({anna.entry, bea.entry});
    auto a = hall.connect({}), b = hall.connect({}), local = hall.connect(Identity{"local", true});
    EXPECT_THAT(hall.auth(a, "anna.guess"), HasSubstr("-32001"));
    EXPECT_THAT(hall.auth(a, anna.token), HasSubstr("token:anna"));
    EXPECT_THAT(hall.auth(b, bea.token), HasSubstr("token:bea"));
    EXPECT_EQ(hall.callers.end_revoked(), 0U);
    hall.gate.set({bea.entry});
    EXPECT_EQ(hall.callers.end_revoked(), 1U);
    EXPECT_EQ(hall.hear(a), "");
    Hall::say(b, status);
    EXPECT_THAT(hall.hear(b), HasSubstr("result"));
    Hall::say(local, status);
    EXPECT_THAT(hall.hear(local), HasSubstr("result"));
}

struct Standing : Guest {
    void end() override { ended = true; }
    bool known() const override { return is_known; }
    bool ended = false;
    bool is_known = false;
};

TEST(Lobby, ShowsTheOldestOutAndNobodyWhoIsKnown) {
    Lobby lobby;
    std::vector<std::shared_ptr<Standing>> guests;
    for (std::size_t i = 0; i < Lobby::room; ++i) {
        lobby.enter(guests.emplace_back(std::make_shared<Standing>()));
    }
    guests[0]->is_known = true;
    guests[1].reset();
    const auto newcomer = [&] { lobby.enter(guests.emplace_back(std::make_shared<Standing>())); };
    newcomer();
    newcomer();
    EXPECT_FALSE(guests[2]->ended);
    newcomer();
    EXPECT_TRUE(guests[2]->ended);
    EXPECT_FALSE(guests[0]->ended);
    EXPECT_FALSE(guests[3]->ended);
    lobby.clear();
    EXPECT_TRUE(guests.back()->ended);
}

TEST(Lobby, HoldsSoManyOfOneNetwork) {
    Lobby lobby;
    const Address one{};
    std::vector<std::unique_ptr<Visit>> visits;
    for (int i = 0; i < Lobby::most_of_a_network; ++i) {
        EXPECT_TRUE(visits.emplace_back(lobby.visit(one)));
    }
    EXPECT_FALSE(lobby.visit(one));
    visits.pop_back();
    EXPECT_TRUE(lobby.visit(one));
}

}  // namespace
}  // namespace xq::daemon
