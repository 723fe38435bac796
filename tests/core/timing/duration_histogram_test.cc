#include "core/timing/duration_histogram.h"

#include <gtest/gtest.h>

#include "core/timing/deadline.h"

namespace trestle::timing::duration_histogram_test {
namespace {

TEST(DurationHistogram, IsZeroWhereNothingWasAddedOrTookTime) {
  DurationHistogram histogram;
  EXPECT_EQ(histogram.quantile(0.5), Duration::zero());
  for (int i = 0; i < 10; ++i) histogram.add(Duration::zero());
  histogram.add(Duration(-5));
  EXPECT_EQ(histogram.quantile(0.99), Duration::zero());
  EXPECT_EQ(histogram.max(), Duration::zero());
  EXPECT_EQ(histogram.count(), 11);
}

TEST(DurationHistogram, FindsQuantilesToTheWidthOfABucket) {
  DurationHistogram histogram;
  for (std::int64_t us = 1; us <= 1000; ++us) histogram.add(Duration(us * 1000));
  for (const double fraction : {0.01, 0.5, 0.99, 1.0}) {
    const double exact = fraction * 1e6;
    const auto found = static_cast<double>(histogram.quantile(fraction).count());
    EXPECT_GE(found, exact) << fraction;
    EXPECT_LE(found, exact * (1.0 + 1.0 / 16)) << fraction;
  }
  EXPECT_EQ(histogram.max(), Duration(1'000'000)) << "exactly";
  EXPECT_EQ(histogram.quantile(1.0), histogram.max());
}

TEST(DurationHistogram, TakesEveryDurationThatThereIs) {
  DurationHistogram histogram;
  histogram.add(Duration::max());
  EXPECT_EQ(histogram.quantile(0.5), Duration::max());
  DurationHistogram small;
  for (const int ns : {15, 16, 17}) small.add(Duration(ns));
  EXPECT_EQ(small.quantile(0.1), Duration(15));
  EXPECT_EQ(small.quantile(0.5), Duration(16));
  EXPECT_EQ(small.quantile(1.0), Duration(17));
}

TEST(Deadline, EndsWithTimeItself) {
  EXPECT_EQ(saturating_add(TimePoint(Duration(5)), Duration(7)), TimePoint(Duration(12)));
  EXPECT_EQ(saturating_add(TimePoint(Duration(5)), Duration::max()), TimePoint::max());
}

}  // namespace
}  // namespace trestle::timing::duration_histogram_test
