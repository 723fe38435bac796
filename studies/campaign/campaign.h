#pragma once

#include <functional>
#include <string>
#include <vector>

#include "studies/campaign/campaign_share.h"
#include "studies/campaign/campaign_store.h"
#include "studies/campaign/campaign_team.h"
#include "studies/campaign/run_pool.h"
#include "studies/campaign/study_plan.h"

namespace trestle::campaign {

/// How far a campaign is; the nominal run is not counted.
struct CampaignProgress {
  std::int64_t planned = 0;
  std::int64_t done = 0;  ///< those of an earlier start included
  std::int64_t unstable = 0;
  std::int64_t impossible = 0;
  std::int64_t done_now = 0;  ///< since this start
};

/// Runs one test many times with the draws of a plan, on any number of threads and ranks.
/// The results depend on neither their number nor the order in which the runs end. Rank 0
/// has this object, and alone writes.
///
/// The nominal run comes first and alone: its targets define when a drawn run counts as
/// unstable.
class Campaign {
 public:
  /// Called often; false: end now.
  using Between = std::function<bool(const CampaignProgress&)>;

  /// @param test  the effective test, a file that stays as it is meanwhile
  Campaign(const StudyPlan& plan, std::string test, std::string software,
           CampaignStore& store, const CampaignShare& share = {});

  /// Runs what the store does not have of the share yet, in this process alone.
  /// @param work     threads, and whether they compute batches
  /// @param between  false: what is not over is lost
  /// @returns true where all runs of the share are in the store
  /// @throws RunFailure where a run threw what no draw explains, or the store could not be
  ///         written any more; runs that it has stay in it
  bool run(const PoolSettings& work, const Between& between);
  /// The same with all ranks of a team, which was greeted.
  bool run(const PoolSettings& work, const Between& between, CampaignTeam& team);

  const CampaignProgress& progress() const noexcept { return progress_; }
  /// Of the runs that this process computed, once run() is over.
  const BatchCounts& batches() const noexcept { return batches_; }
  /// How many those are, the nominal run not counted.
  std::int64_t computed_here() const noexcept { return computed_here_; }

 private:
  /// What computes, and what it is asked between.
  struct Workshop {
    RunPool& pool;
    CampaignTeam& team;
    const Between& between;
  };

  bool run_and_store(const PoolSettings& work, const Between& between, CampaignTeam& team);
  std::vector<std::int64_t> missing_runs();
  std::vector<double> target_limits(const CampaignRecord& nominal) const;
  void keep(const FinishedRun& run);
  std::string growth_of(const FinishedRun& run) const;
  std::vector<FinishedRun> over_here(const Workshop& shop);
  bool turn(const Workshop& shop);
  bool conduct(const Workshop& shop);
  void end_early(const Workshop& shop);

  const StudyPlan& plan_;
  std::string test_;
  std::string software_;
  CampaignStore& store_;
  CampaignShare share_;
  std::vector<double> limits_;  // of the targets, above which a run counts as unstable
  CampaignProgress progress_;
  BatchCounts batches_;
  std::int64_t computed_here_ = 0;
};

}  // namespace trestle::campaign
