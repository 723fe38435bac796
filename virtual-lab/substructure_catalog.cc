#include "virtual-lab/substructure_catalog.h"

#include <cmath>
#include <limits>
#include <utility>

#include "numerical/frame/referenced_substructure.h"
#include "proto/config.pb.h"

namespace trestle {
namespace {

NumericalReport numbers_of(const BridgeReport& bridge) {
  NumericalReport report;
  report.equations = bridge.modes;
  for (const double frequency : bridge.frequencies)
    report.periods.push_back(1.0 / frequency);
  report.ratios = bridge.ratios;
  report.integrator = "exact modes";
  report.stable_time_step = std::numeric_limits<double>::infinity();
  report.steps = bridge.steps;
  report.duration = bridge.duration;
  return report;
}

std::unique_ptr<NumericalSubstructure> make_bridge_with_reference(
    const config::Test& test, SubstructureReport* report) {
  auto told = std::make_unique<BridgeReport>();
  auto bridge = make_bridge(
      test, test.undivided() ? BridgeSolution::kUndivided : BridgeSolution::kHybrid, {},
      told.get());
  if (report != nullptr) {
    report->model = numbers_of(*told);
    report->bridge = std::move(told);
  }
  if (!test.reference().has_undivided()) return bridge;
  return std::make_unique<ReferencedSubstructure>(
      std::move(bridge), make_bridge(test, BridgeSolution::kUndivided, {}, nullptr));
}

}  // namespace

std::unique_ptr<NumericalSubstructure> make_substructure(const config::Test& test,
                                                         NumericalParts parts,
                                                         SubstructureReport* report) {
  if (test.numerical().has_bridge()) return make_bridge_with_reference(test, report);
  return make_numerical(test, std::move(parts),
                        report == nullptr ? nullptr : &report->model);
}

}  // namespace trestle
