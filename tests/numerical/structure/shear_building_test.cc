#include "numerical/structure/shear_building.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "numerical/materials/bilinear_law.h"
#include "numerical/structure/modes.h"

namespace trestle::structure::shear_building_test {
namespace {

std::vector<Storey> storeys(int count, double mass, double stiffness) {
  std::vector<Storey> made;
  for (int i = 0; i < count; ++i) {
    Storey storey;
    storey.name = "s" + std::to_string(i + 1);
    storey.mass = mass;
    storey.stiffness = stiffness;
    made.push_back(std::move(storey));
  }
  return made;
}

// Uniform chain, fixed below and free above: ω_j = 2√(k/m)·sin((2j − 1)π/(2(2n + 1))).
void expect_chain(int n, int modes, double tolerance) {
  constexpr double k = 4e7;
  constexpr double m = 2e4;
  const Modes found = lowest_modes(shear_building(storeys(n, m, k)), modes);
  ASSERT_EQ(found.frequencies.size(), modes);
  for (int j = 1; j <= modes; ++j) {
    const double angle = (2.0 * j - 1.0) * std::numbers::pi / (2.0 * (2.0 * n + 1.0));
    const double exact = 2.0 * std::sqrt(k / m) * std::sin(angle);
    EXPECT_NEAR(found.frequencies[j - 1] / exact, 1.0, tolerance) << j;
  }
}

TEST(ShearBuilding, HasTheFrequenciesOfAChain) {
  expect_chain(8, 8, 1e-12);
}

// The smallest 1/ω² found is exact to the rounding of K⁻¹M, some n²·ε.
TEST(ShearBuilding, TallEnoughForSparseModesHasThemToo) {
  expect_chain(2000, 6, 1e-8);
}

TEST(ShearBuilding, StoreyWithALawIsASpringBetweenFloors) {
  std::vector<Storey> made = storeys(2, 1e3, 5e5);
  made[1].law = std::make_unique<materials::BilinearLaw>(
      materials::BilinearLawSettings{.stiffness = 3e5, .yield_force = 1e3});
  const StructuralModel structure = shear_building(std::move(made));
  ASSERT_EQ(structure.springs.size(), 1U);
  EXPECT_EQ(structure.springs[0].elongation, between(1, 0));
  EXPECT_EQ(structure.stiffness.coeff(0, 0), 5e5);
  EXPECT_EQ(structure.stiffness.coeff(1, 1), 0.0);
  EXPECT_EQ(structure.base_load.col(0), Eigen::Vector2d(-1e3, -1e3));
}

}  // namespace
}  // namespace trestle::structure::shear_building_test
