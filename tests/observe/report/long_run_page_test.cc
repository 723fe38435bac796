#include <gtest/gtest.h>

#include <cmath>

#include "core/journal/journal_file.h"
#include "core/types/record_names.h"
#include "observe/report/limit_use.h"
#include "observe/report/run_page.h"
#include "tests/core/journal/temporary_folder.h"

namespace trestle::report::long_run_page_test {
namespace {

using testing::TemporaryFolder;

constexpr const char* kGenerator = "trestle 0.1.0";
constexpr std::int64_t kSteps = 6000;
constexpr double kStep = 0.01;
constexpr std::int64_t kLargestTarget = 4100;
constexpr std::int64_t kLargestForce = 777;  // far from it
constexpr double kForce = 4900.0;

constexpr const char* kContract =
    "contract: trestle 1\nsite: west\nsite.real_equipment: no\nlatency_steps: 0\n"
    "ticks_per_step: 1\nseed: 7\ninterface[0].name: floor.x\nactuators[0].name: 1\n"
    "limits.actuators[0].displacement_m: 0.04\nlimits.actuators[0].rate_m_s: none\n"
    "limits.actuators[0].force_N: 5000\ncompensator: default\ncontroller: default\n";

/// Eight columns and the index: 54 000 numbers.
std::vector<double> row_values(std::int64_t step) {
  const double time = static_cast<double>(step) * kStep;
  const double target = step == kLargestTarget ? -0.021 : 0.015 * std::sin(10.0 * time);
  const double measured = 0.015 * std::sin(10.0 * (time - 0.02));
  const double force = step == kLargestForce ? kForce : 2e5 * measured;
  return {target, measured, force, target, target, measured, force, target};
}

class LongRecord {
 public:
  explicit LongRecord(bool with_ledger = false, const std::string& contract = kContract) {
    journal::JournalFile journal(folder_.file("journal.db"));
    journal.set_meta(meta_key::kSession, "aa");
    journal.set_meta(meta_key::kTest, "sine");
    journal.set_meta(meta_key::kMode, "simulated");
    journal.set_meta(meta_key::kNode, kIntegratorNode);
    journal.set_meta(meta_key::kSites, "west");
    journal.set_meta(meta_key::kTimeStep, "0.01");
    journal.set_meta("steps_planned", std::to_string(kSteps));
    journal.set_meta("contract.west", contract);
    journal.set_meta(meta_key::kEnded, "1795499727306812458");
    const int result =
        journal.add_stream(stream_name::kResult, {{"west.floor.x.target_m", "m"},
                                                  {"west.floor.x.measured_m", "m"},
                                                  {"west.floor.x.force_N", "N"},
                                                  {"west.1.target_m", "m"},
                                                  {"west.1.command_m", "m"},
                                                  {"west.1.measured_m", "m"},
                                                  {"west.1.force_N", "N"},
                                                  {"floor.x.disp_m", "m"}});
    int ledger = -1;
    if (with_ledger)
      ledger = journal.add_stream(
          stream_name::kLedger,
          {{"west.i0_ns", "ns"}, {"west.i1_ns", "ns"}, {"west.i4_ns", "ns"}});
    journal.begin();
    for (std::int64_t step = 0; step < kSteps; ++step) {
      journal.append(result, RecordRow{step, row_values(step)});
      const double begin = 1e7 * static_cast<double>(step);
      if (with_ledger)
        journal.append(
            ledger, RecordRow{step, std::vector<double>{begin, begin + 5e5, begin + 2e6}});
    }
    journal.commit();
    journal.finish();
  }
  std::string path() const { return folder_.path(); }

