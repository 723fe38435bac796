#include "site-servers/safety/energy_error_monitor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "core/base/setting_error.h"

namespace trestle::safety::energy_watch_test {
namespace {

constexpr double kTick = 1e-3;
constexpr double kStiffness = 1e6;  // [N/m]

ActuatorVector one(double value) {
  return ActuatorVector::Constant(1, value);
}

EnergyErrorMonitor watch(double limit, double tick = kTick) {
  return EnergyErrorMonitor({{.energy_error = limit}}, tick);
}

/// 10 mm that are late by a phase for so long; the error at the end.
double late_tone(double frequency, double phase, double duration) {
  EnergyErrorMonitor energy = watch(100.0);
  const double w = 2.0 * M_PI * frequency;
  for (int n = 0; n < duration / kTick; ++n) {
    const double measured = 0.01 * std::sin(w * n * kTick - phase);
    energy.add(one(0.01 * std::sin(w * n * kTick)), one(measured),
               one(kStiffness * measured));
  }
  return energy.error(0);
}

TEST(EnergyErrorMonitor, FindsWhatALateToneFeedsInPerCycle) {
  for (const double frequency : {1.0, 2.0, 5.0, 10.0})
    for (const double phase : {0.01, 0.05, 0.2, 0.5}) {
      // W of 2·f cycles and the largest stored energy, a quarter of one cycle's, together;
      // within a cycle both go up and down by half of 1/(2·f).
      const double expected = M_PI_2 * std::sin(phase) / (1.0 + 1.0 / (8.0 * frequency));
      EXPECT_NEAR(late_tone(frequency, phase, 20.0), expected, 0.06 / frequency * expected)
          << frequency << " " << phase;
    }
}

TEST(EnergyErrorMonitor, DoesNotMindALead) {
  for (const double phase : {0.0, -0.01, -0.2, -0.5})
    EXPECT_NEAR(late_tone(2.0, phase, 10.0), 0.0, 1e-12) << phase;
}

TEST(EnergyErrorMonitor, IsNotFooledByAnAmplitudeError) {
  EnergyErrorMonitor energy = watch(100.0);
  double worst = 0.0;
  for (int n = 0; n < 10000; ++n) {
    const double target = 0.01 * std::sin(2.0 * M_PI * 2.0 * n * kTick);
    energy.add(one(target), one(0.95 * target), one(kStiffness * 0.95 * target));
    if (n > 1000) worst = std::max(worst, energy.error(0));
  }
  // In phase it gives back what it takes, within a cycle up to 5 % of ½kX²; W is of 4
  // cycles.
  EXPECT_LT(worst, 0.05 * 0.5 / (2.0 * 2.0));
}

TEST(EnergyErrorMonitor, StaysLowWithNoiseAlone) {
  std::mt19937 random(7);
  std::normal_distribution<double> noise(0.0, 1.0);
  for (const double tick : {1e-3, 1.0 / 4096.0}) {
    EnergyErrorMonitor energy = watch(1.0, tick);
    double worst = 0.0;
    double square = 0.0;
    int count = 0;
    for (int n = 0; n < 120.0 / tick; ++n) {
      energy.add(one(0.0), one(2e-6 * noise(random)), one(15.0 * noise(random)));
      if (n * tick < 4.0) continue;
      worst = std::max(worst, energy.error(0));
      square += energy.error(0) * energy.error(0);
      ++count;
    }
    // The increments have variance σ²; N = 2 s/δt of them count, for their square N/2; W
    // is N·0.8·σ or so. Half of the time the sum is on the other side.
    const double expected = std::sqrt(tick / 2.0);
    EXPECT_LT(worst, 5.0 * expected) << tick;
    EXPECT_NEAR(std::sqrt(2.0 * square / count), expected, 0.5 * expected);
    if (tick < 5e-4) {
      EXPECT_LT(worst, 0.05);
    }
  }
}

/// A mass on a measured spring that is late, released at 10 mm. @returns the displacement
/// at the trip, or at the end, over that
double growth_at_trip(double delay, double damping, double limit, bool& tripped) {
  const double mass = 1000.0;
  const double w = std::sqrt(kStiffness / mass);  // 5 Hz
  EnergyErrorMonitor energy = watch(limit);
  const auto late = static_cast<std::size_t>(std::lround(delay / kTick));
  std::vector<double> path(late + 1, 0.01);
  double x = 0.01;
  double v = 0.0;
  double largest = 0.01;
  tripped = false;
  for (int n = 0; n < 20000 && !tripped; ++n) {
    const double measured = path[path.size() - 1 - late];
    tripped =
        static_cast<bool>(energy.add(one(x), one(measured), one(kStiffness * measured)));
    v += kTick * (-kStiffness * measured / mass - 2.0 * damping * w * v);
    x += kTick * v;
    path.push_back(x);
    largest = std::max(largest, std::abs(x));
    if (largest > 1.0) break;
  }
  return largest / 0.01;
}

TEST(EnergyErrorMonitor, TripsBeforeADivergingLoopHasGrown) {
  bool tripped = false;
  // φ = 0.25 takes 13 % of damping from 2 %: e^(2π·0.11) = 2.0 per cycle.
  EXPECT_LT(growth_at_trip(0.008, 0.02, 0.2, tripped), 2.0);
  EXPECT_TRUE(tripped);
  // Slowly: φ = 0.095 takes 4.7 % from 2 %.
  EXPECT_LT(growth_at_trip(0.003, 0.02, 0.1, tripped), 1.5);
  EXPECT_TRUE(tripped);
  // A loop that its damping keeps stable is let go on.
  growth_at_trip(0.001, 0.05, 0.1, tripped);
  EXPECT_FALSE(tripped);
}

TEST(EnergyErrorMonitor, NamesTheActuatorAndItsLimit) {
  EnergyErrorMonitor energy({{}, {.energy_error = 0.3}}, kTick);
  Fault fault;
  for (int n = 0; n < 1000 && !fault; ++n) {
    const double t = n * kTick * 2.0 * M_PI * 5.0;
    ActuatorVector target(2);
    ActuatorVector measured(2);
    target << 0.01 * std::sin(t), 0.01 * std::sin(t);
    measured << 0.01 * std::sin(t - 0.8), 0.01 * std::sin(t - 0.8);
    fault = energy.add(target, measured, kStiffness * measured);
  }
  EXPECT_EQ(fault.kind, FaultKind::kEnergyError);
  EXPECT_EQ(fault.index, 1) << "nobody set a limit for the first one";
  EXPECT_GT(fault.value, 0.3);
  EXPECT_EQ(fault.limit, 0.3);
  energy.reset();
  EXPECT_EQ(energy.error(1), 0.0);
}

TEST(EnergyErrorMonitor, NamesTheFirstOfSeveralActuators) {
  EnergyErrorMonitor energy({{.energy_error = 0.3}, {.energy_error = 0.1}}, kTick);
  const ActuatorVector zero = ActuatorVector::Zero(2);
  const ActuatorVector one = ActuatorVector::Ones(2);
  EXPECT_FALSE(energy.add(2.0 * one, zero, zero));
  const Fault fault = energy.add(3.0 * one, one, one);
  EXPECT_EQ(fault.index, 0);
  EXPECT_EQ(fault.limit, 0.3);
}

TEST(EnergyErrorMonitor, RefusesALimitThatIsNoLimit) {
  for (const double limit : {0.0, -0.3, std::numeric_limits<double>::quiet_NaN()}) {
    try {
      EnergyErrorMonitor({{}, {.energy_error = limit}}, kTick);
      ADD_FAILURE() << limit;
    } catch (const SettingError& error) {
      EXPECT_EQ(error.problems()[0].path, "limits.actuators[1].energy_error");
    }
  }
}

TEST(EnergyErrorMonitor, CostsNothingWithoutALimit) {
  EnergyErrorMonitor energy(RigLimits(1), kTick);
  for (int n = 0; n < 100; ++n)
    EXPECT_FALSE(energy.add(one(0.0), one(0.001 * n), one(100.0 * n)));
  EXPECT_EQ(energy.error(0), 0.0);
}

TEST(EnergyErrorMonitor, LooksAtNothingWithoutALimit) {
  EnergyErrorMonitor energy(RigLimits(1), kTick);
  energy.add(one(0.0), one(0.0), one(0.0));
  energy.add(one(2.0), one(1.0), one(1.0));
  EXPECT_EQ(energy.error(0), 0.0);
}

TEST(EnergyErrorMonitor, AllowsItsLimitAndCountsNothingBeforeItsFirstTick) {
  EnergyErrorMonitor energy = watch(0.5);
  for (int run = 0; run < 2; ++run) {
    EXPECT_FALSE(energy.add(one(1.0), one(0.0), one(0.0)));
    EXPECT_EQ(energy.error(0), 0.0) << "one reading is no motion";
    energy.reset();
    energy.add(one(0.0), one(0.0), one(0.0));
    EXPECT_FALSE(energy.add(one(2.0), one(1.0), one(1.0)));
    EXPECT_EQ(energy.error(0), 0.5);
    energy.reset();
    EXPECT_FALSE(energy.add(one(2.0), one(1.0), one(1.0)));
    EXPECT_EQ(energy.error(0), 0.0);
    energy.reset();
  }
}

TEST(EnergyErrorMonitor, TakesAPullForStoredEnergyToo) {
  EnergyErrorMonitor energy = watch(1.0);
  energy.add(one(0.0), one(0.0), one(0.0));
  energy.add(one(0.0), one(1.0), one(-1.0));
  EXPECT_EQ(energy.error(0), 0.5);
}

TEST(EnergyErrorMonitor, ForgetsAndStandsStill) {
  EnergyErrorMonitor energy = watch(100.0);
  for (int n = 0; n < 2000; ++n) {
    const double t = n * kTick * 2.0 * M_PI * 2.0;
    energy.add(one(0.01 * std::sin(t)), one(0.01 * std::sin(t - 0.3)),
               one(kStiffness * 0.01 * std::sin(t - 0.3)));
  }
  const double then = energy.error(0);
  EXPECT_GT(then, 0.3);
  for (int n = 0; n < 20000; ++n) energy.add(one(0.01), one(0.009), one(9000.0));
  EXPECT_LT(energy.error(0), 1e-3) << "an offset at rest feeds nothing in";
}

// Of its beginning, when it knows no reading yet.
TEST(EnergyErrorMonitor, BeginsAnewFromASnapshotOfItsBeginning) {
  SnapshotWriter writer;
  watch(0.5).save(writer);
  EnergyErrorMonitor twin = watch(0.5);
  twin.add(one(2.0), one(1.0), one(1.0));
  SnapshotReader reader(writer.values());
  twin.restore(reader);
  twin.add(one(2.0), one(1.0), one(1.0));
  EXPECT_EQ(twin.error(0), 0.0);
}

TEST(EnergyErrorMonitor, GoesOnFromASnapshotToTheBit) {
  EnergyErrorMonitor energy = watch(0.5);
  EnergyErrorMonitor twin = watch(0.5);
  twin.add(one(2.0), one(1.0), one(1.0));
  for (int n = 0; n < 500; ++n) {
    const double t = 0.02 * n;
    if (n == 0 || n == 250) {
      SnapshotWriter writer;
      energy.save(writer);
      SnapshotReader reader(writer.values());
      twin.restore(reader);
      EXPECT_TRUE(reader.at_end());
    }
    energy.add(one(std::sin(t)), one(std::sin(t - 0.1)), one(3.0 * std::sin(t - 0.1)));
    if (n > 0 && n < 250) continue;
    twin.add(one(std::sin(t)), one(std::sin(t - 0.1)), one(3.0 * std::sin(t - 0.1)));
    EXPECT_EQ(twin.error(0), energy.error(0));
  }
}

}  // namespace
}  // namespace trestle::safety::energy_watch_test
