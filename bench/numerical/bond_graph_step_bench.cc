// A step of the two-port bond graph (examples/bond_graph) beside the bare arithmetic of
// one: three products of its discrete matrices; interleaved, on one CPU; the median of each
// over several rounds.
//
//   bond_graph_step_bench [MODEL.yaml] [--json]

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>
#include <vector>

#include "composition/numerical/bond_graph/graph_factory.h"
#include "numerical/bond_graph/runtime/bond_graph_substructure.h"

namespace trestle {
namespace {

constexpr double kStep = 1e-3;
constexpr int kRounds = 201;
constexpr std::int64_t kSteps = 300;  // short: few rounds are interrupted

bond_graph::Substructuring model_of(const std::string& file) {
  yaml::SourceMap where;
  return bond_graph::substructure(bond_graph::read_graph_model(file, {}, where));
}

excitation::SourceSignal wall(const std::string& name) {
  return {name, excitation::SourceQuantity::kDisplacement,
          [](double t) { return 1e-3 * t * t; }, 0.0};
}

double nanoseconds_a_step(std::chrono::steady_clock::time_point begun) {
  const auto took = std::chrono::steady_clock::now() - begun;
  return std::chrono::duration<double, std::nano>(took).count() /
         static_cast<double>(kSteps);
}

double product(bond_graph::BondGraphSubstructure& numerical) {
  const std::size_t ports = numerical.settings().ports.size();
  const auto dofs = static_cast<Eigen::Index>(ports);
  std::vector<SiteTarget> requests(1);
  requests[0].target = InterfaceMotion::zero(dofs);
  std::vector<SiteResponse> answers(
      1, {.measured = InterfaceVector::Zero(dofs), .force = InterfaceVector::Ones(dofs)});
  numerical.prepare();
  numerical.correct(-1, answers);
  const auto begun = std::chrono::steady_clock::now();
  for (std::int64_t k = 0; k < kSteps; ++k) {
    numerical.predict(k, requests);
    numerical.correct(k, answers);
  }
  return nanoseconds_a_step(begun);
}

/// x⁺ = Φ x + Γ₀ u₀ + Γ₁ u₁, y = C x + D u.
double floor_of(Eigen::Index states, Eigen::Index inputs, Eigen::Index outputs) {
  const Eigen::MatrixXd Phi = 0.5 * Eigen::MatrixXd::Random(states, states);
  const Eigen::MatrixXd Gamma = Eigen::MatrixXd::Random(states, inputs);
  const Eigen::MatrixXd C = Eigen::MatrixXd::Random(outputs, states);
  const Eigen::MatrixXd D = Eigen::MatrixXd::Random(outputs, inputs);
  Eigen::VectorXd x = Eigen::VectorXd::Zero(states);
  Eigen::VectorXd next = x, y = Eigen::VectorXd::Zero(outputs);
  const Eigen::VectorXd u = Eigen::VectorXd::Ones(inputs);
  const auto begun = std::chrono::steady_clock::now();
  for (std::int64_t k = 0; k < kSteps; ++k) {
    next.noalias() = Phi * x;
    next.noalias() += Gamma * u;
    next.noalias() += Gamma * y.head(inputs);
    x = 1e-3 * next;
    y.noalias() = C * x;
    y.noalias() += D * u;
  }
  const double took = nanoseconds_a_step(begun);
  if (!y.allFinite()) std::printf("not finite\n");
  return took;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

int run(const std::string& file, bool json) {
  bond_graph::Substructuring model = model_of(file);
  bond_graph::SteppingSettings settings{
      .time_step = kStep, .steps = kSteps, .ports = {}, .sources = {}, .delay = {}};
  for (std::size_t i = 0; i < model.augmented.ports.size(); ++i)
    settings.ports.push_back(
        {0, static_cast<Eigen::Index>(i), model.augmented.ports[i].bond});
  const std::vector<std::string>& inputs = model.augmented.system.inputs;
  for (std::size_t i = settings.ports.size(); i < inputs.size(); ++i)
    settings.sources.push_back(wall(inputs[i]));
  const auto states = static_cast<Eigen::Index>(model.augmented.system.states.size());
  const auto known = static_cast<Eigen::Index>(inputs.size());
  const auto told = static_cast<Eigen::Index>(3 * settings.ports.size());
  bond_graph::BondGraphSubstructure numerical(std::move(model), settings);
  std::vector<double> of_product, of_floor;
  for (int round = 0; round < kRounds; ++round) {
    of_product.push_back(product(numerical));
    of_floor.push_back(floor_of(states, known, told));
  }
  const double step = median(of_product);
  const double bare = median(of_floor);
  if (json)
    std::printf("{\"step_ns\": %.1f, \"bare_ns\": %.1f, \"ratio\": %.2f}\n", step, bare,
                step / bare);
  else
    std::printf(
        "a step of %ld ports, %ld states: %.0f ns; bare products %.0f ns; %.2f "
        "times\n",
        static_cast<long>(settings.ports.size()), static_cast<long>(states), step, bare,
        step / bare);
  return 0;
}

}  // namespace
}  // namespace trestle

int main(int argc, char** argv) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(0, &one);
  sched_setaffinity(0, sizeof one, &one);
  std::string file = "examples/bond_graph/two_ports.yaml";
  bool json = false;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--json") == 0)
      json = true;
    else
      file = argv[i];
  }
  try {
    return trestle::run(file, json);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
