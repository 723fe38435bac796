#include "studies/pretest/test_outlook.h"

#include <algorithm>
#include <cmath>

#include "composition/numerical/excitation_factory.h"

namespace trestle::pretest {
namespace {

/// Every step ramps as long as its slowest site, rests and averages.
void add_ramps(const composition::HybridTestSetup& setup,
               const std::vector<SiteDemand>& demands, TestOutlook& outlook) {
  const PacingSettings& pace = setup.integrator.pace;
  const auto steps = static_cast<double>(setup.integrator.steps);
  double ramping = 0.0;
  outlook.wall_at_least = demands.size() < setup.integrator.sites.size();
  for (const SiteDemand& demand : demands) {
    ramping = std::max(ramping, demand.ramping);
    outlook.wall_at_least = outlook.wall_at_least || !demand.known;
  }
  outlook.wall = ramping + steps * (pace.settle + pace.average);
}

}  // namespace

TestOutlook outlook_of(const composition::HybridTestSetup& setup,
                       const std::vector<SiteDemand>& demands) {
  TestOutlook outlook;
  const integrator_node::IntegratorSettings& settings = setup.integrator;
  const double duration =
      static_cast<double>(setup.report.model.steps) * setup.test.time_step();
  if (!settings.pace.virtual_clock && !setup.test.undivided()) switch (settings.mode) {
      case ExecutionMode::kSimulated:
        break;
      case ExecutionMode::kPseudoDynamic:
        add_ramps(setup, demands, outlook);
        break;
      case ExecutionMode::kContinuous:
        outlook.wall = duration * settings.pace.scale;
        break;
      case ExecutionMode::kRealTime:
        outlook.wall = duration + settings.pace.latency_steps * settings.time_step;
        break;
    }
  const config::Test& test = setup.test;
  if (!test.has_excitation() || test.numerical().has_bridge() ||
      test.numerical().has_bond_graph())
    return outlook;
  outlook.motions = composition::imposed_motions(test.excitation(), "excitation");
  const auto motion =
      composition::make_ground_motion(test.excitation(), test.seed(), "excitation");
  if (!motion) return outlook;
  const std::string& record = test.excitation().record();
  outlook.record = record.empty() ? "synthetic" : record;
  for (const double a : motion->acceleration)
    outlook.peak_ground_acceleration =
        std::max(outlook.peak_ground_acceleration, std::abs(a));
  return outlook;
}

}  // namespace trestle::pretest
