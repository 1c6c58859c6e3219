#include "daemon/gate.hpp"

#include <arpa/inet.h>
#include <gmock/gmock.h>

namespace xq::daemon {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

Address at(const std::string& text) {
    sockaddr_storage peer{};
    if (text.find(':') == std::string::npos) {
        auto& in = reinterpret_cast<sockaddr_in&>(peer);
        in.sin_family = AF_INET;
        inet_pton(AF_INET, text.c_str(), &in.sin_addr);
    } else {
        auto& in = reinterpret_cast<sockaddr_in6&>(peer);
        in.sin6_family = AF_INET6;
        inet_pton(AF_INET6, text.c_str(), &in.sin6_addr);
    }
    return Address::of(peer);
}

/// A gate whose tokens are anna's and the screen's.
struct GateTest : testing::Test {
    GateTest() { gate.set({anna.entry, screen.entry}); }

    std::string refusal(const std::string& from, const std::string& token) {
        const auto entered = gate.enter(at(from), token, now);
        return entered ? "" : entered.error().what;
    }
    /// Fails until the gate does not look any more; how often it did.
    int guesses(const std::string& from) {
        int looked = 0;
        while (refusal(from, "anna.guess") == "this token is not known") ++looked;
        return looked;
    }

    const NewToken anna = make_token("anna", true);
    const NewToken screen = make_token("screen", false);
    std::vector<std::string> notices;
    Gate gate{[this](const std::string& text) { notices.push_back(text); }};
    LoginLimit::Instant now{1h};
};

TEST_F(GateTest, LetsInByToken) {
    const auto entered = gate.enter(at("192.0.2.7"), anna.token, now);
    ASSERT_TRUE(entered);
    EXPECT_EQ(entered->identity.name, "token:anna");
    EXPECT_TRUE(entered->identity.may_change);
    EXPECT_FALSE(gate.enter(at("192.0.2.7"), screen.token, now)->identity.may_change);
    EXPECT_EQ(refusal("192.0.2.7", "anna.x"), "this token is not known");
    EXPECT_THAT(notices, testing::ElementsAre("token:anna has come in from 192.0.2.7",
                                              "token:screen has come in from 192.0.2.7",
                                              "a token from 192.0.2.7 is none of the token file"));
}

TEST_F(GateTest, LooksAtFewGuessesOfOneAddress) {
    EXPECT_EQ(guesses("192.0.2.7"), 5);
    EXPECT_THAT(refusal("192.0.2.7", anna.token), HasSubstr("try again in 12 s"));
    EXPECT_EQ(refusal("192.0.2.8", anna.token), "");
    now += 11s;
    EXPECT_THAT(refusal("192.0.2.7", anna.token), HasSubstr("try again in 1 s"));
    now += 1s;
    EXPECT_EQ(refusal("192.0.2.7", anna.token), "");
    EXPECT_EQ(guesses("192.0.2.7"), 1);
    now += 1min;
    EXPECT_EQ(guesses("192.0.2.7"), 5);
}

TEST_F(GateTest, CountsANetworkOfIpv6AsOne) {
    EXPECT_EQ(guesses("2001:db8:1:2::1"), 5);
    EXPECT_EQ(guesses("2001:db8:1:2:ffff::9"), 0);
    EXPECT_EQ(guesses("2001:db8:1:3::1"), 5);
}

TEST_F(GateTest, LooksAtFewGuessesInAllAndForgetsThem) {
    int looked = 0;
    for (int i = 0; i < 250; ++i) looked += guesses("192.0.2." + std::to_string(i));
    EXPECT_EQ(looked, 10);
    for (int second = 0; second < 600; ++second) {
        now += 1s;
        for (int i = 0; i < 250; ++i) looked += guesses("192.0.2." + std::to_string(i));
    }
    EXPECT_LE(looked, 10 + 600 * 5);
    EXPECT_EQ(refusal("198.51.100.1", anna.token), "too many wrong tokens: try again in 1 s");
    now += 1s;
    EXPECT_EQ(refusal("198.51.100.1", anna.token), "");
}

TEST(LoginLimit, RemembersOnlyTheLastMinute) {
    LoginLimit limit;
    LoginLimit::Instant now{1h};
    for (int i = 0; i < 5000; ++i) {
        now += 200ms;
        const Address from = at("10.0." + std::to_string(i / 250) + '.' + std::to_string(i % 250));
        ASSERT_FALSE(limit.wait(from, now));
        limit.failed(from, now);
        ASSERT_LE(limit.remembered(), 61U);
    }
}

TEST_F(GateTest, KnowsWhoMayStay) {
    const auto entered = gate.enter(at("192.0.2.7"), anna.token, now);
    ASSERT_TRUE(entered);
    EXPECT_TRUE(gate.stands(entered->by));
    gate.set({screen.entry, make_token("anna", true).entry});
    EXPECT_FALSE(gate.stands(entered->by));
    gate.set({anna.entry});
    EXPECT_TRUE(gate.stands(entered->by));
    auto demoted = anna.entry;
    demoted.may_change = false;
    gate.set({demoted});
    EXPECT_FALSE(gate.stands(entered->by));
}

}  // namespace
}  // namespace xq::daemon
