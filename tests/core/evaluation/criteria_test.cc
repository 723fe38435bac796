#include "core/evaluation/criteria.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/core/evaluation/signals.h"

namespace trestle::evaluation {
namespace {

using testing::irregular;
using testing::shifted;
using testing::Signal;

constexpr double kPeriod = 1.0 / 1024.0;  // [s]

RunHistory history_of(const std::vector<Signal>& columns) {
  RunHistory history(columns.size(), columns[0].size());
  std::vector<double> row(columns.size());
  for (std::size_t k = 0; k < columns[0].size(); ++k) {
    for (std::size_t i = 0; i < columns.size(); ++i) row[i] = columns[i][k];
    history.add(row);
  }
  return history;
}

Criteria of_actuator(const Signal& target, const Signal& measured) {
  CriteriaColumns columns;
  columns.actuators = {{"a", 0, 1, 2}};
  return evaluate(history_of({target, measured, measured}), columns, kPeriod);
}

double J(const Criteria& criteria, int number, std::size_t entry = 0) {
  return criteria.benchmark[static_cast<std::size_t>(number - 1)].at(entry);
}

TEST(Criteria, ShiftIsAWholeNumberOfSamplesInMilliseconds) {
  const Signal x = irregular(5000);
  for (const int by : {0, 1, 41, -3}) {
    const Criteria found = of_actuator(x, shifted(x, by));
    EXPECT_EQ(J(found, 1), by * 1000.0 / 1024.0);
    EXPECT_EQ(J(found, 4), J(found, 1));
    EXPECT_NEAR(found.delay[0], by / 1024.0, 1e-6);  // by a parabola through three lags
  }
}

// ym = (1 + e)·xa: both ratios are |e|, whatever the signal.
TEST(Criteria, AmplitudeErrorIsItsOwnRatio) {
  const Signal x = irregular(5000);
  for (const double error : {0.0, 0.03, -0.2}) {
    const Criteria found = of_actuator(x, shifted(x, 0, 1.0 + error));
    EXPECT_NEAR(J(found, 2), 100.0 * std::abs(error), 1e-12);
    EXPECT_NEAR(J(found, 3), 100.0 * std::abs(error), 1e-12);
    EXPECT_NEAR(found.amplitude[0], 1.0 + error, 1e-12);
    EXPECT_NEAR(found.nrmse[0], std::abs(error), 1e-12);
    EXPECT_NEAR(found.peak_error[0], std::abs(error), 1e-12);
  }
}

TEST(Criteria, DeviationIsWithoutTheMeanButThePeakIsNot) {
  const Signal x = irregular(5000);
  Signal y = x;
  for (double& value : y) value += 0.1;
  const Criteria found = of_actuator(x, y);
  const double peak = std::abs(*std::max_element(
      x.begin(), x.end(), [](double a, double b) { return std::abs(a) < std::abs(b); }));
  EXPECT_NEAR(J(found, 2), 0.0, 1e-11);
  EXPECT_NEAR(J(found, 3), 10.0 / peak, 1e-12 / peak);
}

// 1, 2, 3, 4 against 1, 2, 3, 8: the errors 0, 0, 0, 4 scatter by 12, the target by 29.
TEST(Criteria, AreTheRatiosOfTheirDefinition) {
  const Criteria found = of_actuator({1, 2, 3, 8}, {1, 2, 3, 4});
  EXPECT_NEAR(J(found, 2), 100.0 * std::sqrt(12.0 / 29.0), 1e-12);
  EXPECT_EQ(J(found, 3), 50.0);
}

TEST(Criteria, CompareEverySignalWithItsOwn) {
  const Signal x = irregular(500);
  CriteriaColumns columns;
  columns.interface = {{"n.x", 0, 1, 2}, {"n.rz", 3, 4, 5}};
  columns.responses = {{"top.x", 6, 7}};
  const Criteria found =
      evaluate(history_of({x, shifted(x, 0, 1.1), shifted(x, 0, 2.0), x, shifted(x, 0, 1.3),
                           shifted(x, 0, 0.5), x, shifted(x, 0, 0.8)}),
               columns, kPeriod);
  for (const int number : {5, 6}) {
    EXPECT_NEAR(J(found, number, 0), 10.0, 1e-10);
    EXPECT_NEAR(J(found, number, 1), 30.0, 1e-10);
  }
  for (const int number : {7, 9}) {
    EXPECT_NEAR(J(found, number, 0), 45.0, 1e-10);
    EXPECT_NEAR(J(found, number, 1), 160.0, 1e-10);
  }
  for (const int number : {8, 10}) EXPECT_NEAR(J(found, number), 25.0, 1e-10);
  EXPECT_TRUE(found.benchmark[0].empty());
}

TEST(Criteria, NeedAReferenceForWhatIsComparedWithIt) {
  const Signal x = irregular(100);
  CriteriaColumns columns;
  columns.interface = {{"n.x", 0, 1, CriteriaColumns::kNone}};
  columns.responses = {{"top.x", 0, CriteriaColumns::kNone}};
  const Criteria found = evaluate(history_of({x, x}), columns, kPeriod);
  EXPECT_EQ(J(found, 5), 0.0);
  for (const std::size_t number : {7U, 8U, 9U, 10U})
    EXPECT_TRUE(found.benchmark[number - 1].empty());
}

TEST(Criteria, AreUnstableWhereANumberIsNotFinite) {
  Signal x = irregular(100);
  EXPECT_TRUE(of_actuator(x, x).stable);
  Signal y = x;
  y[50] = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(of_actuator(x, y).stable);
}

TEST(Criteria, SayNothingOfARunWithoutSteps) {
  CriteriaColumns columns;
  columns.actuators = {{"a", 0, 1, 2}};
  const Criteria found = evaluate(RunHistory(3, 10), columns, kPeriod);
  EXPECT_TRUE(found.stable);
  EXPECT_TRUE(found.delay.empty());
}

TEST(RunHistory, KeepsTheRowsThatThereIsRoomFor) {
  RunHistory history(2, 2);
  for (const double value : {1.0, 2.0, 3.0}) {
    const double row[] = {value, -value};
    history.add(row);
  }
  EXPECT_EQ(history.rows(), 2U);
  EXPECT_EQ(history.column(1)[1], -2.0);
}

}  // namespace
}  // namespace trestle::evaluation
