#include "core/mechanics/damping.h"

#include <gtest/gtest.h>

#include <numbers>

#include "core/mechanics/bilinear_law.h"
#include "core/mechanics/modes.h"
#include "core/mechanics/shear_building.h"
#include "core/types/setting_error.h"

namespace trestle::damping_test {
namespace {

Structure building(bool yielding = false) {
  std::vector<Storey> storeys(3);
  for (int i = 0; i < 3; ++i) {
    Storey& storey = storeys[static_cast<std::size_t>(i)];
    storey.name = "s" + std::to_string(i + 1);
    storey.mass = 2e4;
    storey.stiffness = 4e7;
    if (yielding && i == 0)
      storey.law = std::make_unique<BilinearLaw>(
          BilinearLawSettings{.stiffness = 4e7, .yield_force = 1e5});
  }
  return shear_building(std::move(storeys));
}

double ratio(const Structure& structure, int mode) {
  return damping_ratios(structure, lowest_modes(structure, 3))[mode - 1];
}

TEST(Damping, RayleighHoldsItsRatiosAtItsModes) {
  Structure structure = building();
  add_damping(structure, RayleighAtModes{.ratios = {0.02, 0.05}, .modes = {1, 3}});
  EXPECT_NEAR(ratio(structure, 1), 0.02, 1e-12);
  EXPECT_NEAR(ratio(structure, 3), 0.05, 1e-12);
}

TEST(Damping, RayleighHoldsItsRatiosAtItsFrequencies) {
  Structure structure = building();
  const Eigen::VectorXd omega = lowest_modes(structure, 3).frequencies;
  const double hertz = 0.5 / std::numbers::pi;
  add_damping(structure,
              RayleighAtFrequencies{.ratios = {0.03, 0.03},
                                    .frequencies = {omega[0] * hertz, omega[2] * hertz}});
  EXPECT_NEAR(ratio(structure, 1), 0.03, 1e-12);
  EXPECT_NEAR(ratio(structure, 3), 0.03, 1e-12);
  EXPECT_LT(ratio(structure, 2), 0.03);
}

TEST(Damping, FactorsMultiplyMassAndStiffness) {
  Structure structure = building();
  add_damping(structure, RayleighFactors{.mass = 0.5, .stiffness = 1e-3});
  EXPECT_DOUBLE_EQ(structure.damping.coeff(0, 0), 0.5 * 2e4 + 1e-3 * 8e7);
  EXPECT_DOUBLE_EQ(structure.damping.coeff(1, 0), -1e-3 * 4e7);
}

TEST(Damping, RatiosHoldForTheWholeStructureFactorsForItsNumericalPart) {
  Structure structure = building();
  structure.experimental_stiffness.coeffRef(0, 0) = 3e7;
  structure.experimental_mass.coeffRef(0, 0) = 1e4;
  add_damping(structure, RayleighAtModes{.ratios = {0.02, 0.02}});
  EXPECT_NEAR(ratio(structure, 1), 0.02, 1e-12);
  EXPECT_NEAR(ratio(structure, 2), 0.02, 1e-12);
  structure.damping.setZero();
  add_damping(structure, RayleighFactors{.mass = 1.0, .stiffness = 0.0});
  EXPECT_DOUBLE_EQ(structure.damping.coeff(0, 0), 2e4);
}

TEST(Damping, SpringAtRestCountsAsStiffness) {
  Structure elastic = building();
  Structure yielding = building(true);
  const RayleighAtModes model{.ratios = {0.02, 0.02}};
  add_damping(elastic, model);
  add_damping(yielding, model);
  EXPECT_TRUE(yielding.damping.isApprox(elastic.damping, 1e-12));
}

TEST(Damping, ModalHoldsEachRatioAndLeavesTheRestUndamped) {
  Structure structure = building();
  add_damping(structure, ModalRatios{.ratios = {0.01, 0.04}, .modes = 2});
  EXPECT_NEAR(ratio(structure, 1), 0.01, 1e-12);
  EXPECT_NEAR(ratio(structure, 2), 0.04, 1e-12);
  EXPECT_NEAR(ratio(structure, 3), 0.0, 1e-12);
  EXPECT_EQ(structure.modal_damping.weighted_modes.cols(), 2);
}

TEST(Damping, LastModalRatioServesAllFurtherModes) {
  Structure structure = building();
  add_damping(structure, ModalRatios{.ratios = {0.01, 0.04}, .modes = 3});
  EXPECT_NEAR(ratio(structure, 3), 0.04, 1e-12);
}

TEST(Damping, NamesAModeThatDoesNotExist) {
  Structure structure = building();
  try {
    add_damping(structure, RayleighAtModes{.ratios = {0.02, 0.02}, .modes = {1, 4}});
    FAIL();
  } catch (const SettingError& error) {
    EXPECT_EQ(error.problems()[0].path, "modes");
    EXPECT_EQ(error.problems()[0].what, "mode 4 does not exist; the structure has 3");
  }
}

TEST(Damping, RefusesToFeedEnergyIn) {
  Structure structure = building();
  EXPECT_THROW(add_damping(structure, RayleighAtModes{.ratios = {0.001, 0.2}}),
               SettingError);
}

}  // namespace
}  // namespace trestle::damping_test
