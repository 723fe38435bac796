#include "studies/campaign/batch_runner.h"

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "observe/report/run_summary.h"

namespace trestle::campaign {
namespace {

constexpr std::int64_t kRunsToJudge = 64;

/// For tests and measurements: a number of lanes.
std::optional<int> wanted_lanes() {
  const char* const text = std::getenv("TRESTLE_LANES");  // NOLINT(concurrency-mt-unsafe)
  return text == nullptr ? std::nullopt : std::optional<int>(std::atoi(text));
}

bool same_bits(double a, double b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

/// Returns the name of the first result that differs; empty: none.
std::string first_other_result(const InMemoryRun& a, const InMemoryRun& b) {
  if (a.results.size() != b.results.size()) return "the number of results";
  for (std::size_t i = 0; i < a.results.size(); ++i)
    if (a.results[i].name != b.results[i].name ||
        !same_bits(a.results[i].value, b.results[i].value))
      return a.results[i].name;
  return a.largest_targets == b.largest_targets ? "" : "the largest target";
}

}  // namespace

std::string batches_text(const BatchCounts& counts, std::int64_t runs) {
  std::string text = "batches      " + std::to_string(counts.by_lanes) + " of " +
                     std::to_string(runs) + " runs";
  if (counts.lanes > 0)
    text += " in batches of " + std::to_string(counts.lanes) + " (" +
            counts.instruction_set + ")";
  if (counts.repeated > 0)
    text += ", " + std::to_string(counts.repeated) +
            " left the common path and were repeated alone";
  if (!counts.reason.empty())
    text += "; the nodes compute the others because " + counts.reason;
  else if (counts.lanes == 0 && runs > 0)
    text += "; no run was stable, so that lanes had none to be compared with";
  return text;
}

BatchRunner::BatchRunner(bool wanted) {
  const std::optional<int> lanes = wanted_lanes();
  if (!wanted || lanes == 1) {
    counts_.reason = "they are switched off";
  } else if (library_ = lanes::LaneLibrary::load(lanes, counts_.reason); library_) {
    return;
  }
  state_ = State::kOff;
}

int BatchRunner::lanes() const {
  const std::lock_guard lock(mutex_);
  return state_ == State::kOn ? library_->lanes() : 1;
}

bool BatchRunner::is_undecided() const {
  const std::lock_guard lock(mutex_);
  return state_ == State::kUndecided;
}

void BatchRunner::decide(std::unique_ptr<composition::HybridTestSetup> again,
                         const InMemoryRun& by_nodes) {
  {
    const std::lock_guard lock(mutex_);
    if (state_ != State::kUndecided) return;
    state_ = State::kDeciding;
  }
  std::string reason;
  try {
    pattern_setup_ = std::move(again);
    pattern_.emplace(*pattern_setup_);
    tables_ = {pattern_->loads(), pattern_->noise()};
    report_ = by_nodes.report;
    LaneBatch batch(*library_, tables_, {&*pattern_}, {});
    batch.run({});
    LaneAccount* const account = batch.completed(0);
    if (account == nullptr)
      reason = "its first run leaves their common path";
    else if (const std::string name =
                 first_other_result(finished(*pattern_, *account), by_nodes);
             !name.empty())
      reason = "they compute another " + name + " than the nodes; please report this";
  } catch (const NotBatchable& error) {
    reason = error.what();
  }
  const std::lock_guard lock(mutex_);
  state_ = reason.empty() ? State::kOn : State::kOff;
  counts_.reason = reason;
  if (!reason.empty()) return;
  counts_.lanes = library_->lanes();
  counts_.instruction_set = library_->instruction_set();
}

std::vector<std::optional<InMemoryRun>> BatchRunner::run(
    const std::vector<composition::HybridTestSetup*>& setups, const RunLimits& watch) {
  std::vector<std::optional<InMemoryRun>> runs(setups.size());
  std::vector<std::unique_ptr<LaneForm>> forms;
  std::vector<const LaneForm*> together;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < setups.size(); ++i) {
    try {
      forms.push_back(std::make_unique<LaneForm>(*setups[i]));
    } catch (const NotBatchable& error) {
      note(error.what());
      continue;
    }
    if (!forms.back()->fits(*pattern_)) {
      note("a draw reaches more than its rig, compensator and controller");
      continue;
    }
    together.push_back(forms.back().get());
    places.push_back(i);
  }
  if (together.size() < 2) return runs;
  const auto begin = std::chrono::steady_clock::now();
  LaneBatch batch(*library_, tables_, together, watch.target_limits);
  const bool ended = batch.run(watch.may_continue);
  std::size_t done = 0;
  for (std::size_t i = 0; i < together.size(); ++i) {
    if (!ended) {
      runs[places[i]].emplace().abandoned = true;
    } else if (LaneAccount* const account = batch.completed(i)) {
      InMemoryRun run = finished(*together[i], *account);
      // The criteria would call it unstable: the nodes say it in their words.
      if (!run.stable) continue;
      runs[places[i]] = std::move(run);
      ++done;
    }
  }
  const double wall =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  for (std::optional<InMemoryRun>& run : runs)
    if (run) run->wall = wall / static_cast<double>(together.size());
  if (ended) count(done, together.size() - done);
  return runs;
}

InMemoryRun BatchRunner::finished(const LaneForm& form, LaneAccount& account) const {
  InMemoryRun run;
  run.report = report_;
  account.fill(run.report);
  const integrator_node::IntegratorSettings& settings = form.setup().integrator;
  run.results =
      results_of(report::summary_json(run.report, {.test = settings.test,
                                                   .mode = name(settings.mode),
                                                   .folder = {},
                                                   .session = {},
                                                   .software = settings.software,
                                                   .time_step = settings.time_step,
                                                   .wall = 0.0}));
  run.largest_targets = account.largest_targets();
  run.stable = run.report.criteria.stable;
  return run;
}

/// Why a run is not in lanes; the first reason is kept.
void BatchRunner::note(const std::string& reason) {
  const std::lock_guard lock(mutex_);
  if (counts_.reason.empty()) counts_.reason = reason;
}

void BatchRunner::count(std::size_t by_lanes, std::size_t repeated) {
  const std::lock_guard lock(mutex_);
  counts_.by_lanes += static_cast<std::int64_t>(by_lanes);
  counts_.repeated += static_cast<std::int64_t>(repeated);
  if (counts_.by_lanes + counts_.repeated < kRunsToJudge || state_ != State::kOn ||
      counts_.repeated <= counts_.by_lanes)
    return;
  state_ = State::kOff;
  counts_.reason = "most of its runs leave the common path of a batch";
}

BatchCounts BatchRunner::counts() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

}  // namespace trestle::campaign
