#include "site-servers/controllers/state_space_controller.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "composition/sites/controller_factory.h"
#include "core/base/setting_error.h"
#include "proto/config/control.pb.h"
#include "proto/config/matrix.pb.h"
#include "site-servers/controllers/lqg_controller.h"
#include "tests/site-servers/control/servo_loop.h"

namespace trestle::state_space_controller_test {
namespace {

using controllers::StateSpaceController;
using controllers::StateSpaceControllerSettings;
using Eigen::MatrixXd;
using testing::benchmark_plant;
using testing::kTick;

MatrixXd scalar(double value) {
  return MatrixXd::Constant(1, 1, value);
}

Measurement measured(const ActuatorVector& displacement) {
  Measurement sensed = Measurement::zero(displacement.size());
  sensed.displacement = displacement;
  return sensed;
}

/// The benchmark's LQG, written out as matrices, is the LQG.
TEST(StateSpaceController, IsTheControllerWhoseMatricesItWasGiven) {
  controllers::LqgController lqg(
      2, {.tick = kTick,
          .plant = {.model = benchmark_plant(), .process_noise = 0.01},
          .weights = {.integral = 1e6}});
  const auto model = lqg.linearise(2);
  ASSERT_TRUE(model);
  StateSpaceController twin(2, {.tick = kTick,
                                .A = model->A,
                                .B = model->B,
                                .C = model->C,
                                .D = model->D,
                                .continuous = false});
  for (int k = 0; k < 500; ++k) {
    const ActuatorVector command =
        1e-3 * ActuatorVector{{std::sin(0.02 * k), std::cos(0.03 * k) - 1.0}};
    const Measurement sensed = measured(0.8 * command);
    const ActuatorVector one = lqg.drive(command, sensed);
    ASSERT_LT((one - twin.drive(command, sensed)).norm(), 1e-12) << k;
  }
}

TEST(StateSpaceController, StatesItsOwnModel) {
  StateSpaceController error_fed(
      1,
      {.tick = kTick, .A = scalar(-60), .B = scalar(2), .C = scalar(5), .D = scalar(0.9)});
  const auto model = error_fed.linearise(1);
  ASSERT_TRUE(model);
  EXPECT_EQ(model->D(0, 1), -model->D(0, 0));
  Eigen::VectorXd q = Eigen::VectorXd::Zero(1);
  for (int k = 0; k < 50; ++k) {
    Eigen::Vector2d w(std::sin(0.1 * k), 0.3 * std::cos(0.2 * k));
    const double expected = (model->C * q + model->D * w)(0);
    q = (model->A * q + model->B * w).eval();
    ASSERT_NEAR(error_fed.drive(ActuatorVector::Constant(1, w[0]),
                                measured(ActuatorVector::Constant(1, w[1])))[0],
                expected, 1e-14);
  }
}

/// q' = −a q + w, drive = c q + d w: at s = 2/h (z − 1)/(z + 1) exactly that transfer.
TEST(StateSpaceController, SamplesByTheBilinearRule) {
  constexpr double a = 60.0, b = 2.0, c = 5.0, d = 0.9;
  const StateSpaceController controller(
      1, {.tick = kTick, .A = scalar(-a), .B = scalar(b), .C = scalar(c), .D = scalar(d)});
  const auto model = controller.linearise(1);
  for (const double z : {1.0, -0.5, 3.0}) {
    const double s = 2.0 / kTick * (z - 1.0) / (z + 1.0);
    EXPECT_NEAR(model->C(0, 0) / (z - model->A(0, 0)) * model->B(0, 0) + model->D(0, 0),
                c * b / (s + a) + d, 1e-12);
  }
}

TEST(StateSpaceController, GoesOnFromASnapshotAndBeginsAgainToTheBit) {
  const StateSpaceControllerSettings settings{
      .tick = kTick, .A = scalar(-60), .B = scalar(2), .C = scalar(5), .D = scalar(0.9)};
  StateSpaceController one(1, settings);
  const auto tick = [](StateSpaceController& it, int k) {
    return it.drive(ActuatorVector::Constant(1, std::sin(0.1 * k)),
                    measured(ActuatorVector::Zero(1)))[0];
  };
  const double first = tick(one, 1);
  for (int k = 2; k < 50; ++k) tick(one, k);
  SnapshotWriter writer;
  one.save(writer);
  StateSpaceController other(1, settings);
  SnapshotReader reader(writer.values());
  other.restore(reader);
  EXPECT_TRUE(reader.at_end());
  EXPECT_EQ(tick(one, 50), tick(other, 50));
  one.reset();
  EXPECT_EQ(tick(one, 1), first);
}

std::string complaint(const config::ActuatorController& message) {
  try {
    composition::make_controller(message, 1, kTick, "c");
  } catch (const SettingError& error) {
    return error.problems().front().path;
  }
  return "";
}

void put(config::Matrix& matrix, double value) {
  matrix.add_rows()->add_values(value);
}

TEST(StateSpaceController, IsMadeFromItsMessageAndNamesTheMatrixThatDoesNotFit) {
  config::ActuatorController message;
  config::StateSpaceController& it = *message.mutable_state_space();
  put(*it.mutable_feedthrough(), 0.5);
  EXPECT_EQ(complaint(message), "");
  put(*it.mutable_state(), -10.0);
  EXPECT_EQ(complaint(message), "c.state_space.input");
  put(*it.mutable_input(), 1.0);
  EXPECT_EQ(complaint(message), "c.state_space.output");
  put(*it.mutable_output(), 1.0);
  EXPECT_EQ(complaint(message), "");
  put(*it.mutable_state(), -20.0);
  EXPECT_EQ(complaint(message), "c.state_space.state");
  it.mutable_state()->clear_rows();
  put(*it.mutable_state(), 2.0 / kTick);
  EXPECT_EQ(complaint(message), "c.state_space.state");
  it.set_time(config::CONTROLLER_TIME_CONTROL_TICK);
  EXPECT_EQ(complaint(message), "");
  put(*it.mutable_feedthrough(), 0.5);
  EXPECT_EQ(complaint(message), "c.state_space.feedthrough");
}

}  // namespace
}  // namespace trestle::state_space_controller_test
