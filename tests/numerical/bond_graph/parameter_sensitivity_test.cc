#include "numerical/bond_graph/parameter_sensitivity.h"

#include <gtest/gtest.h>

#include <cmath>

#include "numerical/bond_graph/analysis.h"
#include "tests/numerical/bond_graph/expect_matrix.h"
#include "tests/numerical/bond_graph/sample_chains.h"
#include "tests/numerical/bond_graph/sample_graphs.h"

namespace trestle::bond_graph {
namespace {

using Complex = std::complex<double>;
using Eigen::MatrixXd;

/// p' = u − (r/L)·p − k·q, q' = p/L: derived by hand.
Graph series_circuit(double L, double r, double k) {
  return graph_of({{"u", "Se"}, {"j", "1"}, {"L", "I", L}, {"r", "R", r}, {"k", "C", k}},
                  {{"u", "j"}, {"j", "L"}, {"j", "r"}, {"j", "k"}});
}

TEST(ParameterSensitivity, IsTheDerivativeOfTheSeriesCircuit) {
  const Graph graph = series_circuit(2, 3, 5);
  std::vector<Signal> outputs;
  outputs.push_back(signal_of(graph, "L", true, ""));   // u − r/L·p − k·q
  outputs.push_back(signal_of(graph, "L", false, ""));  // p/L
  outputs.push_back(signal_of(graph, "r", true, ""));   // r/L·p
  outputs.push_back(signal_of(graph, "k", true, ""));   // k·q
  const auto by = [&](const char* name) {
    return parameter_sensitivity(graph, outputs, graph.find(name));
  };
  const ParameterSensitivity inertia = by("L");
  EXPECT_EQ(inertia.component, "L");
  EXPECT_EQ(inertia.value, 2.0);
  expect_matrix(inertia.A, (MatrixXd(2, 2) << 0.75, 0, -0.25, 0).finished(), 1e-14);
  expect_matrix(inertia.C, (MatrixXd(4, 2) << 0.75, 0, -0.25, 0, -0.75, 0, 0, 0).finished(),
                1e-14);
  const ParameterSensitivity damper = by("r");
  expect_matrix(damper.A, (MatrixXd(2, 2) << -0.5, 0, 0, 0).finished(), 1e-14);
  expect_matrix(damper.C, (MatrixXd(4, 2) << -0.5, 0, 0, 0, 0.5, 0, 0, 0).finished(),
                1e-14);
  const ParameterSensitivity spring = by("k");
  expect_matrix(spring.A, (MatrixXd(2, 2) << 0, -1, 0, 0).finished(), 1e-14);
  expect_matrix(spring.C, (MatrixXd(4, 2) << 0, -1, 0, 0, 0, 0, 0, 1).finished(), 1e-14);
  for (const ParameterSensitivity* one : {&inertia, &damper, &spring}) {
    EXPECT_EQ(one->B.norm(), 0.0);
    EXPECT_EQ(one->D.norm(), 0.0);
  }
}

/// Two dampers that act on each other: A = −R₁R₂/((R₁ + R₂)·L), B = R₂/(R₁ + R₂), and the
/// effort of R₁ is (u·R₁ + R₁R₂·p/L)/(R₁ + R₂).
TEST(ParameterSensitivity, IsTheDerivativeThroughALoopOfDampers) {
  const Graph graph =
      graph_of({{"u", "Se"},
                {"j", "1"},
                {"R1", "R", 2},
                {"n", "0"},
                {"R2", "R", 3},
                {"i", "1"},
                {"L", "I", 0.5}},
               {{"u", "j"}, {"j", "R1"}, {"j", "n"}, {"n", "R2"}, {"n", "i"}, {"i", "L"}});
  const std::vector<Signal> outputs{signal_of(graph, "R1", true, "")};
  const auto by = [&](const char* name) {
    return parameter_sensitivity(graph, outputs, graph.find(name));
  };
  const auto scalar = [](double value) {
    return MatrixXd::Constant(1, 1, value);
  };
  expect_matrix(by("R1").A, scalar(-9.0 / 25.0 / 0.5), 1e-13);
  expect_matrix(by("R1").B, scalar(-3.0 / 25.0), 1e-13);
  expect_matrix(by("R1").C, scalar(9.0 / 25.0 / 0.5), 1e-13);
  expect_matrix(by("R1").D, scalar(3.0 / 25.0), 1e-13);
  expect_matrix(by("R2").A, scalar(-4.0 / 25.0 / 0.5), 1e-13);
  expect_matrix(by("R2").B, scalar(2.0 / 25.0), 1e-13);
  expect_matrix(by("R2").C, scalar(4.0 / 25.0 / 0.5), 1e-13);
  expect_matrix(by("R2").D, scalar(-2.0 / 25.0), 1e-13);
  expect_matrix(by("L").A, scalar(1.2 / 0.25), 1e-13);
  expect_matrix(by("L").B, scalar(0.0), 1e-13);
}

/// All matrices against differences of the graph with other numbers.
void expect_differences(const Graph& graph, const std::vector<Signal>& outputs) {
  constexpr double kDifference = 1e-5;
  for (std::size_t i = 0; i < graph.elements().size(); ++i) {
    if (!has_sensitivity(graph.element(i))) continue;
    const double value = graph.element(i).value;
    Graph more = graph, less = graph;
    more.element(i).value = (1.0 + kDifference) * value;
    less.element(i).value = (1.0 - kDifference) * value;
    const math::StateSpace above = linear(more, outputs), below = linear(less, outputs);
    const ParameterSensitivity found = parameter_sensitivity(graph, outputs, i);
    const auto close = [&](const MatrixXd& derivative, const MatrixXd& up,
                           const MatrixXd& down) {
      const double scale = up.cwiseAbs().maxCoeff() + 1.0;
      expect_matrix(value * derivative, (up - down) / (2.0 * kDifference), 1e-8 * scale);
    };
    SCOPED_TRACE(graph.element(i).name);
    close(found.A, above.A, below.A);
    close(found.B, above.B, below.B);
    close(found.C, above.C, below.C);
    close(found.D, above.D, below.D);
  }
}

TEST(ParameterSensitivity, IsThatOfOtherNumbersInChainsAndThroughTwoPorts) {
  for (const bool to_ground : {false, true}) {
    const Graph graph = two_ports({.dampers_to_ground = to_ground}).graph;
    std::vector<Signal> outputs;
    for (const std::size_t bond : {0U, 3U, 5U, 8U})
      for (const bool effort : {false, true}) outputs.push_back({"y", bond, effort, 1.0});
    expect_differences(graph, outputs);
  }
  expect_differences(
      graph_of({{"v", "Sf"},
                {"a", "0"},
                {"k1", "C", 3},
                {"g", "GY", 0.5},
                {"b", "0"},
                {"k2", "C", 7},
                {"c", "R", 2}},
               {{"v", "a"}, {"a", "k1"}, {"a", "g"}, {"g", "b"}, {"b", "k2"}, {"b", "c"}}),
      {{"y", 5, false, 1.0}, {"y", 0, true, -1.0}});
}

TEST(ParameterSensitivity, SaysThatAMassThatOnlyFollowsHasNone) {
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
                                {"j", "t"},
                                {"t", "w"},
                                {"w", "m2"},
                                {"w", "c"}});
  EXPECT_NE(complaint([&] {
              parameter_sensitivity(lever, {}, lever.find("m2"));
            }).find("[E_INPUT_DERIVATIVE]"),
            std::string::npos);
  // p' = −9·c/6.5·p ...: with the effective mass of 2 + 9·0.5.
  expect_matrix(parameter_sensitivity(lever, {}, lever.find("c")).A,
                (MatrixXd(2, 2) << -9.0 / 6.5, 0, 0, 0).finished(), 1e-13);
}

