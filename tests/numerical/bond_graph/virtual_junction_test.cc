#include "numerical/bond_graph/virtual_junction.h"

#include <gtest/gtest.h>

#include <complex>
#include <map>
#include <numbers>

#include "core/math/dense_eigenvalues.h"
#include "core/math/dense_solve.h"
#include "numerical/bond_graph/analysis.h"
#include "numerical/bond_graph/causal_path.h"
#include "numerical/bond_graph/graph_cut.h"
#include "numerical/bond_graph/imposed_flow.h"
#include "numerical/bond_graph/substructuring.h"
#include "tests/numerical/bond_graph/draw.h"
#include "tests/numerical/bond_graph/expect_matrix.h"
#include "tests/numerical/bond_graph/sample_chains.h"
#include "tests/numerical/bond_graph/sample_graphs.h"

namespace trestle::bond_graph {
namespace {

using Eigen::MatrixXd;

struct Paper {
  double m1, k1, c1, m2, k2, c2, mt, kt, ct;
};

/// Equations (7) to (10) of the paper, as the specification prints them.
math::StateSpace equations_7_to_10(const Paper& p) {
  math::StateSpace s;
  s.A.resize(5, 5);
  s.A << 0, -1 / p.m1, 0, 0, 0,         //
      p.k1, -p.c1 / p.m1, -p.k2, 0, 0,  //
      0, 1 / p.m1, 0, -1 / p.m2, 0,     //
      0, 0, p.k2, -p.c2 / p.m2, 0,      //
      0, 0, 0, 1 / p.m2, 0;
  s.B.resize(5, 2);
  s.B << 0, 1, 0, 0, 0, 0, -1, 0, 0, 0;
  s.C.resize(1, 5);
  s.C << 0, 0, p.k2 * p.mt / p.m2, (p.ct * p.m2 - p.c2 * p.mt) / (p.m2 * p.m2), p.kt;
  s.D.resize(1, 2);
  s.D << (p.m2 - p.mt) / p.m2, 0;
  return s;
}

ChainSettings settings_of(const Paper& p) {
  ChainSettings settings;
  settings.masses = {{p.m1, p.k1, p.c1, {}}, {p.m2, p.k2, p.c2, {}}, {1.0, 1.0, 0.1, {}}};
  settings.transfer = {p.mt, p.kt, p.ct, {}};
  return settings;
}

void expect_paper(const Paper& p, double tolerance) {
  const Substructuring found = substructure(chain(settings_of(p)));
  const math::StateSpace wanted = equations_7_to_10(p);
  const math::StateSpace& system = *found.augmented.system.linear;
  expect_matrix(system.A, wanted.A, tolerance);
  expect_matrix(system.B, wanted.B, tolerance);
  expect_matrix(system.C.topRows(1), wanted.C, tolerance);
  expect_matrix(system.D.topRows(1), wanted.D, tolerance);
}

TEST(VirtualJunction, GivesEquations7To10OfThePaperEntryByEntry) {
  // Powers of two in every place: each entry shows which symbols made it, without
  // round-off.
  expect_paper({2, 8, 0.5, 4, 32, 0.25, 16, 64, 128}, 0.0);
}

TEST(VirtualJunction, GivesEquations7To10ForRandomParameters) {
  Draw random(7);
  for (int i = 0; i < 20; ++i) {
    const auto draw = [&] {
      return random.between(0.1, 5.0);
    };
    expect_paper({draw(), draw(), draw(), draw(), draw(), draw(), draw(), draw(), draw()},
                 1e-12);
  }
}

TEST(VirtualJunction, AgreesWithTheNumericOracle) {
  const Substructuring found =
      substructure(chain(settings_of({1.5, 120, 0.7, 2.5, 210, 1.1, 0.8, 340, 4.2})));
  const math::StateSpace& system = *found.augmented.system.linear;
  expect_matrix(system.C.topRows(1), (MatrixXd(1, 5) << 0, 0, 67.2, 1.5392, 340).finished(),
                1e-12);
  expect_matrix(system.D.topRows(1), (MatrixXd(1, 2) << 0.68, 0).finished(), 1e-14);
}

TEST(VirtualJunction, NamesStatesInputsAndOutputs) {
  const Substructuring found = substructure(chain({}));
  const GraphSystem& system = found.augmented.system;
  EXPECT_EQ(system.states, (std::vector<std::string>{"mass1/k.q", "mass1/m.p", "mass2/k.q",
                                                     "mass2/m.p", "tra.eta"}));
  EXPECT_EQ(system.inputs, (std::vector<std::string>{"interface.force", "r"}));
  EXPECT_EQ(system.outputs,
            (std::vector<std::string>{"interface.command", "interface.velocity",
                                      "interface.displacement"}));
  EXPECT_EQ(found.augmented.ports[0].numerical, "mass2");
  EXPECT_EQ(found.augmented.ports[0].physical, "mass3");
  EXPECT_EQ(found.augmented.ports[0].sign, 1.0);
  EXPECT_EQ(found.augmented.transfers[0].stiffness, 1.0);
}

TEST(VirtualJunction, TellsDegreesAndTheMarginalZero) {
  const Substructuring found = substructure(chain({}));
  EXPECT_EQ(found.augmented.numerical_degrees, std::vector<int>{1});
  EXPECT_EQ(found.augmented.transfer_degrees, std::vector<int>{1});
  ASSERT_EQ(found.augmented.zeros.size(), 1u);
  EXPECT_EQ(std::abs(found.augmented.zeros[0]), 0.0);
  ASSERT_EQ(found.notes.size(), 1u);
  EXPECT_EQ(found.notes[0].code, "W_VJ_MARGINAL");
}

TEST(VirtualJunction, CountsTheStoragesBetweenWallAndPort) {
  const GraphModel model = chain({});
  const GraphCut parts =
      cut(model.graph, model.physical, assign_causality(model.graph), "");
  const Analysis analysis = analyse(parts.numerical, parts.velocities);
  EXPECT_EQ(shortest_path(analysis.structure, 0, 0), 1);
  EXPECT_EQ(shortest_path(analysis.structure, 1, 0), 4);
}

// Specification, section 5: a factor s of det(sI − A), and why.
TEST(VirtualJunction, HoldsTheSumOfAllStretchesFromTheWall) {
  const Substructuring found =
      substructure(chain(settings_of({1.5, 120, 0.7, 2.5, 210, 1.1, 0.8, 340, 4.2})));
  const math::StateSpace& system = *found.augmented.system.linear;
  const Eigen::RowVectorXd sum = (Eigen::RowVectorXd(5) << 1, 0, 1, 0, 1).finished();
  expect_matrix(sum * system.A, Eigen::RowVectorXd::Zero(5), 0.0);
  expect_matrix(sum * system.B, (MatrixXd(1, 2) << 0, 1).finished(), 0.0);
}

Eigen::Index controllable(const math::StateSpace& system, const MatrixXd& B) {
  MatrixXd reached(B.rows(), B.cols() * system.states());
  MatrixXd power = B;
  for (Eigen::Index i = 0; i < system.states(); ++i, power = (system.A * power).eval())
    reached.middleCols(i * B.cols(), B.cols()) = power.colwise().normalized();
  return math::rank(reached, 1e-9);
}

TEST(VirtualJunction, IsMovedInFourStatesByTheSpecimenAndInAllByTheWallToo) {
  const Substructuring found = substructure(chain({}));
  const math::StateSpace& system = *found.augmented.system.linear;
  EXPECT_EQ(controllable(system, system.B.leftCols(1)), 4);
  EXPECT_EQ(controllable(system, system.B), 5);
}

/// Frequencies [Hz] and damping ratios of the whole, rising.
void expect_modes(const math::StateSpace& whole, const std::vector<double>& frequencies,
                  const std::vector<double>& ratios) {
  std::map<double, double> modes;
  for (const std::complex<double>& value : math::eigenvalues(whole.A))
    if (value.imag() > 0.0)
      modes[std::abs(value) / (2.0 * std::numbers::pi)] = -value.real() / std::abs(value);
  ASSERT_EQ(modes.size(), frequencies.size());
  std::size_t i = 0;
  for (const auto& [frequency, ratio] : modes) {
    EXPECT_NEAR(frequency, frequencies[i], 5.1e-5);
    EXPECT_NEAR(ratio, ratios[i++], 5.1e-6);
  }
}

TEST(VirtualJunction, StandsBesideTheEmulatedModesOfSection5) {
  expect_modes(*substructure(two_ports({})).whole.linear, {5.6601, 10.4585, 13.6647},
               {0.02246, 0.04150, 0.05423});
  expect_modes(*substructure(two_ports({.dampers_to_ground = true})).whole.linear,
               {5.6601, 10.4585, 13.6647}, {0.03834, 0.02075, 0.01588});
}

TEST(VirtualJunction, SeesTheWallThroughTheDamperBesideItsSpring) {
  for (const bool to_ground : {false, true}) {
    const GraphModel model = two_ports({.dampers_to_ground = to_ground});
    const GraphCut parts =
        cut(model.graph, model.physical, assign_causality(model.graph), "");
    const Analysis analysis = analyse(parts.numerical, parts.velocities);
    for (const Eigen::Index port : {0, 1}) {
      EXPECT_EQ(shortest_path(analysis.structure, port, port), 1);
      EXPECT_EQ(shortest_path(analysis.structure, 2 + port, port), to_ground ? 2 : 1);
      EXPECT_EQ(shortest_path(analysis.structure, 2 + port, 1 - port), std::nullopt);
    }
  }
}

void expect_both_routes(const GraphModel& model) {
  const Substructuring found = substructure(model);
  std::vector<LinearGraph> forms;
  Eigen::VectorXd load(static_cast<Eigen::Index>(model.transfers.size()));
  for (const TransferModel& transfer : model.transfers) {
    load(static_cast<Eigen::Index>(forms.size())) = transfer.load;
    forms.push_back(*imposed_flow(transfer));
  }
  math::StateSpace other = augmented_by_imposed_flow(*found.numerical.linear, forms, load);
  const math::StateSpace& one = *found.augmented.system.linear;
  // The transfer spring counts its displacement the other way round.
  const Eigen::Index n = found.augmented.numerical_states;
  for (Eigen::Index i = n; i < other.states(); ++i) {
    other.A.row(i) *= -1.0;
    other.A.col(i) *= -1.0;
    other.B.row(i) *= -1.0;
    other.C.col(i) *= -1.0;
  }
  const auto scale = [](const MatrixXd& M) {
    return 1e-12 * (1.0 + M.cwiseAbs().maxCoeff());
  };
  expect_matrix(other.A, one.A, scale(one.A));
  expect_matrix(other.B, one.B, scale(one.B));
  expect_matrix(other.C, one.C.topRows(load.size()), scale(one.C));
  expect_matrix(other.D, one.D.topRows(load.size()), scale(one.D));
}

TEST(VirtualJunction, IsTheSameByTransferGraphsWithImposedFlow) {
  expect_both_routes(chain({}));
  expect_both_routes(chain(settings_of({1.5, 120, 0.7, 2.5, 210, 1.1, 0.8, 340, 4.2})));
  expect_both_routes(two_ports({}));
  expect_both_routes(two_ports({.dampers_to_ground = true, .load = 0.0}));
}

TEST(VirtualJunction, GivesTheTwoPortsOfSection5) {
  const Substructuring found = substructure(two_ports({}));
  const double m = 2.2, k = 4750, c = 6;
  MatrixXd A = MatrixXd::Zero(6, 6);
  MatrixXd B = MatrixXd::Zero(6, 4);
  for (Eigen::Index i = 0; i < 2; ++i) {
    A(2 * i, 2 * i + 1) = A(4 + i, 2 * i + 1) = 1 / m;
    A(2 * i, 2 * i + 1) *= -1;
    A(2 * i + 1, 2 * i) = k;
    A(2 * i + 1, 2 * i + 1) = -c / m;
    B(2 * i, 2 + i) = 1;
    B(2 * i + 1, i) = -1;
    B(2 * i + 1, 2 + i) = c;
  }
  MatrixXd C(2, 6);
  C << 4750, 144.8 / 2.2, 0, 0, 13618, 0, 0, 0, 4750, 194.8 / 2.2, 0, 25902;
  MatrixXd D = MatrixXd::Zero(2, 4);
  D(0, 2) = D(1, 3) = 6;
  const math::StateSpace& system = *found.augmented.system.linear;
  expect_matrix(system.A, A, 1e-11);
  expect_matrix(system.B, B, 1e-14);
  expect_matrix(system.C.topRows(2), C, 1e-10);
  expect_matrix(system.D.topRows(2), D, 1e-13);
  EXPECT_NEAR(found.augmented.transfers[1].stiffness, 25902, 1e-8);
}

TEST(VirtualJunction, DoesNotCareWhichWayThePortsBondPoints) {
  const Substructuring one = substructure(two_ports({}));
  const Substructuring other = substructure(two_ports({.left_to_right = true}));
  EXPECT_EQ(other.augmented.ports[1].sign, -1.0);
  EXPECT_LE(worst_difference(*one.augmented.system.linear, *other.augmented.system.linear),
            1e-12);
}

TEST(VirtualJunction, WarnsWhereTheMeasuredForceIsAmplified) {
  const Substructuring found =
      substructure(chain(settings_of({1, 1, 1, 1, 1, 1, 3, 1, 1})));
  ASSERT_EQ(found.notes.size(), 2u);
  EXPECT_EQ(found.notes[0].code, "W_VJ_GAIN");
  EXPECT_NE(found.notes[0].text.find("-2"), std::string::npos) << found.notes[0].text;
}

}  // namespace
}  // namespace trestle::bond_graph