 private:
  TemporaryFolder folder_;
};

/// Ticks of the site: ten times as many as steps, at the pace of the rig, not of the steps.
void add_ticks(const LongRecord& record, std::int64_t largest) {
  journal::JournalFile journal(record.path() + "/west.db");
  journal.set_meta(meta_key::kSession, "aa");
  journal.set_meta(meta_key::kNode, "west");
  journal.set_meta(meta_key::kTick, "0.001");
  const int ticks = journal.add_stream(stream_name::kTick, {{"west.1.target_m", "m"},
                                                            {"west.1.command_m", "m"},
                                                            {"west.1.measured_m", "m"},
                                                            {"west.1.force_N", "N"}});
  journal.begin();
  for (std::int64_t tick = 0; tick < 10 * kSteps; ++tick) {
    const double target = tick == largest ? 0.03 : 0.0;
    journal.append(ticks, RecordRow{tick, std::vector<double>{target, target, 0.0, 0.0}});
  }
  journal.commit();
  journal.finish();
}

/// Bounds that make the record a long one: windows of 512 rows, 12 parts of 512.
ReadBounds low_bounds() {
  return {.most_values = 20'000,
          .short_stream = 10'000,
          .window_rows = 512,
          .envelope_parts = 11,
          .samples = 10,
          .sample_rows = 20};
}

bool says(const std::string& page, const std::string& part) {
  return page.find(part) != std::string::npos;
}

TEST(LongRunPage, HoldsAWindowAboutTheLargestTargetAndCountsAllSteps) {
  const LongRecord record;
  const RunData run(record.path(), low_bounds());
  ASSERT_TRUE(run.is_window());
  EXPECT_EQ(run.steps(), kSteps);
  EXPECT_EQ(run.result.rows(), 512U);
  EXPECT_EQ(run.result.index().front(), kLargestTarget - 256);
  EXPECT_EQ(run.result.index().back(), kLargestTarget + 255);
  EXPECT_DOUBLE_EQ(run.end_time(), 59.99);
  EXPECT_TRUE(run.files.at(0).digest.empty());
  EXPECT_EQ(run.files.at(0).rows, kSteps);
  const std::string page = run_page(run, kGenerator);
  EXPECT_TRUE(says(page, "all 6\u202f000 steps (60.00 s)"));
  EXPECT_TRUE(says(page,
                   "of the steps 3\u202f844 to 4\u202f355, 38.44 to 43.55 s, around "
                   "the largest value of west.floor.x.target_m"));
  EXPECT_TRUE(says(page, "Hysteresis of the specimen, 38.44 to 43.55 s"));
}

TEST(LongRunPage, TellsPeaksAndUsedLimitsOfRowsOutsideTheWindow) {
  const LongRecord record;
  const RunData run(record.path(), low_bounds());
  const std::vector<LimitUse> uses = limit_uses(run.sites.at(0), run);
  ASSERT_EQ(uses.size(), 5U);
  EXPECT_EQ(uses[0].quantity, "displacement");
  EXPECT_DOUBLE_EQ(uses[0].largest, 0.021);
  EXPECT_FALSE(uses[0].of_window);
  EXPECT_EQ(uses[1].quantity, "rate");
  EXPECT_TRUE(uses[1].of_window);
  EXPECT_EQ(uses[3].quantity, "force");
  EXPECT_EQ(uses[3].largest, kForce);
  EXPECT_DOUBLE_EQ(uses[3].time, kLargestForce * kStep);
  EXPECT_FALSE(uses[3].of_window);
  const std::string page = run_page(run, kGenerator);
  EXPECT_TRUE(says(page, "the nearest limit was used to 98 % (west 1 force)"));
  const std::size_t peaks = page.find("Peak displacements</h2>");
  ASSERT_NE(peaks, std::string::npos);
  EXPECT_TRUE(says(page.substr(peaks, 400), "21")) << page.substr(peaks, 400);
}

TEST(LongRunPage, HoldsTicksAboutTheirOwnLargestTargetAgainstTheLimits) {
  const LongRecord record;
  constexpr std::int64_t kLargest = 900;  // a jump of 30 mm: 30 m/s
  add_ticks(record, kLargest);
  const RunData run(record.path(), low_bounds());
  const std::vector<LimitUse> uses = limit_uses(run.sites.at(0), run);
  ASSERT_EQ(uses.size(), 5U);
  EXPECT_EQ(uses[1].quantity, "rate");
  EXPECT_NEAR(uses[1].largest, 30.0, 1e-9);
  EXPECT_DOUBLE_EQ(uses[1].time, 1e-3 * kLargest);
  EXPECT_TRUE(says(run_page(run, kGenerator),
                   "of a window about the largest target, 0.64 to 1.16 s, and may"));
}

TEST(LongRunPage, MakesNoAccelerationOfAGapInTheRows) {
  const LongRecord record;
  {
    journal::JournalFile journal(record.path() + "/west.db");
    journal.set_meta(meta_key::kSession, "aa");
    journal.set_meta(meta_key::kNode, "west");
    journal.set_meta(meta_key::kTick, "0.001");
    const int ticks = journal.add_stream(stream_name::kTick, {{"west.1.command_m", "m"}});
    journal.begin();
    // 0.1 m/s before the gap and behind it.
    for (const std::int64_t begin : {0, 5000})
      for (std::int64_t tick = 0; tick < 100; ++tick)
        journal.append(
            ticks,
            RecordRow{begin + tick, std::vector<double>{1e-4 * static_cast<double>(tick)}});
    journal.commit();
  }
  const RunData run(record.path());
  const std::vector<LimitUse> uses = limit_uses(run.sites.at(0), run);
  EXPECT_NEAR(uses.at(1).largest, 0.1, 1e-9);
  EXPECT_EQ(uses.at(2).quantity, "acceleration");
  // From -9.9 mm in 4.901 s to 0.1 m/s, over half of both times.
  EXPECT_NEAR(uses.at(2).largest, (0.1 + 0.0099 / 4.901) / (0.5 * 4.902), 1e-9);
}

TEST(LongRunPage, MakesNoRateOfStepsWhoseTimeIsNotThatOfTheRig) {
  const LongRecord record;
  EXPECT_EQ(limit_uses(RunData(record.path()).sites.at(0), RunData(record.path())).size(),
            5U);
  journal::JournalFile(record.path() + "/journal.db")
      .set_meta(meta_key::kMode, "pseudo-dynamic");
  const RunData run(record.path());
  for (const LimitUse& use : limit_uses(run.sites.at(0), run))
    EXPECT_TRUE(use.quantity != "rate" && use.quantity != "acceleration") << use.quantity;
  EXPECT_TRUE(says(run_page(run, kGenerator),
                   "Rate and acceleration are left out: the steps do not tell them"));
}

TEST(LongRunPage, SaysThatALimitMayHaveBeenUsedFurtherOutsideTheWindow) {
  std::string contract = kContract;
  const std::string no_limit = "rate_m_s: none";
  contract.replace(contract.find(no_limit), no_limit.size(), "rate_m_s: 100");
  const LongRecord record(false, contract);
  const std::string page = run_page(RunData(record.path(), low_bounds()), kGenerator);
  EXPECT_TRUE(says(page,
                   "the nearest limit was used to at least 98 % (west 1 force); rate, "
                   "acceleration and tracking error are known of a window alone"));
  EXPECT_TRUE(says(page, "<div class=\"value\">\u2265 98 %</div>"));
  const std::string whole = run_page(RunData(record.path()), kGenerator);
  EXPECT_TRUE(says(whole, "the nearest limit was used to 98 % (west 1 force)"));
  EXPECT_FALSE(says(whole, "\u2265 98 %"));
}

TEST(LongRunPage, SaysWhatItLeavesOutAndWhichCommandHelps) {
  const LongRecord record;
  const std::string page = run_page(RunData(record.path(), low_bounds()), kGenerator);
  EXPECT_TRUE(says(page, "whether it was stable is not told"));
  EXPECT_TRUE(says(page, "The criteria are left out"));
  EXPECT_FALSE(says(page, "J2 tracking error"));
  EXPECT_TRUE(says(page, "`sha256sum FILE` gives that of a file"));
  EXPECT_TRUE(says(page, "`trestle export --ticks --csv FILE` gives the rows"));
}

TEST(LongRunPage, OfAShortRecordSaysNoneOfIt) {
  const LongRecord record;
  const RunData run(record.path());
  EXPECT_FALSE(run.is_window());
  EXPECT_FALSE(run.outline.is_long);
  EXPECT_EQ(run.files.at(0).digest.size(), 64U);
  const std::string page = run_page(run, kGenerator);
  for (const char* words : {"The whole test", "left out", "too long", "is not told"})
    EXPECT_FALSE(says(page, words)) << words;
  EXPECT_TRUE(says(page, "J2 tracking error"));
}

TEST(LongRunPage, IsTheSameWhetherExtentsTellItOrRows) {
  const LongRecord record;
  const std::string page = run_page(RunData(record.path(), low_bounds()), kGenerator);
  EXPECT_TRUE(page == run_page(RunData(record.path(), low_bounds()), kGenerator));
  // A record of an earlier version has no extents.
  journal::SqliteDatabase(record.path() + "/journal.db",
                          journal::SqliteDatabase::Access::kWrite)
      .execute(
          "DROP TABLE extent; DROP TRIGGER extent_after_DELETE; "
          "DROP TRIGGER extent_after_UPDATE");
  EXPECT_TRUE(page == run_page(RunData(record.path(), low_bounds()), kGenerator));
}

TEST(LongRunPage, ReadsTheLedgerInStretchesFromBeginningToEnd) {
  const LongRecord record(true);
  const RunData run(record.path(), low_bounds());
  EXPECT_EQ(run.outline.ledger_rows, kSteps);
  ASSERT_EQ(run.ledger.rows(), 200U);
  EXPECT_EQ(run.ledger.index().front(), 0);
  EXPECT_EQ(run.ledger.index()[19], 19);
  EXPECT_EQ(run.ledger.index()[20], (kSteps - 20) / 9);
  EXPECT_EQ(run.ledger.index().back(), kSteps - 1);
  EXPECT_TRUE(
      says(run_page(run, kGenerator), "these are 200 of 6\u202f000 steps, in stretches"));
}

}  // namespace
}  // namespace trestle::report::long_run_page_test
