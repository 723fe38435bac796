// Parts of a structure that do not move each other, in the condensed Newton steps.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "numerical/integration/condensed_newton.h"
#include "numerical/integration/effective_solver.h"
#include "numerical/materials/bilinear_law.h"
#include "tests/numerical/integration/small_structures.h"

namespace trestle::integration::condensed_parts_test {
namespace {

constexpr int kStoreys = 3;
constexpr double kStep = 5e-3;

/// Shear buildings of equal storeys on bilinear springs, one beside the other in one model.
structure::StructuralModel buildings(const std::vector<double>& masses) {
  const auto count = static_cast<Eigen::Index>(masses.size()) * kStoreys;
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(count, count);
  for (Eigen::Index i = 0; i < count; ++i)
    M(i, i) = masses[static_cast<std::size_t>(i / kStoreys)];
  structure::StructuralModel made =
      testing::structure_of(M, 0.3 * M, Eigen::MatrixXd::Zero(count, count));
  for (Eigen::Index i = 0; i < count; ++i) {
    structure::NonlinearSpring spring;
    const int below = i % kStoreys == 0 ? -1 : static_cast<int>(i) - 1;
    spring.elongation = structure::between(static_cast<int>(i), below);
    spring.law = std::make_unique<materials::BilinearLaw>(materials::BilinearLawSettings{
        .stiffness = 400.0, .yield_force = 4.0, .hardening = 0.05});
    made.springs.push_back(std::move(spring));
  }
  return made;
}

/// @returns the displacements of each step, one step after the other
std::vector<double> shaken(const std::vector<double>& masses) {
  const structure::StructuralModel made = buildings(masses);
  Implicit integrator(made, kStep, {});
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(made.equations);
  StructuralState state{zero, zero, zero};
  const auto load = [&](double t) {
    return Eigen::VectorXd(made.base_load.col(structure::kGroundX) * 8.0 *
                           std::sin(5.0 * t));
  };
  integrator.start(load(0.0), state);
  std::vector<double> all;
  for (int k = 1; k <= 400; ++k) {
    integrator.predict(state);
    integrator.correct(load(k * kStep), state);
    all.insert(all.end(), state.displacement.begin(), state.displacement.end());
  }
  return all;
}

std::size_t parts_of(const std::vector<double>& masses) {
  const structure::StructuralModel made = buildings(masses);
  structure::SparseMatrix effective = made.mass;
  for (const structure::NonlinearSpring& spring : made.springs) {
    Eigen::VectorXd row = Eigen::VectorXd::Zero(made.equations);
    structure::add_force(spring.elongation, 1.0, row);
    effective += structure::SparseMatrix(
        (0.25 * kStep * kStep * 400.0 * row * row.transpose()).sparseView());
  }
  const EffectiveSolver solver(effective, {}, 0.0);
  return CondensedNewton(made, solver,
                         {.displacement = 0.25 * kStep * kStep, .rate = 2.0 / kStep}, 3)
      .parts();
}

TEST(CondensedParts, AreAsManyAsTheBuildings) {
  EXPECT_EQ(parts_of({1.0}), 1U);
  EXPECT_EQ(parts_of({1.0, 2.0}), 2U);
  EXPECT_EQ(parts_of({1.0, 2.0, 0.5}), 3U);
}

TEST(CondensedParts, MoveAsEachBuildingDoesAlone) {
  const std::vector<double> together = shaken({1.0, 2.0});
  const std::vector<double> first = shaken({1.0});
  const std::vector<double> second = shaken({2.0});
  double most = 0.0;
  for (std::size_t step = 0; step < first.size() / kStoreys; ++step)
    for (std::size_t i = 0; i < kStoreys; ++i) {
      const double one = together[2 * kStoreys * step + i];
      const double other = together[2 * kStoreys * step + kStoreys + i];
      EXPECT_NEAR(one, first[kStoreys * step + i], 1e-12) << step;
      EXPECT_NEAR(other, second[kStoreys * step + i], 1e-12) << step;
      most = std::max(most, std::abs(one));
    }
  EXPECT_GT(most, 0.05) << "it yields";
}

}  // namespace
}  // namespace trestle::integration::condensed_parts_test
