#include "core/evaluation/sliding_synchronisation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

namespace trestle::evaluation::sliding_synchronisation_test {
namespace {

constexpr double kPeriod = 1e-3;
constexpr double kPi = std::numbers::pi;

double sine(double amplitude, double frequency, double lag, int k) {
  return amplitude * std::sin(2.0 * kPi * frequency * kPeriod * k - lag);
}

/// With a memory of many turns of the sine the weights leave 1/(4 pi f memory) of it.
TEST(SlidingSynchronisation, FindsTheEllipseThatAllOfARecordHas) {
  for (const double gain : {0.78, 1.0, 1.1}) {
    SlidingSynchronisation sliding(kPeriod, 20.0);
    std::vector<double> z, x;
    for (int k = 0; k < 60000; ++k) {
      z.push_back(1e-3 + sine(5e-3, 5.0, 0.0, k));
      x.push_back(sine(5e-3 * gain, 5.0, 0.3, k));
      sliding.add(z.back(), x.back());
    }
    const Synchronisation whole = synchronisation(z, x, kPeriod);
    const Synchronisation found = sliding.result();
    const double left = 1.0 / (4.0 * kPi * 5.0 * 20.0);
    EXPECT_NEAR(found.rms_relative, whole.rms_relative, 2.0 * left);
    EXPECT_NEAR(found.amplitude, whole.amplitude, 2.0 * left);
    EXPECT_NEAR(found.axes, whole.axes, 2.0 * left);
    EXPECT_NEAR(found.angle, whole.angle, 2.0 * left);
    EXPECT_NEAR(found.delay, whole.delay, 2.0 * left * whole.delay);
  }
}

TEST(SlidingSynchronisation, ForgetsWhatWasThreeMemoriesAgo) {
  SlidingSynchronisation sliding(kPeriod, 1.0);
  for (int k = 0; k < 5000; ++k) sliding.add(sine(5e-3, 5.0, 0.0, k), 0.0);
  EXPECT_NEAR(sliding.result().rms_relative, 1.0, 1e-12);
  EXPECT_NEAR(sliding.result().amplitude, 0.0, 1e-6);
  for (int k = 5000; k < 20000; ++k)
    sliding.add(sine(5e-3, 5.0, 0.0, k), sine(5e-3, 5.0, 2.0 * kPi * 5.0 * 1e-3, k));
  // exp(-15) of the squares is left.
  EXPECT_NEAR(sliding.result().amplitude, 1.0, 1e-3);
  EXPECT_NEAR(sliding.result().delay, 1e-3, 2e-5);
}

TEST(SlidingSynchronisation, SaysNothingBeforeAnythingMoved) {
  SlidingSynchronisation sliding(kPeriod, 1.0);
  for (int k = 0; k < 5; ++k) sliding.add(2e-3, 1e-3);
  EXPECT_EQ(sliding.result().rms_relative, 0.0);
  EXPECT_EQ(sliding.result().amplitude, 1.0);
  EXPECT_EQ(sliding.result().delay, 0.0);
}

TEST(SlidingSynchronisation, GoesOnFromASnapshotToTheBit) {
  SlidingSynchronisation one(kPeriod, 1.0), other(kPeriod, 1.0);
  for (int k = 0; k < 777; ++k) one.add(sine(5e-3, 5.0, 0.0, k), sine(4e-3, 5.0, 0.1, k));
  SnapshotWriter written;
  one.save(written);
  SnapshotReader reader(written.values());
  other.restore(reader);
  EXPECT_TRUE(reader.at_end());
  for (SlidingSynchronisation* each : {&one, &other})
    for (int k = 777; k < 900; ++k)
      each->add(sine(5e-3, 5.0, 0.0, k), sine(4e-3, 5.0, 0.1, k));
  EXPECT_EQ(one.result().rms_relative, other.result().rms_relative);
  EXPECT_EQ(one.result().delay, other.result().delay);
}

}  // namespace
}  // namespace trestle::evaluation::sliding_synchronisation_test
