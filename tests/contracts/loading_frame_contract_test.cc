#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <memory>
#include <ostream>
#include <string>

#include "site-servers/kinematics/coupler_frame.h"
#include "site-servers/kinematics/matrix_frame.h"

namespace trestle {
namespace {

struct Case {
  std::string name;
  std::function<std::unique_ptr<LoadingFrame>()> make;
};

void PrintTo(const Case& of, std::ostream* stream) {
  *stream << of.name;
}

std::unique_ptr<LoadingFrame> coupler(bool clockwise) {
  return std::make_unique<kinematics::CouplerFrame>(
      kinematics::CouplerSettings{.arm = 0.2954, .angle = 0.4444, .clockwise = clockwise});
}

std::unique_ptr<LoadingFrame> matrix(const Eigen::MatrixXd& T) {
  return std::make_unique<kinematics::MatrixFrame>(T);
}

/// What every loading frame promises.
class LoadingFrameContract : public ::testing::TestWithParam<Case> {
 protected:
  std::unique_ptr<LoadingFrame> frame_ = GetParam().make();
  Eigen::Index dofs_ = frame_->interface_dofs();

  /// A motion d(t) with large rotations, and its first two derivatives.
  InterfaceMotion motion(double t) const {
    InterfaceMotion at = InterfaceMotion::zero(dofs_);
    for (Eigen::Index i = 0; i < dofs_; ++i) {
      const double w = 3.0 + static_cast<double>(i);
      const double size = 0.4 / (1.0 + static_cast<double>(i));
      at.displacement[i] = size * std::sin(w * t);
      at.velocity[i] = size * w * std::cos(w * t);
      at.acceleration[i] = -size * w * w * std::sin(w * t);
    }
    return at;
  }
  ActuatorVector forces() const {
    return ActuatorVector::LinSpaced(frame_->actuators(), 12e3, -31e3);
  }
};

TEST_P(LoadingFrameContract, ComesBackToTheInterface) {
  for (const double t : {0.0, 0.1, 0.35, 0.9}) {
    const InterfaceMotion target = motion(t);
    const InterfaceMotion back = frame_->to_interface(frame_->to_actuators(target));
    // A few roundings times the condition number, which is below a hundred.
    EXPECT_NEAR((back.displacement - target.displacement).norm(), 0.0, 1e-14);
    EXPECT_NEAR((back.velocity - target.velocity).norm(), 0.0, 1e-13);
    EXPECT_NEAR((back.acceleration - target.acceleration).norm(), 0.0, 1e-12);
  }
}

TEST_P(LoadingFrameContract, BothWaysOfAskingForADisplacementGiveTheSameBits) {
  const InterfaceMotion target = motion(0.3);
  const ActuatorMotion stroke = frame_->to_actuators(target);
  EXPECT_EQ(frame_->to_actuators(target.displacement), stroke.displacement);
  EXPECT_EQ(frame_->to_interface(stroke.displacement),
            frame_->to_interface(stroke).displacement);
}

TEST_P(LoadingFrameContract, RatesAreTheDerivativesInTime) {
  constexpr double kStep = 1e-4;
  const ActuatorMotion before = frame_->to_actuators(motion(0.3 - kStep));
  const ActuatorMotion at = frame_->to_actuators(motion(0.3));
  const ActuatorMotion after = frame_->to_actuators(motion(0.3 + kStep));
  // Central differences err by h²/6 of the third derivative, here below 100.
  const ActuatorVector velocity =
      (after.displacement - before.displacement) / (2.0 * kStep);
  const ActuatorVector acceleration = (after.velocity - before.velocity) / (2.0 * kStep);
  EXPECT_NEAR((at.velocity - velocity).norm(), 0.0, 1e-6);
  EXPECT_NEAR((at.acceleration - acceleration).norm(), 0.0, 1e-5);
}

TEST_P(LoadingFrameContract, LeavesTheWorkTheSameAtBothEnds) {
  for (const double t : {0.0, 0.1, 0.35, 0.9}) {
    const ActuatorMotion stroke = frame_->to_actuators(motion(t));
    const double at_actuators = forces().dot(stroke.velocity);
    const double at_interface =
        frame_->force_to_interface(forces(), stroke.displacement).dot(motion(t).velocity);
    EXPECT_NEAR(at_interface, at_actuators, 1e-12 * forces().norm());
  }
}

TEST_P(LoadingFrameContract, ActuatorsHoldTheForceAtTheInterface) {
  const ActuatorVector strokes = frame_->to_actuators(motion(0.35).displacement);
  const InterfaceVector force = InterfaceVector::LinSpaced(dofs_, 3e3, -8e3);
  const InterfaceVector back =
      frame_->force_to_interface(frame_->force_to_actuators(force, strokes), strokes);
  EXPECT_NEAR((back - force).norm(), 0.0, 1e-10);
}

TEST_P(LoadingFrameContract, TheTangentIsTheJacobianAtZero) {
  constexpr double kStep = 1e-6;
  const Eigen::MatrixXd tangent = frame_->tangent();
  ASSERT_EQ(tangent.rows(), frame_->actuators());
  ASSERT_EQ(tangent.cols(), dofs_);
  for (Eigen::Index i = 0; i < dofs_; ++i) {
    InterfaceVector d = InterfaceVector::Zero(dofs_);
    d[i] = kStep;
    const ActuatorVector difference =
        (frame_->to_actuators(d) - frame_->to_actuators(-d)) / (2.0 * kStep);
    EXPECT_NEAR((difference - tangent.col(i)).norm(), 0.0, 1e-9);
  }
}

TEST_P(LoadingFrameContract, LinearOnesAreTheirTangent) {
  if (!frame_->linear()) GTEST_SKIP() << "it is not linear";
  const InterfaceMotion target = motion(0.35);
  EXPECT_NEAR(
      (frame_->to_actuators(target.displacement) - frame_->tangent() * target.displacement)
          .norm(),
      0.0, 1e-15);
}

INSTANTIATE_TEST_SUITE_P(
    , LoadingFrameContract,
    ::testing::Values(
        Case{"Identity",
             [] {
               return std::make_unique<kinematics::MatrixFrame>(
                   kinematics::MatrixFrame::identity(3));
             }},
        Case{"Matrix",
             [] {
               return matrix(Eigen::MatrixXd{{1.0, 0.4}, {1.0, -0.6}});
             }},
        Case{"MoreActuatorsThanDofs",
             [] {
               return matrix(Eigen::MatrixXd{{1.0, 0.5}, {1.0, -0.5}, {0.0, 1.0}});
             }},
        Case{"Coupler",
             [] {
               return coupler(false);
             }},
        Case{"ClockwiseCoupler",
             [] {
               return coupler(true);
             }}),
    [](const auto& each) { return each.param.name; });

}  // namespace
}  // namespace trestle
