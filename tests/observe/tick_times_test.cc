#include "observe/records/tick_times.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "core/journal/journal_file.h"
#include "core/types/record_names.h"
#include "tests/core/journal/temporary_folder.h"

namespace trestle::records::tick_times_test {
namespace {

/// A step of the test, and the ticks that were done at its end.
using StepEnd = std::pair<std::int64_t, double>;

TickTimes times_of(const std::string& mode, const std::vector<StepEnd>& ends) {
  const testing::TemporaryFolder folder;
  const std::string path = folder.file("west.db");
  {
    journal::JournalFile journal(path);
    journal.set_meta(meta_key::kMode, mode);
    journal.set_meta(meta_key::kTimeStep, "0.01");
    journal.set_meta(meta_key::kTick, "0.002");
    if (!ends.empty()) {
      const int closing = journal.add_stream(
          stream_name::kClosing,
          {{"west.measured_at_ns", "ns"}, {"west.ticks", ""}, {"west.estimated", ""}});
      for (const auto& [step, ticks] : ends)
        journal.append(closing, RecordRow{step, std::vector<double>{7e9, ticks, 0.0}});
    }
    journal.finish();
  }
  return TickTimes(journal::JournalReader(path));
}

TEST(TickTimes, InterpolatesBetweenTheEndsOfTheStepsOfAPseudoDynamicTest) {
  const TickTimes times =
      times_of("pseudo-dynamic", {{0, 1000.0}, {1, 1200.0}, {2, 9200.0}});
  EXPECT_TRUE(times.is_known());
  EXPECT_DOUBLE_EQ(times.at(0), 0.0);
  EXPECT_DOUBLE_EQ(times.at(500), 0.005);
  EXPECT_DOUBLE_EQ(times.at(1000), 0.01);
  EXPECT_DOUBLE_EQ(times.at(1100), 0.015);
  EXPECT_DOUBLE_EQ(times.at(5200), 0.025);
  EXPECT_DOUBLE_EQ(times.at(9200), 0.03);
}

TEST(TickTimes, GivesTicksOfAnOpenStepTheEndOfTheLastOne) {
  const TickTimes times = times_of("pseudo-dynamic", {{0, 1000.0}, {1, 1200.0}});
  EXPECT_DOUBLE_EQ(times.at(40'000), 0.02);
}

TEST(TickTimes, LetsTheTestBeginBehindTheTicksOfTheApproach) {
  const TickTimes times = times_of("pseudo-dynamic", {{-1, 300.0}, {0, 1300.0}});
  EXPECT_DOUBLE_EQ(times.at(200), 0.0);
  EXPECT_DOUBLE_EQ(times.at(800), 0.005);
}

TEST(TickTimes, CountsAStepOfAContinuousTestThatWasSlow) {
  // Five ticks a step, but step 2 waited for its target.
  const TickTimes times =
      times_of("continuous", {{0, 5.0}, {1, 10.0}, {2, 115.0}, {3, 120.0}, {4, 125.0}});
  EXPECT_DOUBLE_EQ(times.at(5), 0.01);
  EXPECT_DOUBLE_EQ(times.at(115), 0.03);
  EXPECT_DOUBLE_EQ(times.at(125), 0.05);
}

TEST(TickTimes, SkipsARowWithoutANumber) {
  const TickTimes times =
      times_of("pseudo-dynamic", {{0, 1000.0}, {1, std::nan("")}, {2, 3000.0}});
  EXPECT_DOUBLE_EQ(times.at(2000), 0.02);
}

TEST(TickTimes, AreEvenInTheOtherModesWhateverTheRowsSay) {
  for (const char* mode : {"real-time", "simulated"}) {
    const TickTimes times = times_of(mode, {{0, 1000.0}, {1, 1200.0}});
    EXPECT_EQ(times.at(1000), 1000 * 0.002) << mode;
  }
}

TEST(TickTimes, AreNotKnownOfAPseudoDynamicTestWithoutTheEndsOfItsSteps) {
  const TickTimes times = times_of("pseudo-dynamic", {});
  EXPECT_FALSE(times.is_known());
  EXPECT_TRUE(std::isnan(times.at(5)));
  EXPECT_FALSE(TickTimes().is_known());
  EXPECT_EQ(times_of("continuous", {}).at(5), 5 * 0.002);
}

}  // namespace
}  // namespace trestle::records::tick_times_test
