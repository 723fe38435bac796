#include "core/math/low_pass.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

namespace trestle::math {
namespace {

constexpr double kPeriod = 1.0 / 1024.0;

/// Gain at one frequency, from the response to a tone that has settled.
double gain(LowPass filter, double frequency) {
  const double omega = 2.0 * std::numbers::pi * frequency * kPeriod;
  double in_phase = 0.0;
  double in_quadrature = 0.0;
  const int settle = 20'000;
  const int count = 32 * 1024;  // whole periods of any whole frequency
  for (int n = 0; n < settle + count; ++n) {
    const double output = filter.advance(std::sin(omega * n));
    if (n < settle) continue;
    in_phase += output * std::sin(omega * n);
    in_quadrature += output * std::cos(omega * n);
  }
  return 2.0 / count * std::hypot(in_phase, in_quadrature);
}

TEST(LowPass, IsThePublishedPolynomialOfOrderFour) {
  // scipy/MATLAB butter(4, 20/512), to the printed digits.
  const double b[5] = {1, 4, 6, 4, 1};
  const double a[5] = {1, -3.67941825, 5.08864461, -3.13451719, 0.72548499};
  LowPass filter(4, 20.0, kPeriod);
  EXPECT_NEAR(filter.feedthrough(), 1.21343331e-5, 5e-14);
  std::vector<double> response;
  for (int n = 0; n < 12; ++n) response.push_back(filter.advance(n == 0 ? 1.0 : 0.0));
  for (int n = 0; n < 12; ++n) {  // a * h = b
    double sum = 0.0;
    for (int i = 0; i <= std::min(n, 4); ++i)
      sum += a[i] * response[static_cast<std::size_t>(n - i)];
    EXPECT_NEAR(sum, n <= 4 ? 1.21343331e-5 * b[n] : 0.0, 1e-9) << n;
  }
}

TEST(LowPass, FollowsTheButterworthGain) {
  for (const int order : {1, 2, 3, 5, 8}) {
    const double corner = std::tan(std::numbers::pi * 20.0 * kPeriod);
    for (const double frequency : {5.0, 20.0, 40.0}) {
      const double ratio = std::tan(std::numbers::pi * frequency * kPeriod) / corner;
      EXPECT_NEAR(gain(LowPass(order, 20.0, kPeriod), frequency),
                  1.0 / std::sqrt(1.0 + std::pow(ratio, 2 * order)), 1e-6)
          << order << " at " << frequency;
    }
  }
}

TEST(LowPass, HoldsAConstantToRoundingOverAMillionTicks) {
  // Order 5 at 6 Hz and 4096 Hz: as one polynomial its gain at rest would be off by 1e-2.
  LowPass filter(5, 6.0, kPeriod / 4);
  double output = 0.0;
  for (int n = 0; n < 1'000'000; ++n) output = filter.advance(0.017);
  EXPECT_NEAR(output, 0.017, 1e-11 * 0.017);
  for (int n = 0; n < 1'000'000; ++n) output = filter.advance(0.0);
  EXPECT_EQ(output, 0.0);
}

TEST(LowPass, BeginsWhereItIsTold) {
  for (const int order : {1, 4, 5}) {
    LowPass filter(order, 6.0, kPeriod);
    filter.settle(0.017);
    for (int n = 0; n < 100; ++n) EXPECT_NEAR(filter.advance(0.017), 0.017, 1e-13) << order;
  }
}

TEST(LowPass, KnowsItsOutputBeforehand) {
  LowPass filter(5, 6.0, kPeriod);
  for (int n = 0; n < 100; ++n) {
    const double input = std::sin(0.1 * n);
    const double known = filter.preview(input);
    EXPECT_NEAR(filter.feedthrough() * input + filter.preview(0.0), known, 1e-15);
    EXPECT_EQ(filter.advance(input), known);
  }
}

TEST(LowPass, WithoutOrderPassesAll) {
  LowPass filter;
  EXPECT_EQ(filter.advance(0.3), 0.3);
  EXPECT_EQ(filter.feedthrough(), 1.0);
}

TEST(LowPass, GoesOnFromASnapshotAndFromReset) {
  LowPass filter(3, 10.0, kPeriod);
  const double first = filter.advance(1.0);
  for (int n = 0; n < 10; ++n) filter.advance(0.3 * n);
  SnapshotWriter writer;
  filter.save(writer);
  LowPass twin(3, 10.0, kPeriod);
  SnapshotReader reader(writer.values());
  twin.restore(reader);
  EXPECT_TRUE(reader.at_end());
  EXPECT_EQ(twin.advance(0.1), filter.advance(0.1));
  filter.reset();
  EXPECT_EQ(filter.advance(1.0), first);
}

}  // namespace
}  // namespace trestle::math
