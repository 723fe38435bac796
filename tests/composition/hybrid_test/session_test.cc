#include <gtest/gtest.h>

#include "tests/composition/hybrid_test/lab_bench.h"

namespace trestle::composition {
namespace {

using std::chrono::seconds;
using testing::Lab;
using testing::lab_settings;

constexpr std::int64_t kSteps = 100;

TEST(SessionOfALab, RunsToItsEndInNoTime) {
  Lab lab(lab_settings(kSteps));
  lab.finish();
  const evaluation::RunReport report = lab.integrator->report();
  EXPECT_EQ(report.result, evaluation::RunResult::kComplete) << report.reason;
  EXPECT_EQ(report.steps_done, kSteps);
  EXPECT_EQ(report.step_max_s, 0.0) << "virtual time stands still";
  EXPECT_EQ(lab.sites[0]->state(), session::SessionState::kConfigured);
}

TEST(SessionOfALab, RecordsTheSameWhateverTheBusLosesOrDoubles) {
  Lab calm(lab_settings(kSteps));
  calm.finish();
  for (unsigned seed = 1; seed <= 20; ++seed) {
    Lab lab(lab_settings(kSteps), true, 0.1, seed);
    lab.finish();
    ASSERT_EQ(lab.integrator->report().result, evaluation::RunResult::kComplete)
        << lab.integrator->report().reason << ", seed " << seed;
    EXPECT_GT(lab.clock.now(), TimePoint(seconds(1))) << "something was lost";
    for (std::size_t i = 0; i < 3; ++i)
      ASSERT_TRUE(same_record(lab.records[i], calm.records[i])) << seed << ", " << i;
  }
}

TEST(SessionOfALab, HoldsTheOtherSiteWithinOneRound) {
  Lab lab(lab_settings(kSteps));
  lab.run_until(10);
  lab.rigs[0].trips_at = lab.rigs[0].reads + 1;
  while (lab.sites[0]->state() != session::SessionState::kFault) lab.round();
  lab.integrator->tick(lab.clock.now());
  lab.sites[1]->tick(lab.clock.now());
  EXPECT_EQ(lab.sites[1]->state(), session::SessionState::kHolding);
  EXPECT_EQ(lab.sites[1]->reason().substr(0, 10), "west: the ");
  lab.finish();
  EXPECT_EQ(lab.integrator->report().result, evaluation::RunResult::kStopped);
  EXPECT_EQ(lab.sites[0]->state(), session::SessionState::kFault);
  EXPECT_EQ(lab.sites[1]->state(), session::SessionState::kConfigured);
}

TEST(SessionOfALab, EndsWhereASiteIsRestarted) {
  Lab lab(lab_settings(kSteps));
  lab.run_until(10);
  lab.start_site(1);
  lab.finish();
  EXPECT_EQ(lab.integrator->report().result, evaluation::RunResult::kSiteLost);
  EXPECT_NE(
      lab.integrator->report().reason.find("site east (in this process) was restarted"),
      std::string::npos)
      << lab.integrator->report().reason;
}

TEST(SessionOfALab, OutlivesItsIntegrator) {
  Lab lab(lab_settings(kSteps));
  lab.run_until(10);
  lab.integrator.reset();
  lab.clock.advance_to(lab.clock.now() + seconds(5));
  for (const auto& site : lab.sites) {
    site->tick(lab.clock.now());
    site->tick(lab.clock.now());
    EXPECT_EQ(site->state(), session::SessionState::kHolding);
  }
  Lab calm(lab_settings(kSteps));
  calm.finish();
  testing::FakeRecorder record;
  lab.integrator = std::make_unique<integrator_node::IntegratorNode>(
      lab_settings(kSteps, 2), lab.substructure, lab.ends[2], record.recording(),
      lab.clock);
  lab.finish();
  EXPECT_EQ(lab.integrator->report().result, evaluation::RunResult::kComplete)
      << lab.integrator->report().reason;
  EXPECT_TRUE(same_record(record, calm.records[2])) << "as if nothing had been before";
}

TEST(SessionOfALab, StopsWhereATargetIsNoNumber) {
  Lab lab(lab_settings(kSteps));
  lab.substructure.spoil_at = 7;
  lab.substructure.spoilt = std::nan("");
  lab.finish();
  EXPECT_EQ(lab.integrator->report().result, evaluation::RunResult::kStopped);
  EXPECT_NE(lab.integrator->report().reason.find("no longer finite at step 7"),
            std::string::npos)
      << lab.integrator->report().reason;
  for (const auto& site : lab.sites)
    EXPECT_EQ(site->state(), session::SessionState::kConfigured) << "nothing was latched";
}

TEST(SessionOfALab, StopsWhereADiskIsFull) {
  for (std::size_t i = 0; i < 3; ++i) {
    Lab lab(lab_settings(kSteps));
    lab.run_until(10);
    lab.records[i].broken = true;
    lab.finish();
    EXPECT_EQ(lab.integrator->report().result, evaluation::RunResult::kStopped);
    EXPECT_NE(lab.integrator->report().reason.find("the disk is full"), std::string::npos);
  }
}

}  // namespace
}  // namespace trestle::composition
