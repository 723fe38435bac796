#include "studies/campaign/campaign_merge.h"

#include <gtest/gtest.h>

#include <limits>

#include "tests/core/journal/temporary_folder.h"

namespace trestle::campaign {
namespace {

using testing::sentence_of;
using testing::TemporaryFolder;

const CampaignStore::CampaignIdentity kOneStudy{{"seed", "1"}};

FinishedRun stored_run(std::int64_t run, double value) {
  return {run, RunOutcome::kStable, "", 0.5, {{"x", 1.0}, {"y", value}}, {0.25}};
}

class CampaignMerge : public ::testing::Test {
 protected:
  std::string store(const std::string& name, const std::vector<FinishedRun>& runs) const {
    CampaignStore made(folder_.file(name), kOneStudy);
    for (const FinishedRun& run : runs) made.add(run);
    return folder_.file(name);
  }
  std::string merge_error() const {
    return sentence_of([&] { merge(); });
  }
  CampaignRecord merge(std::int64_t last = 9) const {
    CampaignStore whole(whole_, kOneStudy);
    merge_stores(whole, whole_, share_files(folder_.path()), kOneStudy, last);
    return whole.read(last);
  }
  TemporaryFolder folder_;
  std::string whole_ = folder_.file("campaign.db");
};

TEST_F(CampaignMerge, JoinsSharesToTheRecordOfOneProcess) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  FinishedRun odd = stored_run(3, 3.0);
  odd.results.push_back({"z", 7.0});
  const FinishedRun nominal{0,   RunOutcome::kStable,        "",
                            1.0, {{"y", 9.0}, {"x", kNone}}, {0.1}};
  std::vector<CampaignRecord> records;
  {
    CampaignStore alone(folder_.file("alone.db"), kOneStudy);
    for (const FinishedRun& run : {nominal, stored_run(1, 1.0), stored_run(2, -0.0), odd})
      alone.add(run);
    records.push_back(alone.read(9));
  }
  store("share-1-of-2.db", {nominal, stored_run(1, 1.0), odd});
  store("share-2-of-2.db", {nominal, stored_run(2, -0.0)});
  records.push_back(merge());
  records.push_back(merge());  // again: nothing changes
  for (const CampaignRecord& record : records) {
    EXPECT_EQ(record.names, records[0].names);
    ASSERT_EQ(record.runs.size(), 4u);
    EXPECT_TRUE(std::signbit(record.runs[2].values[0]));
    EXPECT_EQ(record.runs[3].values, records[0].runs[3].values);
    EXPECT_EQ(record.runs[1].largest_targets, std::vector<double>{0.25});
  }
  EXPECT_EQ(records[0].names, (std::vector<std::string>{"y", "x", "z"}));
}

TEST_F(CampaignMerge, TakesARunThatIsThereTwiceWithTheSameBitsAsOne) {
  store("share-1-of-2.db", {stored_run(0, 1.0), stored_run(1, 2.0)});
  FinishedRun slower = stored_run(1, 2.0);
  slower.wall = 5.0;
  store("share-1-of-3.db", {stored_run(0, 1.0), slower});
  EXPECT_EQ(merge().runs.size(), 2u);
}

TEST_F(CampaignMerge, NamesARunThatContradictsItself) {
  const std::string first =
      store("share-1-of-2.db", {stored_run(0, 1.0), stored_run(1, 2.0)});
  const std::string second =
      store("share-1-of-3.db", {stored_run(0, 1.0), stored_run(1, 2.5)});
  const std::string error = merge_error();
  EXPECT_EQ(error.find("run 1 is in " + first + " and in " + second +
                       " with other results: y is 2 in the first and 2.5 in the second"),
            0u)
      << error;
  EXPECT_EQ(merge_error().find("run 1 is in " + whole_ + " and in " + second), 0u);
}

TEST_F(CampaignMerge, SaysWhichRunsAreMissing) {
  store("share-1-of-2.db", {stored_run(0, 1.0), stored_run(1, 1.0), stored_run(5, 1.0)});
  merge();
  const CampaignStore whole(whole_, kOneStudy);
  std::int64_t count = 0;
  EXPECT_EQ(missing_runs(whole, 9, count), "2 to 4, 6 to 9");
  EXPECT_EQ(count, 7);
  EXPECT_EQ(missing_runs(whole, 1, count), "");
}

TEST_F(CampaignMerge, RefusesAShareOfAnotherCampaign) {
  { const CampaignStore other(folder_.file("share-1-of-2.db"), {{"seed", "2"}}); }
  EXPECT_NE(merge_error().find("share-1-of-2.db holds runs of another campaign"),
            std::string::npos);
}

}  // namespace
}  // namespace trestle::campaign
