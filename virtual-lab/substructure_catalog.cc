#include "virtual-lab/substructure_catalog.h"

#include <cmath>
#include <limits>
#include <utility>

#include "numerical/frame/referenced_substructure.h"
#include "proto/config.pb.h"
#include "site-servers/control/control_presets.h"
#include "virtual-lab/lab_catalog.h"

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

/// What stands behind the compensators, interface DOF by interface DOF, where the sites say
/// how their transfer systems were identified.
std::vector<TransferResponse> transfers_of(const config::Test& test) {
  std::vector<TransferResponse> transfers;
  for (int i = 0; i < test.sites_size(); ++i) {
    const config::Site& site = test.sites(i);
    const std::string path = "sites[" + std::to_string(i) + "]";
    const int dofs = site.interface_size();
    const double tick = test.time_step() / ticks_per_step(test, site, path);
    for (int dof = 0; dof < dofs; ++dof) {
      TransferResponse& transfer = transfers.emplace_back();
      auto response = response_behind_compensator(site, dofs, dof, tick, path, true);
      if (response)
        transfer = [response = std::move(response)](double omega) {
          return response({0.0, omega});
        };
    }
  }
  return transfers;
}

std::unique_ptr<NumericalSubstructure> make_bridge_with_reference(
    const config::Test& test, SubstructureReport* report) {
  auto told = std::make_unique<BridgeReport>();
  auto bridge = make_bridge(
      test, test.undivided() ? BridgeSolution::kUndivided : BridgeSolution::kHybrid,
      transfers_of(test), told.get());
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
