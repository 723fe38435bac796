#include "numerical/node/missed_response_monitor.h"

#include <gtest/gtest.h>

#include <string>

namespace trestle::integrator_node::miss_monitor_test {
namespace {

using Verdict = MissedResponseMonitor::Verdict;

/// 'x' is a miss. @returns the verdict on the last step
Verdict after(MissedResponseMonitor& monitor, const std::string& steps) {
  Verdict verdict = Verdict::kWithin;
  for (const char step : steps) verdict = monitor.add(step == 'x');
  return verdict;
}

TEST(MissedResponseMonitor, AllowsSoManyMissesInARowAndNoMore) {
  MissedResponseMonitor monitor(2, 100, 100);
  EXPECT_EQ(after(monitor, "xx.xx"), Verdict::kWithin);
  EXPECT_EQ(monitor.in_a_row(), 2);
  EXPECT_EQ(after(monitor, "x"), Verdict::kInARow);
  EXPECT_EQ(monitor.all(), 5);
}

TEST(MissedResponseMonitor, AllowsSoManyMissesInTheWindowAndNoMore) {
  MissedResponseMonitor monitor(100, 2, 5);
  EXPECT_EQ(after(monitor, "x.x"), Verdict::kWithin);
  EXPECT_EQ(after(monitor, ".x"), Verdict::kInWindow) << "three of the last five";
  EXPECT_EQ(monitor.in_window(), 3);
}

TEST(MissedResponseMonitor, ForgetsAMissThatHasLeftTheWindow) {
  MissedResponseMonitor monitor(100, 2, 5);
  EXPECT_EQ(after(monitor, "x.x..x"), Verdict::kWithin) << "the first is six steps old";
  EXPECT_EQ(monitor.in_window(), 2);
  EXPECT_EQ(after(monitor, "....."), Verdict::kWithin);
  EXPECT_EQ(monitor.in_window(), 0);
  EXPECT_EQ(monitor.all(), 3);
}

TEST(MissedResponseMonitor, ForgivesWhatLedToAHold) {
  MissedResponseMonitor monitor(2, 3, 5);
  EXPECT_EQ(after(monitor, "xx"), Verdict::kWithin);
  monitor.reset_counts();
  EXPECT_EQ(after(monitor, "xx.x."), Verdict::kWithin);
  EXPECT_EQ(monitor.all(), 5);
}

TEST(MissedResponseMonitor, AllowsNoneWhereNoneIsAllowed) {
  MissedResponseMonitor monitor(0, 0, 1);
  EXPECT_EQ(after(monitor, "..."), Verdict::kWithin);
  EXPECT_EQ(after(monitor, "x"), Verdict::kInARow);
}

}  // namespace
}  // namespace trestle::integrator_node::miss_monitor_test
