#include "studies/campaign/campaign.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <utility>

#include "core/journal/sqlite_error.h"
#include "studies/campaign/run_failure.h"
#include "studies/cluster/task_ring.h"

namespace trestle::campaign {
namespace {

// Between two looks at what else there is to do, while no run ends. Other ranks are looked
// for more often.
constexpr std::chrono::milliseconds kLookAlone{100};
constexpr std::chrono::milliseconds kLookInTeam{1};

}  // namespace

Campaign::Campaign(const StudyPlan& plan, std::string test, std::string software,
                   CampaignStore& store, const CampaignShare& share)
    : plan_(plan),
      test_(std::move(test)),
      software_(std::move(software)),
      store_(store),
      share_(share) {}

bool Campaign::run(const PoolSettings& work, const Between& between) {
  cluster::SoleRing alone;
  CampaignTeam team(alone, {});
  return run(work, between, team);
}

/// The store was opened before: that it fails now, of a full disk for one, refuses nothing.
bool Campaign::run(const PoolSettings& work, const Between& between, CampaignTeam& team) {
  try {
    return run_and_store(work, between, team);
  } catch (const journal::SqliteError& error) {
    throw RunFailure(error.what());
  }
}

bool Campaign::run_and_store(const PoolSettings& work, const Between& between,
                             CampaignTeam& team) {
  RunPool pool(plan_, test_, software_, work);
  const Workshop shop{pool, team, between};
  bool complete = false;
  try {
    complete = conduct(shop);
  } catch (...) {
    store_.commit();
    throw;
  }
  batches_ = pool.batches();
  if (!complete) end_early(shop);
  store_.commit();
  return complete;
}

std::vector<std::int64_t> Campaign::missing_runs() {
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
  return runs;
}

/// Targets of the nominal run, if it was stable, times the factor of the plan.
std::vector<double> Campaign::target_limits(const CampaignRecord& nominal) const {
  std::vector<double> limits;
  if (nominal.runs.front().outcome != RunOutcome::kStable) return limits;
  for (const double largest : nominal.runs.front().largest_targets)
    limits.push_back(largest * plan_.unstable_above);
  return limits;
}

bool Campaign::conduct(const Workshop& shop) {
  auto& [pool, team, between] = shop;
  const std::vector<std::int64_t> runs = missing_runs();
  while (!team.is_assembled())
    if (!turn(shop)) return false;
  if (!store_.finished().contains(0)) pool.add({0});
  while (!pool.is_idle())
    if (!turn(shop)) return false;
  const CampaignRecord nominal = store_.read(0);
  limits_ = target_limits(nominal);
  const std::vector<double> ends = plan_.include_unstable ? std::vector<double>() : limits_;
  pool.set_target_limits(ends);
  team.begin(ends, runs, nominal.runs.front().wall);
  if (runs.empty()) store_.set_complete(plan_.runs);
  while (!team.all_done()) {
    const std::size_t wanted = pool.wanted();
    if (const std::size_t waiting = pool.waiting(); waiting < wanted)
      pool.add(team.next_here(wanted - waiting));
    if (!turn(shop)) return false;
  }
  return true;
}

std::vector<FinishedRun> Campaign::over_here(const Workshop& shop) {
  try {
    return shop.pool.take(shop.team.is_alone() ? kLookAlone : kLookInTeam);
  } catch (const std::exception& error) {
    throw RunFailure("run " + std::to_string(shop.pool.failed_run()) +
                     " failed: " + error.what());
  }
}

/// Stores what is over, here and on other ranks.
/// @returns false where the campaign shall end
bool Campaign::turn(const Workshop& shop) {
  for (const FinishedRun& run : over_here(shop)) {
    keep(run);
    computed_here_ += run.run > 0 ? 1 : 0;
    shop.team.done_here(run);
  }
  for (const FinishedRun& run : shop.team.listen()) keep(run);
  store_.commit_if_due();
  return shop.between(progress_) && !shop.team.stop_asked();
}

void Campaign::keep(const FinishedRun& run) {
  if (store_.finished().contains(run.run)) return;  // two ranks had it, with the same bits
  FinishedRun judged = run;
  if (std::string growth = growth_of(run); !growth.empty()) {
    judged.outcome = RunOutcome::kUnstable;
    judged.reason = std::move(growth);
  }
  store_.add(judged);
  if (run.run == 0) return;
  ++progress_.done;
  ++progress_.done_now;
  if (judged.outcome == RunOutcome::kUnstable) ++progress_.unstable;
  if (judged.outcome == RunOutcome::kInvalid) ++progress_.impossible;
  if (progress_.done == progress_.planned) store_.set_complete(plan_.runs);
}

/// Why a drawn run that came to its end counts as unstable, where no limit ended it.
std::string Campaign::growth_of(const FinishedRun& run) const {
  if (!plan_.include_unstable || run.run == 0 || run.outcome != RunOutcome::kStable)
    return {};
  for (std::size_t i = 0; i < std::min(limits_.size(), run.largest_targets.size()); ++i) {
    if (limits_[i] <= 0.0 || run.largest_targets[i] <= limits_[i]) continue;
    char text[120];
    std::snprintf(text, sizeof text,
                  "target %zu grew to %.3g, beyond %.3g, where a run counts as unstable",
                  i + 1, run.largest_targets[i], limits_[i]);
    return text;
  }
  return {};
}

/// Alone, runs that have begun are lost; in a team they get the time to end that a job has
/// before it is killed.
void Campaign::end_early(const Workshop& shop) {
  using SteadyClock = std::chrono::steady_clock;
  const auto grace =
      shop.team.is_alone() ? std::chrono::milliseconds{0} : shop.team.times().grace;
  const auto end = SteadyClock::now() + grace;
  shop.pool.drop_waiting();
  shop.team.stop(grace);
  while (SteadyClock::now() < end && !(shop.pool.is_idle() && shop.team.all_gone()))
    turn(shop);
  shop.pool.abandon();
  while (!shop.pool.is_idle()) turn(shop);
  turn(shop);
}

}  // namespace trestle::campaign
