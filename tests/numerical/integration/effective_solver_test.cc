#include "numerical/integration/effective_solver.h"

#include <gtest/gtest.h>

#include <Eigen/LU>

#include "numerical/integration/unbalanced_force.h"
#include "tests/numerical/integration/small_structures.h"

namespace trestle::integration {
namespace {

using testing::chain_stiffness;
using testing::sparse;
using testing::structure_of;

constexpr int kSize = 12;

/// Two vectors as columns of W; neither orthogonal nor normalised, as the formula allows.
structure::ModalDampingFactors factors() {
  structure::ModalDampingFactors modal;
  modal.weighted_modes.resize(kSize, 3);
  for (int i = 0; i < kSize; ++i)
    for (int j = 0; j < 3; ++j)
      modal.weighted_modes(i, j) = std::sin(0.7 * (i + 1) * (j + 1));
  modal.coefficient = Eigen::Vector3d(0.5, 0.0, 2.0);
  return modal;
}

Eigen::MatrixXd full(const structure::ModalDampingFactors& modal) {
  return modal.weighted_modes * modal.coefficient.asDiagonal() *
         modal.weighted_modes.transpose();
}

void expect_dense_solution(const Eigen::MatrixXd& S) {
  const double factor = 0.3;
  const Eigen::VectorXd b = Eigen::VectorXd::LinSpaced(kSize, -1.0, 2.0);
  Eigen::VectorXd x = b;
  EffectiveSolver(sparse(S), factors(), factor).solve(x);
  const Eigen::MatrixXd whole = S + factor * full(factors());
  EXPECT_LT((whole * x - b).norm(), 1e-12 * b.norm());
}

TEST(EffectiveSolver, AddsModalDampingToADiagonalMatrix) {
  expect_dense_solution(Eigen::VectorXd::LinSpaced(kSize, 1.0, 3.0).asDiagonal());
}

TEST(EffectiveSolver, AddsModalDampingToASparseMatrix) {
  expect_dense_solution(Eigen::MatrixXd::Identity(kSize, kSize) +
                        chain_stiffness(kSize, 5.0));
}

TEST(EffectiveSolver, NamesTheRowThatIsNotPositive) {
  Eigen::MatrixXd S = Eigen::MatrixXd::Identity(kSize, kSize);
  S(7, 7) = 0.0;
  try {
    const EffectiveSolver solver(sparse(S), {}, 0.0);
    FAIL();
  } catch (const NotPositiveDefinite& error) {
    EXPECT_EQ(error.equation(), 7);
  }
}

TEST(CholeskyFactor, NamesARowOfAMechanism) {
  Eigen::MatrixXd S = chain_stiffness(kSize, 5.0);
  S.row(4).setZero();
  S.col(4).setZero();
  try {
    const CholeskyFactor factor(sparse(S));
    FAIL();
  } catch (const NotPositiveDefinite& error) {
    EXPECT_EQ(error.equation(), 4);
  }
}

TEST(UnbalancedForce, IsWhatTheMatricesLeaveOfTheLoad) {
  const Eigen::MatrixXd K = chain_stiffness(kSize, 5.0);
  const Eigen::MatrixXd M = Eigen::MatrixXd::Identity(kSize, kSize);
  const Eigen::VectorXd p = Eigen::VectorXd::LinSpaced(kSize, 0.0, 3.0);
  const Eigen::VectorXd d = Eigen::VectorXd::LinSpaced(kSize, 1.0, -1.0);
  const Eigen::VectorXd v = Eigen::VectorXd::LinSpaced(kSize, 0.2, 0.9);
  for (const double b : {0.0, 0.01}) {
    const Eigen::MatrixXd C = b * K + 3.0 * b * M;
    structure::StructuralModel structure = structure_of(M, C, K);
    structure.modal_damping = factors();
    Eigen::VectorXd q(kSize);
    UnbalancedForce(structure).evaluate(p, d, v, q);
    EXPECT_LT((q - (p - K * d - (C + full(factors())) * v)).norm(), 1e-13 * p.norm());
  }
}

TEST(ModalDamping, GivesTheSameStepsAsTheFullDampingMatrix) {
  const Eigen::MatrixXd K = chain_stiffness(kSize, 50.0);
  const Eigen::MatrixXd M = Eigen::MatrixXd::Identity(kSize, kSize);
  structure::StructuralModel modal = structure_of(M, 0.0 * M, K);
  modal.modal_damping = factors();
  const structure::StructuralModel dense = structure_of(M, full(factors()), K);
  for (const testing::Scheme& scheme : testing::all_schemes()) {
    const auto one = scheme.make(modal, 0.05);
    const auto two = scheme.make(dense, 0.05);
    const Eigen::VectorXd load = Eigen::VectorXd::LinSpaced(kSize, 1.0, 2.0);
    const Eigen::VectorXd zero = Eigen::VectorXd::Zero(kSize);
    StructuralState a{zero, zero, zero};
    StructuralState b{zero, zero, zero};
    one->start(load, a);
    two->start(load, b);
    for (int k = 0; k < 200; ++k) {
      one->predict(a);
      two->predict(b);
      one->correct(load, a);
      two->correct(load, b);
    }
    EXPECT_LT((a.displacement - b.displacement).norm(), 1e-11 * b.displacement.norm())
        << scheme.name;
  }
}

}  // namespace
}  // namespace trestle::integration
