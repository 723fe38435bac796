#include "composition/hybrid_test/substructure_factory.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <utility>

#include "composition/hybrid_test/hybrid_test_factory.h"
#include "composition/numerical/bond_graph/bond_graph_file.h"
#include "composition/numerical/bond_graph/stepping_factory.h"
#include "composition/sites/control_presets.h"
#include "core/base/setting_error.h"
#include "core/math/dense_eigenvalues.h"
#include "numerical/substructure/substructure_with_reference.h"
#include "proto/config/site.pb.h"
#include "proto/config/test.pb.h"

namespace trestle::composition {
namespace {

constexpr std::size_t kReportedModes = 3;

/// Oscillating modes of the whole structure, the slowest first.
void report_modes(const bond_graph::GraphSystem& whole, NumericalReport& report) {
  if (!whole.linear || whole.linear->A.rows() == 0) return;
  std::vector<std::complex<double>> modes;
  for (const std::complex<double>& value : math::eigenvalues(whole.linear->A))
    if (value.imag() > 1e-6 * std::abs(value)) modes.push_back(value);
  std::sort(modes.begin(), modes.end(),
            [](const auto& a, const auto& b) { return std::abs(a) < std::abs(b); });
  for (std::size_t i = 0; i < modes.size() && i < kReportedModes; ++i) {
    report.periods.push_back(2.0 * std::numbers::pi / std::abs(modes[i]));
    report.ratios.push_back(-modes[i].real() / std::abs(modes[i]));
  }
}

void report_stepping(const bond_graph::GraphSystem& system, std::int64_t steps,
                     double time_step, NumericalReport* report) {
  if (report == nullptr) return;
  report->equations = static_cast<int>(system.states.size());
  report->counted = "states";
  report->integrator = system.linear ? "exact" : "runge-kutta";
  report->stable_time_step = std::numeric_limits<double>::infinity();
  report->steps = steps;
  report->duration = static_cast<double>(steps - 1) * time_step;
}

/// The graph in one piece.
std::unique_ptr<NumericalSubstructure> make_emulated(
    const config::Test& test, bond_graph::Substructuring model,
    const std::vector<structure::ExperimentalPart>& sites, NumericalReport* report) {
  const bond_graph::EmulatedSettings settings = emulated_settings(test, model, sites);
  report_stepping(model.whole, settings.steps, settings.time_step, report);
  return std::make_unique<bond_graph::EmulatedStructure>(std::move(model.whole), settings);
}

std::unique_ptr<NumericalSubstructure> make_bond_graph(const config::Test& test,
                                                       NumericalReport* report) {
  if (test.reference().has_numerical())
    throw SettingError("reference",
                       "of a bond graph must be `undivided`, the same graph in one piece");
  const auto read = [&] {
    return bond_graph::read_substructuring(test.numerical().bond_graph().file());
  };
  bond_graph::Substructuring model = read();
  if (report != nullptr) report_modes(model.whole, *report);
  const std::vector<structure::ExperimentalPart> sites = numerical_parts(test).experimental;
  if (test.undivided()) return make_emulated(test, std::move(model), sites, report);
  const bond_graph::SteppingSettings settings = stepping_settings(test, model, sites);
  report_stepping(model.augmented.system, settings.steps, settings.time_step, report);
  auto substructure =
      std::make_unique<bond_graph::BondGraphSubstructure>(std::move(model), settings);
  if (!test.reference().has_undivided()) return substructure;
  return std::make_unique<substructure::SubstructureWithReference>(
      std::move(substructure), make_emulated(test, read(), sites, nullptr));
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

/// The responses behind the compensators, interface DOF by interface DOF, if the sites
/// state their identified transfer systems.
std::vector<bridge::TransferResponse> transfers_of(const config::Test& test) {
  std::vector<bridge::TransferResponse> transfers;
  for (int i = 0; i < test.sites_size(); ++i) {
    const config::Site& site = test.sites(i);
    const std::string path = "sites[" + std::to_string(i) + "]";
    const int dofs = site.interface_size();
    const double tick = test.time_step() / ticks_per_step(test, site, path);
    for (int dof = 0; dof < dofs; ++dof) {
      bridge::TransferResponse& transfer = transfers.emplace_back();
      auto response = response_behind_compensator({site, dofs, tick, path}, dof, true);
      if (response)
        transfer = [response = std::move(response)](double omega) {
          return response({0.0, omega});
        };
    }
  }
  return transfers;
}

std::unique_ptr<NumericalSubstructure> make_bridge_with_reference(
    const config::Test& test, SubstructureReport* report, TestStart start) {
  const auto checks = start == TestStart::kNew ? bridge::ProfileChecks::kAll
                                               : bridge::ProfileChecks::kFewer;
  auto told = std::make_unique<BridgeReport>();
  auto bridge = make_bridge(
      test, test.undivided() ? BridgeSolution::kUndivided : BridgeSolution::kHybrid,
      transfers_of(test), told.get(), checks);
  if (report != nullptr) {
    report->model = numbers_of(*told);
    report->bridge = std::move(told);
  }
  if (!test.reference().has_undivided()) return bridge;
  return std::make_unique<substructure::SubstructureWithReference>(
      std::move(bridge),
      make_bridge(test, BridgeSolution::kUndivided, {}, nullptr, checks));
}

}  // namespace

std::unique_ptr<NumericalSubstructure> make_substructure(const config::Test& test,
                                                         SubstructureReport* report,
                                                         TestStart start) {
  NumericalReport* model = report == nullptr ? nullptr : &report->model;
  if (test.numerical().has_bond_graph()) return make_bond_graph(test, model);
  if (test.numerical().has_bridge()) return make_bridge_with_reference(test, report, start);
  return make_numerical(test, numerical_parts(test), model);
}

}  // namespace trestle::composition
