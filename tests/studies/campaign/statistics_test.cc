#include "studies/campaign/statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace trestle::campaign {
namespace {

TEST(Statistics, OfElevenValuesAreKnown) {
  const Statistics s = statistics_of({10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0});
  EXPECT_EQ(s.count, 11u);
  EXPECT_EQ(s.mean, 5.0);
  EXPECT_NEAR(s.sd, std::sqrt(11.0), 1e-15);  // of 0 … n: sqrt((n + 1)(n + 2) / 12)
  EXPECT_EQ(s.p5, 0.5);
  EXPECT_EQ(s.p50, 5.0);
  EXPECT_EQ(s.p95, 9.5);
  EXPECT_EQ(s.lowest, 0.0);
  EXPECT_EQ(s.highest, 10.0);
}

TEST(Statistics, LeaveOutWhatIsNoNumber) {
  const Statistics s = statistics_of({std::numeric_limits<double>::quiet_NaN(), 3.0});
  EXPECT_EQ(s.count, 1u);
  EXPECT_EQ(s.mean, 3.0);
  EXPECT_EQ(s.sd, 0.0);
  EXPECT_EQ(s.p5, 3.0);
  EXPECT_TRUE(std::isnan(statistics_of({}).mean));
}

}  // namespace
}  // namespace trestle::campaign
