#include "observe/plot/curve_path.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace trestle::plot::curve_path_test {
namespace {

Axis pixels(double high) {
  return {{.lowest = 0.0, .highest = high}, 0.0, 0.0, 0.0, 100.0};
}

std::size_t points_of(const std::string& path) {
  return static_cast<std::size_t>(std::count_if(path.begin(), path.end(), [](char letter) {
    return letter == 'M' || letter == 'L';
  }));
}

TEST(CurvePath, KeepsEachPointWhereAColumnHasFew) {
  EXPECT_EQ(
      history_path(std::vector<double>{0.0, 50.0, 100.0},
                   std::vector<double>{0.0, 20.0, 10.0}, pixels(100.0), pixels(100.0)),
      "M0 0L50 20L100 10");
}

TEST(CurvePath, LosesNoExtremeOfALongRecord) {
  std::vector<double> x;
  std::vector<double> y;
  for (int i = 0; i < 100'000; ++i) {
    x.push_back(0.001 * i);
    y.push_back(50.0 + std::sin(0.7 * i));
  }
  y[77'777] = 99.0;  // one sample
  const std::string path = history_path(x, y, pixels(100.0), pixels(100.0));
  EXPECT_LE(points_of(path), 202U);
  EXPECT_NE(path.find("L77.78 99"), std::string::npos);
}

TEST(CurvePath, BreaksWhereAValueIsMissing) {
  EXPECT_EQ(
      history_path(std::vector<double>{0.0, 30.0, 60.0, 90.0},
                   std::vector<double>{1.0, NAN, 2.0, 3.0}, pixels(100.0), pixels(100.0)),
      "M0 1M60 2L90 3");
  EXPECT_EQ(loop_path(std::vector<double>{NAN, NAN}, std::vector<double>{1.0, 2.0},
                      pixels(100.0), pixels(100.0)),
            "");
}

TEST(CurvePath, LeavesOutPointsOnALineBetweenOthers) {
  std::vector<double> x;
  std::vector<double> y;
  for (int i = 0; i <= 50; ++i) x.push_back(i), y.push_back(2.0 * i);
  for (int i = 50; i >= 0; --i) x.push_back(i), y.push_back(100.0);
  EXPECT_LE(points_of(loop_path(x, y, pixels(100.0), pixels(100.0))), 5U);
}

TEST(CurvePath, BoundsThePointsOfALoop) {
  std::vector<double> x;
  std::vector<double> y;
  for (int i = 0; i < 60'000; ++i) {
    x.push_back(50.0 + 49.0 * std::sin(1.3 * i));
    y.push_back(50.0 + 49.0 * std::cos(1.7 * i));
  }
  EXPECT_LE(points_of(loop_path(x, y, pixels(100.0), pixels(100.0))), 4010U);
}

}  // namespace
}  // namespace trestle::plot::curve_path_test
