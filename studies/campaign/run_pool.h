#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "studies/campaign/batch_runner.h"
#include "studies/campaign/campaign_store.h"
#include "studies/campaign/shared_reference.h"
#include "studies/campaign/study_plan.h"

namespace trestle::campaign {

struct PoolSettings {
  int jobs = 1;         ///< threads, at least 1
  bool batches = true;  ///< many runs in the lanes of one core, where they can
};

/// Computes runs of a campaign on threads of this process, in the order in which they are
/// added.
class RunPool {
 public:
  /// @param test  the effective test, a file that stays as it is meanwhile
  /// @param work  threads, and whether they compute batches
  RunPool(const StudyPlan& plan, std::string test, std::string software,
          const PoolSettings& work);
  /// Runs that are not over are lost.
  ~RunPool();
  RunPool(const RunPool&) = delete;
  RunPool& operator=(const RunPool&) = delete;

  /// From which a drawn run counts as unstable. While no run is being computed.
  void set_target_limits(std::vector<double> limits) { target_limits_ = std::move(limits); }
  void add(const std::vector<std::int64_t>& runs);
  /// What is over, after at most this time.
  /// @throws what a run threw that no draw explains, after all others have ended
  std::vector<FinishedRun> take(std::chrono::milliseconds wait);

  /// Runs that should wait, so that no thread does.
  std::size_t wanted() const;
  BatchCounts batches() const { return batches_.counts(); }
  /// Runs that no thread has begun.
  std::size_t waiting() const;
  /// Nothing is waiting, computed or ready to be taken.
  bool is_idle() const;
  /// The run that take() threw for.
  std::int64_t failed_run() const;
  /// Runs that wait are forgotten; those that have begun go on.
  void drop_waiting();
  /// All runs are forgotten, those that have begun as well.
  void abandon();

 private:
  void work();
  /// A run that was read, or the reason why it cannot be.
  struct Read {
    std::int64_t run = 0;
    std::unique_ptr<composition::HybridTestSetup> setup;  // null: impossible
    std::string reason;
  };

  /// @param more  overrides beside those that are drawn
  Read read(std::int64_t run, const std::vector<std::string>& more = {});
  std::vector<FinishedRun> compute(const std::vector<std::int64_t>& runs, bool* abandoned);
  InMemoryRun by_nodes(Read& one, const RunLimits& watch);
  bool needs_its_end(std::int64_t run, const InMemoryRun& done) const;
  InMemoryRun without_limits(const Read& one, InMemoryRun ended, const RunLimits& watch);
  std::vector<std::int64_t> next_runs();

  const StudyPlan& plan_;
  std::string test_;
  std::string software_;
  int jobs_;
  std::vector<double> target_limits_;  // [m | rad]
  SharedReference reference_;
  BatchRunner batches_;

  std::atomic<bool> ending_{false};
  mutable std::mutex mutex_;      // of what follows
  std::condition_variable news_;  // something is over
  std::condition_variable room_;  // for what is over, or there is something to do
  std::deque<std::int64_t> waiting_;
  std::vector<FinishedRun> over_;
  int working_ = 0;
  std::exception_ptr failure_;
  std::int64_t failed_run_ = 0;
  std::vector<std::jthread> threads_;  // last, so that they end first
};

}  // namespace trestle::campaign
