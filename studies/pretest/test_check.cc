#include "studies/pretest/test_check.h"

#include <chrono>
#include <cstdio>

#include "composition/hybrid_test/endpoint_factory.h"
#include "composition/hybrid_test/specimen_mass_factory.h"
#include "studies/pretest/run_questions.h"
#include "studies/pretest/stability_factory.h"
#include "studies/pretest/yield_damping_notes.h"

namespace trestle::pretest {
namespace {

// Above this many equations a whole run is no longer a quick look.
constexpr int kMostEquationsForDemand = 3000;
// Part of the time step that the numerical part may take; the sites need the rest.
constexpr double kMostOfAStep = 0.5;

bool paced_by_time(const composition::HybridTestSetup& setup) {
  return setup.integrator.mode == ExecutionMode::kRealTime &&
         !setup.integrator.pace.virtual_clock;
}

StepCost cost_of(const composition::HybridTestSetup& setup) {
  std::vector<InterfaceLayout> layouts;
  for (const integrator_node::SiteSpecification& site : setup.integrator.sites)
    layouts.push_back(site.layout);
  return measure_step_cost(*setup.substructure, layouts, [] {
    return TimePoint{std::chrono::steady_clock::now().time_since_epoch()};
  });
}

/// A step that is late on this host.
void judge(const StepCost& cost, double time_step, std::vector<TestFinding>& findings) {
  if (!(cost.worst > kMostOfAStep * time_step)) return;
  char what[200];
  std::snprintf(what, sizeof what,
                "The numerical part computes up to %.3g ms for a step on this host, more "
                "than half of the time step of %.4g ms.",
                1e3 * cost.worst, 1e3 * time_step);
  findings.push_back({.weight = TestFinding::Weight::kQuestion,
                      .kind = "step-cost",
                      .place = {},
                      .what = what,
                      .change = "Take fewer equations or iterations, a longer time_step or "
                                "a faster host."});
}

}  // namespace

TestCheck check_before_run(const std::string& file,
                           const std::vector<std::string>& overrides,
                           const std::string& software) {
  TestCheck check;
  check.setup = composition::load_hybrid_test(
      file, yaml::parse_command_line_overrides(overrides), software);
  const composition::HybridTestSetup& setup = *check.setup;
  const bool divided = !setup.test.undivided();
  const bool quick = divided && setup.report.model.equations <= kMostEquationsForDemand;
  // As run does: what is no address is a mistake in the file, and no finding.
  if (divided) composition::check_addresses(setup.test, setup.where);
  if (quick) check.demands = estimate_demand(setup.test);
  check.stability = assess_stability(setup.test);
  check.outlook = outlook_of(setup, check.demands);
  check.findings = findings_of(setup, check.demands, check.stability, check.outlook);
  check.questions = questions_about(setup);
  if (paced_by_time(setup)) {
    check.step_cost = cost_of(setup);
    judge(check.step_cost, setup.integrator.time_step, check.findings);
  }
  remove_repeats(check.findings, check.questions);
  for (int i = 0; i < setup.test.sites_size(); ++i)
    check.connections.push_back(composition::describe_connection(setup.test, i));
  check.specimen_notes = composition::specimen_mass_notes(setup.test);
  if (setup.report.model.equations <= kMostEquationsForDemand)
    check.damping_notes = yield_damping_notes(setup.test);
  return check;
}

}  // namespace trestle::pretest
