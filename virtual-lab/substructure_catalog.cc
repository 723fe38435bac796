#include "virtual-lab/substructure_catalog.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <utility>

#include "core/linear/dense_spectrum.h"
#include "core/types/setting_error.h"
#include "numerical/bond-graph/stepping/stepping_catalog.h"
#include "numerical/frame/referenced_substructure.h"
#include "proto/config.pb.h"
#include "site-servers/control/control_presets.h"
#include "virtual-lab/bond_graph_file.h"
#include "virtual-lab/lab_catalog.h"

namespace trestle {
namespace {

constexpr std::size_t kReportedModes = 3;

/// Oscillating modes of the whole structure, the slowest first.
void report_modes(const bond_graph::GraphSystem& whole, NumericalReport& report) {
  if (!whole.linear || whole.linear->A.rows() == 0) return;
  std::vector<std::complex<double>> modes;
  for (const std::complex<double>& value : eigenvalues(whole.linear->A))
    if (value.imag() > 1e-6 * std::abs(value)) modes.push_back(value);
  std::sort(modes.begin(), modes.end(),
            [](const auto& a, const auto& b) { return std::abs(a) < std::abs(b); });
  for (std::size_t i = 0; i < modes.size() && i < kReportedModes; ++i) {
    report.periods.push_back(2.0 * std::numbers::pi / std::abs(modes[i]));
    report.ratios.push_back(-modes[i].real() / std::abs(modes[i]));
  }
}

std::unique_ptr<NumericalSubstructure> make_bond_graph(const config::Test& test,
                                                       NumericalReport* report) {
  if (test.undivided() || test.reference().kind_case() != config::Reference::KIND_NOT_SET)
    throw SettingError(test.undivided() ? "undivided" : "reference",
                       "is not there for a bond graph; set numerical.bond_graph.feedback: "
                       "model to drive it by its own physical components");
  bond_graph::Substructuring model =
      read_substructuring(test.numerical().bond_graph().file());
  const bond_graph::SteppingSettings settings =
      stepping_settings(test, model, numerical_parts(test).experimental);
  if (report != nullptr) {
    report->equations = static_cast<int>(model.augmented.system.states.size());
    report->counted = "states";
    report_modes(model.whole, *report);
    report->integrator = model.augmented.system.linear ? "exact" : "runge-kutta";
    report->stable_time_step = std::numeric_limits<double>::infinity();
    report->steps = settings.steps;
    report->duration = static_cast<double>(settings.steps - 1) * settings.time_step;
  }
  return std::make_unique<bond_graph::BondGraphSubstructure>(std::move(model), settings);
}

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
                                                         SubstructureReport* report) {
  NumericalReport* model = report == nullptr ? nullptr : &report->model;
  if (test.numerical().has_bond_graph()) return make_bond_graph(test, model);
  if (test.numerical().has_bridge()) return make_bridge_with_reference(test, report);
  return make_numerical(test, numerical_parts(test), model);
}

}  // namespace trestle
