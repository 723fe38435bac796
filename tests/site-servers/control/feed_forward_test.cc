#include "site-servers/trajectory/feed_forward.h"

#include <gtest/gtest.h>

namespace trestle::feed_forward_test {
namespace {

Target part(double displacement) {
  Target target = Target::zero(1);
  target.displacement[0] = displacement;
  return target;
}

InterfaceVector command(double value) {
  return InterfaceVector::Constant(1, value);
}

TEST(FeedForward, IsAbsentUntilItComes) {
  FeedForward feedforward(1, 0.01, 4);
  feedforward.aim({}, {});
  EXPECT_FALSE(feedforward.active());
}

TEST(FeedForward, RunsTheCommandAlongAStraightLine) {
  FeedForward feedforward(1, 0.01, 4);
  feedforward.aim(part(0.02), command(0.04));
  EXPECT_TRUE(feedforward.active());
  EXPECT_DOUBLE_EQ(feedforward.command_at(1)[0], 0.01);
  EXPECT_DOUBLE_EQ(feedforward.command_at(3)[0], 0.03);
  EXPECT_EQ(feedforward.command_at(4)[0], 0.04);
  EXPECT_EQ(feedforward.part_at(4).displacement[0], 0.02);
}

TEST(FeedForward, LeavesOverOneStepWhenItIsNoLongerGiven) {
  FeedForward feedforward(1, 0.01, 2);
  feedforward.aim(part(0.02), command(0.04));
  feedforward.aim({}, {});
  EXPECT_TRUE(feedforward.active());
  EXPECT_DOUBLE_EQ(feedforward.command_at(1)[0], 0.02);
  EXPECT_EQ(feedforward.command_at(2)[0], 0.0);
  EXPECT_EQ(feedforward.part_at(2).displacement[0], 0.0);
  feedforward.aim({}, {});
  EXPECT_FALSE(feedforward.active());
}

TEST(FeedForward, GoesOnFromASnapshot) {
  FeedForward feedforward(1, 0.01, 2);
  feedforward.aim(part(0.02), command(0.04));
  SnapshotWriter writer;
  feedforward.save(writer);
  FeedForward twin(1, 0.01, 2);
  SnapshotReader reader(writer.values());
  twin.restore(reader);
  EXPECT_TRUE(reader.at_end());
  EXPECT_TRUE(twin.active());
  EXPECT_EQ(twin.command_at(1), feedforward.command_at(1));
  EXPECT_EQ(twin.part_at(1).displacement, feedforward.part_at(1).displacement);
}

}  // namespace
}  // namespace trestle::feed_forward_test
