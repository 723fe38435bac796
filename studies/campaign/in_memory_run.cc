#include "studies/campaign/in_memory_run.h"

#include <chrono>
#include <ctime>
#include <optional>

#include "core/base/setting_error.h"
#include "core/journal/null_recorder.h"
#include "core/ports/site_adapter.h"
#include "core/yaml/config_error_collector.h"
#include "observe/report/run_summary.h"
#include "studies/campaign/target_monitor.h"

namespace trestle::campaign {
namespace {

/// Returns the processor time of this thread so far [s].
double processor_time() {
  std::timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

void judge(InMemoryRun& run, const TargetMonitor& targets) {
  const double* stable = find_result(run.results, "criteria.stable");
  if (targets.exceeded())
    run.reason = targets.what();
  else if (run.report.result != evaluation::RunResult::kComplete)
    run.reason = run.report.reason.empty() ? "did not come to its end" : run.report.reason;
  else if (stable != nullptr && *stable != 1.0)
    run.reason = "came to its end, but its criteria say that it was not stable";
  else
    run.stable = true;
}

/// Why a study cannot run a site; empty: it can. Real equipment moves only after a person
/// has armed it, and a study runs without one: it would wait without a limit.
std::string refusal_of_site(const config::Site& site, const RigDescription* rig) {
  const std::string name = "site " + site.name();
  if (rig == nullptr)
    return name +
           " lives elsewhere; a study simulates all sites in its own process: give it no "
           "address and not `remote`";
  if (!rig->real_equipment) return {};
  if (site.as_real_equipment())
    return name +
           " stands for real equipment, and in a study nobody arms it; leave "
           "as_real_equipment out";
  return name + " has its own rig, and in a study nobody arms it; give it a twin here: " +
         (site.has_rig() ? "`twin: true`"
                         : "`twin: true` and the `rig:` of its laboratory's file");
}

}  // namespace

void check_all_here(const composition::HybridTestSetup& setup) {
  yaml::ConfigErrorCollector problems(setup.where);
  auto here = setup.sites_here.begin();
  for (std::size_t i = 0; i < setup.remote.size(); ++i) {
    std::optional<RigDescription> rig;
    if (!setup.remote[i]) rig = (here++)->rig->description();
    const std::string why =
        refusal_of_site(setup.test.sites(static_cast<int>(i)), rig ? &*rig : nullptr);
    if (!why.empty())
      problems.attempt(
          [&] { throw SettingError("sites[" + std::to_string(i) + "]", why); });
  }
  problems.throw_if_any();
}

InMemoryRun run_in_memory(composition::HybridTestSetup& setup, const RunLimits& watch) {
  setup.integrator.session.fill(0x5a);  // any, but not the one that means none
  for (composition::LocalSite& site : setup.sites_here)
    site.recorder = std::make_unique<journal::NullRecorder>();
  TargetMonitor targets(watch.target_limits);
  composition::HybridTestNodes lab(setup.integrator, *setup.substructure,
                                   targets.recording(), std::move(setup.sites_here), {});
  InMemoryRun run;
  const auto begin = std::chrono::steady_clock::now();
  const double processor_begin = processor_time();
  lab.run([&] {
    run.abandoned = watch.may_continue && !watch.may_continue();
    return !run.abandoned && !targets.exceeded();
  });
  run.wall =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  run.processor = processor_time() - processor_begin;
  run.report = lab.integrator().report();
  run.largest_targets = targets.largest();
  const report::RunMetadata facts{.test = setup.test.test(),
                                  .mode = name(setup.integrator.mode),
                                  .folder = {},
                                  .session = {},
                                  .software = setup.integrator.software,
                                  .time_step = setup.integrator.time_step,
                                  .wall = run.wall};
  run.results = results_of(report::summary_json(run.report, facts));
  judge(run, targets);
  return run;
}

}  // namespace trestle::campaign
