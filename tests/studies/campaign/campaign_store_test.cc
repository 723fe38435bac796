#include "studies/campaign/campaign_store.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/core/journal/temporary_folder.h"

namespace trestle::campaign {
namespace {

using testing::sentence_of;
using testing::TemporaryFolder;

const CampaignStore::CampaignIdentity kIdentity{{"seed", "1"}, {"test", "aa"}};

FinishedRun finished(std::int64_t run, Results results,
                     RunOutcome outcome = RunOutcome::kStable) {
  return {run,
          outcome,
          outcome == RunOutcome::kStable ? "" : "because",
          0.5,
          std::move(results),
          {}};
}

TEST(CampaignStore, GivesRunsBackInTheirOrderWhicheverCameFirst) {
  const TemporaryFolder folder;
  {
    CampaignStore store(folder.file("c.db"), kIdentity);
    store.add(finished(0, {{"b", 1.0}, {"a", 2.0}}));
    store.add(finished(2, {{"b", 0.1}, {"z", 4.0}, {"y", 1.0 / 3.0}}));
    store.add(finished(1, {{"a", -0.0}}, RunOutcome::kUnstable));
  }
  CampaignStore store(folder.file("c.db"), kIdentity);
  EXPECT_EQ(store.finished(), (std::set<std::int64_t>{0, 1, 2}));
  EXPECT_EQ(store.count(RunOutcome::kUnstable, 2), 1);
  const CampaignRecord record = store.read(2);
  EXPECT_EQ(record.names, (std::vector<std::string>{"b", "a", "y", "z"}));
  ASSERT_EQ(record.runs.size(), 3u);
  EXPECT_EQ(record.runs[1].run, 1);
  EXPECT_EQ(record.runs[1].reason, "because");
  EXPECT_TRUE(std::isnan(record.runs[1].values[0]));
  EXPECT_TRUE(std::signbit(record.runs[1].values[1]));
  EXPECT_EQ(record.runs[2].values[2], 1.0 / 3.0);
  EXPECT_EQ(record.runs[2].wall, 0.5);
  EXPECT_EQ(store.read(1).runs.size(), 2u);
}

TEST(CampaignStore, RefusesAnotherCampaignAndSaysWhatDiffers) {
  const TemporaryFolder folder;
  { const CampaignStore store(folder.file("c.db"), kIdentity); }
  EXPECT_EQ(sentence_of([&] {
              CampaignStore(folder.file("c.db"), {{"seed", "2"}, {"test", "bb"}});
            }),
            folder.file("c.db") +
                " holds runs of another campaign (the seed was 1 and is 2, the test is "
                "another), which cannot stand in one table with these; name another folder "
                "with --out");
  { const CampaignStore store(folder.file("c.db"), kIdentity); }
}

}  // namespace
}  // namespace trestle::campaign
