#include "studies/campaign/run_pool.h"

#include <algorithm>
#include <utility>

#include "core/yaml/config_error.h"
#include "studies/campaign/in_memory_run.h"

namespace trestle::campaign {
namespace {

// Completed runs that nobody has taken: the threads wait for a slow disk, so that little is
// lost if the program is killed.
constexpr std::size_t kMostWaiting = 2;

}  // namespace

RunPool::RunPool(const StudyPlan& plan, std::string test, std::string software, int jobs)
    : plan_(plan),
      test_(std::move(test)),
      software_(std::move(software)),
      jobs_(std::max(jobs, 1)) {}

RunPool::~RunPool() {
  abandon();
}

void RunPool::add(std::int64_t run) {
  const std::lock_guard lock(mutex_);
  if (ending_) return;
  waiting_.push_back(run);
  const auto busy = static_cast<std::size_t>(working_) + waiting_.size();
  if (threads_.size() < static_cast<std::size_t>(jobs_) && threads_.size() < busy)
    threads_.emplace_back([this] { work(); });
  room_.notify_all();
}

std::vector<FinishedRun> RunPool::take(std::chrono::milliseconds wait) {
  std::vector<FinishedRun> over;
  std::unique_lock lock(mutex_);
  news_.wait_for(lock, wait, [&] { return !over_.empty() || (working_ == 0 && ending_); });
  over.swap(over_);
  room_.notify_all();
  if (over.empty() && working_ == 0 && failure_) std::rethrow_exception(failure_);
  return over;
}

std::size_t RunPool::waiting() const {
  const std::lock_guard lock(mutex_);
  return waiting_.size();
}

bool RunPool::is_idle() const {
  const std::lock_guard lock(mutex_);
  return waiting_.empty() && working_ == 0 && over_.empty();
}

std::int64_t RunPool::failed_run() const {
  const std::lock_guard lock(mutex_);
  return failed_run_;
}

void RunPool::drop_waiting() {
  const std::lock_guard lock(mutex_);
  waiting_.clear();
}

void RunPool::abandon() {
  const std::lock_guard lock(mutex_);
  ending_ = true;
  waiting_.clear();
  room_.notify_all();
}

void RunPool::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    room_.wait(lock, [&] { return ending_ || !waiting_.empty(); });
    if (ending_) return;
    const std::int64_t run = waiting_.front();
    waiting_.pop_front();
    ++working_;
    lock.unlock();
    bool abandoned = false;
    FinishedRun over;
    std::exception_ptr failure;
    try {
      over = one(run, &abandoned);
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    if (failure && !failure_) {
      failure_ = failure;
      failed_run_ = run;
      ending_ = true;
      waiting_.clear();
    } else if (!failure && !abandoned) {
      room_.wait(lock, [&] { return over_.size() < kMostWaiting || ending_; });
      over_.push_back(std::move(over));
    }
    --working_;
    news_.notify_one();
    room_.notify_all();
  }
}

FinishedRun RunPool::one(std::int64_t run, bool* abandoned) {
  std::unique_ptr<composition::HybridTestSetup> setup;
  try {
    setup = composition::load_hybrid_test(
        test_, yaml::parse_command_line_overrides(drawn_overrides(plan_, run)), software_);
  } catch (const yaml::ConfigError& error) {
    return {run, RunOutcome::kInvalid, error.lines().front(), 0.0, {}, {}};
  }
  reference_.serve(*setup);
  InMemoryRun done =
      run_in_memory(*setup, {.target_limits = target_limits_, .may_continue = [this] {
                               return !ending_;
                             }});
  *abandoned = done.abandoned;
  return {run,
          done.stable ? RunOutcome::kStable : RunOutcome::kUnstable,
          std::move(done.reason),
          done.wall,
          std::move(done.results),
          std::move(done.largest_targets)};
}

}  // namespace trestle::campaign
