#include "numerical/node/step_repetition.h"

#include <gtest/gtest.h>

namespace trestle::integrator_node::step_repetition_test {
namespace {

using Verdict = StepRepetition::Verdict;

StepCommand command(std::int64_t step) {
  StepCommand command;
  command.step = step;
  return command;
}

SiteResponse answer(double value) {
  return {InterfaceVector::Constant(1, value), InterfaceVector::Constant(2, value)};
}

StepResponse response(std::int64_t step, double value) {
  StepResponse response;
  response.step = step;
  response.measured = InterfaceVector::Constant(1, value);
  response.force = InterfaceVector::Constant(2, value);
  return response;
}

TEST(StepRepetition, AsksEachSiteForItsOwnStepsInOrder) {
  StepRepetition repetition(2);
  EXPECT_FALSE(repetition.anybody_owes());
  repetition.add(1, command(4), answer(0.4));
  repetition.add(1, command(5), answer(0.5));
  EXPECT_FALSE(repetition.owes(0));
  ASSERT_TRUE(repetition.owes(1));
  EXPECT_EQ(repetition.next(1).step, 4);
  EXPECT_EQ(repetition.accept(1, response(4, 0.4)), Verdict::kRepeated);
  EXPECT_EQ(repetition.next(1).step, 5);
  EXPECT_TRUE(repetition.anybody_owes());
  EXPECT_EQ(repetition.accept(1, response(5, 0.5)), Verdict::kRepeated);
  EXPECT_FALSE(repetition.anybody_owes());
}

TEST(StepRepetition, IgnoresAnAnswerToAnotherStep) {
  StepRepetition repetition(1);
  repetition.add(0, command(4), answer(0.4));
  EXPECT_EQ(repetition.accept(0, response(3, 0.4)), Verdict::kIgnored);
  EXPECT_EQ(repetition.accept(0, response(5, 0.4)), Verdict::kIgnored);
  EXPECT_EQ(repetition.next(0).step, 4);
}

TEST(StepRepetition, TakesNoOtherBitAndNoOtherLengthForTheSameAnswer) {
  StepRepetition repetition(1);
  repetition.add(0, command(4), answer(0.0));
  EXPECT_EQ(repetition.accept(0, response(4, -0.0)), Verdict::kDiffers);
  StepResponse longer = response(4, 0.0);
  longer.force = InterfaceVector::Zero(3);
  EXPECT_EQ(repetition.accept(0, longer), Verdict::kDiffers);
  EXPECT_TRUE(repetition.owes(0)) << "nothing was repeated";
  repetition.clear();
  EXPECT_FALSE(repetition.anybody_owes());
}

}  // namespace
}  // namespace trestle::integrator_node::step_repetition_test
