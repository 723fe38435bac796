#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdlib>

#include "studies/campaign/campaign.h"
#include "studies/lanes/lane_library.h"
#include "tests/studies/campaign/small_study.h"

namespace trestle::campaign {
namespace {

using testing::kSmallTest;
using testing::SmallStudy;

/// Two seconds of the multi-axial benchmark, its plant drawn: all poles and zeros of one
/// entry, and the pair that all entries share.
const std::string kPlant =
    "  pole:\n"
    "    paths:\n"
    "      - sites.bay.rig.transfer_matrix.entries[0].poles[2]\n"
    "      - sites.bay.rig.transfer_matrix.entries[1].poles[2]\n"
    "    factor: {kind: normal, sd: 30 %}\n"
    "  zero:\n"
    "    paths: sites.bay.rig.transfer_matrix.entries[3].zeros[0]\n"
    "    factor: {kind: normal, sd: 30 %}\n";

std::string benchmark(const std::string& method) {
  return "include: " + std::string(TRESTLE_SOURCE_DIR) + "/examples/marths/" + method +
         ".yaml\nduration: 2 s\n";
}

struct Outcome {
  CampaignRecord record;
  BatchCounts counts;
};

Outcome run(const SmallStudy& study, const PoolSettings& work,
            const std::string& store_name, const std::vector<std::string>& overrides = {}) {
  const StudyFile file = study.read(overrides);
  const StudyPlan plan = study_plan(file);
  study.write("effective.yaml", file.test);
  CampaignStore store(study.file(store_name), study_identity(file, "test"));
  Campaign campaign(plan, study.file("effective.yaml"), "test", store);
  EXPECT_TRUE(campaign.run(work, [](const CampaignProgress&) { return true; }));
  return {store.read(plan.runs), campaign.batches()};
}

void expect_same_bits(const CampaignRecord& one, const CampaignRecord& other) {
  ASSERT_EQ(one.names, other.names);
  ASSERT_EQ(one.runs.size(), other.runs.size());
  for (std::size_t run = 0; run < one.runs.size(); ++run) {
    const StoredRun& a = one.runs[run];
    const StoredRun& b = other.runs[run];
    EXPECT_EQ(a.outcome, b.outcome) << "run " << a.run;
    EXPECT_EQ(a.reason, b.reason) << "run " << a.run;
    EXPECT_EQ(a.largest_targets, b.largest_targets) << "run " << a.run;
    ASSERT_EQ(a.values.size(), b.values.size()) << "run " << a.run;
    for (std::size_t i = 0; i < a.values.size(); ++i)
      EXPECT_EQ(std::bit_cast<std::uint64_t>(a.values[i]),
                std::bit_cast<std::uint64_t>(b.values[i]))
          << "run " << a.run << ", " << one.names[i] << ": " << a.values[i] << " and "
          << b.values[i];
  }
}

/// With each module that this processor can compute, whichever a campaign would take.
class CampaignBatch : public ::testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    std::string why;
    if (lanes::LaneLibrary::load(GetParam(), why) == nullptr) GTEST_SKIP() << why;
    setenv("TRESTLE_LANES", std::to_string(GetParam()).c_str(), 1);
  }
  void TearDown() override { unsetenv("TRESTLE_LANES"); }
};

INSTANTIATE_TEST_SUITE_P(Lanes, CampaignBatch, ::testing::Values(4, 8));

TEST_P(CampaignBatch, EachLaneHasTheBitsOfARunOfItsOwn) {
  const SmallStudy study(kPlant, "runs: 19\n", benchmark("none"));
  const Outcome alone = run(study, {.jobs = 1, .batches = false}, "alone.db");
  EXPECT_EQ(alone.counts.by_lanes, 0);
  const Outcome lanes = run(study, {.jobs = 1}, "lanes.db");
  EXPECT_EQ(lanes.counts.reason, "");
  EXPECT_EQ(lanes.counts.lanes, GetParam());
  EXPECT_GE(lanes.counts.by_lanes, 16);
  EXPECT_EQ(lanes.counts.repeated, 0);
  expect_same_bits(alone.record, lanes.record);
}

TEST_P(CampaignBatch, RepeatsALaneThatTripsAndDisturbsNoOther) {
  const SmallStudy study(kPlant, "runs: 24\n", benchmark("none"));
  // Between the largest drives of the draws.
  const std::vector<std::string> limits{"sites.bay.limits.actuators[0].force=4.1 kN"};
  const Outcome alone = run(study, {.jobs = 1, .batches = false}, "alone.db", limits);
  const Outcome lanes = run(study, {.jobs = 2}, "lanes.db", limits);
  EXPECT_GT(lanes.counts.by_lanes, 0) << lanes.counts.reason;
  EXPECT_GT(lanes.counts.repeated, 0);
  expect_same_bits(alone.record, lanes.record);
}

