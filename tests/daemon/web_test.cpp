#include "daemon/web/pages.hpp"
#include "daemon/websocket_key.hpp"

#include <gtest/gtest.h>

namespace xq::daemon {
namespace {

TEST(Web, AnswersAWebSocketsKeyAsTheStandardsExampleDoes) {
    EXPECT_EQ(websocket_accept("dGhlIHNhbXBsZSBub25jZQ=="), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
}

TEST(Web, CarriesItsPages) {
    const auto* const start = web::find_page("/");
    ASSERT_NE(start, nullptr);
    EXPECT_EQ(start->type, "text/html; charset=utf-8");
    EXPECT_TRUE(start->content.starts_with("<!DOCTYPE html>"));
    EXPECT_TRUE(start->content.ends_with("</html>\n"));
    const auto* const script = web::find_page("/position.js");
    ASSERT_NE(script, nullptr);
    EXPECT_FALSE(script->content.empty());
    EXPECT_EQ(web::find_page("/index"), nullptr);
    EXPECT_EQ(web::find_page("/../etc/passwd"), nullptr);
}

}  // namespace
}  // namespace xq::daemon
