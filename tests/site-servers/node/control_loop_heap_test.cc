#include <gtest/gtest.h>

#include <cmath>

#include "site-servers/compensators/ats_compensator.h"
#include "site-servers/compensators/no_compensator.h"
#include "site-servers/compensators/polynomial_extrapolation.h"
#include "site-servers/controllers/pass_through.h"
#include "site-servers/controllers/pid_controller.h"
#include "site-servers/kinematics/coupler_frame.h"
#include "site-servers/kinematics/matrix_frame.h"
#include "site-servers/node/control_loop.h"
#include "tests/site-servers/node/spring_rig.h"
#include "tests/support/heap_counter.h"

namespace trestle::site_node {
namespace {

/// Counts rows and keeps none.
class RowCounter final : public RowSink {
 public:
  bool push(const RecordRow& /*row*/) noexcept override { return ++rows > 0; }
  int rows = 0;
};

/// Steps of four ticks with everything switched on.
/// @returns allocations of a hundred of them
std::size_t allocations(const LoadingFrame& frame, std::unique_ptr<Compensator> compensator,
                        const InterfaceLayout& felt = {}) {
  testing::SpringRig rig(frame.actuators(), static_cast<int>(felt.size()));
  RowCounter rows;
  ControlLoopSettings settings{.time_step = 0.004, .ticks_per_step = 4};
  settings.layout.resize(static_cast<std::size_t>(frame.interface_dofs()));
  settings.layout.back().kind = DofKind::kRotation;
  settings.layout.insert(settings.layout.end(), felt.begin(), felt.end());
  ControlLoop loop(settings, frame, std::move(compensator),
                   std::make_unique<controllers::PidController>(
                       frame.actuators(), controllers::PidSettings{.tick = 0.001,
                                                                   .proportional = 0.1,
                                                                   .integral = 0.1,
                                                                   .derivative = 1e-5,
                                                                   .filter = 50.0}),
                   rig, &rows);
  StepCommand command;
  StepResponse response;
  const std::size_t before = testing::heap_allocations();
  loop.sense(TimePoint{});
  for (int k = 0; k < 100; ++k) {
    command.step = k;
    command.target = InterfaceMotion::zero(frame.interface_dofs());
    command.target.displacement.setConstant(0.01 * std::sin(0.01 * k));
    if (frame.linear()) {
      command.feedforward_target = command.target;
      command.command_feedforward = command.target.displacement;
    }
    loop.accept(command);
    while (loop.step_open()) {
      loop.act();
      loop.sense(TimePoint{});
    }
    loop.answer(response);
  }
  const std::size_t after = testing::heap_allocations();
  EXPECT_FALSE(loop.fault());
  EXPECT_EQ(rows.rows, 400);
  return after - before;
}

TEST(HeapCounter, SeesAnAllocation) {
  const std::size_t before = testing::heap_allocations();
  const Eigen::VectorXd on_the_heap = Eigen::VectorXd::Ones(100);
  EXPECT_GT(testing::heap_allocations(), before) << on_the_heap.size();
}

TEST(ControlLoop, LeavesTheHeapAlone) {
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Identity(kMaxActuators, kMaxActuators);
  matrix(0, 5) = 0.4;
  const int most = kMaxActuators;
  EXPECT_EQ(allocations(kinematics::MatrixFrame(matrix),
                        std::make_unique<compensators::AtsCompensator>(
                            most, compensators::AtsSettings{.tick = 0.001,
                                                            .expected_delay = 0.01})),
            0U);
  EXPECT_EQ(allocations(
                kinematics::MatrixFrame::identity(most),
                std::make_unique<compensators::PolynomialExtrapolation>(
                    most, compensators::PolynomialSettings{.tick = 0.001, .delay = 0.01})),
            0U);
  EXPECT_EQ(
      allocations(kinematics::CouplerFrame({.arm = 0.3, .angle = 0.44}),
                  std::make_unique<compensators::AtsCompensator>(
                      2, compensators::AtsSettings{.tick = 0.001, .expected_delay = 0.01}),
                  {{.name = "foot.rz", .role = DofRole::kForceOnly}}),
      0U);
}

TEST(ControlLoop, LeavesTheHeapAloneOnTheWayToSafety) {
  for (const safety::SafeAction::Kind kind :
       {safety::SafeAction::Kind::kRampHome, safety::SafeAction::Kind::kUnload}) {
    const kinematics::MatrixFrame frame = kinematics::MatrixFrame::identity(2);
    testing::SpringRig rig(2);
    RowCounter rows;
    ControlLoopSettings settings{.time_step = 0.004, .ticks_per_step = 4};
    settings.layout.resize(2);
    const ActuatorVector ones = ActuatorVector::Ones(2);
    settings.safe_action = {kind, 0.1 * ones, ones, ones, ones};
    ControlLoop loop(settings, frame, std::make_unique<compensators::NoCompensator>(),
                     std::make_unique<controllers::PassThrough>(), rig, &rows);
    StepCommand command;
    command.target = InterfaceMotion::zero(2);
    command.target.displacement << 0.01, -0.02;
    loop.sense(TimePoint{});
    loop.accept(command);
    while (loop.step_open() && !loop.act()) loop.sense(TimePoint{});
    const std::size_t before = testing::heap_allocations();
    loop.trigger_safe_action({FaultKind::kStopped, -1, 0.0, 0.0});
    while (!loop.step_safe_action(TimePoint{})) {
    }
    EXPECT_EQ(testing::heap_allocations(), before);
    EXPECT_LT(rig.position.cwiseAbs().maxCoeff(), 1e-4);
    EXPECT_GT(rows.rows, 100);
  }
}

}  // namespace
}  // namespace trestle::site_node
