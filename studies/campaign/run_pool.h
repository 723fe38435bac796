#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "studies/campaign/campaign_store.h"
#include "studies/campaign/shared_reference.h"
#include "studies/campaign/study_plan.h"

namespace trestle::campaign {

/// Computes runs of a campaign on threads of this process, in the order in which they are
/// added.
class RunPool {
 public:
  /// @param test  the effective test, a file that stays as it is meanwhile
  /// @param jobs  threads, at least 1
  RunPool(const StudyPlan& plan, std::string test, std::string software, int jobs);
  /// Runs that are not over are lost.
  ~RunPool();
  RunPool(const RunPool&) = delete;
  RunPool& operator=(const RunPool&) = delete;

  /// From which a drawn run counts as unstable. While no run is being computed.
  void set_target_limits(std::vector<double> limits) { target_limits_ = std::move(limits); }
  void add(std::int64_t run);
  /// What is over, after at most this time.
  /// @throws what a run threw that no draw explains, after all others have ended
  std::vector<FinishedRun> take(std::chrono::milliseconds wait);

  int jobs() const noexcept { return jobs_; }
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
  FinishedRun one(std::int64_t run, bool* abandoned);

  const StudyPlan& plan_;
  std::string test_;
  std::string software_;
  int jobs_;
  std::vector<double> target_limits_;  // [m | rad]
  SharedReference reference_;

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
