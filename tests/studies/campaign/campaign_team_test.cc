#include "studies/campaign/campaign_team.h"

#include <gtest/gtest.h>

#include <atomic>
#include <fstream>
#include <iterator>
#include <thread>

#include "observe/export/number_table.h"
#include "studies/campaign/campaign.h"
#include "studies/campaign/campaign_tables.h"
#include "studies/campaign/campaign_worker.h"
#include "studies/campaign/run_failure.h"
#include "studies/campaign/study_factory.h"
#include "tests/studies/campaign/memory_ring.h"
#include "tests/studies/campaign/small_study.h"

namespace trestle::campaign {
namespace {

using testing::MemoryRing;
using testing::MessageBoxes;
using testing::sentence_of;
using testing::SmallStudy;

const std::string kDrawnFrequency =
    "  frequency:\n"
    "    paths: ['sites.lab.rig.actuators[0].frequency']\n"
    "    factor: {kind: normal, sd: 10 %}\n";

/// A campaign whose ranks are threads.
class ThreadCampaign {
 public:
  explicit ThreadCampaign(int runs)
      : study_(kDrawnFrequency, "runs: " + std::to_string(runs) + "\n"),
        file_(study_.read()),
        plan(study_plan(file_)),
        identity(study_identity(file_, "test")) {
    study_.write("effective.yaml", file_.test);
  }

  struct Ended {
    bool complete = false;
    bool in_order = false;
    std::vector<CampaignWorker::End> others;
    std::string csv;
    std::int64_t complete_to = -1;
  };

  /// @param silent  the messages that rank 1 sends before it falls silent; negative: all
  Ended run(
      int ranks, int jobs, const std::string& store_name, int silent = -1,
      const Campaign::Between& between = [](const auto&) { return true; }) {
    MessageBoxes boxes(ranks);
    Ended ended;
    ended.others.resize(static_cast<std::size_t>(ranks - 1));
    std::vector<std::jthread> others;
    for (int rank = 1; rank < ranks; ++rank)
      others.emplace_back([&, rank] {
        MemoryRing ring(boxes, rank, rank == 1 ? silent : -1);
        const RankStudy mine = study_on(rank, jobs);
        ended.others[static_cast<std::size_t>(rank - 1)] =
            CampaignWorker(ring, times).serve(mine, [&, rank] {
              return rank == ranks - 1 && stop_on_last_rank;
            });
      });
    MemoryRing ring(boxes, 0);
    CampaignTeam team(ring, times);
    try {
      CampaignStore store(study_.file(store_name), identity);
      Campaign campaign(plan, study_.file("effective.yaml"), "test", store);
      team.greet(identity);
      ended.complete = campaign.run({.jobs = jobs}, between, team);
      ended.csv = table(store);
      ended.complete_to = store.complete_to();
    } catch (...) {
      ended.in_order = team.dismiss();
      in_order_after_failure = ended.in_order;
      throw;
    }
    ended.in_order = team.dismiss();
    EXPECT_EQ(ring.closed, ended.in_order);
    return ended;
  }

  std::size_t stored(const std::string& store_name) const {
    return CampaignStore(study_.file(store_name), identity).finished().size();
  }

 private:
  RankStudy study_on(int rank, int jobs) const {
    RankStudy mine{plan,       identity, study_.file("effective.yaml"),
                   file_.test, "test",   {.jobs = jobs}};
    if (rank == other_test_on) mine.identity.back().second += " changed";
    return mine;
  }

