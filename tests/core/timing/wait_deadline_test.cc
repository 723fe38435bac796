#include "core/timing/wait_deadline.h"

#include <gtest/gtest.h>

namespace trestle::timing::wait_deadline_test {
namespace {

using std::chrono::seconds;

constexpr TimePoint at(int second) {
  return TimePoint{seconds(second)};
}

TEST(WaitDeadline, IsNeverWhereNothingIsWaitedFor) {
  WaitDeadline deadline;
  EXPECT_EQ(deadline.at(), TimePoint::max());
  deadline.set(at(1), seconds(2));
  EXPECT_FALSE(deadline.passed(at(3) - Duration(1)));
  EXPECT_TRUE(deadline.passed(at(3)));
  deadline.clear();
  EXPECT_FALSE(deadline.passed(at(1000)));
}

TEST(WaitDeadline, IsMovedOnlyTheWayThatWasAskedFor) {
  WaitDeadline deadline;
  deadline.set(at(0), seconds(10));
  deadline.extend(at(0), seconds(5));
  EXPECT_EQ(deadline.at(), at(10));
  deadline.extend(at(8), seconds(5));
  EXPECT_EQ(deadline.at(), at(13));
  deadline.shorten(at(0), seconds(20));
  EXPECT_EQ(deadline.at(), at(13));
  deadline.shorten(at(0), seconds(2));
  EXPECT_EQ(deadline.at(), at(2));
}

TEST(WaitDeadline, IsProlongedByASignOfLifeUpToItsLimit) {
  WaitDeadline deadline;
  deadline.limit(at(0), seconds(10));
  deadline.prolong(at(3), seconds(4));
  EXPECT_EQ(deadline.at(), at(7));
  deadline.prolong(at(8), seconds(4));
  EXPECT_EQ(deadline.at(), at(10));
  deadline.set(at(8), seconds(1));
  deadline.extend_within_limit(at(9), seconds(4));
  EXPECT_EQ(deadline.at(), at(10));
  deadline.set(at(0), seconds(30));
  deadline.extend_within_limit(at(9), seconds(4));
  EXPECT_EQ(deadline.at(), at(30)) << "what was agreed is not shortened";
}

TEST(WaitDeadline, BearsAWaitLongerThanTime) {
  WaitDeadline deadline;
  deadline.set(at(1), Duration::max());
  EXPECT_EQ(deadline.at(), TimePoint::max());
}

}  // namespace
}  // namespace trestle::timing::wait_deadline_test
