#include "numerical/bond_graph/right_hand_side.h"

#include <gtest/gtest.h>

#include <cmath>

#include "numerical/bond_graph/analysis.h"
#include "numerical/bond_graph/hysteretic_law.h"
#include "numerical/bond_graph/table_law.h"
#include "numerical/materials/bouc_wen_law.h"
#include "tests/numerical/bond_graph/sample_chains.h"
#include "tests/numerical/bond_graph/sample_graphs.h"
#include "tests/numerical/bond_graph/sample_runs.h"

namespace trestle::bond_graph {
namespace {

using Eigen::VectorXd;

std::unique_ptr<ConstitutiveLaw> bouc_wen() {
  return std::make_unique<HystereticLaw>(
      std::make_unique<materials::BoucWenLaw>(materials::BoucWenLawSettings{
          .stiffness = 1.0, .yield_force = 0.2, .hardening = 0.1}));
}

TEST(BondGraphLaw, PolynomialHasValueAndSlope) {
  const auto law = polynomial({1, -1, 0, 2})();
  EXPECT_EQ(law->value(2.0), 15.0);
  EXPECT_EQ(law->slope(2.0), 23.0);
}

TEST(BondGraphLaw, TableGoesOnBeyondItsEnds) {
  TableLaw law({{-1, -2}, {1, 2}, {3, 3}});
  EXPECT_EQ(law.value(0.5), 1.0);
  EXPECT_EQ(law.value(5.0), 4.0);
  EXPECT_EQ(law.value(-2.0), -4.0);
  EXPECT_EQ(law.slope(1.0), 0.5);
}

TEST(BondGraphLaw, HysteresisAnswersFromItsLastCommit) {
  const auto law = bouc_wen();
  const double once = law->value(0.4);
  EXPECT_EQ(law->value(0.4), once);
  law->value(-3.0);
  EXPECT_EQ(law->value(0.4), once);
  law->commit(0.4);
  EXPECT_LT(law->value(0.0), -0.05);  // it has yielded
  law->reset();
  EXPECT_EQ(law->value(0.0), 0.0);
}

double worst_difference_over(const GraphModel& model, double end) {
  Substructuring test = substructure(model);
  Emulated emulated(test);
  Substructured substructured(test);
  constexpr double kStride = 0.005;
  double worst = 0.0;
  for (int k = 0; k * kStride < end; ++k) {
    const double t = k * kStride;
    const Seen seen = substructured.seen(t);
    worst = std::max(
        {worst, std::abs(seen.y - emulated.velocity(t)), std::abs(seen.v_t - seen.v_n)});
    emulated.step(t, kStride);
    substructured.step(t, kStride);
  }
  return worst;
}

// Both are the same differential equations: what differs is round-off, of some thousand
// steps.
TEST(AugmentedRightHandSide, IsExactForANumericalPartWithLaws) {
  ChainSettings settings;
  settings.masses[0].spring = polynomial({0, 1, 0, 0.5});
  settings.masses[1].spring = polynomial({0, 0.5, 0.2});
  EXPECT_LE(worst_difference_over(chain(settings), 20.0), 1e-12);
}

TEST(AugmentedRightHandSide, IsExactForHysteresisOnBothSides) {
  ChainSettings settings;
  settings.masses[1].spring = bouc_wen;
  settings.masses[2].spring = bouc_wen;
  EXPECT_LE(worst_difference_over(chain(settings), 20.0), 1e-12);
}

// beta_hat F_P is a term of the command by itself.
TEST(AugmentedRightHandSide, CountsTheMeasuredForceAsItLoadsTheTransferSystem) {
  ChainSettings settings;
  settings.masses[0].spring = polynomial({0, 1, 0, 0.5});
  const auto command = [&](double load) {
    GraphModel model = chain(settings);
    model.transfers[0].load = load;
    const Substructuring found = substructure(model);
    RightHandSide& system = *found.augmented.system.right_hand_side;
    VectorXd rate(system.states()), output(system.outputs());
    const VectorXd input = (VectorXd(2) << 2.0, 0.3).finished();
    EXPECT_TRUE(
        system.evaluate(VectorXd::Constant(system.states(), 0.1), input, rate, output));
    return output[0];
  };
  EXPECT_NEAR(command(1.0) - command(0.0), 2.0, 1e-14);
  EXPECT_NEAR(command(0.25) - command(0.0), 0.5, 1e-14);
}

TEST(GraphRightHandSide, KeepsWhatHysteresisRemembers) {
  ChainSettings settings;
  settings.masses[1].spring = bouc_wen;
  const Substructuring one = substructure(chain(settings));
  const Substructuring other = substructure(chain(settings));
  RightHandSide& system = *one.augmented.system.right_hand_side;
  RightHandSide& again = *other.augmented.system.right_hand_side;
  VectorXd x = VectorXd::Constant(system.states(), 0.4);
  system.commit(x);
  SnapshotWriter written;
  system.save(written);
  SnapshotReader reader(written.values());
  again.restore(reader);
  EXPECT_TRUE(reader.at_end());
  x.setConstant(0.1);
  const VectorXd input = VectorXd::Zero(2);
  VectorXd rate(x), output(system.outputs()), other_rate(x), other_output(output);
  system.evaluate(x, input, rate, output);
  again.evaluate(x, input, other_rate, other_output);
  EXPECT_EQ(rate, other_rate);
  again.reset();
  again.evaluate(x, input, other_rate, other_output);
  EXPECT_NE(rate, other_rate);
}

TEST(GraphRightHandSide, EliminatesAFollowerUnderANonlinearSpring) {
  const Graph graph = graph_of({{"F", "Se"},
                                {"j", "1"},
                                {"m1", "I", 2},
                                {"k", "C", 0, polynomial({0, 5, 0, 1})},
                                {"t", "TF", 3},
                                {"w", "1"},
                                {"m2", "I", 0.5},
                                {"c", "R", 0.4}},
                               {{"F", "j"},
                                {"j", "m1"},
                                {"j", "k"},
                                {"j", "t"},
                                {"t", "w"},
                                {"w", "m2"},
                                {"w", "c"}});
  const GraphSystem system = make_system(graph, analyse(graph, {}), {});
  ASSERT_EQ(system.states, (std::vector<std::string>{"m1.p", "k.q"}));
  VectorXd rate(2), output(0);
  ASSERT_TRUE(system.right_hand_side->evaluate(Eigen::Vector2d(0.6, 0.2),
                                               VectorXd::Constant(1, 7.0), rate, output));
  // 6.5 v' = F − k(q) − 9·0.4 v, v = p/2.
  const double acceleration = (7.0 - (1.0 + 0.008) - 3.6 * 0.3) / 6.5;
  EXPECT_NEAR(rate(0), 2.0 * acceleration, 1e-12);
  EXPECT_NEAR(rate(1), 0.3, 1e-15);
}

}  // namespace
}  // namespace trestle::bond_graph
