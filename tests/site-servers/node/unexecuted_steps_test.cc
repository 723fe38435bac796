#include "site-servers/node/unexecuted_steps.h"

#include <gtest/gtest.h>

#include "tests/numerical/node/session_fakes.h"

namespace trestle::site_node::unexecuted_steps_test {
namespace {

using Steps = std::vector<std::int64_t>;
constexpr std::size_t kClosing = 2;  // of the streams of a site

StepResponse missed(std::int64_t step) {
  StepResponse response;
  response.step = step;
  response.measured_at = TimePoint{Duration{1000 * (step + 1)}};
  response.missed = true;
  return response;
}

struct Bench {
  Bench() {
    Configure configure;
    configure.layout = {{.name = "floor.x"}};
    configure.time_step = 0.01;
    record.open(configure,
                SiteSchema("west", configure.layout, {{"1", DofKind::kTranslation}}, {}),
                "as agreed", "1.0");
    steps.begin(true);
  }
  void pass(std::int64_t step) {
    steps.add(step);
    steps.close(missed(step), 5 * step);
  }
  Steps rows() const {
    Steps found;
    for (const auto& row : recorder.sinks[kClosing].rows) found.push_back(row.first);
    return found;
  }

  testing::FakeRecorder recorder;
  SiteRecorder record{recorder.recording()};
  UnexecutedSteps steps{record};
};

TEST(UnexecutedSteps, AreNotInTheRecordWhileTheyMayStillBeExecuted) {
  Bench bench;
  for (const int step : {3, 4, 5}) bench.pass(step);
  EXPECT_EQ(bench.rows(), Steps{});
  EXPECT_TRUE(bench.recorder.events.empty());
  bench.steps.forget();
  EXPECT_TRUE(bench.steps.write_rows(100));
  bench.steps.write_names(100);
  EXPECT_EQ(bench.rows(), Steps{});
  EXPECT_TRUE(bench.recorder.events.empty()) << "they are executed";
}

TEST(UnexecutedSteps, AreRowsAndNamesUpToTheNextExecutedStep) {
  Bench bench;
  for (const int step : {3, 4, 7}) bench.pass(step);
  EXPECT_TRUE(bench.steps.write_rows(5));
  bench.steps.write_names(5);
  EXPECT_EQ(bench.rows(), (Steps{3, 4}));
  EXPECT_EQ(bench.recorder.events,
            (std::vector<std::string>{"missed: step 3", "missed: step 4"}));
  bench.steps.write_rows(8);
  bench.steps.write_names(8);
  EXPECT_EQ(bench.rows(), (Steps{3, 4, 7})) << "each once";
  EXPECT_EQ(bench.recorder.events.size(), 3U);
}

TEST(UnexecutedSteps, ReportARowThatIsLost) {
  Bench bench;
  bench.pass(3);
  bench.recorder.loses_rows = true;
  EXPECT_FALSE(bench.steps.write_rows(4));
}

TEST(UnexecutedSteps, AreNamedUpToANumberAndTakeNoMoreRoomThanThat) {
  Bench bench;
  for (int step = 0; step < 20'000; ++step) bench.pass(step);
  EXPECT_TRUE(bench.steps.write_rows(20'000));
  bench.steps.write_names(20'000);
  bench.steps.name("late", 20'000);
  EXPECT_EQ(bench.rows().size(), 4096U);
  EXPECT_EQ(bench.recorder.events.size(), 1000U);
}

}  // namespace
}  // namespace trestle::site_node::unexecuted_steps_test
