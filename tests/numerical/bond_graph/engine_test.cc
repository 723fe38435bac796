// The engine test list of the specification, with its answers.
#include <gtest/gtest.h>

#include "numerical/bond_graph/analysis.h"
#include "tests/numerical/bond_graph/expect_matrix.h"
#include "tests/numerical/bond_graph/sample_graphs.h"

namespace trestle::bond_graph {
namespace {

using Eigen::MatrixXd;

TEST(BondGraphEngine, DerivesTheSeriesCircuit) {
  const Graph graph =
      graph_of({{"u", "Se"}, {"j", "1"}, {"L", "I", 2}, {"r", "R", 3}, {"k", "C", 5}},
               {{"u", "j"}, {"j", "L"}, {"j", "r"}, {"j", "k"}});
  const math::StateSpace system = linear(graph);
  expect_matrix(system.A, (MatrixXd(2, 2) << -1.5, -5, 0.5, 0).finished(), 1e-15);
  expect_matrix(system.B, (MatrixXd(2, 1) << 1, 0).finished(), 1e-15);
}

TEST(BondGraphEngine, DerivesTheMotorThroughItsGyrator) {
  const Graph graph = graph_of(
      {{"u", "Se"},
       {"j", "1"},
       {"L", "I", 0.5},
       {"R", "R", 2},
       {"g", "GY", 0.3},
       {"w", "1"},
       {"J", "I", 0.1},
       {"b", "R", 0.05}},
      {{"u", "j"}, {"j", "L"}, {"j", "R"}, {"j", "g"}, {"g", "w"}, {"w", "J"}, {"w", "b"}});
  expect_matrix(linear(graph).A, (MatrixXd(2, 2) << -4, -3, 0.6, -0.5).finished(), 1e-14);
}

TEST(BondGraphEngine, EliminatesAMassThatFollowsThroughALever) {
  const Graph graph = graph_of({{"F", "Se"},
                                {"j", "1"},
                                {"m1", "I", 2},
                                {"k", "C", 50},
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
  const Analysis analysis = analyse(graph, {});
  ASSERT_EQ(analysis.causality.derivative.size(), 1u);
  EXPECT_EQ(graph.element(analysis.causality.derivative[0]).name, "m2");
  const auto told = notes(graph, analysis);
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told[0].code, "W_DERIVATIVE");
  // Effective mass 2 + 9·0.5 = 6.5.
  expect_matrix(linear(graph).A,
                (MatrixXd(2, 2) << -3.6 / 6.5, -100 / 6.5 * 1.0, 0.5, 0).finished(), 1e-13);
}

// A bond that is turned changes the sign of its flow: here the shaft turns the other way.
TEST(BondGraphEngine, TakesTheSidesOfAGyratorAndALeverAsTheyAreSaid) {
  const Graph motor = graph_of({{"u", "Se"},
                                {"j", "1"},
                                {"L", "I", 0.5},
                                {"R", "R", 2},
                                {"g", "GY", 0.3},
                                {"w", "1"},
                                {"J", "I", 0.1},
                                {"b", "R", 0.05}},
                               {{"u", "j"},
                                {"j", "L"},
                                {"j", "R"},
                                {"j", "g"},
                                {"w", "g.2"},
                                {"w", "J"},
                                {"w", "b"}});
  expect_matrix(linear(motor).A, (MatrixXd(2, 2) << -4, 3, -0.6, -0.5).finished(), 1e-14);
  const Graph lever = graph_of({{"F", "Se"},
                                {"j", "1"},
                                {"m1", "I", 2},
                                {"k", "C", 50},
                                {"t", "TF", 3},
                                {"w", "1"},
                                {"m2", "I", 0.5},
                                {"c", "R", 0.4}},
                               {{"F", "j"},
                                {"j", "m1"},
                                {"j", "k"},
                                {"j", "t.1"},
                                {"w", "t.2"},
                                {"w", "m2"},
                                {"w", "c"}});
  expect_matrix(linear(lever).A,
                (MatrixXd(2, 2) << -3.6 / 6.5, -100 / 6.5, 0.5, 0).finished(), 1e-13);
}

TEST(BondGraphEngine, DerivesAGyratorBetweenTwoSprings) {
  const std::vector<Part> parts{{"v", "Sf"},      {"a", "0"}, {"k1", "C", 3},
                                {"g", "GY", 0.5}, {"b", "0"}, {"k2", "C", 7},
                                {"c", "R", 2}};
  const math::StateSpace system = linear(graph_of(
      parts, {{"v", "a"}, {"a", "k1"}, {"a", "g"}, {"g", "b"}, {"b", "k2"}, {"b", "c"}}));
  // q1' = v − k2 q2 / r, q2' = k1 q1 / r − k2 q2 / c.
  expect_matrix(system.A, (MatrixXd(2, 2) << 0, -14, 6, -3.5).finished(), 1e-14);
  const math::StateSpace turned = linear(graph_of(
      parts,
      {{"v", "a"}, {"a", "k1"}, {"g.1", "a"}, {"g.2", "b"}, {"b", "k2"}, {"b", "c"}}));
  // The turned bond carries the opposite flow into the same junction.
  expect_matrix(turned.A, system.A, 1e-14);
}

TEST(BondGraphEngine, DerivesALeverThatIsDrivenFromItsLongSide) {
  const Graph graph = graph_of({{"F", "Se"}, {"t", "TF", 4}, {"w", "1"}, {"m", "I", 0.5}},
                               {{"F", "t"}, {"t", "w"}, {"w", "m"}});
  const Signal flow{"F.f", 0, false, 1.0};
  const math::StateSpace system = linear(graph, {flow});
  // p' = F/4; the force's end moves with v/4.
  expect_matrix(system.B, (MatrixXd(1, 1) << 0.25).finished(), 1e-15);
  expect_matrix(system.C, (MatrixXd(1, 1) << 0.5).finished(), 1e-15);
}

Graph divider(ConstitutiveLawFactory law) {
  return graph_of(
      {{"u", "Se"},
       {"j", "1"},
       {"R1", "R", 2},
       {"n", "0"},
       {"R2", "R", 3, std::move(law)},
       {"i", "1"},
       {"L", "I", 0.5}},
      {{"u", "j"}, {"j", "R1"}, {"j", "n"}, {"n", "R2"}, {"n", "i"}, {"i", "L"}});
}

TEST(BondGraphEngine, SolvesALinearLoopOfDampers) {
  const Graph graph = divider({});
  const Analysis analysis = analyse(graph, {});
  const auto told = notes(graph, analysis);
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told[0].code, "W_ALGEBRAIC_LOOP");
  EXPECT_EQ(told[0].where, (std::vector<std::string>{"R1", "R2"}));
  const math::StateSpace system = linear(graph);
  expect_matrix(system.A, (MatrixXd(1, 1) << -2.4).finished(), 1e-14);
  expect_matrix(system.B, (MatrixXd(1, 1) << 0.6).finished(), 1e-15);
}

// Two ways from the force to the mass through dampers, one of them through a lever that
// turns the sign: what they send cancels, but for round-off, so that the force does not
// reach it.
TEST(BondGraphEngine, TakesForcesThatCancelForNone) {
  const Graph graph = graph_of({{"F", "Se"},
                                {"a", "1"},
                                {"c1", "R", 0.1},
                                {"b", "1"},
                                {"c2", "R", 1.0 / 30.0},
                                {"t", "TF", -1.0 / 3.0},
                                {"z", "0"},
                                {"y", "0"},
                                {"w", "1"},
                                {"m", "I", 1}},
                               {{"F", "z"},
                                {"z", "a"},
                                {"a", "c1"},
                                {"a", "y"},
                                {"z", "b"},
                                {"b", "c2"},
                                {"b", "t"},
                                {"t", "y"},
                                {"y", "w"},
                                {"w", "m"}});
  const math::StateSpace system = linear(graph);
  // At y: (F − e)/0.1 − (1/3)(F + e/3) 30 = v, e the mass's force.
  EXPECT_EQ(system.B(0, 0), 0.0);
  EXPECT_NEAR(system.A(0, 0), -0.075, 1e-15);
}

TEST(BondGraphEngine, SolvesACubicLoopOfDampersByNewton) {
  const Graph graph = divider(polynomial({0, 0, 0, 1}));
  const Signal flow{"R2.f", 3, false, 1.0};
  const GraphSystem system = make_system(graph, analyse(graph, {flow}), {flow});
  Eigen::VectorXd rate(1);
  Eigen::VectorXd output(1);
  ASSERT_TRUE(system.right_hand_side->evaluate(
      Eigen::VectorXd::Constant(1, 0.25), Eigen::VectorXd::Constant(1, 4.0), rate, output));
  EXPECT_NEAR(output(0), 1.0, 1e-12);
  EXPECT_NEAR(rate(0), 1.0, 1e-12);
}

}  // namespace
}  // namespace trestle::bond_graph
