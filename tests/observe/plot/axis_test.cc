#include "observe/plot/axis.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace trestle::plot::axis_test {
namespace {

std::vector<std::string> labels(const Axis& axis) {
  std::vector<std::string> texts;
  for (const AxisTick& tick : axis.ticks()) texts.push_back(tick.label);
  return texts;
}

TEST(Axis, StepsAreOneTwoOrFiveTimesAPowerOfTen) {
  EXPECT_DOUBLE_EQ(round_step(0.9), 1.0);
  EXPECT_DOUBLE_EQ(round_step(1.1), 2.0);
  EXPECT_DOUBLE_EQ(round_step(0.03), 0.05);
  EXPECT_DOUBLE_EQ(round_step(6.0), 10.0);
  EXPECT_DOUBLE_EQ(round_step(1000.0), 1000.0);
}

TEST(Axis, ShowsEngineeringUnitsAndPlacesValuesOfTheRecord) {
  const AxisSettings millimetres{
      .label = "displacement", .unit = {1e3, "mm"}, .lowest = -0.010, .highest = 0.010};
  const Axis axis(millimetres, 0.0, 0.0, 0.0, 400.0);
  EXPECT_EQ(labels(axis), (std::vector<std::string>{"-10", "-5", "0", "5", "10"}));
  EXPECT_DOUBLE_EQ(axis.place(-0.010), 0.0);
  EXPECT_DOUBLE_EQ(axis.place(0.005), 300.0);
}

TEST(Axis, WidensAFoundRangeSoThatNoCurveTouchesTheFrame) {
  const Axis axis({}, 0.0, 10.0, 0.0, 300.0);
  EXPECT_GT(axis.place(0.0), 5.0);
  EXPECT_LT(axis.place(10.0), 295.0);
}

TEST(Axis, AlwaysHasAtLeastThreeNumbers) {
  for (const double high : {1.4e-5, 0.018, 0.99, 3.0, 123456.0}) {
    const Axis axis({.symmetric = true}, -high, high, 50.0, 0.0);
    EXPECT_GE(axis.ticks().size(), 3U) << high;
  }
}

TEST(Axis, BearsRangesThatAreNone) {
  for (const auto& [low, high] :
       {std::pair<double, double>{NAN, NAN}, {0.0, 0.0}, {5.0, 5.0}, {1.0, -1.0}}) {
    const Axis linear({}, low, high, 0.0, 300.0);
    EXPECT_LT(linear.low(), linear.high());
    const Axis logarithmic({.logarithmic = true}, low, high, 0.0, 300.0);
    EXPECT_LT(logarithmic.low(), logarithmic.high());
  }
}

TEST(Axis, ShowsRoundNumbersWhereALogarithmicOneHasNoThreePowers) {
  const Axis axis({.logarithmic = true}, 0.72, 1.6, 200.0, 0.0);
  std::string labels;
  for (const AxisTick& tick : axis.ticks()) labels += tick.label + " ";
  EXPECT_EQ(labels, "0.8 1.0 1.2 1.4 1.6 ");
}

TEST(Axis, ShowsDecadesOnALogarithmicAxis) {
  const Axis axis({.logarithmic = true, .lowest = 1e-3, .highest = 10.0}, 0.0, 0.0, 200.0,
                  0.0);
  EXPECT_EQ(labels(axis), (std::vector<std::string>{"0.001", "0.01", "0.1", "1", "10"}));
  EXPECT_NEAR(axis.place(0.1), 100.0, 1e-9);
}

}  // namespace
}  // namespace trestle::plot::axis_test
