#include <gtest/gtest.h>

#include <cmath>

#include "adapters/simulated/bilinear_hinge.h"
#include "adapters/simulated/bouc_wen_hinge.h"

namespace trestle::simulated::plastic_hinge_test {
namespace {

constexpr double kYield = 180e3;
constexpr double kStiffness = 5e6;

/// A hinge in series with a spring of its reference stiffness, turned to `rotation`.
double turn(PlasticHinge& hinge, double rotation) {
  const double trial = kStiffness * (rotation - hinge.rotation());
  const double flow = hinge.flow(trial, kStiffness);
  const double moment = trial - kStiffness * flow;
  hinge.commit(flow, moment);
  return moment;
}

TEST(BilinearHinge, GoesOnWithTheHardeningRatioOfItsReference) {
  BilinearHinge hinge({kYield, 0.03, kStiffness});
  const double yield_rotation = kYield / kStiffness;
  EXPECT_DOUBLE_EQ(turn(hinge, 0.5 * yield_rotation), 0.5 * kYield);
  EXPECT_NEAR(turn(hinge, 3.0 * yield_rotation), kYield * (1.0 + 0.03 * 2.0),
              1e-9 * kYield);
  // Back by twice the yield rotation it is elastic: kinematic hardening.
  EXPECT_NEAR(turn(hinge, yield_rotation), kYield * (1.06 - 2.0), 1e-9 * kYield);
}

TEST(BoucWenHinge, FollowsTheLawInClosedFormAtFirstOrder) {
  // n = 1: z = 1 − exp(−u), u the rotation of hinge and spring over the yield rotation.
  const double end = 3.0;
  double coarse = 0.0;
  for (const int steps : {1000, 2000}) {
    BoucWenHinge hinge({kYield, 0.0, kStiffness}, 1.0);
    double moment = 0.0;
    for (int i = 1; i <= steps; ++i)
      moment = turn(hinge, end * i / steps * kYield / kStiffness);
    const double error = std::abs(moment / kYield - (1.0 - std::exp(-end)));
    EXPECT_LT(error, end / steps);
    if (steps == 2000) {
      EXPECT_NEAR(coarse / error, 2.0, 0.05);
    }
    coarse = error;
  }
}

TEST(BoucWenHinge, LeavesTheYieldMomentBehindNeverHoweverFarItTurns) {
  BoucWenHinge hinge({kYield, 0.0, kStiffness}, 2.0);
  double moment = 0.0;
  for (int i = 1; i <= 200; ++i) moment = turn(hinge, i * kYield / kStiffness);
  EXPECT_LE(moment, kYield * (1.0 + 1e-12));
  EXPECT_NEAR(moment, kYield, 1e-9 * kYield);
  // One jump as well.
  BoucWenHinge jumped({kYield, 0.0, kStiffness}, 2.0);
  EXPECT_LE(turn(jumped, 1e3 * kYield / kStiffness), kYield);
}

TEST(BoucWenHinge, UnloadsWithTheElasticStiffness) {
  BoucWenHinge hinge({kYield, 0.05, kStiffness}, 2.0);
  const double yield_rotation = kYield / kStiffness;
  for (int i = 1; i <= 100; ++i) turn(hinge, 0.02 * i * yield_rotation);
  const double top = turn(hinge, 2.0 * yield_rotation);
  EXPECT_NEAR(top - turn(hinge, 1.5 * yield_rotation), 0.5 * kYield, 1e-9 * kYield);
}

}  // namespace
}  // namespace trestle::simulated::plastic_hinge_test
