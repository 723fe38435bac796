#include "studies/campaign/campaign.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "core/yaml/config_error.h"
#include "studies/campaign/in_memory_run.h"

namespace trestle::campaign {
namespace {

constexpr std::chrono::milliseconds kLook{100};
// Completed runs that are not stored yet: the threads wait for a slow disk, so that little
// is lost if the program is killed.
constexpr std::size_t kMostWaiting = 2;

}  // namespace

Campaign::Campaign(const StudyPlan& plan, std::string test, std::string software,
                   CampaignStore& store, const CampaignShare& share)
    : plan_(plan),
      test_(std::move(test)),
      software_(std::move(software)),
      store_(store),
      share_(share) {}

bool Campaign::run(int jobs, const Between& between) {
  progress_ = {.planned = share_.count(plan_.runs),
               .done = 0,
               .unstable = store_.count(RunOutcome::kUnstable, plan_.runs),
               .impossible = store_.count(RunOutcome::kInvalid, plan_.runs),
               .done_now = 0};
  std::vector<std::int64_t> runs;
  for (std::int64_t run = share_.part; run <= plan_.runs; run += share_.of)
    if (store_.finished().contains(run))
      ++progress_.done;
    else
      runs.push_back(run);
  if (!store_.finished().contains(0)) conduct({0}, 1, between);
  if (!ending_) {
    set_limits();
    conduct(std::move(runs), jobs, between);
  }
  return !ending_;
}

/// Targets of the nominal run, if it was stable, times the factor of the plan.
void Campaign::set_limits() {
  const CampaignRecord nominal = store_.read(0);
  if (nominal.runs.empty() || nominal.runs.front().outcome != RunOutcome::kStable) return;
  for (const double largest : nominal.runs.front().largest_targets)
    target_limits_.push_back(largest * plan_.unstable_above);
}

void Campaign::conduct(std::vector<std::int64_t> runs, int jobs, const Between& between) {
  next_ = 0;
  working_ = static_cast<int>(
      std::min<std::size_t>(static_cast<std::size_t>(std::max(jobs, 1)), runs.size()));
  std::vector<std::jthread> threads;
  for (int i = working_; i > 0; --i) threads.emplace_back([&] { work(runs); });
  try {
    while (collect(between)) {
    }
  } catch (...) {
    end_now();  // before the threads are waited for
    throw;
  }
  threads.clear();
  const std::lock_guard lock(mutex_);
  if (failure_) std::rethrow_exception(failure_);
}

/// Stores completed runs as they arrive.
/// @returns false when all threads have ended
bool Campaign::collect(const Between& between) {
  std::vector<FinishedRun> over;
  bool anybody = false;
  {
    std::unique_lock lock(mutex_);
    news_.wait_for(lock, kLook, [&] { return !over_.empty() || working_ == 0; });
    over.swap(over_);
    anybody = working_ > 0;
    room_.notify_all();
  }
  for (const FinishedRun& run : over) {
    store_.add(run);
    if (run.run == 0) continue;
    ++progress_.done;
    ++progress_.done_now;
    if (run.outcome == RunOutcome::kUnstable) ++progress_.unstable;
    if (run.outcome == RunOutcome::kInvalid) ++progress_.impossible;
  }
  if (!between(progress_)) end_now();
  return anybody;
}

void Campaign::end_now() {
  const std::lock_guard lock(mutex_);
  ending_ = true;
  room_.notify_all();
}

void Campaign::work(const std::vector<std::int64_t>& runs) {
  std::exception_ptr failure;
  try {
    for (std::size_t at = next_++; at < runs.size() && !ending_; at = next_++) {
      bool abandoned = false;
      FinishedRun run = one(runs[at], &abandoned);
      if (abandoned) break;
      std::unique_lock lock(mutex_);
      room_.wait(lock, [&] { return over_.size() < kMostWaiting || ending_; });
      over_.push_back(std::move(run));
      news_.notify_one();
    }
  } catch (...) {
    failure = std::current_exception();
    end_now();
  }
  const std::lock_guard lock(mutex_);
  if (failure) failure_ = failure;
  --working_;
  news_.notify_one();
}

FinishedRun Campaign::one(std::int64_t run, bool* abandoned) {
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
