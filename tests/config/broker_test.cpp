#include "config/broker.hpp"

#include <gtest/gtest.h>

namespace xq::config {
namespace {

TEST(Broker, ReadsItsAddress) {
    const auto plain = read_broker("mqtt://hall.example:1883");
    ASSERT_TRUE(plain);
    EXPECT_EQ(plain->endpoint, (Endpoint{"hall.example", 1883}));
    EXPECT_FALSE(plain->tls);
    const auto secure = read_broker("mqtts://[::1]:8883");
    ASSERT_TRUE(secure);
    EXPECT_EQ(secure->endpoint, (Endpoint{"::1", 8883}));
    EXPECT_TRUE(secure->tls);
}

TEST(Broker, FillsTheTopicWithNamesThatMqttCanBear) {
    Settings s;
    EXPECT_EQ(topic(s), "xiangqi/_/table-01");
    s.event.name = "杭州 Open #3/A+B{board}";
    s.board = "7";
    EXPECT_EQ(topic(s), "xiangqi/杭州 Open _3_A_B{board}/7");
    EXPECT_EQ(topic_fault(s), "");
    s.event.name = std::string("a\0b", 3);
    EXPECT_EQ(topic(s), "xiangqi/a_b/7");
    s.mqtt.topic = "{event}";
    s.event.name = "$SYS";
    EXPECT_EQ(topic(s), "_SYS");
    EXPECT_EQ(topic_fault(s), "");
    s.event.name = std::string(70'000, 'x');
    EXPECT_EQ(topic_fault(s), "is too long for MQTT");
}

}  // namespace
}  // namespace xq::config
