#include "observe/web/work_history.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/observe/web/watched_folder.h"

namespace trestle::web::work_history_test {
namespace {

using testing::kChannels;
using testing::row_values;
using testing::WatchedFolder;

constexpr std::int64_t kRows = 80'000;

/// The trapezoid over the rows themselves, of the force d over the motion a.
double by_rows(std::int64_t index) {
  double sum = 0.0;
  for (std::int64_t row = 1; row <= index; ++row) {
    const std::vector<double> now = row_values(row);
    const std::vector<double> before = row_values(row - 1);
    sum += 0.5 * (now[3] + before[3]) * (now[0] - before[0]);
  }
  return sum;
}

class WorkHistoryOfALongRecord : public ::testing::Test {
 protected:
  WorkHistoryOfALongRecord() {
    // The last 256 rows are in memory, all others in the journal alone.
    const std::int64_t newest = kRows - static_cast<std::int64_t>(store_.room());
    store_.begin_at(newest);
    for (std::int64_t index = newest; index < kRows; ++index) {
      const std::vector<double> values = row_values(index);
      store_.add({index, values});
    }
  }

  void expect_work_at(std::int64_t index) {
    for (int calls = 0; history_.read_to(index, store_) != index; ++calls)
      ASSERT_LT(calls, 3) << "row " << index;
    EXPECT_NEAR(history_.values().at(0), by_rows(index), 1e-9) << "row " << index;
  }

  WatchedFolder folder_{kRows};
  RowStore store_{folder_.journal(), stream_name::kResult, kChannels, 0};
  WorkHistory history_{{{0, 3}}};
};

TEST_F(WorkHistoryOfALongRecord, IsThatOfAllRowsBefore) {
  for (const std::int64_t index :
       {std::int64_t{0}, std::int64_t{1}, std::int64_t{40'000}, WorkHistory::kMostRows - 1,
        WorkHistory::kMostRows, std::int64_t{777}, kRows - 1, kRows - 300})
    expect_work_at(index);
}

TEST_F(WorkHistoryOfALongRecord, ReadsAPartOfTheRowsInEachCall) {
  const std::uint64_t most = WorkHistory::kMostRows * (kChannels + 1);
  EXPECT_EQ(history_.read_to(kRows - 1, store_), WorkHistory::kMostRows - 1);
  EXPECT_LE(store_.values_read(), most);
  expect_work_at(kRows - 1);
  // A look back begins at a sum that was kept, and so does the way to the end again.
  const std::uint64_t before = store_.values_read();
  EXPECT_EQ(history_.read_to(70'000, store_), 70'000);
  EXPECT_EQ(history_.read_to(kRows - 1, store_), kRows - 1);
  EXPECT_LE(store_.values_read() - before, most);
}

TEST_F(WorkHistoryOfALongRecord, IsNotToldOfRowsThatAreNotThere) {
  expect_work_at(kRows - 1);
  EXPECT_EQ(history_.read_to(kRows + 5, store_), kRows - 1);
  EXPECT_EQ(history_.read_to(-1, store_), -1);
  EXPECT_TRUE(std::isnan(history_.values().at(0)));
}

TEST(WorkHistory, IsNotThatOfThePartThatWasRead) {
  const WatchedFolder folder(100);
  RowStore torn(folder.journal(), stream_name::kResult, kChannels, 0);
  torn.begin_at(0);
  for (const std::int64_t index : {0, 1, 2, 4, 5}) {
    const std::vector<double> values = row_values(index);
    torn.add({index, values});
  }
  WorkHistory history({{0, 3}});
  EXPECT_EQ(history.read_to(5, torn), 2);
  EXPECT_NEAR(history.values().at(0), by_rows(2), 1e-12);
}

TEST(WorkHistory, KnowsTheColumnsOfTranslationsAndRotations) {
  std::vector<live::ActuatorView> actuators(2);
  actuators[0].site = actuators[1].site = "west";
  actuators[0].name = "1";
  actuators[1].name = "2";
  actuators[1].kind = DofKind::kRotation;
  Channels channels{{"west.1.measured_m", "m"},
                    {"west.1.force_N", "N"},
                    {"west.2.force_Nm", "N.m"},
                    {"west.2.measured_rad", "rad"}};
  const std::vector<WorkHistory::Columns> found = work_columns(actuators, channels);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].motion, 0U);
  EXPECT_EQ(found[0].force, 1U);
  EXPECT_EQ(found[1].motion, 3U);
  EXPECT_EQ(found[1].force, 2U);
  channels.pop_back();
  EXPECT_TRUE(work_columns(actuators, channels).empty());
}

}  // namespace
}  // namespace trestle::web::work_history_test
