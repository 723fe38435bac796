#include "numerical/node/miss_monitor.h"

#include <gtest/gtest.h>

#include <string>

namespace trestle::miss_monitor_test {
namespace {

using Verdict = MissMonitor::Verdict;

/// 'x' is a miss. @returns the verdict on the last step
Verdict after(MissMonitor& monitor, const std::string& steps) {
  Verdict verdict = Verdict::kWithin;
  for (const char step : steps) verdict = monitor.add(step == 'x');
  return verdict;
}

TEST(MissMonitor, AllowsSoManyMissesInARowAndNoMore) {
  MissMonitor monitor(2, 100, 100);
  EXPECT_EQ(after(monitor, "xx.xx"), Verdict::kWithin);
  EXPECT_EQ(monitor.in_a_row(), 2);
  EXPECT_EQ(after(monitor, "x"), Verdict::kInARow);
  EXPECT_EQ(monitor.all(), 5);
}

TEST(MissMonitor, AllowsSoManyMissesInTheWindowAndNoMore) {
  MissMonitor monitor(100, 2, 5);
  EXPECT_EQ(after(monitor, "x.x"), Verdict::kWithin);
  EXPECT_EQ(after(monitor, ".x"), Verdict::kInWindow) << "three of the last five";
  EXPECT_EQ(monitor.in_window(), 3);
}

TEST(MissMonitor, ForgetsAMissThatHasLeftTheWindow) {
  MissMonitor monitor(100, 2, 5);
  EXPECT_EQ(after(monitor, "x.x..x"), Verdict::kWithin) << "the first is six steps old";
  EXPECT_EQ(monitor.in_window(), 2);
  EXPECT_EQ(after(monitor, "....."), Verdict::kWithin);
  EXPECT_EQ(monitor.in_window(), 0);
  EXPECT_EQ(monitor.all(), 3);
}

TEST(MissMonitor, ForgivesWhatLedToAHold) {
  MissMonitor monitor(2, 3, 5);
  EXPECT_EQ(after(monitor, "xx"), Verdict::kWithin);
  monitor.forgive();
  EXPECT_EQ(after(monitor, "xx.x."), Verdict::kWithin);
  EXPECT_EQ(monitor.all(), 5);
}

TEST(MissMonitor, AllowsNoneWhereNoneIsAllowed) {
  MissMonitor monitor(0, 0, 1);
  EXPECT_EQ(after(monitor, "..."), Verdict::kWithin);
  EXPECT_EQ(after(monitor, "x"), Verdict::kInARow);
}

}  // namespace
}  // namespace trestle::miss_monitor_test
