#include "config/difference.hpp"

#include <gmock/gmock.h>

namespace xq::config {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Difference, NamesTheKeysInTheOrderOfTheTable) {
    Settings a, b;
    EXPECT_THAT(differing(a, b), IsEmpty());
    b.mqtt.broker = "mqtt://hall:1883";
    b.board = "table-02";
    b.sensor.ids = {"1209:0001"};
    b.broadcast.http = {};
    b.clock.control = {"45m", {{45 * minute, 0, 0}}};
    EXPECT_THAT(differing(a, b), ElementsAre("board", "sensor.ids", "clock.control",
                                             "broadcast.http", "mqtt.broker"));
    EXPECT_EQ(differing(a, b), differing(b, a));
}

}  // namespace
}  // namespace xq::config
