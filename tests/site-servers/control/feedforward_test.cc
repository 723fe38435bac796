#include "site-servers/trajectory/feedforward.h"

#include <gtest/gtest.h>

namespace trestle::feed_forward_test {
namespace {

InterfaceMotion part(double displacement) {
  InterfaceMotion target = InterfaceMotion::zero(1);
  target.displacement[0] = displacement;
  return target;
}

InterfaceVector command(double value) {
  return InterfaceVector::Constant(1, value);
}

TEST(Feedforward, IsAbsentUntilItComes) {
  trajectory::Feedforward feedforward(1, 0.01, 4);
  feedforward.aim({}, {});
  EXPECT_FALSE(feedforward.active());
}

TEST(Feedforward, RunsTheCommandAlongAStraightLine) {
  trajectory::Feedforward feedforward(1, 0.01, 4);
  feedforward.aim(part(0.02), command(0.04));
  EXPECT_TRUE(feedforward.active());
  EXPECT_DOUBLE_EQ(feedforward.command_at(1)[0], 0.01);
  EXPECT_DOUBLE_EQ(feedforward.command_at(3)[0], 0.03);
  EXPECT_EQ(feedforward.command_at(4)[0], 0.04);
  EXPECT_EQ(feedforward.target_at(4).displacement[0], 0.02);
}

TEST(Feedforward, LeavesOverOneStepWhenItIsNoLongerGiven) {
  trajectory::Feedforward feedforward(1, 0.01, 2);
  feedforward.aim(part(0.02), command(0.04));
  feedforward.aim({}, {});
  EXPECT_TRUE(feedforward.active());
  EXPECT_DOUBLE_EQ(feedforward.command_at(1)[0], 0.02);
  EXPECT_EQ(feedforward.command_at(2)[0], 0.0);
  EXPECT_EQ(feedforward.target_at(2).displacement[0], 0.0);
  feedforward.aim({}, {});
  EXPECT_FALSE(feedforward.active());
}

TEST(Feedforward, GoesOnFromASnapshot) {
  trajectory::Feedforward feedforward(1, 0.01, 2);
  feedforward.aim(part(0.02), command(0.04));
  SnapshotWriter writer;
  feedforward.save(writer);
  trajectory::Feedforward twin(1, 0.01, 2);
  SnapshotReader reader(writer.values());
  twin.restore(reader);
  EXPECT_TRUE(reader.at_end());
  EXPECT_TRUE(twin.active());
  EXPECT_EQ(twin.command_at(1), feedforward.command_at(1));
  EXPECT_EQ(twin.target_at(1).displacement, feedforward.target_at(1).displacement);
}

}  // namespace
}  // namespace trestle::feed_forward_test
