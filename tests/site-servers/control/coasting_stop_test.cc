#include "site-servers/trajectory/coasting_stop.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace trestle::coasting_stop_test {
namespace {

constexpr double kTick = 1e-3;      // [s]
constexpr double kVelocity = 0.15;  // of the command [m/s]

ActuatorVector one(double value) {
  return ActuatorVector::Constant(1, value);
}

/// Commands from the one in force on, for two seconds.
std::vector<double> stopped(const ActuatorLimits& limits, double from, double velocity) {
  trajectory::CoastingStop stop({limits}, kTick);
  stop.begin(one(velocity * kTick));
  std::vector<double> path{from};
  for (int n = 0; n < 2000; ++n) path.push_back(stop.next(one(path.back()))[0]);
  return path;
}

TEST(CoastingStop, LosesItsVelocityWithATimeConstantOf20Milliseconds) {
  for (const double sign : {1.0, -1.0}) {
    const std::vector<double> path = stopped({}, 0.01, sign * kVelocity);
    for (std::size_t n = 1; n < 200; ++n)
      EXPECT_NEAR((path[n] - path[n - 1]) / kTick,
                  sign * kVelocity * std::exp(-static_cast<double>(n) * kTick / 0.02),
                  1e-8);
    EXPECT_EQ(path.back(), path[path.size() - 1000]) << "at rest, to the bit";
  }
}

TEST(CoastingStop, BrakesWithHalfOfALowLimitOfAcceleration) {
  const double limit = 2.0;  // [m/s²]; the time constant alone would take 7.5
  const std::vector<double> path = stopped({.acceleration = limit}, 0.0, kVelocity);
  double before = kVelocity;
  for (std::size_t n = 1; n < path.size(); ++n) {
    const double velocity = (path[n] - path[n - 1]) / kTick;
    EXPECT_LE(velocity, before + 1e-9) << "it is never faster than before";
    EXPECT_LE(before - velocity, 0.5 * limit * kTick + 1e-9);
    before = velocity;
  }
  EXPECT_EQ(before, 0.0);
}

// Two actuators at the ends of a stiff beam, one of which may brake less than the other.
TEST(CoastingStop, KeepsActuatorsInProportion) {
  trajectory::CoastingStop stop({{.displacement = 0.02, .acceleration = 20.0},
                                 {.displacement = 0.06, .acceleration = 2.0}},
                                kTick);
  ActuatorVector command = ActuatorVector::Constant(2, 0.0);
  stop.begin(ActuatorVector::Constant(2, kVelocity * kTick));
  for (int n = 0; n < 2000; ++n) {
    command = stop.next(command);
    ASSERT_NEAR(command[0], command[1], 1e-15) << n;
  }
  EXPECT_GT(command[0], 0.0);
  EXPECT_LT(command[0], 0.02);
}

TEST(CoastingStop, StopsBeforeTheLimitOfDisplacement) {
  for (const double sign : {1.0, -1.0}) {
    const std::vector<double> path =
        stopped({.displacement = 0.06}, sign * 0.0595, sign * kVelocity);
    EXPECT_LE(std::abs(path.back()), 0.06);
    EXPECT_GT(std::abs(path.back()), 0.0599);
    EXPECT_EQ(stopped({.displacement = 0.06}, sign * 0.06, sign * kVelocity).back(),
              sign * 0.06);
    EXPECT_NEAR(stopped({.displacement = 0.06}, sign * 0.06, -sign * kVelocity).back(),
                sign * (0.06 - 0.02 * kVelocity), 1e-4)
        << "away from it there is room";
  }
}

TEST(CoastingStop, StaysWhereItIsWithoutAVelocityAndWhereThatIsNoNumber) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double velocity : {0.0, -0.0, nan})
    EXPECT_EQ(stopped({}, 0.01, velocity).back(), 0.01);
  trajectory::CoastingStop stop({{}}, kTick);
  EXPECT_EQ(stop.next(one(0.01))[0], 0.01) << "before it began";
  stop.begin(one(1e-4));
  stop.cancel();
  EXPECT_EQ(stop.next(one(0.01))[0], 0.01);
}

}  // namespace
}  // namespace trestle::coasting_stop_test
