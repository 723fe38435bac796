#include "observe/report/derived_signals.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace trestle::report::derived_signals_test {
namespace {

constexpr double kPeriod = 1e-3;

std::vector<double> sine(double frequency, double amplitude, double late = 0.0) {
  std::vector<double> values;
  for (int k = 0; k < 10'000; ++k)
    values.push_back(amplitude *
                     std::sin(2.0 * std::numbers::pi * frequency * (kPeriod * k - late)));
  return values;
}

TEST(DerivedSignals, WorkOfAnEllipseIsItsArea) {
  // x = X sin ωt, f = F sin(ωt + φ): π·X·F·sin φ in each of ten periods.
  const double phase = 0.4;
  const double work =
      work_done(sine(1.0, 0.01), sine(1.0, 2e4, -phase / (2.0 * std::numbers::pi))).back();
  EXPECT_NEAR(work, 10.0 * std::numbers::pi * 0.01 * 2e4 * std::sin(phase), 2.0);
}

TEST(DerivedSignals, FindTheDelayThatTheMeasurementHas) {
  const std::vector<double> delays =
      delay_over_time(sine(2.0, 0.01), sine(2.0, 0.01, 0.012), kPeriod, 0.5);
  EXPECT_TRUE(std::isnan(delays.front()));
  EXPECT_NEAR(delays.back(), 0.012, 1e-5);
}

TEST(DerivedSignals, FourierAmplitudesOfATonePeakAtItsFrequency) {
  const FourierAmplitudes found =
      fourier_amplitudes(sine(5.0, 0.01), sine(5.0, 0.001), kPeriod);
  const auto peak = std::max_element(found.first.begin(), found.first.end());
  const auto place = static_cast<std::size_t>(peak - found.first.begin());
  EXPECT_NEAR(found.frequency[place], 5.0, 0.1);
  EXPECT_NEAR(*peak, 0.5 * 0.01 * 10.0, 1e-3);  // half the amplitude times the length
  EXPECT_NEAR(found.second[place], 0.1 * *peak, 1e-6);
  EXPECT_LT(found.significant, 60.0);
}

}  // namespace
}  // namespace trestle::report::derived_signals_test
