#include "studies/rehearsal/scenario_checker.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "studies/rehearsal/fault_simulator.h"
#include "tests/studies/rehearsal/rehearsed_test.h"

namespace trestle::rehearsal::scenario_judge_test {
namespace {

constexpr std::int64_t kSteps = 12;

/// A run without any fault, which is then spoilt by hand.
class ScenarioJudgeTest : public ::testing::Test {
 protected:
  ScenarioJudgeTest()
      : bench(file.path(), {}, "test", kSteps), undisturbed(run()), trace(run()) {}

  ScenarioTrace run() {
    return FaultSimulator(bench, {.dice = ScenarioRandom(1, 1, 1)}).run();
  }
  MemorySession::Stream& stream(std::size_t disk, const std::string& name) {
    const MemorySession* session = trace.disks[disk]->find(bench.integrator().session);
    return const_cast<MemorySession::Stream&>(*session->stream(name));
  }
  /// Whether the judge names this promise.
  bool breaks(const std::string& promise) const {
    const auto violations =
        ScenarioChecker(bench.integrator(), undisturbed).judge(trace).violations;
    return std::any_of(
        violations.begin(), violations.end(),
        [&](const std::string& violation) { return violation.starts_with(promise); });
  }

  testing::RehearsedTest file;
  RehearsalSetup bench;
  ScenarioTrace undisturbed;
  ScenarioTrace trace;
};

TEST_F(ScenarioJudgeTest, HasNothingAgainstAnUndisturbedRun) {
  const ScenarioVerdict verdict =
      ScenarioChecker(bench.integrator(), undisturbed).judge(trace);
  EXPECT_EQ(verdict.outcome, Outcome::kCompleted);
  EXPECT_TRUE(verdict.violations.empty());
  EXPECT_EQ(trace.watches[0].seen().size(), 1U);
  EXPECT_GT(trace.watches[0].seen()[0].displacement, 1e-5) << "the rig hardly moved";
}

TEST_F(ScenarioJudgeTest, SeesABitThatIsNotThatOfTheUndisturbedRun) {
  stream(2, "tick").values[7] += 1e-15;
  EXPECT_TRUE(breaks("P6"));
}

TEST_F(ScenarioJudgeTest, SeesAResultThatIsNotWhatWasAnswered) {
  stream(1, "result").values[1] += 1e-15;
  EXPECT_TRUE(breaks("P4"));
}

TEST_F(ScenarioJudgeTest, SeesALostResult) {
  MemorySession::Stream& result = stream(1, "result");
  result.keep_first(result.rows() - 1);
  EXPECT_TRUE(breaks("P4"));
}

TEST_F(ScenarioJudgeTest, SeesAResultWithoutIntent) {
  MemorySession::Stream& intent = stream(1, "intent");
  intent.keep_first(intent.rows() - 1);
  EXPECT_TRUE(breaks("P4"));
}

TEST_F(ScenarioJudgeTest, SeesAGap) {
  ++stream(1, "intent").index.back();
  EXPECT_TRUE(breaks("P3"));
}

TEST_F(ScenarioJudgeTest, SeesATestThatIsCompleteWithoutItsRows) {
  MemorySession::Stream& result = stream(0, "result");
  result.keep_first(result.rows() - 1);
  EXPECT_TRUE(breaks("P4"));
}

TEST_F(ScenarioJudgeTest, SeesAnotherAnswerToTheSameStep) {
  StepResponse response;
  response.step = 3;
  response.measured = InterfaceVector::Constant(1, 0.5);
  response.force = InterfaceVector::Constant(1, 7.0);
  trace.books[0].answered(response);
  EXPECT_TRUE(breaks("P3"));
}

TEST_F(ScenarioJudgeTest, SeesAnotherTargetOfTheSameStep) {
  StepCommand command;
  command.step = 3;
  command.target = InterfaceMotion::zero(1);
  command.target.displacement[0] = 0.5;
  trace.books[0].asked(command);
  EXPECT_TRUE(breaks("P3"));
}

TEST_F(ScenarioJudgeTest, SeesAWaitWithoutEnd) {
  trace.ended = false;
  EXPECT_TRUE(breaks("no end"));
}

TEST_F(ScenarioJudgeTest, SeesARigThatMovedWhereItShouldNot) {
  trace.watches[0].follow();
  trace.watches[0].trip();
  for (int i = 0; i < 4; ++i)
    trace.watches[0].wrote({}, ActuatorVector::Constant(1, 0.001 * i));
  EXPECT_TRUE(breaks("P8"));
}

}  // namespace
}  // namespace trestle::rehearsal::scenario_judge_test
