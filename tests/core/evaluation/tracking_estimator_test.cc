#include "core/evaluation/tracking_estimator.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace trestle::evaluation::tracking_estimator_test {
namespace {

constexpr double kSample = 1e-3;
constexpr double kStiffness = 2e6;  // [N/m]

/// Ten whole cycles of one tone at 2 Hz against a spring.
TrackingEstimator tone(double delay, double amplitude) {
  TrackingEstimator tracking(kSample);
  const double omega = 4.0 * std::numbers::pi;
  for (int n = 0; n <= 5'000; ++n) {
    const double t = n * kSample;
    const double measured = amplitude * 0.01 * std::sin(omega * (t - delay));
    tracking.add(0.01 * std::sin(omega * t), measured, kStiffness * measured);
  }
  return tracking;
}

TEST(TrackingEstimator, FindsDelayAndAmplitudeOfAToneExactly) {
  for (const double delay : {-0.008, 0.0, 0.0004, 0.012, 0.060}) {
    const Tracking found = tone(delay, 0.97).result();
    // The sums miss whole cycles by two of 5001 samples.
    EXPECT_NEAR(found.delay, delay, 1e-6 + 1e-3 * std::abs(delay)) << delay;
    EXPECT_NEAR(found.amplitude, 0.97, 1e-3) << delay;
  }
}

TEST(TrackingEstimator, FindsTheDelayOfAMixture) {
  TrackingEstimator tracking(kSample);
  const auto motion = [](double t) {
    return 0.010 * std::sin(6.3 * t) + 0.003 * std::sin(17.0 * t + 0.4);
  };
  for (int n = 0; n < 20'000; ++n) {
    const double t = n * kSample;
    tracking.add(motion(t), motion(t - 0.005), 0.0);
  }
  // One delay for all tones is exact up to (ωτ)²/6 < 0.2 %.
  EXPECT_NEAR(tracking.result().delay, 0.005, 0.002 * 0.005);
}

TEST(TrackingEstimator, MeasuresErrorsAgainstTheTarget) {
  TrackingEstimator tracking(kSample);
  for (const double target : {1.0, -2.0, 3.0, -4.0})
    tracking.add(target, 1.1 * target, 0.0);
  EXPECT_NEAR(tracking.result().nrmse, 0.1, 1e-15);
  EXPECT_NEAR(tracking.result().peak_error, 0.1, 1e-15);
}

TEST(TrackingEstimator, FindsTheEnergyThatADelayFeeds) {
  const double omega = 4.0 * std::numbers::pi;
  const double expected =
      -10.0 * std::numbers::pi * kStiffness * 1e-4 * std::sin(omega * 0.012);
  // Trapezoids of a tone with 500 samples a cycle: (2π/500)²/6.
  EXPECT_NEAR(tone(0.012, 1.0).result().energy_error, expected, 3e-5 * std::abs(expected));
}

TEST(TrackingEstimator, FindsNoEnergyInAPureAmplitude) {
  const double scale = std::numbers::pi * kStiffness * 1e-4;
  EXPECT_NEAR(tone(0.0, 0.9).result().energy_error, 0.0, 1e-10 * scale);
}

TEST(TrackingEstimator, SaysNothingOfATargetThatNeverMoved) {
  TrackingEstimator tracking(kSample);
  for (int n = 0; n < 10; ++n) tracking.add(0.0, 1e-6, 3.0);
  const Tracking found = tracking.result();
  EXPECT_EQ(found.delay, 0.0);
  EXPECT_EQ(found.amplitude, 1.0);
  EXPECT_EQ(found.nrmse, 0.0);
}

TEST(TrackingEstimator, SaysNoDelayOfATargetThatStandsStill) {
  TrackingEstimator tracking(kSample);
  for (int n = 0; n < 10; ++n) tracking.add(0.01, 0.009, 3.0);
  EXPECT_EQ(tracking.result().delay, 0.0);
  EXPECT_NEAR(tracking.result().nrmse, 0.1, 1e-12);
}

TEST(TrackingEstimator, FollowsADelayThatChangesWhereItForgets) {
  constexpr double kMemory = 2.0;  // [s]
  TrackingEstimator sliding(kSample, std::exp(-kSample / kMemory));
  TrackingEstimator whole(kSample);
  const double omega = 4.0 * std::numbers::pi;
  for (int n = 0; n <= 40'000; ++n) {
    const double t = n * kSample;
    const double delay = t < 20.0 ? 0.005 : 0.012;
    const double measured = 0.9 * std::sin(omega * (t - delay));
    for (TrackingEstimator* each : {&sliding, &whole})
      each->add(std::sin(omega * t), measured, kStiffness * measured);
  }
  // e^(-10) of the first half is left; a mean over 2 s sees whole cycles to 1/(2ω·2 s) =
  // 2 %, which the delay feels by 2 % of (ωτ)²/3.
  EXPECT_NEAR(sliding.result().delay, 0.012, 5e-4 * 0.012);
  EXPECT_NEAR(sliding.result().amplitude, 0.9, 1e-3);
  EXPECT_NEAR(whole.result().delay, 0.0085, 1e-4) << "half way";
  EXPECT_EQ(sliding.result().peak_error, whole.result().peak_error);
  EXPECT_EQ(sliding.result().energy_error, whole.result().energy_error);
}

TEST(TrackingEstimator, SaysHowWellItKnowsTheAmplitude) {
  EXPECT_LT(tone(0.012, 0.97).result().uncertainty, 0.01);
  const double omega = 4.0 * std::numbers::pi;
  // Few steps, or many of little motion under the noise of its transducer: no figure. Six
  // steps of a rig at rest, with noise, gave "1203.1 % amplitude error".
  TrackingEstimator early(0.01), noisy(0.01);
  for (int n = 0; n < 100; ++n) {
    const double noise = (n * 7919 % 13 - 6.0) * 1e-6;
    const double motion = 1e-7 * std::sin(omega * 0.01 * n);
    if (n < 6) early.add(motion, motion + noise, 0.0);
    noisy.add(motion, motion + noise, 0.0);
  }
  EXPECT_TRUE(std::isinf(early.result().uncertainty));
  EXPECT_GT(noisy.result().uncertainty, 0.5);
  // The same noise beside a motion of 10 mm is none, and neither is a rig that follows
  // badly: that has to be seen.
  TrackingEstimator moved(0.01), bad(0.01);
  for (int n = 0; n < 100; ++n) {
    const double motion = 0.01 * std::sin(omega * 0.01 * n);
    moved.add(motion, motion + (n * 7919 % 13 - 6.0) * 1e-6, 0.0);
    bad.add(motion, 0.3 * motion, 0.0);
  }
  EXPECT_LT(moved.result().uncertainty, 0.001);
  // The sum of the errors has a sample more than the fit: 0.0018 here.
  EXPECT_LT(bad.result().uncertainty, 0.01);
  EXPECT_NEAR(bad.result().amplitude, 0.3, 1e-6);
}

TEST(TrackingEstimator, GoesOnFromASnapshotAndForgetsOnReset) {
  TrackingEstimator tracking = tone(0.012, 0.9);
  SnapshotWriter writer;
  tracking.save(writer);
  TrackingEstimator twin(kSample);
  SnapshotReader reader(writer.values());
  twin.restore(reader);
  EXPECT_TRUE(reader.at_end());
  tracking.add(0.01, 0.009, 1.0);
  twin.add(0.01, 0.009, 1.0);
  EXPECT_EQ(twin.result().delay, tracking.result().delay);
  EXPECT_EQ(twin.result().energy_error, tracking.result().energy_error);
  EXPECT_EQ(twin.samples(), 5'002);
  twin.reset();
  EXPECT_EQ(twin.samples(), 0);
  EXPECT_EQ(twin.result().nrmse, 0.0);
}

}  // namespace
}  // namespace trestle::evaluation::tracking_estimator_test
