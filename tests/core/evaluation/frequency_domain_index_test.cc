#include "core/evaluation/frequency_domain_index.h"

#include <gtest/gtest.h>

#include <numbers>
#include <numeric>

#include "tests/core/evaluation/signals.h"

namespace trestle::evaluation {
namespace {

using testing::irregular;
using testing::shifted;
using testing::Signal;

constexpr double kSamplePeriod = 1.0 / 1024.0;  // [s]

/// A tone under a Gaussian envelope of 60 periods: its power stands within 1 % of f.
Signal tone(double frequency, double late, double factor) {
  Signal signal(16384);
  for (std::size_t k = 0; k < signal.size(); ++k) {
    const double t = static_cast<double>(k) * kSamplePeriod - 8.0 - late;
    signal[k] =
        factor * std::exp(-0.5 * t * t) * std::sin(2.0 * std::numbers::pi * frequency * t);
  }
  return signal;
}

// Y = A·exp(−iωτ)·X throughout. The phases over the band's width of 1/(2π) Hz differ by
// less than τ [rad/s·s], so that what averaging them changes is of its square.
TEST(FrequencyDomainIndex, FindsAmplitudeAndDelayOfATone) {
  for (const double late : {0.0, 0.004, 0.02, -0.01}) {
    const SignalPairSpectrum pair(tone(5.0, 0.0, 1.0), tone(5.0, late, 0.85));
    const FrequencyDomainIndex index = frequency_index(pair, kSamplePeriod);
    EXPECT_NEAR(index.amplitude, 0.85, 0.85 * late * late + 1e-9);
    EXPECT_NEAR(index.delay, late, 1e-3 * std::abs(late) + 1e-9);
    EXPECT_NEAR(index.frequency, 5.0, 1e-3);
  }
}

// Parseval: over all frequencies the sum of Y·conj(X) is L·Σx·y, half of it, less what
// stands at zero, over the positive ones; for x itself the index is one.
TEST(FrequencyDomainIndex, SumsWhatTheSignalsSumTo) {
  const Signal x = irregular(3000);
  const SignalPairSpectrum same(x, x);
  EXPECT_NEAR(frequency_index(same, kSamplePeriod).amplitude, 1.0, 1e-14);
  EXPECT_NEAR(frequency_index(same, kSamplePeriod).delay, 0.0, 1e-15);

  const Signal y = shifted(x, 7, 0.9);
  const SignalPairSpectrum pair(x, y);
  double real = 0.5 * (pair.measured()[0] * std::conj(pair.target()[0])).real();
  for (std::size_t m = 1; m + 1 < pair.target().size(); ++m)
    real += (pair.measured()[m] * std::conj(pair.target()[m])).real();
  real += 0.5 * (pair.measured().back() * std::conj(pair.target().back())).real();
  const double product = std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
  EXPECT_NEAR(2.0 * real / static_cast<double>(pair.length()), product,
              1e-12 * pair.energy());
}

TEST(FrequencyDomainIndex, SaysNothingOfATargetThatNeverMoved) {
  const FrequencyDomainIndex index =
      frequency_index(SignalPairSpectrum(Signal(100, 0.0), irregular(100)), kSamplePeriod);
  EXPECT_EQ(index.amplitude, 1.0);
  EXPECT_EQ(index.delay, 0.0);
}

}  // namespace
}  // namespace trestle::evaluation
