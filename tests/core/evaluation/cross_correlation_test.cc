#include "core/evaluation/cross_correlation.h"

#include <gtest/gtest.h>

#include "tests/core/evaluation/signals.h"

namespace trestle::evaluation {
namespace {

using testing::irregular;
using testing::shifted;
using testing::Signal;

double plain(const Signal& x, const Signal& y, int lag) {
  double sum = 0.0;
  const int n = static_cast<int>(x.size());
  for (int k = 0; k < n; ++k)
    if (k + lag >= 0 && k + lag < n)
      sum += x[static_cast<std::size_t>(k)] * y[static_cast<std::size_t>(k + lag)];
  return sum;
}

// By the transform as by the definition, at every lag. The transform's error is a few units
// of rounding of the energy.
TEST(CrossCorrelation, IsTheSumOverAllProducts) {
  for (const std::size_t samples : {1U, 2U, 3U, 50U, 211U}) {
    const Signal x = irregular(samples);
    Signal y = shifted(irregular(samples), 3, -0.7);
    y.front() += 0.3;
    const SignalPairSpectrum pair(x, y);
    const std::vector<double> fast = pair.cross_correlation();
    const int n = static_cast<int>(samples);
    for (int lag = 1 - n; lag < n; ++lag) {
      const std::size_t at = lag >= 0 ? static_cast<std::size_t>(lag)
                                      : pair.length() - static_cast<std::size_t>(-lag);
      EXPECT_NEAR(fast[at], plain(x, y, lag), 1e-14 * pair.energy()) << lag;
    }
  }
}

TEST(CrossCorrelation, FindsAShiftEitherWayWhateverTheSign) {
  const Signal x = irregular(4000);
  for (const int by : {0, 1, -1, 17, -42, 300})
    for (const double factor : {1.0, 0.4, -2.0})
      EXPECT_EQ(delay_samples(SignalPairSpectrum(x, shifted(x, by, factor))), by) << factor;
}

TEST(CrossCorrelation, SearchesUpToTheLastLag) {
  Signal x(100, 0.0);
  Signal y = x;
  x.front() = 1.0;
  y.back() = 1.0;
  EXPECT_EQ(delay_samples(SignalPairSpectrum(x, y)), 99);
  EXPECT_EQ(delay_samples(SignalPairSpectrum(y, x)), -99);
}

TEST(CrossCorrelation, PrefersTheSmallerOfEqualLags) {
  Signal x(64, 0.0);
  Signal y = x;
  x[30] = 1.0;
  y[27] = 1.0;
  y[35] = 1.0;
  EXPECT_EQ(delay_samples(SignalPairSpectrum(x, y)), -3);
  EXPECT_EQ(delay_samples(SignalPairSpectrum(x, Signal(64, 0.0))), 0);
}

}  // namespace
}  // namespace trestle::evaluation
