#include "site-servers/node/unexecuted_steps.h"

#include <gtest/gtest.h>

#include "core/journal/journal_reader.h"
#include "core/journal/journal_recorder.h"
#include "tests/core/journal/temporary_folder.h"
#include "tests/numerical/node/session_fakes.h"

namespace trestle::site_node::unexecuted_steps_test {
namespace {

using Steps = std::vector<std::int64_t>;
using Events = std::vector<std::string>;
constexpr std::size_t kClosing = 2;  // of the streams of a site

StepResponse missed(std::int64_t step) {
  StepResponse response;
  response.step = step;
  response.measured_at = TimePoint{Duration{1000 * (step + 1)}};
  response.missed = true;
  return response;
}

Configure configure() {
  Configure configure;
  configure.session = {7, 8, 9};
  configure.mode = "real-time";
  configure.layout = {{.name = "floor.x"}};
  configure.time_step = 0.01;
  return configure;
}

SiteSchema schema() {
  return {"west", configure().layout, {{"1", DofKind::kTranslation}}, {}};
}

struct Bench {
  Bench() {
    record.open(configure(), schema(), "as agreed", "1.0");
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
  bench.steps.write_names();
  EXPECT_EQ(bench.rows(), Steps{});
  EXPECT_TRUE(bench.recorder.events.empty());
  bench.steps.forget();
  EXPECT_TRUE(bench.steps.write_rows(100));
  bench.steps.miss_all();
  EXPECT_EQ(bench.rows(), Steps{});
  EXPECT_TRUE(bench.recorder.events.empty()) << "they are executed";
}

TEST(UnexecutedSteps, AreRowsAndNamesUpToTheNextExecutedStep) {
  Bench bench;
  for (const int step : {3, 4, 7}) bench.pass(step);
  EXPECT_TRUE(bench.steps.write_rows(5));
  bench.steps.executed(2, 5);
  EXPECT_EQ(bench.rows(), (Steps{3, 4}));
  EXPECT_EQ(bench.recorder.events, Events{"missed: steps 3 to 4"});
  bench.steps.write_rows(8);
  bench.steps.executed(6, 8);
  EXPECT_EQ(bench.rows(), (Steps{3, 4, 7})) << "each once";
  EXPECT_EQ(bench.recorder.events, (Events{"missed: steps 3 to 4", "missed: step 7"}));
  bench.steps.miss_all();
  EXPECT_EQ(bench.recorder.events.size(), 2U) << "none is open";
}

// It was late, and answers step 7 after it has reported the steps behind it.
TEST(UnexecutedSteps, AreNotTheOneThatWasExecutedBetweenTwoReports) {
  Bench bench;
  for (const int step : {5, 6, 8, 9}) bench.steps.add(step);
  bench.steps.executed(4, 7);
  bench.steps.miss_all();
  EXPECT_EQ(bench.recorder.events,
            (Events{"missed: steps 5 to 6", "missed: steps 8 to 9"}));
}

TEST(UnexecutedSteps, AreNamedAlsoWhereTheLoopCouldNotReportThem) {
  Bench bench;
  bench.steps.add(3);
  bench.steps.executed(2, 900);
  EXPECT_EQ(bench.recorder.events, Events{"missed: steps 3 to 899"});
}

TEST(UnexecutedSteps, AreNamedTogetherWhereTheirTargetsComeInABurst) {
  Bench bench;
  for (int step = 3; step < 500; ++step) bench.steps.late(step);
  bench.steps.late(510);
  EXPECT_TRUE(bench.recorder.events.empty());
  bench.steps.write_names();
  EXPECT_EQ(bench.recorder.events, (Events{"late: steps 3 to 499", "late: step 510"}));
}

TEST(UnexecutedSteps, AreNotNamedOnceMoreAfterARestart) {
  Bench bench;
  bench.steps.restore({{9, 9}, {3, 4}, {10, 10}});
  bench.steps.missed({2, 12});
  bench.steps.missed({13, 12});
  EXPECT_EQ(bench.recorder.events,
            (Events{"missed: step 2", "missed: steps 5 to 8", "missed: steps 11 to 12"}));
}

// Every other step is missed while the disk is behind: that is no fault of the test.
TEST(UnexecutedSteps, LeaveRoomForOtherEventsWhileTheDiskIsBehind) {
  Bench bench;
  bench.recorder.room = 64;
  for (int step = 1; step < 1000; step += 2) bench.steps.executed(step - 2, step);
  EXPECT_TRUE(bench.recorder.events.empty());
  bench.recorder.room = 65;
  bench.steps.write_names();
  ASSERT_EQ(bench.recorder.events.size(), 500U);
  EXPECT_EQ(bench.recorder.events[0], "missed: step 0");
  EXPECT_EQ(bench.recorder.events[499], "missed: step 998");
  bench.recorder.room = 0;
  bench.steps.executed(999, 1002);
  EXPECT_EQ(bench.recorder.events.size(), 500U);
  bench.steps.miss_all();
  EXPECT_EQ(bench.recorder.events.back(), "missed: steps 1000 to 1001")
      << "none waits when the session ends";
}

TEST(UnexecutedSteps, AreNamedWhereTheLoopHadNoRoomToReportTheFirst) {
  Bench bench;
  bench.steps.add(12);
  bench.steps.are_open_behind(7);
  bench.steps.miss_all();
  EXPECT_EQ(bench.recorder.events, Events{"missed: steps 8 to 12"});
  bench.steps.are_open_behind(12);
  bench.steps.miss_all();
  EXPECT_EQ(bench.recorder.events.size(), 1U) << "none is open";
}

TEST(UnexecutedSteps, ReportARowThatIsLost) {
  Bench bench;
  bench.pass(3);
  bench.recorder.loses_rows = true;
  EXPECT_FALSE(bench.steps.write_rows(4));
}

/// The events of the record, each as "kind: text".
Events events_in(const std::string& path) {
  Events texts;
  for (const journal::JournalEvent& event : journal::JournalReader(path).events())
    texts.push_back(event.kind + ": " + event.text);
  return texts;
}

// The integrator died 5118 steps ago, and a person stops the site.
TEST(UnexecutedSteps, AreAllNamedInTheRecordHoweverManyAreMissedInOneGo) {
  const testing::TemporaryFolder folder;
  journal::JournalRecorder::Settings settings;
  settings.folder = folder.path();
  settings.name = settings.node = "west";
  journal::JournalRecorder journal(settings);
  SiteRecorder record(journal.recording());
  record.open(configure(), schema(), "as agreed", "1.0");
  UnexecutedSteps steps(record);
  steps.begin(true);
  for (std::int64_t step = 2514; step <= 7631; ++step) {
    steps.add(step);
    steps.close(missed(step), 5 * step);
  }
  steps.write_rows(10'000);
  steps.miss_all();
  record.event(7631, "state", "CONFIGURED");
  EXPECT_FALSE(record.failed()) << record.error_message();
  record.close();
  EXPECT_EQ(events_in(folder.file("west.db")),
            (Events{"missed: steps 2514 to 7631", "state: CONFIGURED"}));
}

}  // namespace
}  // namespace trestle::site_node::unexecuted_steps_test
