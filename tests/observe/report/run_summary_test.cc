#include "observe/report/run_summary.h"

#include <gtest/gtest.h>

#include <string>

namespace trestle::report {
namespace {

using evaluation::RunReport;
using evaluation::RunResult;

/// What a person reads behind `next` on the last screen of a run.
std::string next_of(RunResult result, std::int64_t steps) {
  RunReport report;
  report.result = result;
  report.reason = "lab: the control loop has not completed a cycle for 175 ms";
  report.steps_planned = 41;
  report.steps_done = steps;
  RunMetadata facts;
  facts.folder = "runs/one";
  const std::string screen = format_summary(report, facts);
  const std::size_t at = screen.find("next       ");
  return at == std::string::npos ? "" : screen.substr(at);
}

bool says(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

// A site that trips while the others are armed ends the test before its first step. Nothing
// is left to resume, and the person has to know that.
TEST(RunSummary, SaysThatATestWithoutAStepIsRunAgain) {
  const std::string next = next_of(RunResult::kStopped, 0);
  EXPECT_TRUE(says(next, "no step was done")) << next;
  EXPECT_TRUE(says(next, "run the test again")) << next;
  EXPECT_FALSE(says(next, "export")) << next;
}

TEST(RunSummary, PointsToTheStepsOfAStoppedTest) {
  const std::string next = next_of(RunResult::kStopped, 7);
  EXPECT_TRUE(says(next, "the record is whole up to the last step")) << next;
  EXPECT_TRUE(says(next, "trestle export runs/one --csv")) << next;
  EXPECT_FALSE(says(next, "run the test again")) << next;
}

// Held in step 0, as on the way to the state under gravity: its rig has moved.
TEST(RunSummary, SaysOfATestHeldInItsFirstStepThatARigMayHaveMoved) {
  RunReport report;
  report.result = RunResult::kStopped;
  report.resumable = true;
  RunMetadata facts;
  facts.folder = "runs/one";
  const std::string screen = format_summary(report, facts);
  EXPECT_FALSE(says(screen, "no step had begun")) << screen;
  EXPECT_TRUE(says(screen, "a rig may have moved")) << screen;
  EXPECT_TRUE(says(screen, "trestle resume runs/one")) << screen;
  report.moved = false;  // while its sites were awaited
  const std::string waiting = format_summary(report, facts);
  EXPECT_FALSE(says(waiting, "a rig may have moved")) << waiting;
  EXPECT_TRUE(says(waiting, "nothing has moved")) << waiting;
  EXPECT_TRUE(says(waiting, "trestle resume runs/one")) << waiting;
}

// A site says so in these words, and the next resume would meet the same.
TEST(RunSummary, OffersNoResumeAloneWhereASiteHasNoRecordOfTheSession) {
  RunReport report;
  report.result = RunResult::kRejected;
  report.withdrawn = true;
  report.steps_done = 13;
  report.reason =
      "site lab refuses: it has no record of this session that was cut off: lab/1.db is "
      "not there (left of it: lab/1.ring)";
  RunMetadata facts;
  facts.folder = "runs/one";
  const std::string screen = format_summary(report, facts);
  EXPECT_TRUE(says(screen, "as it was, with 13 steps: trestle export runs/one --csv"))
      << screen;
  EXPECT_TRUE(says(screen, "brought back to its place there, do so")) << screen;
  EXPECT_TRUE(says(screen, "then: trestle resume runs/one\n")) << screen;
  EXPECT_TRUE(says(screen, "trestle run runs/one/effective.yaml --out FOLDER")) << screen;
  EXPECT_FALSE(says(screen, "the sites keep their session")) << screen;
  report.reason = "model: the integrator has another one";
  const std::string other = format_summary(report, facts);
  EXPECT_TRUE(says(other, "the sites keep their session")) << other;
  EXPECT_FALSE(says(other, "brought back")) << other;
}

constexpr const char* kRefusedTarget =
    "site lab refuses: the target would take actuator 1 to 61 mm, above its limit 60 mm at "
    "step 7031. A resume sends the same target again, so the test cannot go on: stop it "
    "(limit of the test, test.yaml:41:44)";

// Each resume would meet it: three sentences on one screen must not contradict each other.
TEST(RunSummary, OffersNoResumeOfATestWhoseTargetASiteRefused) {
  RunReport report;
  report.result = RunResult::kStopped;
  report.resumable = true;
  report.steps_done = 7031;
  report.reason = kRefusedTarget;
  RunMetadata facts;
  facts.folder = "runs/one";
  const std::string screen = format_summary(report, facts);
  EXPECT_TRUE(says(screen,
                   "next       the test is held behind step 7030; a resume meets the same "
                   "target: "))
      << screen;
  EXPECT_FALSE(says(screen, "trestle resume")) << screen;
  EXPECT_TRUE(says(screen, "run it again with other limits")) << screen;
  EXPECT_TRUE(says(screen, "trestle stop")) << screen;
  report.reason = "held by ada@lab";
  EXPECT_TRUE(says(format_summary(report, facts),
                   "behind step 7030 and can be resumed: trestle resume runs/one"));
}

// A residual that grew and a balance that does not close are seen without an export.
TEST(RunSummary, SaysHowExactlyTheNumericalPartWasComputed) {
  RunReport report;
  RunMetadata facts;
  facts.time_step = 0.005;
  EXPECT_FALSE(says(format_summary(report, facts), "numerics"));
  EXPECT_FALSE(says(summary_json(report, facts), "numerics"));
  report.quality.energy_balance = -3.21e-13;
  EXPECT_TRUE(says(format_summary(report, facts),
                   "numerics   energy balance -3.2e-13 of the input\n"));
  report.quality.residual = 3.14;
  report.quality.residual_step = 470;
  EXPECT_TRUE(says(format_summary(report, facts),
                   "numerics   residual up to 3.14 N at 2.35 s; energy balance -3.2e-13 "
                   "of the input\n"));
  EXPECT_TRUE(says(summary_json(report, facts), "\"largest_N\": 3.14"));
}

}  // namespace
}  // namespace trestle::report
