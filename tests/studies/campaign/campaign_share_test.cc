#include "studies/campaign/campaign_share.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "studies/campaign/campaign_status.h"
#include "studies/campaign/slurm_script.h"
#include "tests/core/journal/temporary_folder.h"

namespace trestle::campaign {
namespace {

using testing::sentence_of;

EnvironmentLookup with(const std::map<std::string, std::string>& variables) {
  return [variables](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt
                                    : std::optional<std::string>(found->second);
  };
}

TEST(CampaignShare, ReadsItsPart) {
  const CampaignShare share = parse_share("3/64", with({}));
  EXPECT_EQ(share.part, 3);
  EXPECT_EQ(share.of, 64);
  EXPECT_EQ(share.stem(), "share-3-of-64");
  EXPECT_EQ(parse_share("1/1", with({})).stem(), "campaign");
  for (const char* wrong : {"", "3", "0/4", "5/4", "a/4", "1/4x", "1/"})
    EXPECT_NE(
        sentence_of([&] { parse_share(wrong, with({})); }).find("must be `array`, or"),
        std::string::npos)
        << wrong;
}

TEST(CampaignShare, HasEachRunOnce) {
  for (const std::int64_t of : {1, 3, 7}) {
    std::int64_t runs = 0;
    for (std::int64_t part = 1; part <= of; ++part)
      runs += CampaignShare{part, of}.count(20);
    EXPECT_EQ(runs, 20) << of;
  }
  EXPECT_EQ((CampaignShare{3, 7}.count(2)), 0);
  EXPECT_EQ((CampaignShare{3, 7}.count(3)), 1);
}

TEST(CampaignShare, IsThatOfItsTaskInAJobArray) {
  std::map<std::string, std::string> array{{"SLURM_ARRAY_TASK_ID", "6"},
                                           {"SLURM_ARRAY_TASK_MIN", "5"},
                                           {"SLURM_ARRAY_TASK_MAX", "8"},
                                           {"SLURM_ARRAY_TASK_COUNT", "4"}};
  EXPECT_EQ(parse_share("array", with(array)).stem(), "share-2-of-4");
  array["SLURM_ARRAY_TASK_MAX"] = "11";  // --array=5-11:2
  EXPECT_NE(sentence_of([&] { parse_share("array", with(array)); }).find("without gaps"),
            std::string::npos);
  EXPECT_NE(sentence_of([&] {
              parse_share("array", with({}));
            }).find("needs a task of a Slurm job array"),
            std::string::npos);
}

TEST(CampaignShare, RefusesSeveralCopiesOfTheWhole) {
  EXPECT_FALSE(several_copies(with({})));
  EXPECT_FALSE(several_copies(with({{"SLURM_STEP_NUM_TASKS", "1"}})));
  EXPECT_TRUE(several_copies(with({{"SLURM_STEP_NUM_TASKS", "2"}})));
}

/// The nominal run, and the first `done` of a share: its second and fourth were unstable,
/// the third was impossible.
std::function<RunNumbers()> runs_of_share(std::int64_t part, std::int64_t of, int done) {
  RunNumbers runs;
  runs.done.insert(0);
  for (int i = 0; i < done; ++i) runs.done.insert(part + i * of);
  runs.unstable = {part + of, part + 3 * of};
  runs.impossible = {part + 2 * of};
  return [runs] {
    return runs;
  };
}

TEST(StatusFile, CountsARunOfTwoSharesOnce) {
  const testing::TemporaryFolder folder;
  const CampaignProgress progress{
      .planned = 5, .done = 5, .unstable = 2, .impossible = 1, .done_now = 5};
  // 1, 3, 5, 7, 9 with 3 and 7 unstable, 5 impossible; 1, 4, 7, 10 with 4 and 10, and 7.
  StatusFile(folder.path(), {1, 2}, runs_of_share(1, 2, 5)).end(progress, true);
  StatusFile(folder.path(), {1, 3}, runs_of_share(1, 3, 4)).end(progress, true);
  const std::vector<CampaignStatus> parts = read_status(folder.path());
  const std::string text = status_text(parts, 10, parts.at(0).updated);
  EXPECT_NE(text.find("all                7 / 10 runs, 4 unstable, 2 impossible\n"),
            std::string::npos)
      << text;
  // Of a campaign with fewer runs than were done.
  const std::string fewer = status_text(parts, 9, parts.at(0).updated);
  EXPECT_NE(fewer.find("all                6 / 9 runs, 3 unstable, 2 impossible\n"),
            std::string::npos)
      << fewer;
}

TEST(StatusFile, IsReadBackPartByPart) {
  const testing::TemporaryFolder folder;
  EXPECT_TRUE(read_status(folder.path()).empty());
  const CampaignProgress progress{
      .planned = 10, .done = 6, .unstable = 2, .impossible = 1, .done_now = 3};
  StatusFile(folder.path(), {2, 3}, runs_of_share(2, 3, 6)).show(progress);
  StatusFile(folder.path(), {1, 3}, runs_of_share(1, 3, 6)).end(progress, true);
  const std::vector<CampaignStatus> parts = read_status(folder.path());
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0].stem, "share-1-of-3");
  EXPECT_EQ(parts[0].state, "complete");
  EXPECT_EQ(parts[1].state, "running");
  EXPECT_EQ(parts[1].progress.unstable, 2);
  EXPECT_EQ(parts[1].runs.done, (std::set<std::int64_t>{2, 5, 8, 11, 14, 17}));
  EXPECT_EQ(parts[1].runs.unstable, (std::set<std::int64_t>{5, 11}));
  EXPECT_EQ(parts[1].runs.impossible, (std::set<std::int64_t>{8}));
  std::vector<CampaignStatus> later = parts;
  later[1].started = later[1].updated - 10.0;
  const std::string text = status_text(later, 30, later[1].updated + 1.0);
  EXPECT_NE(text.find("all                12 / 30 runs, 4 unstable, 2 impossible, "
                      "0.3 a second, 13 s left"),
            std::string::npos)
      << text;
  // Nobody has heard of it: it was killed.
  EXPECT_NE(status_text(later, 30, later[1].updated + 61.0).find("silent for 61 s"),
            std::string::npos);
}

TEST(SlurmRequest, ReadsWhatAJobAsksFor) {
  const SlurmRequest request =
      parse_slurm_request("nodes=4,tasks=48,time=90min,account=ABC-1,partition=normal");
  EXPECT_EQ(request.nodes, 4);
  EXPECT_EQ(request.cores, 48);
  EXPECT_EQ(request.time, "01:30:00");
  EXPECT_EQ(parse_slurm_request("time=2h").time, "02:00:00");
  EXPECT_EQ(parse_slurm_request("time=1-12:00:00").time, "1-12:00:00");
  for (const char* wrong : {"nodes=0", "nodes", "node=1", "time=soon", "account=a b",
                            "tasks=4x", "account=$(id)"})
    EXPECT_NE(sentence_of([&] { parse_slurm_request(wrong); }).find("it is like nodes=4"),
              std::string::npos)
        << wrong;
}

}  // namespace
}  // namespace trestle::campaign
