#include "numerical/materials/bilinear_law.h"

#include <gtest/gtest.h>

#include "core/base/setting_error.h"
#include "numerical/materials/linear_law.h"

namespace trestle::structure::bilinear_law_test {
namespace {

constexpr double k = 2e6;
constexpr double kYield = 1e4;
constexpr double kHardening = 0.05;
constexpr double kYieldStretch = kYield / k;

materials::BilinearLaw law() {
  return materials::BilinearLaw(
      {.stiffness = k, .yield_force = kYield, .hardening = kHardening});
}

TEST(BilinearLaw, FollowsItsTwoLines) {
  materials::BilinearLaw spring = law();
  EXPECT_EQ(spring.initial_stiffness(), k);
  EXPECT_DOUBLE_EQ(spring.advance(0.5 * kYieldStretch), 0.5 * kYield);
  EXPECT_DOUBLE_EQ(spring.advance(3.0 * kYieldStretch), kYield * (1.0 + 2.0 * kHardening));
  EXPECT_NEAR(spring.advance(1.5 * kYieldStretch), kYield * (1.0 + 2.0 * kHardening - 1.5),
              1e-9 * kYield);  // unloads with k
}

TEST(BilinearLaw, StepLengthDoesNotMatter) {
  materials::BilinearLaw once = law();
  materials::BilinearLaw often = law();
  for (int i = 1; i <= 1000; ++i) often.advance(5.0 * kYieldStretch * i / 1000.0);
  EXPECT_NEAR(once.advance(5.0 * kYieldStretch), often.advance(5.0 * kYieldStretch),
              1e-9 * kYield);
}

// A closed loop between ±D spends 4(1 − α)·f_y·(D − d_y).
TEST(BilinearLaw, LoopSpendsTheEnergyOfItsParallelogram) {
  constexpr double kPeak = 4.0 * kYieldStretch;
  materials::BilinearLaw spring = law();
  double energy = 0.0;
  double last = spring.advance(kPeak);
  double at = kPeak;
  constexpr int kSteps = 800;  // corners of the loop fall on steps: trapezoids are exact
  const auto go = [&](double to) {
    const double from = at;
    for (int i = 1; i <= kSteps; ++i) {
      const double next = from + (to - from) * i / kSteps;
      const double force = spring.advance(next);
      energy += 0.5 * (force + last) * (next - at);
      last = force;
      at = next;
    }
  };
  go(-kPeak);
  go(kPeak);
  const double expected = 4.0 * (1.0 - kHardening) * kYield * (kPeak - kYieldStretch);
  EXPECT_NEAR(energy / expected, 1.0, 1e-12);
}

TEST(BilinearLaw, ComesBackFromASnapshot) {
  materials::BilinearLaw spring = law();
  spring.advance(3.0 * kYieldStretch);
  SnapshotWriter snapshot;
  spring.save(snapshot);
  const double next = spring.advance(-kYieldStretch);
  materials::BilinearLaw other = law();
  SnapshotReader reader(snapshot.values());
  other.restore(reader);
  EXPECT_TRUE(reader.at_end());
  EXPECT_EQ(other.advance(-kYieldStretch), next);
  other.reset();
  EXPECT_EQ(other.advance(1e-3 * kYieldStretch), law().advance(1e-3 * kYieldStretch));
}

TEST(BilinearLaw, RefusesASettingThatCannotWork) {
  EXPECT_THROW(materials::BilinearLaw({.stiffness = -k, .yield_force = kYield}),
               SettingError);
  EXPECT_THROW(materials::BilinearLaw({.stiffness = k, .yield_force = 0.0}), SettingError);
  EXPECT_THROW(
      materials::BilinearLaw({.stiffness = k, .yield_force = kYield, .hardening = 1.0}),
      SettingError);
}

TEST(LinearLaw, IsASpring) {
  materials::LinearLaw spring({.stiffness = 3.0});
  EXPECT_EQ(spring.advance(-2.0), -6.0);
  EXPECT_EQ(spring.initial_stiffness(), 3.0);
  EXPECT_THROW(materials::LinearLaw({.stiffness = -1.0}), SettingError);
}

}  // namespace
}  // namespace trestle::structure::bilinear_law_test
