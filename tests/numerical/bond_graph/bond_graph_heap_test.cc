#include <gtest/gtest.h>

#include "numerical/bond_graph/analysis.h"
#include "numerical/bond_graph/hysteretic_law.h"
#include "numerical/bond_graph/substructuring.h"
#include "numerical/materials/bouc_wen_law.h"
#include "tests/numerical/bond_graph/sample_chains.h"
#include "tests/numerical/bond_graph/sample_graphs.h"
#include "tests/support/heap_counter.h"

namespace trestle::bond_graph {
namespace {

using Eigen::VectorXd;

std::unique_ptr<ConstitutiveLaw> bouc_wen() {
  return std::make_unique<HystereticLaw>(
      std::make_unique<materials::BoucWenLaw>(materials::BoucWenLawSettings{
          .stiffness = 1.0, .yield_force = 0.2, .hardening = 0.1}));
}

std::size_t allocations_of(RightHandSide& system) {
  VectorXd x = VectorXd::Constant(system.states(), 0.1);
  const VectorXd u = VectorXd::Constant(system.inputs(), 0.2);
  VectorXd rate(system.states()), output(system.outputs());
  const std::size_t before = testing::heap_allocations();
  for (int i = 0; i < 100; ++i) {
    if (!system.evaluate(x, u, rate, output)) return 1000;
    x += 1e-3 * rate;
    system.commit(x);
  }
  system.reset();
  return testing::heap_allocations() - before;
}

TEST(GraphRightHandSide, LeavesTheHeapAlone) {
  ChainSettings settings;
  EXPECT_EQ(allocations_of(*substructure(chain(settings)).augmented.system.right_hand_side),
            0u);
  settings.masses[1].spring = bouc_wen;
  settings.masses[2].spring = polynomial({0, -1, 0, 1});
  const Substructuring test = substructure(chain(settings));
  EXPECT_EQ(allocations_of(*test.augmented.system.right_hand_side), 0u);
  EXPECT_EQ(allocations_of(*test.physical.right_hand_side), 0u);
  EXPECT_EQ(allocations_of(*test.whole.right_hand_side), 0u);
  const Graph loop =
      graph_of({{"u", "Se"},
                {"j", "1"},
                {"R1", "R", 2},
                {"n", "0"},
                {"R2", "R", 0, polynomial({0, 0, 0, 1})},
                {"i", "1"},
                {"L", "I", 0.5}},
               {{"u", "j"}, {"j", "R1"}, {"j", "n"}, {"n", "R2"}, {"n", "i"}, {"i", "L"}});
  EXPECT_EQ(allocations_of(*make_system(loop, analyse(loop, {}), {}).right_hand_side), 0u);
}

}  // namespace
}  // namespace trestle::bond_graph
