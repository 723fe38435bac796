#include "studies/pretest/stability_factory.h"

#include "composition/hybrid_test/hybrid_test_factory.h"
#include "composition/numerical/integrator_factory.h"
#include "composition/numerical/model_factory.h"
#include "numerical/structure/combined_matrices.h"
#include "proto/config/site.pb.h"
#include "proto/config/test.pb.h"
#include "studies/pretest/bond_graph_loop.h"
#include "studies/pretest/loop_site_factory.h"

namespace trestle::pretest {
namespace {

/// States of an equation with several commands in a step: motion, prediction, the last
/// load, and the path of the commands with its three ends.
constexpr int kOfCommands = 13;

/// Returns why there is no loop to analyse, or empty; checks that need no model.
std::string reason_against(const config::Test& test) {
  if (test.undivided()) return "the undivided structure has no sites";
  if (test.numerical().has_bridge())
    return "the loop over a bridge changes as the vehicles move on";
  if (test.mode() == config::PSEUDO_DYNAMIC)
    return "in pseudo-dynamic mode a step waits until its actuators have arrived, so that "
           "their delay is not in the loop";
  for (const config::Site& site : test.sites())
    if (!site.rig().has_specimen())
      return "there is no model of the rig of " + site.name() +
             "; give the site a rig in this file, as its twin";
  return {};
}

LoopEquations equations_of(const structure::StructuralModel& structure,
                           const std::vector<structure::ExperimentalPart>& parts) {
  LoopEquations equations;
  for (const structure::ExperimentalPart& part : parts)
    for (std::size_t i = 0; i < part.dofs.size(); ++i) {
      const int equation = structure.equation(part.dofs[i]);
      equations.loaded.push_back(equation);
      if (i + part.force_only < part.dofs.size()) equations.controlled.push_back(equation);
    }
  return equations;
}

}  // namespace

TestClosedLoop make_loop(const config::Test& test) {
  TestClosedLoop result;
  result.unknown = reason_against(test);
  if (!result.unknown.empty()) return result;
  if (test.numerical().has_bond_graph()) return make_bond_graph_loop(test);
  const composition::NumericalParts parts = composition::numerical_parts(test);
  structure::StructuralModel structure = composition::make_structure(
      test.numerical(), parts.experimental, "numerical", &test.excitation());
  // A scheme that finds the springs' forces itself is asked for its linear form.
  if (test.numerical().integrator().has_implicit()) {
    structure.stiffness = structure::numerical_stiffness(structure);
    structure.springs.clear();
  }
  for (structure::AssembledMember& member : structure.members) member.law.reset();
  const int own =
      composition::commands_per_step(test.numerical().integrator()) > 1 ? kOfCommands : 3;
  if (own * structure.equations > kMostLoopStates) {
    result.unknown = "the numerical part has " + std::to_string(structure.equations) +
                     " equations; up to " + std::to_string(kMostLoopStates / own) +
                     " are looked at";
    return result;
  }
  const std::unique_ptr<integration::TimeIntegrator> integrator =
      composition::make_integrator(test.numerical().integrator(), structure,
                                   test.time_step(), "numerical.integrator");
  result.loop.numerical =
      linearise(*integrator, structure, equations_of(structure, parts.experimental));
  result.loop.latency_steps = latency_of(test);
  for (int i = 0; i < test.sites_size() && result.unknown.empty(); ++i)
    add_loop_site(test, i, result);
  return result;
}

StabilityReport assess_stability(const config::Test& test, MarginScope margins) {
  return assess(make_loop(test), margins);
}

bool computed_unstable(const config::Test& test) {
  const StabilityReport report = assess_stability(test, MarginScope::kNone);
  return report.known && !report.stable();
}

}  // namespace trestle::pretest
