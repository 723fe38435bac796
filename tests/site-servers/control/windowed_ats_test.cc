#include "site-servers/compensators/windowed_ats.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "core/base/setting_error.h"
#include "core/math/sampled_system.h"
#include "core/math/transfer_function.h"

namespace trestle::windowed_ats_test {
namespace {

constexpr double kTick = 1.0 / 1024.0;

compensators::WindowedAtsSettings settings() {
  return {.tick = kTick,
          .initial = compensators::SeriesCoefficientsPerActuator({{1.0, 0.04, 3.48e-4}})};
}

/// Two tones of a bridge under a train [m].
ActuatorMotion target_at(double t, double size = 1e-4) {
  ActuatorMotion target = ActuatorMotion::zero(1);
  for (const double frequency : {1.3, 2.6}) {
    const double omega = 2.0 * std::numbers::pi * frequency;
    target.displacement[0] += size * std::sin(omega * t);
    target.velocity[0] += size * omega * std::cos(omega * t);
    target.acceleration[0] -= size * omega * omega * std::sin(omega * t);
  }
  return target;
}

/// Runs a table with its compensator for `seconds`.
/// @returns largest tracking error in the last second, over the target's size
double late_error(compensators::WindowedAts& ats, double loop_gain, double seconds,
                  double size = 1e-4) {
  math::SampledSystem table(
      math::realise(
          math::transfer_function(math::ServoHydraulicTable{.loop_gain = loop_gain}),
          "table"),
      kTick);
  ActuatorVector command = ActuatorVector::Zero(1);
  double worst = 0.0;
  for (int n = 0; n * kTick < seconds; ++n) {
    const double measured = table.output()(0);
    const ActuatorMotion target = target_at(n * kTick, size);
    if (n * kTick > seconds - 1.0)
      worst = std::max(worst, std::abs(measured - target.displacement[0]));
    command = ats.command(target, ActuatorVector::Constant(1, measured), command);
    table.advance(command);
  }
  return worst / size;
}

TEST(WindowedAts, StartsFromItsInitialCoefficients) {
  compensators::WindowedAts ats(1, settings());
  const ActuatorMotion target = target_at(0.2);
  const ActuatorVector rest = ActuatorVector::Zero(1);
  EXPECT_DOUBLE_EQ(ats.command(target, rest, rest)[0],
                   target.displacement[0] + 0.04 * target.velocity[0] +
                       3.48e-4 * target.acceleration[0]);
}

TEST(WindowedAts, LearnsATableWhoseGainIsNotTheOneItWasTold) {
  // One over the loop gain is the table's delay: 50 ms of a table of 20 1/s.
  compensators::WindowedAts ats(1, settings());
  const double error = late_error(ats, 20.0, 12.0);
  EXPECT_NEAR(ats.estimate(0)->delay, 0.050, 0.002);
  EXPECT_LT(error, 0.1);
}

TEST(WindowedAts, RestsBelowItsFloor) {
  compensators::WindowedAts ats(1, settings());
  late_error(ats, 20.0, 4.0, 5e-6);  // 10 um at most, the floor is at 20
  EXPECT_EQ(ats.coefficients(0), Eigen::Vector3d(1.0, 0.04, 3.48e-4));
}

TEST(WindowedAts, ChangesNoFasterThanItsRate) {
  compensators::WindowedAtsSettings slow = settings();
  slow.rate = {0.01, 1e-3, 1e-6};
  compensators::WindowedAts ats(1, slow);
  late_error(ats, 15.0, 3.0);
  const Eigen::Vector3d moved = ats.coefficients(0) - Eigen::Vector3d(1.0, 0.04, 3.48e-4);
  for (int i = 0; i < 3; ++i)
    EXPECT_LE(std::abs(moved[i]), 3.0 * slow.rate[static_cast<std::size_t>(i)]) << i;
  EXPECT_GT(moved[1], 1e-3);
}

TEST(WindowedAts, StaysWithinItsBounds) {
  compensators::WindowedAtsSettings narrow = settings();
  narrow.a1 = {0.03, 0.042};
  compensators::WindowedAts ats(1, narrow);
  late_error(ats, 15.0, 6.0);
  EXPECT_LE(ats.coefficients(0)[1], 0.042);
}

TEST(WindowedAts, ARatesFilterIsBeyondWhatItLearns) {
  // The lag of the filtered rates stays in the error, however long it learns.
  compensators::WindowedAtsSettings legacy = settings();
  legacy.target_filter = {.frequency = 12.0, .order = 2};
  compensators::WindowedAts late(1, legacy);
  compensators::WindowedAts ats(1, settings());
  EXPECT_GT(late_error(late, 25.0, 6.0), 3.0 * late_error(ats, 25.0, 6.0));
}

TEST(WindowedAts, GoesOnFromASnapshotBitForBit) {
  compensators::WindowedAts ats(1, settings());
  late_error(ats, 20.0, 2.0);
  SnapshotWriter writer;
  ats.save(writer);
  compensators::WindowedAts other(1, settings());
  SnapshotReader reader(writer.values());
  other.restore(reader);
  EXPECT_TRUE(reader.at_end());
  ActuatorVector one = ActuatorVector::Zero(1);
  ActuatorVector two = one;
  for (int n = 0; n < 100; ++n) {
    const ActuatorVector measured = ActuatorVector::Constant(1, 1e-4 * std::sin(0.1 * n));
    one = ats.command(target_at(n * kTick), measured, one);
    two = other.command(target_at(n * kTick), measured, two);
    ASSERT_EQ(one[0], two[0]);
  }
}

TEST(WindowedAts, SettingsThatCannotBeAreNamed) {
  const auto refused = [](auto change, const std::string& field) {
    compensators::WindowedAtsSettings wrong = settings();
    change(wrong);
    try {
      compensators::WindowedAts ats(1, wrong);
      FAIL() << field;
    } catch (const SettingError& error) {
      EXPECT_EQ(error.problems().front().path, field);
    }
  };
  refused([](auto& it) { it.window = 0.0; }, "window");
  refused([](auto& it) { it.decimation = 0; }, "decimation");
  refused([](auto& it) { it.a1 = {0.5, 0.1}; }, "a1");
  refused([](auto& it) { it.rate[1] = 0.0; }, "rate");
  refused([](auto& it) { it.filter.frequency = 900.0; }, "filter");
  refused(
      [](auto& it) {
        it.initial = compensators::SeriesCoefficientsPerActuator({{0.0, 0.1, 0.0}});
      },
      "initial.coefficients");
}

}  // namespace
}  // namespace trestle::windowed_ats_test
