#include "studies/spectrum/response_spectrum.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <fstream>
#include <numbers>

#include "studies/spectrum/spectrum_results.h"

namespace trestle::spectrum {
namespace {

constexpr double kPi = std::numbers::pi;

double omega(double period) {
  return 2.0 * kPi / period;
}

/// A ground acceleration that is constant for so long, and then over.
excitation::GroundMotion rectangle(double acceleration, double duration, int samples) {
  excitation::GroundMotion motion;
  for (int i = 0; i < samples; ++i) {
    motion.time.push_back(duration * i / (samples - 1));
    motion.acceleration.push_back(acceleration);
  }
  return motion;
}

TEST(PeakDisplacement, IsTwiceTheStaticOneOfASuddenAcceleration) {
  for (const double period : {0.03, 0.4, 2.0}) {
    const double exact = 2.0 * 3.0 / (omega(period) * omega(period));
    EXPECT_NEAR(peak_displacement(rectangle(3.0, 5.0, 7), period, 0.0), exact,
                1e-11 * exact);
  }
}

/// The first extreme of a damped oscillator is 1 + exp(−πζ/√(1−ζ²)) times the static one.
TEST(PeakDisplacement, OvershootsLessWithDamping) {
  for (const double damping : {0.02, 0.05, 0.3, 0.9}) {
    const double exact =
        (1.0 + std::exp(-kPi * damping / std::sqrt(1.0 - damping * damping))) /
        (omega(0.7) * omega(0.7));
    EXPECT_NEAR(peak_displacement(rectangle(-1.0, 4.0, 3), 0.7, damping), exact,
                1e-11 * exact);
  }
}

/// A pulse that is shorter than half a period has its peak after its end:
/// 2 a/ω²·sin(π t_d/T).
TEST(PeakDisplacement, CountsTheFreeVibrationAfterTheRecord) {
  const double period = 1.0;
  for (const double duration : {0.01, 0.1, 0.4}) {
    const double exact =
        2.0 / (omega(period) * omega(period)) * std::sin(kPi * duration / period);
    EXPECT_NEAR(peak_displacement(rectangle(1.0, duration, 2), period, 0.0), exact,
                1e-11 * exact);
  }
}

/// u = (β sin ωt − sin ω_g t)·… of a sine from rest, drawn finely; the error of straight
/// lines between its samples is (ω_g Δt)²/8 of the amplitude.
TEST(PeakDisplacement, FollowsASine) {
  const double ground = 3.0;  // [rad/s]
  excitation::GroundMotion motion;
  for (int i = 0; i <= 20'000; ++i) {
    motion.time.push_back(1e-3 * i);
    motion.acceleration.push_back(std::sin(ground * 1e-3 * i));
  }
  const double w = 5.0;
  double exact = 0.0;
  for (int i = 0; i <= 2'000'000; ++i) {
    const double t = 1e-5 * i;
    const double beta = ground / w;
    exact = std::max(exact, std::abs((std::sin(ground * t) - beta * std::sin(w * t)) /
                                     (w * w * (1.0 - beta * beta))));
  }
  EXPECT_NEAR(peak_displacement(motion, 2.0 * kPi / w, 0.0), exact, 3e-6 * exact);
}

/// As two other programs find it, which integrate in steps and look at their ends: 1e-5.
TEST(ResponseSpectrum, OfElCentroIsAsTwoOtherProgramsFindIt) {
  const std::string file =
      std::string(TRESTLE_SOURCE_DIR) + "/tests/data/records/elcentro.csv";
  const excitation::GroundMotion motion =
      excitation::read_ground_motion(file, 0.0, 1.0, "record");
  const std::array<double, 4> periods{0.2, 0.5, 1.0, 2.0};
  const ResponseSpectrum spectrum = response_spectrum(motion, periods, 0.05);
  const std::array<double, 4> theirs{0.00814955041, 0.0570235277, 0.112993006, 0.136594979};
  for (std::size_t i = 0; i < periods.size(); ++i)
    EXPECT_NEAR(spectrum.displacement[i], theirs[i], 1e-5 * theirs[i]) << periods[i];
}

TEST(ResponseSpectrum, HasPseudoVelocityAndAcceleration) {
  const std::array<double, 1> periods{0.5};
  const ResponseSpectrum spectrum = response_spectrum(rectangle(2.0, 3.0, 2), periods, 0.0);
  EXPECT_NEAR(spectrum.pseudo_acceleration(0), 4.0, 1e-10);
  EXPECT_NEAR(spectrum.pseudo_velocity(0), 4.0 / omega(0.5), 1e-10);
}

TEST(LogarithmicPeriods, HaveEqualRatiosAndBothEnds) {
  const std::vector<double> periods = logarithmic_periods(0.02, 10.0, 200);
  ASSERT_EQ(periods.size(), 200U);
  EXPECT_EQ(periods.front(), 0.02);
  EXPECT_EQ(periods.back(), 10.0);
  for (std::size_t i = 2; i < periods.size(); ++i)
    EXPECT_NEAR(periods[i] / periods[i - 1], periods[1] / periods[0], 1e-12);
}

}  // namespace
}  // namespace trestle::spectrum
