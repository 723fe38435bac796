// The compensators that the multi-axial benchmark puts around LQG and sliding mode control.

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numbers>
#include <string>

#include "site-servers/compensators/adaptive_discrete_model.h"
#include "site-servers/compensators/ats_compensator.h"
#include "site-servers/compensators/no_compensator.h"
#include "site-servers/controllers/lqg_controller.h"
#include "site-servers/controllers/sliding_mode_controller.h"
#include "tests/site-servers/control/servo_loop.h"

namespace trestle::compensated_servo_test {
namespace {

using Eigen::Vector2d;
using testing::benchmark_plant;
using testing::kTick;
using testing::ServoLoop;

constexpr double kLag = 0.015;  // of the loop, roughly [s]

controllers::ServoSettings settings() {
  return {.tick = kTick,
          .plant = {.model = benchmark_plant(), .process_noise = 0.01},
          .weights = {.integral = 1e6}};
}

/// Three sines, the strongest at the structure's first frequency [m].
ActuatorMotion target(int k) {
  ActuatorMotion stroke = ActuatorMotion::zero(2);
  for (const auto& [frequency, amplitude] :
       {std::pair{2.29, 2e-3}, std::pair{0.9, 1e-3}, std::pair{4.7, 0.3e-3}}) {
    const double turn = 2.0 * std::numbers::pi * frequency;
    const Vector2d shape = amplitude * Vector2d(1.0, -0.5);
    stroke.displacement += std::sin(turn * k * kTick) * shape;
    stroke.velocity += turn * std::cos(turn * k * kTick) * shape;
    stroke.acceleration -= turn * turn * std::sin(turn * k * kTick) * shape;
  }
  return stroke;
}

/// Root mean square of measured less target over that of the target, after ten seconds.
Vector2d error(Compensator& compensator, ActuatorController& controller) {
  ServoLoop loop(benchmark_plant({1, -1, 1, -1, 1, -1, 1, -1, 1}), controller);
  loop.noise = 1.2393e-5;
  ActuatorVector command = ActuatorVector::Zero(2);
  ActuatorVector measured = ActuatorVector::Zero(2);
  Vector2d sum = Vector2d::Zero();
  Vector2d energy = Vector2d::Zero();
  for (int k = 0; k < 30 * 1024; ++k) {
    const ActuatorMotion stroke = target(k);
    command = compensator.command(stroke, loop.sense(), command);
    measured = loop.tick(command);
    if (k < 10 * 1024) continue;
    sum += (measured - stroke.displacement).cwiseAbs2();
    energy += stroke.displacement.cwiseAbs2();
  }
  return sum.cwiseQuotient(energy).cwiseSqrt();
}

TEST(CompensatedServo, LosesItsLagToAts) {
  compensators::NoCompensator none;
  controllers::LqgController bare(2, settings());
  controllers::LqgController lqg(2, settings());
  compensators::AtsCompensator ats(2, {.tick = kTick, .expected_delay = kLag});
  const Vector2d uncompensated = error(none, bare);
  const Vector2d compensated = error(ats, lqg);
  RecordProperty("lqg", std::to_string(uncompensated.maxCoeff()));
  RecordProperty("ats_lqg", std::to_string(compensated.maxCoeff()));
  EXPECT_GT(uncompensated.minCoeff(), 0.15);
  EXPECT_LT(compensated.maxCoeff(), 0.03);
}

TEST(CompensatedServo, LosesItsLagToAnAdaptiveDiscreteModel) {
  controllers::SlidingModeController sliding(2, {settings()});
  compensators::AdaptiveDiscreteModel adm(2, {.tick = kTick});
  const Vector2d compensated = error(adm, sliding);
  RecordProperty("adm_msmc", std::to_string(compensated.maxCoeff()));
  EXPECT_LT(compensated.maxCoeff(), 0.03);
}

}  // namespace
}  // namespace trestle::compensated_servo_test
