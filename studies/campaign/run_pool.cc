#include "studies/campaign/run_pool.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "core/yaml/config_error.h"
#include "proto/config/site.pb.h"
#include "proto/config/test.pb.h"
#include "studies/campaign/in_memory_run.h"

namespace trestle::campaign {
namespace {

// Completed runs that nobody has taken: the threads wait for a slow disk, so that little is
// lost if the program is killed.
constexpr std::size_t kMostWaiting = 2;

}  // namespace

RunPool::RunPool(const StudyPlan& plan, std::string test, std::string software,
                 const PoolSettings& work)
    : plan_(plan),
      test_(std::move(test)),
      software_(std::move(software)),
      jobs_(std::max(work.jobs, 1)),
      batches_(work.batches) {}

RunPool::~RunPool() {
  abandon();
}

void RunPool::add(const std::vector<std::int64_t>& runs) {
  const std::lock_guard lock(mutex_);
  if (ending_) return;
  waiting_.insert(waiting_.end(), runs.begin(), runs.end());
  const std::size_t busy = static_cast<std::size_t>(working_) + waiting_.size();
  while (threads_.size() < std::min(static_cast<std::size_t>(jobs_), busy))
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

std::size_t RunPool::wanted() const {
  return static_cast<std::size_t>(jobs_) * static_cast<std::size_t>(batches_.lanes());
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
    const std::vector<std::int64_t> runs = next_runs();
    ++working_;
    lock.unlock();
    bool abandoned = false;
    std::vector<FinishedRun> over;
    std::exception_ptr failure;
    try {
      over = compute(runs, &abandoned);
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    if (failure && !failure_) {
      failure_ = failure;
      failed_run_ = runs.front();
      ending_ = true;
      waiting_.clear();
    } else if (!failure && !abandoned) {
      room_.wait(lock, [&] { return over_.size() < kMostWaiting || ending_; });
      std::move(over.begin(), over.end(), std::back_inserter(over_));
    }
    --working_;
    news_.notify_one();
    room_.notify_all();
  }
}

/// @pre the mutex is held, and a run waits
std::vector<std::int64_t> RunPool::next_runs() {
  // Fair shares near the end, so that no thread is left without work.
  const std::size_t share = (waiting_.size() + static_cast<std::size_t>(jobs_) - 1) /
                            static_cast<std::size_t>(jobs_);
  const std::size_t count =
      std::clamp<std::size_t>(static_cast<std::size_t>(batches_.lanes()), 1, share);
  std::vector<std::int64_t> runs(waiting_.begin(),
                                 waiting_.begin() + static_cast<std::ptrdiff_t>(count));
  waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(count));
  return runs;
}

RunPool::Read RunPool::read(std::int64_t run, const std::vector<std::string>& more) {
  Read one{run, nullptr, {}};
  try {
    std::vector<std::string> overrides = drawn_overrides(plan_, run);
    overrides.insert(overrides.end(), more.begin(), more.end());
    one.setup = composition::load_hybrid_test(
        test_, yaml::parse_command_line_overrides(overrides), software_);
  } catch (const yaml::ConfigError& error) {
    one.reason = error.lines().front();
    return one;
  }
  reference_.serve(*one.setup);
  return one;
}

InMemoryRun RunPool::by_nodes(Read& one, const RunLimits& watch) {
  InMemoryRun done = run_in_memory(*one.setup, watch);
  if (done.stable && !done.abandoned && batches_.is_undecided())
    if (Read again = read(one.run); again.setup)
      batches_.decide(std::move(again.setup), done);
  return done;
}

bool RunPool::needs_its_end(std::int64_t run, const InMemoryRun& done) const {
  return plan_.include_unstable && run != 0 && !done.stable && !done.abandoned &&
         done.report.result != evaluation::RunResult::kComplete;
}

/// A run that ended at a limit, from its beginning to where it ends without one: only then
/// its results hold what it grew to. It counts as unstable for the reason that it had.
InMemoryRun RunPool::without_limits(const Read& one, InMemoryRun ended,
                                    const RunLimits& watch) {
  std::vector<std::string> none;
  for (const config::Site& site : one.setup->test.sites())
    none.push_back("sites." + site.name() + ".limits={}");
  const Read again = read(one.run, none);
  if (!again.setup) return ended;
  InMemoryRun whole = run_in_memory(*again.setup, watch);
  whole.stable = false;
  whole.reason = std::move(ended.reason);
  whole.wall += ended.wall;
  return whole;
}

std::vector<FinishedRun> RunPool::compute(const std::vector<std::int64_t>& runs,
                                          bool* abandoned) {
  const RunLimits watch{.target_limits = target_limits_, .may_continue = [this] {
                          return !ending_;
                        }};
  std::vector<Read> all;
  std::vector<composition::HybridTestSetup*> possible;
  for (const std::int64_t run : runs) {
    all.push_back(read(run));
    if (all.back().setup) possible.push_back(all.back().setup.get());
  }
  std::vector<std::optional<InMemoryRun>> in_lanes(possible.size());
  if (possible.size() > 1) in_lanes = batches_.run(possible, watch);
  std::vector<FinishedRun> over;
  auto in_lane = in_lanes.begin();
  for (Read& one : all) {
    if (!one.setup) {
      over.push_back({one.run, RunOutcome::kInvalid, std::move(one.reason), 0.0, {}, {}});
      continue;
    }
    InMemoryRun done = in_lane->has_value() ? std::move(**in_lane) : by_nodes(one, watch);
    ++in_lane;
    if (needs_its_end(one.run, done)) done = without_limits(one, std::move(done), watch);
    *abandoned = *abandoned || done.abandoned;
    over.push_back({one.run, done.stable ? RunOutcome::kStable : RunOutcome::kUnstable,
                    std::move(done.reason), done.wall, std::move(done.results),
                    std::move(done.largest_targets)});
  }
  return over;
}

}  // namespace trestle::campaign
