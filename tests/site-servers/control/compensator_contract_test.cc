#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <deque>

#include "tests/site-servers/control/compensator_kinds.h"
#include "tests/site-servers/control/tracking_trial.h"

// What every compensator promises, whatever it does.
namespace trestle::compensator_contract_test {
namespace {

using testing::compensator_kinds;
using testing::CompensatorKind;
using testing::run;
using testing::Track;
using testing::Trial;

constexpr double kTick = 1.0 / 1024.0;
constexpr double kNoise = 12e-6;  // of the published benchmark [m]

std::vector<CompensatorKind> all_kinds() {
  std::vector<CompensatorKind> kinds = compensator_kinds();
  for (CompensatorKind& kind : testing::ungated_kinds()) kinds.push_back(std::move(kind));
  return kinds;
}

const auto kName = [](const auto& info) {
  return std::string(info.param.name);
};

double noise(int n) {
  static const std::vector<double> values = [] {
    std::vector<double> made;
    for (std::uint64_t i = 0; i < (1U << 16); ++i)
      made.push_back(standard_normal({.seed = 2, .stream = 5, .channel = 0, .index = i}));
    return made;
  }();
  return values[static_cast<std::size_t>(n) % values.size()];
}

class CompensatorContract : public ::testing::TestWithParam<CompensatorKind> {};
class LearningContract : public ::testing::TestWithParam<CompensatorKind> {};

TEST_P(CompensatorContract, ResetGivesTheSameBits) {
  const auto compensator = GetParam().make(1, kTick);
  const Trial trial{.duration = 4.0, .quiet = 0.5, .rig = {.delay = 14, .noise = kNoise}};
  const Track first = run(*compensator, trial);
  compensator->reset();
  EXPECT_EQ(run(*compensator, trial).reached, first.reached);
}

TEST_P(CompensatorContract, GoesOnFromASnapshotToTheBit) {
  const auto compensator = GetParam().make(2, kTick);
  const auto step = [](Compensator& it, int n) {
    ActuatorMotion target = ActuatorMotion::zero(2);
    const ActuatorMotion one = testing::trial_target(n * kTick);
    target.displacement << one.displacement[0], -0.5 * one.displacement[0];
    target.velocity << one.velocity[0], -0.5 * one.velocity[0];
    target.acceleration << one.acceleration[0], -0.5 * one.acceleration[0];
    const ActuatorVector measured =
        target.displacement + ActuatorVector::Constant(2, kNoise * noise(n));
    return it.command(target, measured, 1.1 * measured);
  };
  for (int n = 0; n < 3000; ++n) step(*compensator, n);
  SnapshotWriter writer;
  compensator->save(writer);
  const auto twin = GetParam().make(2, kTick);
  for (int n = 0; n < 10; ++n) step(*twin, n);  // what it was must not matter
  SnapshotReader reader(writer.values());
  twin->restore(reader);
  EXPECT_TRUE(reader.at_end());
  for (int n = 3000; n < 5000; ++n) ASSERT_EQ(step(*twin, n), step(*compensator, n)) << n;
}

TEST_P(CompensatorContract, CommandsTheTargetWhileNothingMoves) {
  const auto compensator = GetParam().make(1, kTick);
  const ActuatorMotion rest = ActuatorMotion::zero(1);
  for (int n = 0; n < 100; ++n)
    EXPECT_EQ(compensator->command(rest, rest.displacement, rest.displacement)[0], 0.0);
}

TEST_P(CompensatorContract, IsStableOnAMillionTicksOfNoise) {
  const auto compensator = GetParam().make(1, kTick);
  std::deque<double> pipe(14, 0.0);
  ActuatorMotion target = ActuatorMotion::zero(1);
  ActuatorVector measured = ActuatorVector::Zero(1);
  ActuatorVector command = ActuatorVector::Zero(1);
  double largest = 0.0;
  for (int n = 0; n < 1'000'000; ++n) {
    // The numerical substructure answers the noise a little.
    target.displacement[0] = 0.05 * kNoise * noise(3 * n + 1);
    command = compensator->command(target, measured, command);
    pipe.push_front(command[0]);
    pipe.pop_back();
    measured[0] = pipe.back() + kNoise * noise(n);
    largest = std::max(largest, std::abs(command[0]));
    ASSERT_TRUE(std::isfinite(command[0])) << n;
  }
  // The largest lead here is that of inverse compensation: 12 ticks twice, of 5 sigma.
  EXPECT_LT(largest, 1e-3);
}

TEST_P(LearningContract, SurvivesSaturation) {
  const auto compensator = GetParam().make(1, kTick);
  const Track track =
      run(*compensator,
          {.duration = 12.0, .rig = {.delay = 14, .noise = 2e-6, .limit = 0.005}});
  // The limit alone costs about 0.15; a product of taps takes it for a property of the rig.
  EXPECT_LT(track.error(8.0, 12.0), 0.4);
}

TEST_P(LearningContract, IsNotLedAstrayBySilenceBeforeTheMotion) {
  const auto compensator = GetParam().make(1, kTick);
  const Track track = run(
      *compensator, {.duration = 9.0, .quiet = 5.0, .rig = {.delay = 14, .noise = kNoise}});
  // Uncompensated: 0.15.
  EXPECT_LT(track.error(5.01, 6.0), 0.07);
  EXPECT_LT(track.error(7.0, 9.0), 0.03);
}

INSTANTIATE_TEST_SUITE_P(Kinds, CompensatorContract, ::testing::ValuesIn(all_kinds()),
                         kName);
INSTANTIATE_TEST_SUITE_P(Kinds, LearningContract, ::testing::ValuesIn([] {
                           std::vector<CompensatorKind> kinds = compensator_kinds();
                           kinds.erase(kinds.begin());  // none
                           return kinds;
                         }()),
                         kName);

}  // namespace
}  // namespace trestle::compensator_contract_test
