#include "observe/export/bounded_curve.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace trestle::bounded_curve_test {
namespace {

using exports::BoundedCurve;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

struct Taken {
  std::vector<double> x;
  std::vector<double> y;
};

Taken taken(BoundedCurve& curve) {
  Taken points;
  curve.take(points.x, points.y);
  return points;
}

double value_at(std::size_t i) {
  return i == 31'337 ? 7.0 : i == 70'001 ? -9.0 : std::sin(0.37 * static_cast<double>(i));
}

TEST(BoundedCurve, HoldsEveryPointUpToItsBound) {
  BoundedCurve curve(64);
  for (std::size_t i = 0; i < 64; ++i)
    curve.add(static_cast<double>(i), i == 5 ? kNone : value_at(i));
  EXPECT_EQ(curve.group_points(), 1U);
  const Taken points = taken(curve);
  ASSERT_EQ(points.x.size(), 64U);
  EXPECT_TRUE(std::isnan(points.y[5]));
  EXPECT_EQ(points.y[63], value_at(63));
}

TEST(BoundedCurve, KeepsTheExtremesOfEveryGroupInTheirOrder) {
  constexpr std::size_t kPoints = 100'000;
  constexpr std::size_t kMost = 1024;
  BoundedCurve curve(kMost);
  for (std::size_t i = 0; i < kPoints; ++i) curve.add(static_cast<double>(i), value_at(i));
  const std::size_t group = curve.group_points();
  EXPECT_GT(group, 1U);
  const Taken points = taken(curve);
  EXPECT_LE(points.x.size(), kMost);
  EXPECT_GT(points.x.size(), kMost / 4);
  EXPECT_TRUE(std::is_sorted(points.x.begin(), points.x.end()));
  for (std::size_t i = 0; i < points.x.size(); ++i)
    EXPECT_EQ(points.y[i], value_at(static_cast<std::size_t>(points.x[i])));
  for (std::size_t first = 0; first < kPoints; first += group) {
    const std::size_t end = std::min(first + group, kPoints);
    double low = kNone;
    double high = kNone;
    for (std::size_t i = first; i < end; ++i) {
      low = std::fmin(low, value_at(i));
      high = std::fmax(high, value_at(i));
    }
    double kept_low = kNone;
    double kept_high = kNone;
    for (std::size_t i = 0; i < points.x.size(); ++i) {
      if (points.x[i] < static_cast<double>(first) ||
          points.x[i] >= static_cast<double>(end))
        continue;
      kept_low = std::fmin(kept_low, points.y[i]);
      kept_high = std::fmax(kept_high, points.y[i]);
    }
    EXPECT_EQ(kept_low, low) << first;
    EXPECT_EQ(kept_high, high) << first;
  }
}

TEST(BoundedCurve, KeepsTheOutermostPointsOfALoop) {
  BoundedCurve curve(64);
  for (std::size_t i = 0; i < 5000; ++i) {
    const double angle = 0.01 * static_cast<double>(i);
    curve.add(i == 2222 ? 3.0 : std::cos(angle), std::sin(angle));
  }
  const Taken points = taken(curve);
  EXPECT_EQ(*std::max_element(points.x.begin(), points.x.end()), 3.0);
}

TEST(BoundedCurve, IsBrokenWhereAPointIsNotFinite) {
  BoundedCurve curve(64);
  for (std::size_t i = 0; i < 1000; ++i)
    curve.add(static_cast<double>(i), i >= 400 && i < 700 ? kNone : 1.0);
  const Taken points = taken(curve);
  bool broken = false;
  for (std::size_t i = 0; i < points.x.size(); ++i) {
    if (std::isfinite(points.x[i]))
      EXPECT_TRUE(points.x[i] < 400.0 || points.x[i] >= 700.0);
    else
      broken = true;
  }
  EXPECT_TRUE(broken);
}

}  // namespace
}  // namespace trestle::bounded_curve_test
