#include "studies/rehearsal/rehearsal.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>

#include "studies/rehearsal/fault_schedule.h"
#include "studies/rehearsal/fault_simulator.h"
#include "studies/rehearsal/simulated_process.h"

namespace trestle::rehearsal {
namespace {

// A drive that changes so much more from tick to tick than ever in the undisturbed run
// jumps.
constexpr double kJump = 5.0;
// In continuous time it also brakes where targets are late, within its accelerations, and
// catches up, and a compensator leads what it does.
constexpr double kContinuousJump = 30.0;
// The ramp to the safe position at its quickest, and some more: of the largest drive, per
// second.
constexpr double kRampRate = 2.0;
constexpr auto kBetween = std::chrono::milliseconds(200);

/// The drive then goes other ways than in the undisturbed run: its limits alone say what it
/// may do.
bool leads_elsewhere(const ScheduledFault& fault, bool system_clock) {
  return fault.sort == FaultType::kGarbage ||
         (system_clock && fault.sort == FaultType::kClockStep);
}

double tick_of(const integrator_node::IntegratorSettings& test, std::size_t site) {
  const double scale = test.mode == ExecutionMode::kContinuous ? test.pace.scale : 1.0;
  return test.time_step * scale / test.sites[site].ticks_per_step;
}

}  // namespace

ScenarioRunner::ScenarioRunner(const RehearsalSettings& settings)
    : settings_(settings),
      bench_(settings.test, settings.overrides, settings.software, settings.steps) {
  references_.push_back(reference(false));
  if (bench_.integrator().mode != ExecutionMode::kSimulated)
    references_.push_back(reference(true));
}

ScenarioRunner::Reference ScenarioRunner::reference(bool real_rigs) {
  Reference made;
  FaultSimulator lab(
      bench_, {.real_rigs = real_rigs, .dice = ScenarioRandom(settings_.seed, 0, 1)});
  made.trace = lab.run();
  if (made.trace.result != evaluation::RunResult::kComplete)
    throw std::runtime_error("the test does not come to its end without any fault: " +
                             made.trace.reason);
  made.agreed = made.believed = agreed_motion();
  const double jump =
      bench_.integrator().mode == ExecutionMode::kContinuous ? kContinuousJump : kJump;
  for (std::size_t site = 0; site < made.believed.size(); ++site) {
    const std::vector<MotionLimits>& seen = made.trace.watches[site].seen();
    for (std::size_t i = 0; i < seen.size(); ++i) {
      // Real equipment continues from its measured position, noise included.
      const double apart = real_rigs ? made.trace.watches[site].apart(i) : 0.0;
      const double usual =
          jump * seen[i].change + apart +
          kRampRate * seen[i].displacement * tick_of(bench_.integrator(), site);
      made.believed[site][i].change = std::min(made.believed[site][i].change, usual);
    }
  }
  return made;
}

/// By the limits of the test.
std::vector<std::vector<MotionLimits>> ScenarioRunner::agreed_motion() const {
  std::vector<std::vector<MotionLimits>> allowed;
  for (std::size_t site = 0; site < bench_.sites().size(); ++site) {
    const integrator_node::SiteSpecification& in_test = bench_.integrator().sites[site];
    const std::size_t actuators = bench_.rig(site)->description().actuators.size();
    std::vector<MotionLimits>& of_site = allowed.emplace_back(actuators);
    for (std::size_t i = 0; i < std::min(actuators, in_test.limits.size()); ++i)
      of_site[i] = {in_test.limits[i].displacement,
                    in_test.limits[i].rate * tick_of(bench_.integrator(), site)};
  }
  return allowed;
}

ScenarioRunner::ScenarioResult ScenarioRunner::play(std::int64_t scenario, bool story) {
  ScenarioRandom dice(settings_.seed, scenario, 1);
  const bool real = references_.size() > 1 && dice.bernoulli(0.4);
  const Reference& reference = references_[real ? 1 : 0];
  const ScenarioExtent shape{.sites = static_cast<int>(bench_.sites().size()),
                             .calls = reference.trace.calls,
                             .calls_of_steps = reference.trace.calls_of_steps};
  std::vector<ScheduledFault> faults = schedule_faults(settings_.seed, scenario, shape);
  // In real time it has ticks to make up for where targets were missed.
  const bool elsewhere =
      bench_.integrator().mode == ExecutionMode::kRealTime ||
      std::any_of(faults.begin(), faults.end(), [this](const ScheduledFault& fault) {
        return leads_elsewhere(fault, bench_.integrator().pace.system_clock);
      });
  const Duration sync_delay =
      dice.bernoulli(0.5) ? dice.spread_time(1e-5, 0.05) : Duration{};
  FaultSimulator lab(bench_, {.faults = std::move(faults),
                              .real_rigs = real,
                              .dice = dice,
                              .allowed = elsewhere ? reference.agreed : reference.believed,
                              .sync_delay = sync_delay,
                              .story = story});
  ScenarioResult played;
  played.trace = lab.run();
  played.verdict =
      ScenarioChecker(bench_.integrator(), reference.trace).judge(played.trace);
  return played;
}

namespace {

void add(RehearsalReport& report, std::int64_t scenario,
         const ScenarioRunner::ScenarioResult& played) {
  const ScenarioVerdict& verdict = played.verdict;
  const auto outcome = static_cast<std::size_t>(verdict.outcome);
  ++report.scenarios;
  ++report.outcomes[outcome];
  std::array<bool, kFaultSorts> seen{};
  for (const ScheduledFault& fault : played.trace.faults)
    seen[static_cast<std::size_t>(fault.sort)] = true;
  for (std::size_t sort = 0; sort < kFaultSorts; ++sort)
    if (seen[sort]) ++report.by_fault[sort][outcome];
  if (verdict.max_ticks_to_safe_action > report.max_ticks_to_safe_action) {
    report.max_ticks_to_safe_action = verdict.max_ticks_to_safe_action;
    report.worst_scenario = scenario;
  }
  if (!verdict.violations.empty()) report.broken.push_back({scenario, verdict.violations});
}

void merge(RehearsalReport& report, const RehearsalReport& part) {
  report.scenarios += part.scenarios;
  for (std::size_t i = 0; i < kOutcomes; ++i) {
    report.outcomes[i] += part.outcomes[i];
    for (std::size_t sort = 0; sort < kFaultSorts; ++sort)
      report.by_fault[sort][i] += part.by_fault[sort][i];
  }
  const bool worse =
      part.max_ticks_to_safe_action > report.max_ticks_to_safe_action ||
      (part.max_ticks_to_safe_action == report.max_ticks_to_safe_action &&
       part.max_ticks_to_safe_action > 0 && part.worst_scenario < report.worst_scenario);
  if (worse) {
    report.max_ticks_to_safe_action = part.max_ticks_to_safe_action;
    report.worst_scenario = part.worst_scenario;
  }
  report.broken.insert(report.broken.end(), part.broken.begin(), part.broken.end());
}

/// The data that the threads share.
struct Work {
  std::atomic<std::int64_t> next{0};
  std::atomic<std::int64_t> done{0};
  std::atomic<int> working{0};
  std::atomic<bool> ending{false};
  std::mutex mutex;  // of what follows
  RehearsalReport report;
  std::exception_ptr failure;
};

void play_some(const RehearsalSettings& settings, Work& work) {
  try {
    ScenarioRunner runner(settings);
    RehearsalReport part;
    for (std::int64_t scenario = work.next++; scenario < settings.scenarios && !work.ending;
         scenario = work.next++) {
      add(part, scenario, runner.play(scenario, false));
      ++work.done;
    }
    const std::lock_guard lock(work.mutex);
    work.report.steps = runner.bench().integrator().steps;
    work.report.whole_steps = runner.bench().whole_steps();
    merge(work.report, part);
  } catch (...) {
    const std::lock_guard lock(work.mutex);
    work.failure = std::current_exception();
    work.ending = true;
  }
  --work.working;
}

}  // namespace

RehearsalReport rehearse(const RehearsalSettings& settings,
                         const std::function<bool(std::int64_t done)>& between) {
  Work work;
  work.working = settings.jobs;
  std::vector<std::thread> threads;
  for (int i = 0; i < settings.jobs; ++i)
    threads.emplace_back([&settings, &work] { play_some(settings, work); });
  while (work.working > 0) {
    if (!between(work.done)) work.ending = true;
    std::this_thread::sleep_for(kBetween);
  }
  for (std::thread& thread : threads) thread.join();
  if (work.failure) std::rethrow_exception(work.failure);
  std::sort(work.report.broken.begin(), work.report.broken.end(),
            [](const BrokenScenario& a, const BrokenScenario& b) {
              return a.scenario < b.scenario;
            });
  return std::move(work.report);
}

}  // namespace trestle::rehearsal
