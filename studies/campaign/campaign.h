#pragma once

#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "studies/campaign/campaign_share.h"
#include "studies/campaign/campaign_store.h"
#include "studies/campaign/shared_reference.h"
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

/// Runs one test many times with the draws of a plan, on any number of threads. The results
/// depend on neither their number nor the order in which the runs end.
///
/// The nominal run comes first and alone: its targets define when a drawn run counts as
/// unstable.
class Campaign {
 public:
  /// @param test  the effective test, a file that stays as it is meanwhile
  Campaign(const StudyPlan& plan, std::string test, std::string software,
           CampaignStore& store, const CampaignShare& share = {});

  /// Runs what the store does not have of the share yet.
  /// @param jobs     threads, at least 1
  /// @param between  called a few times a second; false: end now, what is not over is lost
  /// @returns true where all runs of the share are in the store
  /// @throws what a run threw that no draw explains; runs that are over stay in the store
  bool run(int jobs, const std::function<bool(const CampaignProgress&)>& between);

  const CampaignProgress& progress() const noexcept { return progress_; }

 private:
  using Between = std::function<bool(const CampaignProgress&)>;

  void conduct(std::vector<std::int64_t> runs, int jobs, const Between& between);
  void work(const std::vector<std::int64_t>& runs);
  FinishedRun one(std::int64_t run, bool* abandoned);
  bool collect(const Between& between);
  void set_limits();
  void end_now();

  const StudyPlan& plan_;
  std::string test_;
  std::string software_;
  CampaignStore& store_;
  CampaignShare share_;
  std::vector<double> target_limits_;  // [m | rad]
  SharedReference reference_;
  CampaignProgress progress_;

  std::atomic<std::size_t> next_{0};
  std::atomic<bool> ending_{false};
  std::mutex mutex_;              // of what follows
  std::condition_variable news_;  // something is over
  std::condition_variable room_;  // for what is over
  std::vector<FinishedRun> over_;
  int working_ = 0;
  std::exception_ptr failure_;
};

}  // namespace trestle::campaign
