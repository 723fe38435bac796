#include "core/evaluation/synchronisation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace trestle::evaluation::synchronisation_test {
namespace {

constexpr double kPeriod = 1e-3;
constexpr double kPi = std::numbers::pi;

/// amplitude·sin(2πf·t − lag) + offset, over `samples` samples.
std::vector<double> sine(double amplitude, double frequency, double lag,
                         std::size_t samples = 2000, double offset = 0.0) {
  std::vector<double> values;
  for (std::size_t k = 0; k < samples; ++k)
    values.push_back(offset + amplitude * std::sin(2.0 * kPi * frequency * kPeriod *
                                                       static_cast<double>(k) -
                                                   lag));
  return values;
}

TEST(Synchronisation, OneLineAtHalfARightAngleWhereBothAreOne) {
  const auto z = sine(5e-3, 5.0, 0.0);
  const Synchronisation one = synchronisation(z, z, kPeriod, {5.0});
  EXPECT_EQ(one.rms_relative, 0.0);
  EXPECT_DOUBLE_EQ(one.amplitude, 1.0);
  EXPECT_NEAR(one.axes, 0.0, 1e-8);  // a root of what rounding leaves
  EXPECT_DOUBLE_EQ(one.angle, kPi / 4.0);
  EXPECT_NEAR(one.delay, 0.0, 1e-15);
  EXPECT_NEAR(one.harmonics[0].gain, 1.0, 1e-12);
}

/// Of a sine with gain g and lag φ: cov = A²/2·[[1, g cos φ], [g cos φ, g²]].
TEST(Synchronisation, EllipseOfASineWithGainAndLag) {
  for (const double g : {0.78, 1.0, 1.1})
    for (const double lag : {0.02, 0.3, 0.41}) {
      const Synchronisation one =
          synchronisation(sine(5e-3, 5.0, 0.0), sine(5e-3 * g, 5.0, lag), kPeriod, {5.0});
      const double trace = 1.0 + g * g;
      const double determinant = g * g * std::sin(lag) * std::sin(lag);
      const double root = std::sqrt(0.25 * trace * trace - determinant);
      EXPECT_NEAR(one.axes, std::sqrt((0.5 * trace - root) / (0.5 * trace + root)), 1e-9);
      EXPECT_NEAR(one.angle, 0.5 * std::atan2(2.0 * g * std::cos(lag), 1.0 - g * g), 1e-9);
      EXPECT_NEAR(one.rms_relative, std::sqrt(1.0 + g * g - 2.0 * g * std::cos(lag)), 1e-9);
      EXPECT_NEAR(one.amplitude, g, 1e-9);
      EXPECT_NEAR(one.harmonics[0].gain, g, 1e-9);
      EXPECT_NEAR(one.harmonics[0].phase, -lag, 1e-9);
      EXPECT_NEAR(one.harmonics[0].ellipse_half_width, g * std::sin(lag), 1e-9);
    }
}

/// x ≈ a z + b z' is right to second order of ω·delay: 0.5 ms at 5 Hz are 1.6e-2.
TEST(Synchronisation, DelayOfTwoFrequencies) {
  for (const double delay : {-0.5e-3, 0.2e-3, 0.5e-3}) {
    auto z = sine(3e-3, 3.0, 0.0);
    auto x = sine(3e-3, 3.0, 2.0 * kPi * 3.0 * delay);
    const auto z5 = sine(2e-3, 5.0, 0.0);
    const auto x5 = sine(2e-3, 5.0, 2.0 * kPi * 5.0 * delay);
    for (std::size_t k = 0; k < z.size(); ++k) z[k] += z5[k], x[k] += x5[k];
    EXPECT_NEAR(synchronisation(z, x, kPeriod).delay, delay, 1e-3 * std::abs(delay));
  }
}

TEST(Synchronisation, OffsetsAreNobodysError) {
  const Synchronisation one =
      synchronisation(sine(1.0, 5.0, 0.0, 2000, 7.0), sine(1.0, 5.0, 0.0), kPeriod);
  EXPECT_NEAR(one.rms_relative, 0.0, 1e-12);
}

/// 2.13 s hold ten whole turns of 5 Hz, of which nothing leaks.
TEST(Synchronisation, HarmonicsTakeWholePeriodsAlone) {
  const Synchronisation one =
      synchronisation(sine(1.0, 5.0, 0.0, 2130), sine(0.9, 5.0, 0.2, 2130), kPeriod, {5.0});
  EXPECT_NEAR(one.harmonics[0].gain, 0.9, 1e-12);
  EXPECT_NEAR(one.harmonics[0].phase, -0.2, 1e-12);
}

TEST(Synchronisation, NothingIsKnownOfWhatDoesNotMove) {
  const std::vector<double> still(100, 3.0);
  EXPECT_TRUE(std::isnan(synchronisation(still, still, kPeriod, {5.0}).rms_relative));
  EXPECT_TRUE(std::isnan(synchronisation({}, {}, kPeriod).delay));
  EXPECT_TRUE(std::isnan(
      synchronisation(sine(1.0, 5.0, 0.0, 100), sine(1.0, 5.0, 0.0, 100), kPeriod, {5.0})
          .harmonics[0]
          .gain));
}

}  // namespace
}  // namespace trestle::evaluation::synchronisation_test
