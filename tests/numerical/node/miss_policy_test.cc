#include "numerical/node/miss_policy.h"

#include <gtest/gtest.h>

namespace trestle::integrator_node::miss_policy_test {
namespace {

using Verdict = MissPolicy::Verdict;

MissedResponseSettings settings(int in_a_row, int in_window) {
  MissedResponseSettings settings;
  settings.max_consecutive = in_a_row;
  settings.max_in_window = in_window;
  settings.window = std::chrono::milliseconds(100);  // ten steps
  return settings;
}

/// One step in which these sites have not answered. @returns the last verdict
Verdict step(MissPolicy& policy, const std::vector<std::size_t>& missing) {
  Verdict last = Verdict::kMakeUp;
  policy.open();
  for (const std::size_t site : missing) last = policy.missed(site);
  policy.close();
  return last;
}

TEST(MissPolicy, MakesUpForAnswersUntilThereAreTooManyInARow) {
  MissPolicy policy(settings(2, 20), 0.01, 2);
  EXPECT_EQ(step(policy, {0}), Verdict::kMakeUp);
  EXPECT_EQ(step(policy, {0}), Verdict::kMakeUp);
  EXPECT_EQ(step(policy, {}), Verdict::kMakeUp);
  EXPECT_EQ(step(policy, {0}), Verdict::kMakeUp) << "the row began again";
  EXPECT_EQ(step(policy, {0}), Verdict::kMakeUp);
  policy.open();
  EXPECT_EQ(policy.missed(0), Verdict::kInARow);
  EXPECT_EQ(policy.of(0).all(), 5);
  EXPECT_EQ(policy.of(1).all(), 0);
}

TEST(MissPolicy, CountsWithinAWindowOfTimeAndForgivesAfterAHold) {
  MissPolicy policy(settings(20, 2), 0.01, 1);
  EXPECT_EQ(step(policy, {0}), Verdict::kMakeUp);
  EXPECT_EQ(step(policy, {}), Verdict::kMakeUp);
  EXPECT_EQ(step(policy, {0}), Verdict::kMakeUp);
  policy.open();
  EXPECT_EQ(policy.missed(0), Verdict::kInWindow);
  policy.reset_counts();
  EXPECT_EQ(step(policy, {0}), Verdict::kMakeUp);
  EXPECT_EQ(policy.of(0).all(), 4) << "what was missed stays counted";
}

TEST(MissPolicy, StopsAtTheFirstWhereTheTestWantsIt) {
  MissedResponseSettings stop = settings(5, 5);
  stop.stop = true;
  MissPolicy policy(stop, 0.01, 1);
  EXPECT_EQ(step(policy, {0}), Verdict::kStop);
}

}  // namespace
}  // namespace trestle::integrator_node::miss_policy_test