  std::string table(CampaignStore& store) const {
    const std::string file = study_.file("table.csv");
    exports::write_table_csv(campaign_table(plan, store.read(plan.runs), {}), file);
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  SmallStudy study_;
  StudyFile file_;

 public:
  StudyPlan plan;
  CampaignIdentity identity;
  TeamTimes times{.alive = std::chrono::milliseconds{50},
                  .silence = std::chrono::milliseconds{60'000},
                  .grace = std::chrono::milliseconds{10'000}};
  int other_test_on = -1;
  std::atomic<bool> stop_on_last_rank{false};
  bool in_order_after_failure = false;
};

TEST(CampaignTeam, GivesTheSameTableForAnyNumberOfRanksAndThreads) {
  ThreadCampaign campaign(24);
  const std::string alone = campaign.run(1, 1, "alone.db").csv;
  for (const int ranks : {2, 3, 7})
    for (const int jobs : {1, 2}) {
      const std::string name = std::to_string(ranks) + "-" + std::to_string(jobs) + ".db";
      const ThreadCampaign::Ended ended = campaign.run(ranks, jobs, name);
      EXPECT_TRUE(ended.complete);
      EXPECT_TRUE(ended.in_order);
      EXPECT_EQ(ended.complete_to, 24);
      EXPECT_EQ(ended.csv, alone) << ranks << " ranks, " << jobs << " threads";
    }
}

TEST(CampaignTeam, ComesToItsEndAlthoughARankFallsSilentAfterAnyMessage) {
  ThreadCampaign campaign(12);
  const std::string alone = campaign.run(1, 1, "alone.db").csv;
  campaign.times.silence = std::chrono::milliseconds{400};
  bool was_missed = false;
  for (int messages = 0; messages < 12; ++messages) {
    const ThreadCampaign::Ended ended =
        campaign.run(3, 1, std::to_string(messages) + ".db", messages);
    EXPECT_TRUE(ended.complete) << messages;
    EXPECT_EQ(ended.csv, alone) << messages;
    EXPECT_EQ(ended.others[1], ended.in_order ? CampaignWorker::End::kDismissed
                                              : CampaignWorker::End::kRankMissing)
        << messages;
    if (ended.in_order) continue;
    was_missed = true;
    EXPECT_EQ(ended.others[0], CampaignWorker::End::kLeaderLost) << messages;
  }
  EXPECT_TRUE(was_missed);
}

TEST(CampaignTeam, StopsAllRanksWhereOneIsAsked) {
  ThreadCampaign campaign(400);
  campaign.stop_on_last_rank = true;
  const ThreadCampaign::Ended stopped = campaign.run(3, 1, "a.db");
  EXPECT_FALSE(stopped.complete);
  EXPECT_TRUE(stopped.in_order);
  EXPECT_EQ(stopped.complete_to, -1);
  EXPECT_LT(campaign.stored("a.db"), 401u);
}

TEST(CampaignTeam, LetsRunsThatHaveBegunEndWhereAStopIsAsked) {
  ThreadCampaign campaign(400);
  std::int64_t at_stop = 0;
  const ThreadCampaign::Ended stopped =
      campaign.run(2, 2, "a.db", -1, [&](const CampaignProgress& now) {
        if (at_stop == 0 && now.done_now >= 5) at_stop = now.done_now;
        return now.done_now < 5;
      });
  EXPECT_FALSE(stopped.complete);
  EXPECT_TRUE(stopped.in_order);
  // The nominal one, those before, and at least one of the four that had begun.
  EXPECT_GT(campaign.stored("a.db"), static_cast<std::size_t>(at_stop + 1));
}

TEST(CampaignTeam, StartsNothingWhereARankHasAnotherCampaign) {
  ThreadCampaign campaign(4);
  campaign.other_test_on = 2;
  const std::string sentence = sentence_of([&] { campaign.run(3, 1, "a.db"); });
  EXPECT_EQ(sentence.find("rank 2 on "), 0u) << sentence;
  EXPECT_NE(sentence.find("has another campaign than rank 0 (the " +
                          campaign.identity.back().first),
            std::string::npos)
      << sentence;
  EXPECT_TRUE(campaign.in_order_after_failure);
  EXPECT_EQ(campaign.stored("a.db"), 0u);
}

TEST(CampaignTeam, SaysWhichRunFailedOnWhichHost) {
  MessageBoxes boxes(3);
  MemoryRing first(boxes, 0);
  MemoryRing third(boxes, 2);
  CampaignTeam team(first, {});
  third.send(0, RankMessageWriter(MessageKind::kFailed)
                    .whole(17)
                    .text("no memory")
                    .text("node7")
                    .take());
  try {
    team.listen();
    FAIL() << "it says nothing";
  } catch (const RunFailure& failure) {
    EXPECT_STREQ(failure.what(), "run 17 failed on node7 (rank 2): no memory");
  }
}

TEST(CampaignTeam, KeepsWhatIsOverWhereRankZeroFails) {
  ThreadCampaign campaign(200);
  const std::string sentence = sentence_of([&] {
    campaign.run(3, 1, "a.db", -1, [](const CampaignProgress& now) {
      if (now.done_now >= 5) throw std::runtime_error("the disk is full");
      return true;
    });
  });
  EXPECT_EQ(sentence, "the disk is full");
  EXPECT_TRUE(campaign.in_order_after_failure);
  EXPECT_GE(campaign.stored("a.db"), 6u);
  EXPECT_LT(campaign.stored("a.db"), 201u);
}

}  // namespace
}  // namespace trestle::campaign
