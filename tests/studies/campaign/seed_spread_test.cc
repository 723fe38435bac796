#include "studies/comparison/seed_spread.h"

#include <gtest/gtest.h>

#include <cmath>

namespace trestle::comparison {
namespace {

TEST(SeedSpread, IsMeanAndDeviationOfOneSeed) {
  const SeedSpread spread = seed_spread({1.0, 2.0, 4.0, 5.0});
  EXPECT_EQ(spread.mean, 3.0);
  EXPECT_DOUBLE_EQ(spread.deviation, std::sqrt(10.0 / 3.0));
  EXPECT_EQ(seed_spread({7.0}).deviation, 0.0);
  EXPECT_TRUE(std::isnan(seed_spread({}).mean));
}

TEST(SeedSpread, TakesOneValueOfEachSeed) {
  const std::vector<double> values =
      values_of_seeds({{{"a", 1.0}, {"b", 2.0}}, {{"b", 3.0}}}, "a");
  ASSERT_EQ(values.size(), 2u);
  EXPECT_EQ(values[0], 1.0);
  EXPECT_TRUE(std::isnan(values[1]));
}

// Quantiles of any table at 0.975.
TEST(StudentTail, AgreesWithTheTable) {
  EXPECT_NEAR(student_tail(12.7062047, 1), 0.025, 1e-9);
  EXPECT_NEAR(student_tail(4.30265273, 2), 0.025, 1e-9);
  EXPECT_NEAR(student_tail(3.18244631, 3), 0.025, 1e-9);
  EXPECT_NEAR(student_tail(2.26215716, 9), 0.025, 1e-9);
  EXPECT_NEAR(student_tail(2.22813885, 10), 0.025, 1e-9);
  EXPECT_NEAR(student_tail(1.98421695, 99), 0.025, 1e-9);
  EXPECT_EQ(student_tail(0.0, 7), 0.5);
  EXPECT_NEAR(student_tail(-2.26215716, 9), 0.975, 1e-9);
}

// Student's t of 2 degrees of freedom has the quantile 2.91999 at 0.95 (any table): mean 1,
// deviation s of three differences is told apart while sqrt(3)/s > 2.92, s < 0.59317.
TEST(BestBySeeds, IsToldByThePairedTTest) {
  const auto with_deviation = [](double s) {
    return best_by_seeds({{1.0, 2.0, 3.0}, {2.0 - s, 3.0, 4.0 + s}});
  };
  EXPECT_EQ(with_deviation(0.593), (std::vector<bool>{true, false}));
  EXPECT_EQ(with_deviation(0.594), (std::vector<bool>{false, false}));
}

// Two comparisons share the level: the quantile at 0.975 is 4.30265, the bound s < 0.40255.
TEST(BestBySeeds, SharesItsLevelAmongAllComparisons) {
  const auto with_deviation = [](double s) {
    return best_by_seeds({{1.0, 2.0, 3.0}, {2.0 - s, 3.0, 4.0 + s}, {9.0, 10.0, 11.0}});
  };
  EXPECT_EQ(with_deviation(0.402), (std::vector<bool>{true, false, false}));
  EXPECT_EQ(with_deviation(0.403), (std::vector<bool>{true, true, false}));
}

TEST(BestBySeeds, TellsEqualDifferencesAndLeavesOutWhoHasNone) {
  EXPECT_EQ(best_by_seeds({{1.0, 3.0}, {0.5, 2.5}, {}, {0.5, 2.5}}),
            (std::vector<bool>{false, true, false, true}));
  EXPECT_EQ(best_by_seeds({{1.0, 3.0}, {}}), (std::vector<bool>{false, false}));
  EXPECT_EQ(best_by_seeds({}), std::vector<bool>{});
}

}  // namespace
}  // namespace trestle::comparison
