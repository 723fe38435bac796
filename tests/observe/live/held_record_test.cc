#include "observe/live/held_record.h"

#include <gtest/gtest.h>

#include <fstream>

#include "core/journal/ring_file.h"
#include "tests/observe/run_folder.h"

namespace trestle::live::held_record_test {
namespace {

const journal::JournalEvent kHolds{TimePoint(std::chrono::milliseconds(3210)), "integrator",
                                   "state", "HOLDING: held by ada@lab: look at the grips"};

void touch(const std::string& path) {
  std::ofstream(path) << '\n';
}

std::optional<HeldRecord> found(const testing::RunFolder& run,
                                const std::optional<journal::JournalEvent>& last) {
  return find_held_record(run.path(), run.file("journal.db"), last);
}

TEST(HeldRecord, SaysWhoHeldItWhenAndHowItIsResumed) {
  const testing::RunFolder run;
  touch(run.file("summary.json"));
  std::optional<HeldRecord> held = found(run, kHolds);
  ASSERT_TRUE(held.has_value());
  EXPECT_EQ(held->sentence(), "Held by ada@lab: look at the grips, at 3.21 s of the test");
  EXPECT_EQ(held->help(), "Resume it: trestle resume " + run.path());
  held->utc_ns = 1795539234866477761;
  EXPECT_EQ(held->sentence(),
            "Held by ada@lab: look at the grips, at 3.21 s of the test, since "
            "2026-11-24T16:53:54Z");
}

TEST(HeldRecord, OffersNoResumeOfATestWhoseTargetASiteRefused) {
  const testing::RunFolder run;
  touch(run.file("summary.json"));
  const auto held = found(
      run,
      journal::JournalEvent{{},
                            "integrator",
                            "state",
                            "HOLDING: site lab refuses: the target is too large at step "
                            "7031. A resume sends the same target again, so the test "
                            "cannot go on: stop it"});
  ASSERT_TRUE(held.has_value());
  EXPECT_EQ(held->help().find("trestle resume"), std::string::npos) << held->help();
  EXPECT_NE(held->help().find("run it again with other limits"), std::string::npos)
      << held->help();
}

TEST(HeldRecord, IsNoneOfAProcessThatWasKilled) {
  const testing::RunFolder run;
  EXPECT_FALSE(found(run, kHolds)) << "no summary: it died while it held";
  touch(run.file("summary.json"));
  touch(journal::RingFile::path_beside(run.file("journal.db")));
  EXPECT_FALSE(found(run, kHolds)) << "its ring file is left";
}

TEST(HeldRecord, IsNoneOfATestThatRanOrEnded) {
  const testing::RunFolder run;
  touch(run.file("summary.json"));
  EXPECT_FALSE(found(run, std::nullopt));
  EXPECT_FALSE(found(run, journal::JournalEvent{{}, "integrator", "state", "RUNNING"}));
  run.set_meta(meta_key::kEnded, "1");
  EXPECT_FALSE(found(run, kHolds));
}

TEST(HeldRecord, OfASiteIsResumedAtTheIntegrator) {
  const testing::RunFolder run;
  run.set_meta(meta_key::kNode, "west");
  const auto held = found(run, journal::JournalEvent{{}, "west", "fault", "rate 401 mm/s"});
  ASSERT_TRUE(held.has_value());
  EXPECT_EQ(held->sentence(), "Held: rate 401 mm/s, at 0.00 s of the test");
  EXPECT_NE(held->help().find("at the integrator: trestle resume"), std::string::npos);
}

}  // namespace
}  // namespace trestle::live::held_record_test
