#include "observe/live/rig_channels.h"

#include <gtest/gtest.h>

#include <limits>

namespace trestle::live::rig_channels_test {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

TEST(RigChannels, NameContactsThatAreOpenApart) {
  const RigChannels channels = rig_channels({{"1.force", "N", -12.5, 4.0},
                                             {"oil", "bar", 207.25, kNone},
                                             {"estop", "0/1", 0.0, kNone},
                                             {"door", "0/1", 1.0, kNone},
                                             {"hatch", "0/1", 0.0, kNone}});
  EXPECT_EQ(channels.marked, "estop OPEN, hatch OPEN");
  EXPECT_EQ(channels.text, "door closed, oil 207.2 bar");
}

TEST(RigChannels, NameAContactWithoutANumberAmongThose) {
  const RigChannels channels =
      rig_channels({{"estop", "0/1", kNone, kNone}, {"door", "0/1", 1.0, kNone}});
  EXPECT_EQ(channels.marked, "estop NOT KNOWN");
  EXPECT_EQ(channels.text, "door closed");
}

TEST(RigChannels, NameAClosedContactThatThenStopsTheRigAmongThose) {
  const auto gate = [](double mean) {
    RigReading reading{"gate", "0/1", mean, kNone};
    reading.stops_closed = true;
    return rig_channels({reading});
  };
  EXPECT_EQ(gate(1.0).marked, "gate CLOSED");
  EXPECT_EQ(gate(0.0).marked, "");
  EXPECT_EQ(gate(0.0).text, "gate open");
  EXPECT_EQ(gate(kNone).marked, "gate NOT KNOWN");
}

TEST(RigChannels, OfARigWithoutThemAreNone) {
  EXPECT_EQ(rig_channels({{"1.force", "N", -12.5, 4.0}}).text, "");
  const RigChannels closed = rig_channels({{"estop", "0/1", 1.0, kNone}});
  EXPECT_EQ(closed.text, "estop closed");
  EXPECT_EQ(closed.marked, "");
}

}  // namespace
}  // namespace trestle::live::rig_channels_test
