#include "numerical/node/response_barrier.h"

#include <gtest/gtest.h>

#include <limits>

namespace trestle::integrator_node::site_barrier_test {
namespace {

using Result = ResponseBarrier::Result;

const InterfaceLayout kOneDof{{.name = "floor.x"}};

StepResponse response(std::int64_t step, double value) {
  StepResponse response;
  response.step = step;
  response.measured = InterfaceVector::Constant(1, value);
  response.force = InterfaceVector::Constant(1, 10.0 * value);
  return response;
}

double measured(const ResponseBarrier& barrier, std::size_t site = 0) {
  EXPECT_TRUE(barrier.has(site));
  EXPECT_EQ(barrier.answers()[site].force[0], 10.0 * barrier.answers()[site].measured[0]);
  return barrier.answers()[site].measured[0];
}

/// One site, its initial measurement 1, and these answers to the steps from 0 on.
ResponseBarrier answered(const std::vector<double>& values) {
  ResponseBarrier barrier({kOneDof});
  barrier.open(kInitialStep);
  barrier.accept(0, response(kInitialStep, 1.0));
  for (std::size_t step = 0; step < values.size(); ++step) {
    barrier.open(static_cast<std::int64_t>(step));
    barrier.accept(0, response(static_cast<std::int64_t>(step), values[step]));
  }
  barrier.open(static_cast<std::int64_t>(values.size()));
  return barrier;
}

double made_up(const std::vector<double>& values, int order) {
  ResponseBarrier barrier = answered(values);
  barrier.extrapolate(0, order);
  return measured(barrier);
}

TEST(ResponseBarrier, IsCompleteWhenEverySiteHasAnsweredOnce) {
  ResponseBarrier barrier({kOneDof, kOneDof});
  barrier.open(0);
  EXPECT_EQ(barrier.accept(0, response(0, 2.0)), Result::kAccepted);
  EXPECT_EQ(barrier.accept(0, response(0, 3.0)), Result::kStale);
  EXPECT_FALSE(barrier.complete());
  EXPECT_EQ(barrier.accept(1, response(0, 4.0)), Result::kAccepted);
  EXPECT_TRUE(barrier.complete());
  EXPECT_EQ(measured(barrier, 0), 2.0);
  EXPECT_EQ(measured(barrier, 1), 4.0);
}

TEST(ResponseBarrier, KeepsAnEarlyAnswerForItsStep) {
  ResponseBarrier barrier({kOneDof, kOneDof}, 3);
  barrier.open(0);
  for (const std::int64_t step : {3, 1, 2})
    EXPECT_EQ(barrier.accept(0, response(step, 1.0 * static_cast<double>(step))),
              Result::kQueued);
  EXPECT_EQ(barrier.accept(0, response(2, 9.0)), Result::kStale) << "once";
  EXPECT_FALSE(barrier.has(0));
  for (const std::int64_t step : {1, 2, 3}) {
    barrier.open(step);
    EXPECT_EQ(measured(barrier), static_cast<double>(step));
    EXPECT_FALSE(barrier.has(1));
  }
  barrier.open(4);
  EXPECT_FALSE(barrier.has(0));
}

TEST(ResponseBarrier, KeepsNoAnswerThatIsFurtherAheadThanItWasToldTo) {
  constexpr std::int64_t kEnd = std::numeric_limits<std::int64_t>::max();
  ResponseBarrier barrier({kOneDof}, 2);
  barrier.open(kInitialStep);
  EXPECT_EQ(barrier.accept(0, response(kEnd, 1.0)), Result::kOutOfRange);
  barrier.open(5);
  EXPECT_EQ(barrier.accept(0, response(8, 1.0)), Result::kOutOfRange);
  EXPECT_EQ(barrier.accept(0, response(7, 1.0)), Result::kQueued);
  ResponseBarrier lockstep({kOneDof});
  lockstep.open(0);
  EXPECT_EQ(lockstep.accept(0, response(1, 1.0)), Result::kOutOfRange);
}

TEST(ResponseBarrier, UsesNoAnswerOfAnEarlierStep) {
  ResponseBarrier barrier({kOneDof}, 2);
  barrier.open(5);
  EXPECT_EQ(barrier.accept(0, response(4, 1.0)), Result::kStale);
  EXPECT_EQ(barrier.accept(0, response(-7, 1.0)), Result::kStale);
  EXPECT_FALSE(barrier.has(0));
}

TEST(ResponseBarrier, TrustsNoLengthAndNoNumber) {
  ResponseBarrier barrier({kOneDof}, 2);
  barrier.open(5);
  StepResponse longer = response(5, 1.0);
  longer.force = InterfaceVector::Ones(2);
  EXPECT_EQ(barrier.accept(0, longer), Result::kWrongLength);
  longer.step = 4;
  EXPECT_EQ(barrier.accept(0, longer), Result::kWrongLength) << "who keeps old ones";
  EXPECT_EQ(barrier.accept(0, response(5, INFINITY)), Result::kNotFinite);
  EXPECT_EQ(barrier.accept(0, response(6, NAN)), Result::kNotFinite);
  EXPECT_FALSE(barrier.has(0));
}

TEST(ResponseBarrier, GoesOnAsThePolynomialThroughTheLastAnswers) {
  const std::vector<double> quadratic{1.0, 4.0, 9.0};  // (k + 1)²
  EXPECT_EQ(made_up(quadratic, 0), 9.0);
  EXPECT_EQ(made_up(quadratic, 1), 14.0);
  EXPECT_EQ(made_up(quadratic, 2), 16.0);
}

TEST(ResponseBarrier, StandsAtTheOpeningReadBeforeThereAreAnswers) {
  for (const int order : {0, 1, 2}) EXPECT_EQ(made_up({}, order), 1.0) << order;
}

TEST(ResponseBarrier, GoesOnFromWhatItMadeUp) {
  ResponseBarrier barrier = answered({2.0, 3.0});
  for (const double expected : {4.0, 5.0, 6.0}) {
    barrier.extrapolate(0, 1);
    EXPECT_EQ(measured(barrier), expected);
    barrier.open(barrier.step() + 1);
  }
}

TEST(ResponseBarrier, MakesUpNothingWhereThereIsAnAnswer) {
  ResponseBarrier barrier = answered({2.0, 3.0});
  barrier.accept(0, response(2, 7.0));
  barrier.extrapolate(0, 1);
  EXPECT_EQ(measured(barrier), 7.0);
  EXPECT_TRUE(barrier.complete());
}

}  // namespace
}  // namespace trestle::integrator_node::site_barrier_test