/// λ = (−c + j√(4km − c²))/2m, derived by hand.
TEST(PoleSensitivity, IsTheDerivativeOfThePoleOfOneMass) {
  const double m = 2.0, c = 3.0, k = 5.0;
  const Graph graph = series_circuit(m, c, k);
  std::vector<ParameterSensitivity> all;
  for (const char* name : {"L", "r", "k"})
    all.push_back(parameter_sensitivity(graph, {}, graph.find(name)));
  const auto found = pole_sensitivities(linear(graph).A, all);
  ASSERT_EQ(found.size(), 1U);  // its conjugate is not told
  const double root = std::sqrt(4.0 * k * m - c * c);
  const Complex pole(-c / (2.0 * m), root / (2.0 * m));
  EXPECT_LT(std::abs(found[0].pole - pole), 1e-14);
  ASSERT_EQ(found[0].rates.size(), 3U);
  EXPECT_LT(std::abs(found[0].rates[0] - (-pole / m + Complex(0.0, k / (m * root)))), 1e-9);
  EXPECT_LT(std::abs(found[0].rates[1] - Complex(-1.0, -c / root) / (2.0 * m)), 1e-9);
  EXPECT_LT(std::abs(found[0].rates[2] - Complex(0.0, 1.0 / root)), 1e-9);
}

TEST(PoleSensitivity, HasNoNumbersWhereTwoPolesAreOne) {
  const Graph graph = series_circuit(1, 2, 1);  // (s + 1)²
  const auto found = pole_sensitivities(
      linear(graph).A, {parameter_sensitivity(graph, {}, graph.find("k"))});
  ASSERT_FALSE(found.empty());
  for (const PoleSensitivity& pole : found)
    EXPECT_TRUE(std::isnan(pole.rates.at(0).real()));
}

/// Larger masses and springs in the same proportion leave every frequency as it is, and
/// with the dampers, every pole.
TEST(PoleSensitivity, OfAllNumbersAtOnceIsNothing) {
  const Graph graph = two_ports({}).graph;
  std::vector<ParameterSensitivity> all;
  for (std::size_t i = 0; i < graph.elements().size(); ++i)
    if (has_sensitivity(graph.element(i)))
      all.push_back(parameter_sensitivity(graph, {}, i));
  EXPECT_EQ(all.size(), 11U);  // three masses, four springs, four dampers
  double last = 0.0;
  for (const PoleSensitivity& pole : pole_sensitivities(linear(graph).A, all)) {
    EXPECT_GE(std::abs(pole.pole), last);
    last = std::abs(pole.pole);
    if (last < 1.0) continue;  // a pole at rest
    Complex sum = 0.0;
    double size = 0.0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      sum += all[i].value * pole.rates[i];
      size += std::abs(all[i].value * pole.rates[i]);
    }
    EXPECT_GT(size, 0.5 * last);
    EXPECT_LT(std::abs(sum), 1e-7 * size);
  }
}

}  // namespace
}  // namespace trestle::bond_graph
