#include "numerical/structure/modes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "numerical/structure/combined_matrices.h"
#include "numerical/structure/modal_summary.h"
#include "tests/numerical/structure/example_frames.h"

namespace trestle::structure::modes_test {
namespace {

SparseMatrix sparse(const Eigen::MatrixXd& dense) {
  return dense.sparseView();
}

/// A regular frame of `bays` x `storeys`, lumped member mass.
FrameModel grid(int bays, int storeys) {
  FrameModel model;
  model.sections.push_back(testing::section(400.0));
  for (int j = 0; j <= storeys; ++j)
    for (int i = 0; i <= bays; ++i) {
      model.nodes.push_back(testing::node("n" + std::to_string(j) + "_" + std::to_string(i),
                                          6.0 * i, 3.0 * j));
      if (j == 0) model.nodes.back().fixed = testing::kClamped;
      const int here = j * (bays + 1) + i;
      if (j > 0) model.members.push_back({.from = here - bays - 1, .to = here});
      if (j > 0 && i > 0) model.members.push_back({.from = here - 1, .to = here});
    }
  return model;
}

TEST(Modes, MasslessDofFollowsStatically) {
  // Two springs in series, a mass at the end only: ω = √(k₁k₂/(k₁+k₂)/m).
  Eigen::Matrix2d K;
  K << 300.0 + 600.0, -600.0, -600.0, 600.0;
  const Eigen::Matrix2d M = Eigen::Vector2d(0.0, 2.0).asDiagonal();
  const Modes modes = lowest_modes(sparse(K), sparse(M), 2);
  ASSERT_EQ(modes.frequencies.size(), 1);
  EXPECT_NEAR(modes.frequencies[0], std::sqrt(200.0 / 2.0), 1e-12);
  EXPECT_NEAR(modes.shapes(0, 0) / modes.shapes(1, 0), 600.0 / 900.0, 1e-12);
}

TEST(Modes, AreMassNormalised) {
  const StructuralModel structure = assemble(grid(2, 3));
  const Modes modes = lowest_modes(structure, 6);
  const Eigen::MatrixXd unit = modes.shapes.transpose() * (structure.mass * modes.shapes);
  EXPECT_TRUE(unit.isApprox(Eigen::MatrixXd::Identity(6, 6), 1e-9));
  const Eigen::MatrixXd squares =
      modes.shapes.transpose() * (structure.stiffness * modes.shapes);
  const Eigen::VectorXd expected = modes.frequencies.array().square();
  EXPECT_TRUE(squares.diagonal().isApprox(expected, 1e-9));
}

// 660 equations go the sparse way; each pair must satisfy its own equation. The residual of
// a pair that the iteration has converged to 1e-11 in µ is of the order of its root.
TEST(Modes, OfAManyStoreyedFrameSatisfyTheirEquation) {
  const StructuralModel structure = assemble(grid(10, 20));
  ASSERT_GT(structure.equations, 600);
  const Modes modes = lowest_modes(structure, 5);
  ASSERT_EQ(modes.frequencies.size(), 5);
  for (int i = 0; i < 5; ++i) {
    const double square = std::pow(modes.frequencies[i], 2);
    const Eigen::VectorXd inertia = square * (structure.mass * modes.shapes.col(i));
    const Eigen::VectorXd residual = structure.stiffness * modes.shapes.col(i) - inertia;
    EXPECT_LT(residual.norm(), 1e-4 * inertia.norm()) << i;
    if (i > 0) {
      EXPECT_GT(modes.frequencies[i], modes.frequencies[i - 1]);
    }
  }
}

TEST(Modes, FreeBodyHasModesOfZeroFrequency) {
  Eigen::Matrix2d K;
  K << 50.0, -50.0, -50.0, 50.0;
  const Modes modes = lowest_modes(sparse(K), sparse(Eigen::Matrix2d::Identity()), 2);
  ASSERT_EQ(modes.frequencies.size(), 2);
  EXPECT_NEAR(modes.frequencies[0], 0.0, 1e-3);
  EXPECT_NEAR(modes.frequencies[1], 10.0, 1e-9);
}

TEST(Modes, MasslessMechanismIsRefused) {
  const Eigen::Matrix2d K = Eigen::Vector2d(1.0, 0.0).asDiagonal();
  EXPECT_THROW(lowest_modes(sparse(K), sparse(K), 1), std::runtime_error);
}

TEST(ModalSummary, CountsExperimentalStiffnessMassAndDamping) {
  StructuralModel structure = assemble(testing::cantilever(1, 3.0, 0.0));
  const int n = structure.equations;
  const int y = structure.equation("n1.y");
  structure.experimental_mass.coeffRef(y, y) = 500.0;
  structure.experimental_stiffness.coeffRef(y, y) = 1e6;
  structure.experimental_damping.coeffRef(y, y) = 300.0;
  const ModalSummary summary = summarise_modes(structure, 3);
  EXPECT_EQ(summary.equations, n);
  ASSERT_EQ(summary.periods.size(), 1U);
  const double k = 3.0 * testing::kBending / 27.0 + 1e6;
  const double omega = std::sqrt(k / 500.0);
  EXPECT_NEAR(summary.periods[0] * omega, 2.0 * 3.14159265358979, 1e-9);
  EXPECT_NEAR(summary.ratios[0], 300.0 / (2.0 * 500.0 * omega), 1e-12);
}

}  // namespace
}  // namespace trestle::structure::modes_test
