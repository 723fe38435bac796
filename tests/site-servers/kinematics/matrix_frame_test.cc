#include "site-servers/kinematics/matrix_frame.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/base/setting_error.h"

namespace trestle::kinematics {
namespace {

InterfaceVector motion() {
  return InterfaceVector{{0.012, -0.004, 0.0031}};
}

/// Two verticals 1.2 m apart and a horizontal 0.4 m above the specimen's top.
Eigen::MatrixXd three_actuators() {
  return Eigen::MatrixXd{{1.0, 0.0, 0.4}, {0.0, 1.0, -0.6}, {0.0, 1.0, 0.6}};
}

Eigen::MatrixXd four_actuators() {
  return Eigen::MatrixXd{
      {1.0, 0.0, 0.4}, {0.0, 1.0, -0.6}, {0.0, 1.0, 0.6}, {1.0, 0.0, -0.4}};
}

TEST(MatrixFrame, IdentityCopiesBits) {
  const MatrixFrame frame = MatrixFrame::identity(3);
  EXPECT_EQ(frame.actuators(), 3);
  EXPECT_EQ(frame.interface_dofs(), 3);
  EXPECT_EQ(frame.to_actuators(motion()), motion());
  EXPECT_EQ(frame.to_interface(frame.to_actuators(motion())), motion());
  EXPECT_EQ(frame.force_to_interface(ActuatorVector{motion()}, ActuatorVector{motion()}),
            motion());
  EXPECT_TRUE(std::signbit(frame.to_actuators(InterfaceVector{{-0.0, 0.0, 0.0}})[0]));
}

TEST(MatrixFrame, MovesDisplacementVelocityAndAccelerationAlike) {
  const MatrixFrame frame(three_actuators());
  const ActuatorMotion stroke =
      frame.to_actuators(InterfaceMotion{motion(), 2.0 * motion(), -3.0 * motion()});
  const Eigen::VectorXd expected = three_actuators() * motion();
  EXPECT_TRUE(stroke.displacement.isApprox(expected, 1e-15));
  EXPECT_TRUE(stroke.velocity.isApprox(2.0 * expected, 1e-15));
  EXPECT_TRUE(stroke.acceleration.isApprox(-3.0 * expected, 1e-15));
}

TEST(MatrixFrame, ComesBackToTheInterface) {
  for (const Eigen::MatrixXd& matrix : {three_actuators(), four_actuators()}) {
    const MatrixFrame frame(matrix);
    // A few roundings times the condition number, which is below ten.
    EXPECT_TRUE(frame.to_interface(frame.to_actuators(motion())).isApprox(motion(), 1e-14));
  }
}

TEST(MatrixFrame, LeavesTheWorkTheSameAtBothEnds) {
  for (const Eigen::MatrixXd& matrix : {three_actuators(), four_actuators()}) {
    const MatrixFrame frame(matrix);
    ActuatorVector force = ActuatorVector::LinSpaced(matrix.rows(), 12e3, -31e3);
    const double at_actuators = force.dot(frame.to_actuators(motion()));
    const double at_interface = frame.force_to_interface(force, force).dot(motion());
    EXPECT_NEAR(at_interface, at_actuators, 1e-13 * std::abs(at_actuators));
  }
}

TEST(MatrixFrame, InvertsAPermutationWithSignsToTheBit) {
  const MatrixFrame frame(
      Eigen::MatrixXd{{0.0, 0.0, -1.0}, {1.0, 0.0, 0.0}, {0.0, -1.0, 0.0}});
  EXPECT_EQ(frame.to_interface(frame.to_actuators(motion())), motion());
}

TEST(MatrixFrame, RefusesAMatrixThatCannotBeInverted) {
  const auto make = [](const Eigen::MatrixXd& matrix) {
    return MatrixFrame(matrix);
  };
  EXPECT_THROW(make(Eigen::MatrixXd{{1.0, 2.0}, {2.0, 4.0}}), SettingError);
  EXPECT_THROW(make(Eigen::MatrixXd{{1.0, 0.0}}), SettingError);  // too few actuators
  EXPECT_THROW(make(Eigen::MatrixXd{{1.0, std::nan("")}, {0.0, 1.0}}), SettingError);
  EXPECT_THROW(make(Eigen::MatrixXd()), SettingError);
  EXPECT_THROW(MatrixFrame::identity(kMaxActuators + 1), SettingError);
}

}  // namespace
}  // namespace trestle::kinematics
