#include "core/evaluation/computation_quality.h"

#include <gtest/gtest.h>

#include <array>

namespace trestle::evaluation {
namespace {

TEST(ComputationQuality, IsTheLargestResidualAndTheLastBalance) {
  QualityTracker tracker({{"roof.x.disp_m", "m"},
                          {"residual_N", "N"},
                          {"reference.energy.balance", "1"},
                          {"energy.balance", "1"}});
  tracker.add(0, std::array{9.0, 0.0, 7.0, 1e-3});
  tracker.add(1, std::array{9.0, -4.0, 7.0, 2e-3});
  tracker.add(2, std::array{9.0, 3.0, 7.0, 1e-6});
  EXPECT_EQ(tracker.quality().residual, 4.0);
  EXPECT_EQ(tracker.quality().residual_step, 1);
  EXPECT_EQ(tracker.quality().energy_balance, 1e-6);
}

TEST(ComputationQuality, IsNotKnownOfARecordWithoutIt) {
  const Channels motion{{"roof.x.disp_m", "m"}};
  QualityTracker tracker(motion);
  tracker.add(0, std::array{9.0});
  EXPECT_TRUE(std::isnan(tracker.quality().residual));
  EXPECT_TRUE(std::isnan(tracker.quality().energy_balance));
}

}  // namespace
}  // namespace trestle::evaluation