TEST_P(CampaignBatch, RepeatsALaneWhoseTargetGrowsBeyondItsLimit) {
  const SmallStudy study(kPlant, "runs: 24\nunstable_above: 1.001\n", benchmark("none"));
  const Outcome alone = run(study, {.jobs = 1, .batches = false}, "alone.db");
  const Outcome lanes = run(study, {.jobs = 1}, "lanes.db");
  EXPECT_GT(lanes.counts.by_lanes, 0) << lanes.counts.reason;
  EXPECT_GT(lanes.counts.repeated, 0);
  expect_same_bits(alone.record, lanes.record);
}

/// Of the eleven runs the third cannot be, and the fifth trips, and goes with the others as
/// ballast.
TEST_P(CampaignBatch, LetsAnImpossibleDrawAndOneThatTripsDisturbNoOther) {
  const SmallStudy study(kPlant +
                             "  force:\n"
                             "    paths: sites.bay.limits.actuators[0].force\n"
                             "    factor: {kind: normal, sd: 10 %}\n",
                         "design: {kind: file, samples: samples.csv}\n", benchmark("none"));
  study.write("samples.csv",
              "pole,zero,force\n1,1,1\n1.1,1,1\n1,1,-1\n0.9,1,1\n-30,1,1\n0.95,1,1\n"
              "1,1.1,1\n1.05,1,1\n1.2,1,1\n0.9,0.9,1\n1,1,1\n");
  const std::vector<std::string> limit{"sites.bay.limits.actuators[0].force=500 kN"};
  const Outcome alone = run(study, {.jobs = 1, .batches = false}, "alone.db", limit);
  const Outcome lanes = run(study, {.jobs = 1}, "lanes.db", limit);
  ASSERT_EQ(alone.record.runs.size(), 12u);
  EXPECT_EQ(alone.record.runs[3].outcome, RunOutcome::kInvalid);
  EXPECT_EQ(alone.record.runs[5].outcome, RunOutcome::kUnstable);
  EXPECT_GE(lanes.counts.by_lanes, 8) << lanes.counts.reason;
  EXPECT_EQ(lanes.counts.repeated, 1);
  expect_same_bits(alone.record, lanes.record);
}

TEST_P(CampaignBatch, KeepsTheCompensatorsOfItsLanesApart) {
  for (const char* method : {"ats", "narx", "narx_case04", "narx_case14"}) {
    const SmallStudy study(kPlant, "runs: 10\n", benchmark(method));
    const Outcome alone = run(study, {.jobs = 1, .batches = false}, "alone.db");
    const Outcome lanes = run(study, {.jobs = 1}, "lanes.db");
    EXPECT_GE(lanes.counts.by_lanes + lanes.counts.repeated, 8)
        << method << ": " << lanes.counts.reason;
    expect_same_bits(alone.record, lanes.record);
  }
}

/// What they learn in silence is noise: one method rests there, the other learns on.
TEST_P(CampaignBatch, LetsEachLaneRestInSilence) {
  const std::vector<std::string> shaking{"excitation.synthetic.duration=2 s",
                                         "duration=14 s"};
  for (const char* method : {"narx", "narx_case04"}) {
    const SmallStudy study(kPlant, "runs: 9\n", benchmark(method));
    const Outcome alone = run(study, {.jobs = 1, .batches = false}, "alone.db", shaking);
    const Outcome lanes = run(study, {.jobs = 1}, "lanes.db", shaking);
    EXPECT_GT(lanes.counts.by_lanes, 0) << method << ": " << lanes.counts.reason;
    expect_same_bits(alone.record, lanes.record);
  }
}

/// Four taps and a filter of one section have as many numbers as two taps and two sections.
TEST_P(CampaignBatch, SharesNoLayoutBetweenTapsAndFilters) {
  const SmallStudy study(
      "  order: {paths: sites.bay.compensator.order}\n"
      "  filter: {paths: sites.bay.compensator.filter.order}\n",
      "design: {kind: file, samples: samples.csv}\n", benchmark("narx"));
  study.write("samples.csv",
              "order,filter\n3,2\n1,4\n3,2\n1,4\n3,2\n1,4\n3,2\n1,4\n3,2\n1,4\n");
  const std::vector<std::string> nominal{
      "sites.bay.compensator.order=3",
      "sites.bay.compensator.filter={frequency: 6 Hz, order: 2}"};
  const Outcome alone = run(study, {.jobs = 1, .batches = false}, "alone.db", nominal);
  const Outcome lanes = run(study, {.jobs = 1}, "lanes.db", nominal);
  EXPECT_GT(lanes.counts.by_lanes, 0) << lanes.counts.reason;
  expect_same_bits(alone.record, lanes.record);
}

TEST_P(CampaignBatch, SaysWhyATestIsNotForLanes) {
  const SmallStudy study(
      "  frequency:\n"
      "    paths: ['sites.lab.rig.actuators[0].frequency']\n"
      "    factor: {kind: normal, sd: 10 %}\n");
  const Outcome ended = run(study, {.jobs = 1}, "c.db");
  EXPECT_EQ(batches_text(ended.counts, 6),
            "batches      0 of 6 runs; the nodes compute the others because its integrator "
            "is not "
            "constant-average-acceleration with site_force: of-last-step");
}

}  // namespace
}  // namespace trestle::campaign
