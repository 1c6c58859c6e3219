#include "daemon/desk_door.hpp"

#include <gtest/gtest.h>

namespace xq::daemon {
namespace {

bool may(DeskRequest request) {
    return desk_refusal(request).empty();
}

bool may_here(std::string_view host, std::string_view origin = {}) {
    return may({.from_this_machine = true, .host = host, .origin = origin});
}

bool may_by_tls(std::string_view host, std::string_view origin) {
    return may({.tls = true, .host = host, .origin = origin});
}

TEST(DeskDoor, IsForThisMachineAloneWithoutTls) {
    EXPECT_TRUE(may_here("localhost:9956"));
    EXPECT_FALSE(may({.host = "localhost:9956"}));
    EXPECT_FALSE(may({.host = "192.0.2.1:9956", .origin = "http://192.0.2.1:9956"}));
    EXPECT_FALSE(may({.from_this_machine = true, .forwarded = true, .host = "localhost:9956"}));
}

TEST(DeskDoor, KnowsThisMachineByItsOwnNamesOnly) {
    for (const auto* host :
         {"localhost", "LocalHost:9956", "127.0.0.1", "127.0.0.1:80", "[::1]", "[::1]:9956"}) {
        EXPECT_TRUE(may_here(host)) << host;
    }
    for (const auto* host : {"", ":9956", "example.org:9956", "localhost.example.org:9956",
                             "127.0.0.1.example.org", "[::1", "[::2]:9956", "localhost:1:2",
                             "127.0.0.1@example.org", "[::1]http://x", "localhost:9956x"}) {
        EXPECT_FALSE(may_here(host)) << host;
    }
}

TEST(DeskDoor, IsShutToPagesOfOtherSites) {
    EXPECT_TRUE(may_here("localhost:9956", "http://localhost:9956"));
    EXPECT_TRUE(may_here("[::1]:9956", "http://[::1]:9956"));
    EXPECT_TRUE(may_by_tls("Board.local:9957", "https://board.local:9957"));
    EXPECT_TRUE(may_by_tls("board.local", ""));
    for (const auto* origin : {"http://example.org", "http://localhost", "http://localhost:99",
                               "http://127.0.0.1:9956", "https://localhost:9956", "null", "http://",
                               "localhost:9956", "http://localhost:9956/", "http"}) {
        EXPECT_FALSE(may_here("localhost:9956", origin)) << origin;
    }
    EXPECT_FALSE(may_by_tls("board.local:9957", "http://board.local:9957"));
    EXPECT_FALSE(may_by_tls("board.local:9957", "https://example.org"));
    EXPECT_FALSE(may_by_tls("", "https://example.org"));
}

}  // namespace
}  // namespace xq::daemon
