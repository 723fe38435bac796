#include "observe/live/dissipated_energy.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace trestle::live::dissipated_energy_test {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

TEST(DissipatedEnergy, OfALoopIsItsArea) {
  // x = X sin φ, F = k x + c ω X cos φ: the ellipse encloses π c ω X² in each turn, and
  // the spring gives back what it stored.
  constexpr double kAmplitude = 0.02;
  constexpr double kStiffness = 5e6;
  constexpr double kDashpot = 8e4;  // c ω [N/m]
  constexpr int kRowsOfATurn = 1000;
  DissipatedEnergy energy;
  for (int k = 0; k <= 3 * kRowsOfATurn; ++k) {
    const double phase = 2.0 * std::numbers::pi * k / kRowsOfATurn;
    const double x = kAmplitude * std::sin(phase);
    energy.add(k, x, kStiffness * x + kDashpot * kAmplitude * std::cos(phase));
  }
  const double area = std::numbers::pi * kDashpot * kAmplitude * kAmplitude;
  EXPECT_NEAR(energy.value(), 3.0 * area, 1e-4 * area);
}

TEST(DissipatedEnergy, OfAPieceIsTheTrapezoid) {
  DissipatedEnergy energy;
  EXPECT_TRUE(std::isnan(energy.value()));
  energy.add(0, 0.0, 100.0);
  EXPECT_EQ(energy.value(), 0.0);
  energy.add(1, 0.5, 300.0);
  EXPECT_EQ(energy.value(), 100.0);
  energy.add(2, 0.25, 300.0);
  EXPECT_EQ(energy.value(), 25.0);
}

TEST(DissipatedEnergy, IsNotToldOfAPartOfTheRows) {
  DissipatedEnergy late;
  late.add(7, 0.0, 100.0);
  late.add(8, 1.0, 100.0);
  EXPECT_TRUE(std::isnan(late.value()));
  DissipatedEnergy torn;
  torn.add(0, 0.0, 100.0);
  torn.add(2, 1.0, 100.0);
  torn.add(3, 2.0, 100.0);
  EXPECT_TRUE(std::isnan(torn.value()));
}

TEST(DissipatedEnergy, PassesOverAnAnswerThatWasMissed) {
  DissipatedEnergy energy;
  energy.add(0, 0.0, 10.0);
  energy.add(1, 1.0, 10.0);
  energy.add(2, kUnknown, kUnknown);
  energy.add(3, 3.0, 10.0);
  energy.add(4, 4.0, 10.0);
  EXPECT_EQ(energy.value(), 20.0);
}

}  // namespace
}  // namespace trestle::live::dissipated_energy_test
