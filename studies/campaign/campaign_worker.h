#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "studies/campaign/campaign_identity.h"
#include "studies/campaign/campaign_team.h"
#include "studies/campaign/run_messages.h"
#include "studies/campaign/run_pool.h"
#include "studies/campaign/study_plan.h"
#include "studies/cluster/task_ring.h"

namespace trestle::campaign {

/// What a rank read by itself, to be compared with what rank 0 has.
struct RankStudy {
  StudyPlan plan;
  CampaignIdentity identity;
  std::string test_file;  ///< that rank 0 writes
  std::string test;       ///< what must be in it
  std::string software;
  PoolSettings work;
};

/// A rank of a campaign that is not rank 0: computes what it is given, and writes nothing.
class CampaignWorker {
 public:
  enum class End {
    kDismissed,    ///< by rank 0: all ranks end in order
    kRankMissing,  ///< by rank 0, but a rank is missing, for which MPI would wait
    kLeaderLost,   ///< rank 0 is silent
  };

  CampaignWorker(cluster::TaskRing& ring, const TeamTimes& times);

  /// Serves rank 0 to the end.
  /// @param study       outlives the call
  /// @param stop_asked  asked now and then: a signal came
  End serve(const RankStudy& study, const std::function<bool()>& stop_asked);
  /// The study cannot be read here: says so, and waits for the end.
  End refuse(const std::string& sentence);

 private:
  using Time = std::chrono::steady_clock::time_point;

  End loop(const std::function<bool()>& stop_asked);
  void hear(const std::string& message);
  void compare(const CampaignIdentity& leader);
  void send_refusal(const std::string& sentence);
  void compute();
  void sign(Time now);
  bool is_over(Time now);
  End wait_for_end();

  cluster::TaskRing& ring_;
  TeamTimes times_;
  const RankStudy* study_ = nullptr;
  std::unique_ptr<RunPool> pool_;  // once rank 0 has the same campaign
  ResultWriter results_;
  bool has_limits_ = false;
  bool asking_ = false;
  bool stop_said_ = false;
  Time heard_;   // of rank 0
  Time signed_;  // that this rank is alive
  Time turned_;  // the loop, last
  std::optional<Time> end_by_;
};

}  // namespace trestle::campaign
