#include "site-servers/kinematics/coupler_frame.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "core/base/setting_error.h"

namespace trestle::kinematics {
namespace {

// The coupler of the published two-actuator benchmark (Condori Uribe et al. 2023).
const double kArm = std::hypot(0.26670, 0.127);
constexpr double kAngle = 25.4633 * std::numbers::pi / 180.0;

CouplerFrame coupler(bool clockwise = false, bool sine_in_inverse = false) {
  return CouplerFrame({.arm = kArm,
                       .angle = kAngle,
                       .clockwise = clockwise,
                       .sine_in_inverse = sine_in_inverse});
}

InterfaceVector motion(double x, double rz) {
  return InterfaceVector{{x, rz}};
}

TEST(CouplerFrame, StrokesAreTheGeometryOfTheTwoPins) {
  const double x = 0.012;
  const double theta = 0.3;
  const ActuatorVector strokes = coupler().to_actuators(motion(x, theta));
  EXPECT_NEAR(strokes[0], x + kArm * (std::cos(theta - kAngle) - std::cos(kAngle)), 1e-16);
  EXPECT_NEAR(strokes[1], x + kArm * (std::cos(theta + kAngle) - std::cos(kAngle)), 1e-16);
}

TEST(CouplerFrame, AClockwiseAngleIsMinusTheRotation) {
  EXPECT_EQ(coupler(true).to_actuators(motion(0.012, -0.3)),
            coupler().to_actuators(motion(0.012, 0.3)));
  EXPECT_EQ(coupler(true).to_interface(ActuatorVector{{0.02, -0.01}})[1],
            -coupler().to_interface(ActuatorVector{{0.02, -0.01}})[1]);
}

TEST(CouplerFrame, ThePublishedInverseMissesByTheThirdPowerOfTheRotation) {
  // x is off by d (cos(α₁ + θ) − cos(α₁ + sin θ)) = d sin(angle) θ³/6 + O(θ⁴).
  for (const double theta : {0.02, 0.01}) {
    const CouplerFrame published = coupler(false, true);
    const InterfaceVector back =
        published.to_interface(published.to_actuators(motion(0.004, theta)));
    EXPECT_NEAR(back[1], theta, 1e-15);
    const double leading = kArm * std::sin(kAngle) * std::pow(theta, 3) / 6.0;
    EXPECT_NEAR(back[0] - 0.004, leading, 3.0 * theta * leading);
  }
}

TEST(CouplerFrame, StrokesOutOfItsReachAreNotANumber) {
  EXPECT_FALSE(coupler().to_interface(ActuatorVector{{0.2, -0.2}}).allFinite());
}

TEST(CouplerFrame, WantsATranslationAndThenARotation) {
  const InterfaceDof x{.name = "top.x"};
  const InterfaceDof rz{.name = "top.rz", .kind = DofKind::kRotation};
  EXPECT_EQ(coupler().refusal_of({x, rz}), "");
  EXPECT_EQ(coupler().refusal_of({rz, x}),
            "a coupler moves x and rz of its node, in this order; its interface is "
            "[top.rz, top.x]");
  EXPECT_NE(coupler().refusal_of({x}), "");
}

TEST(CouplerFrame, RefusesAnArmOrAnAngleThatCannotBe) {
  const auto make = [](double arm, double angle) {
    return CouplerFrame({.arm = arm, .angle = angle});
  };
  EXPECT_THROW(make(0.0, 0.4), SettingError);
  EXPECT_THROW(make(std::nan(""), 0.4), SettingError);
  EXPECT_THROW(make(0.3, 0.0), SettingError);
  EXPECT_THROW(make(0.3, 1.6), SettingError);
}

}  // namespace
}  // namespace trestle::kinematics
