#include <gtest/gtest.h>

#include <cmath>

#include "site-servers/compensators/no_compensator.h"
#include "site-servers/controllers/pass_through.h"
#include "site-servers/kinematics/matrix_frame.h"
#include "site-servers/node/control_loop.h"
#include "tests/site-servers/node/row_keeper.h"
#include "tests/site-servers/node/spring_rig.h"

namespace trestle::site_node::safe_tick_test {
namespace {

constexpr double kStep = 1.0 / 128;

safety::SafeAction home() {
  return {.kind = safety::SafeAction::Kind::kRampHome,
          .rate = ActuatorVector::Constant(2, 0.05),
          .acceleration = ActuatorVector::Constant(2, 0.5)};
}

ControlLoopSettings settings(const safety::SafeAction& action) {
  return {.layout = {{.name = "floor.x"}, {.name = "floor.y"}},
          .time_step = kStep,
          .ticks_per_step = 2,
          .limits = {{.displacement = 0.03, .force = 25e3},
                     {.displacement = 0.03, .rate = 4.0}},
          .safe_action = action};
}

/// A site of two DOFs on an ideal rig that has made one step.
struct Site {
  explicit Site(const safety::SafeAction& action)
      : frame(kinematics::MatrixFrame::identity(2)),
        rig(2),
        loop(settings(action), frame,
             {std::make_unique<compensators::NoCompensator>(),
              std::make_unique<controllers::PassThrough>()},
             rig, &rows) {
    loop.sense(now);
    step(0.02, -0.01);
  }

  Fault step(double x, double y) {
    StepCommand command;
    command.step = loop.step() + 1;
    command.target = InterfaceMotion::zero(2);
    command.target.displacement << x, y;
    if (const Fault fault = loop.accept(command)) return fault;
    while (loop.step_open()) {
      if (const Fault fault = loop.act()) return fault;
      if (const Fault fault = loop.sense(now)) return fault;
    }
    return loop.fault();
  }

  /// @returns ticks
  int bring_home() {
    int ticks = 1;
    while (!loop.step_safe_action(now) && ticks < 100'000) ++ticks;
    return ticks;
  }

  kinematics::MatrixFrame frame;
  testing::SpringRig rig;
  testing::RowKeeper rows;
  ControlLoop loop;
  TimePoint now{};
};

TEST(SafeTick, BringsTheRigHomeAfterTheGateTripped) {
  Site site(home());
  EXPECT_TRUE(site.loop.safe()) << "nothing to be saved from";
  EXPECT_EQ(site.step(0.02, 0.029).kind, FaultKind::kRateLimit);
  EXPECT_FALSE(site.loop.safe());
  EXPECT_EQ(site.rig.calls.back(), 'w') << "no hold: it moves on";
  site.rig.calls.clear();
  EXPECT_GT(site.bring_home(), 10);
  EXPECT_TRUE(site.loop.safe());
  EXPECT_EQ(site.rig.position, ActuatorVector::Zero(2));
  EXPECT_EQ(site.rig.calls.substr(0, 6), "rwrwrw") << "one read to one write";
  EXPECT_EQ(site.rig.calls.find('h'), site.rig.calls.size() - 1)
      << "told to hold when it is there, and not before";
  EXPECT_EQ(site.loop.fault().kind, FaultKind::kRateLimit) << "still latched";
  const std::string calls = site.rig.calls;
  EXPECT_TRUE(site.loop.step_safe_action(site.now));
  EXPECT_EQ(site.loop.act().kind, FaultKind::kRateLimit);
  EXPECT_EQ(site.rig.calls, calls) << "nothing is written any more";
}

TEST(SafeTick, BeginsInTheTickBehindTheFault) {
  Site site(home());
  EXPECT_EQ(site.step(0.027, -0.01).kind, FaultKind::kForceLimit);
  EXPECT_EQ(site.loop.ticks_to_safe_action(), 0) << "not yet";
  const double stopped = site.rig.position[0];
  EXPECT_FALSE(site.loop.step_safe_action(site.now));
  EXPECT_LT(site.rig.position[0], stopped);
  EXPECT_EQ(site.loop.ticks_to_safe_action(), 1);
  site.bring_home();
  EXPECT_EQ(site.loop.ticks_to_safe_action(), 1);
}

TEST(SafeTick, BeginsWhenTheCallerSaysSo) {
  Site site(home());
  const Fault stopped{FaultKind::kStopped, -1, 0.0, 0.0};
  EXPECT_EQ(site.loop.trigger_safe_action(stopped).kind, FaultKind::kStopped);
  EXPECT_EQ(site.loop.trigger_safe_action({FaultKind::kPeerSilent, -1, 1.0, 0.5}).kind,
            FaultKind::kStopped)
      << "the first one stays";
  EXPECT_EQ(site.loop.fault().kind, FaultKind::kStopped);
  site.bring_home();
  EXPECT_EQ(site.rig.position, ActuatorVector::Zero(2));
}

// A person has read its drive off the equipment before the test was armed.
TEST(SafeTick, MovesNoRigOfWhichThisRunKnowsTheDriveAlone) {
  const kinematics::MatrixFrame frame = kinematics::MatrixFrame::identity(2);
  testing::SpringRig rig(2);
  rig.position << 0.02, -0.01;
  testing::RowKeeper rows;
  ControlLoop loop(settings(home()), frame,
                   {std::make_unique<compensators::NoCompensator>(),
                    std::make_unique<controllers::PassThrough>()},
                   rig, &rows);
  loop.sense(TimePoint{});
  loop.told(rig.position);
  rig.calls.clear();
  loop.trigger_safe_action({FaultKind::kForceLimit, 0, 26e3, 25e3});
  EXPECT_TRUE(loop.step_safe_action(TimePoint{}));
  EXPECT_EQ(rig.calls, "h");
}

TEST(SafeTick, HoldIsInTheSameTick) {
  Site site(safety::SafeAction{});
  EXPECT_EQ(site.step(0.02, 0.029).kind, FaultKind::kRateLimit);
  EXPECT_TRUE(site.loop.safe());
  EXPECT_EQ(site.loop.ticks_to_safe_action(), 0);
  EXPECT_EQ(site.rig.calls.back(), 'h');
  const std::string calls = site.rig.calls;
  EXPECT_TRUE(site.loop.step_safe_action(site.now));
  EXPECT_EQ(site.rig.calls, calls);
}

TEST(SafeTick, AnInterlockHoldsInTheTickThatReadsItWhateverTheSafeActionIs) {
  for (const InterlockReaction reaction :
       {InterlockReaction::kHold, InterlockReaction::kRelease}) {
    Site site(home());
    site.rig.interlock = {reaction, 1};
    site.rig.calls.clear();
    const Fault fault = site.step(0.021, -0.01);
    EXPECT_EQ(fault.kind, FaultKind::kInterlock);
    EXPECT_EQ(fault.index, 1);
    EXPECT_EQ(site.rig.calls, "wrh") << "no drive behind the read";
    EXPECT_TRUE(site.loop.safe());
    EXPECT_TRUE(site.loop.step_safe_action(site.now));
    EXPECT_EQ(site.rig.calls, "wrh");
  }
}

TEST(SafeTick, AnInterlockWithTheReactionRampBringsTheRigHome) {
  Site site(home());
  site.rig.interlock = {InterlockReaction::kRamp, 0};
  EXPECT_EQ(site.step(0.021, -0.01).kind, FaultKind::kInterlock);
  EXPECT_FALSE(site.loop.safe());
  EXPECT_GT(site.bring_home(), 10) << "though the contact stays open";
  EXPECT_EQ(site.rig.position, ActuatorVector::Zero(2));
}

TEST(SafeTick, IsEndedInAHoldByAnInterlockThatForbidsMotion) {
  Site site(home());
  site.rig.interlock = {InterlockReaction::kRamp, 0};
  site.step(0.021, -0.01);
  for (int n = 0; n < 5; ++n) EXPECT_FALSE(site.loop.step_safe_action(site.now));
  const ActuatorVector stopped = site.rig.position;
  site.rig.calls.clear();
  site.rig.interlock = {InterlockReaction::kHold, 1};
  EXPECT_TRUE(site.loop.step_safe_action(site.now));
  EXPECT_EQ(site.rig.calls, "rh") << "no drive behind the read";
  EXPECT_EQ(site.rig.position, stopped);
  EXPECT_EQ(site.loop.fault().index, 0) << "the first one stays";
}

TEST(SafeTick, HoldsWhereTheMeasurementCannotBeTrusted) {
  const auto expect_hold = [](Site& site, FaultKind kind) {
    const ActuatorVector before = site.rig.position;
    EXPECT_EQ(site.step(0.021, -0.01).kind, kind);
    EXPECT_TRUE(site.loop.safe());
    EXPECT_EQ(site.rig.calls.back(), 'h');
    EXPECT_NEAR(site.rig.position[0], before[0], 1e-3);
  };
  Site not_finite(home());
  not_finite.rig.disturbance.force[1] = std::nan("");
  expect_hold(not_finite, FaultKind::kNotFinite);
  Site late(home());
  late.rig.read_status = AdapterStatus::kLate;
  expect_hold(late, FaultKind::kAdapter);
  Site tripped(home());
  tripped.rig.write_status = AdapterStatus::kTripped;
  expect_hold(tripped, FaultKind::kAdapter);
}

TEST(SafeTick, MovesNoRigThatWasNeverDriven) {
  const kinematics::MatrixFrame frame = kinematics::MatrixFrame::identity(2);
  testing::SpringRig rig(2);
  rig.position << 0.02, 0.0;
  ControlLoop loop(settings(home()), frame,
                   {std::make_unique<compensators::NoCompensator>(),
                    std::make_unique<controllers::PassThrough>()},
                   rig, nullptr);
  rig.disturbance.force[0] = 6e3;
  EXPECT_EQ(loop.sense(TimePoint{}).kind, FaultKind::kForceLimit);
  EXPECT_TRUE(loop.safe());
  EXPECT_EQ(rig.calls, "rh");
}

TEST(SafeTick, EndsInAHoldWhereSomethingGoesWrongOnTheWay) {
  for (const char* what : {"late", "garbage", "missing", "tripped", "load cell"}) {
    Site site(home());
    site.loop.trigger_safe_action({FaultKind::kStopped, -1, 0.0, 0.0});
    for (int n = 0; n < 5; ++n) ASSERT_FALSE(site.loop.step_safe_action(site.now));
    const ActuatorVector there = site.rig.position;
    const std::string which = what;
    if (which == "late") site.rig.read_status = AdapterStatus::kLate;
    if (which == "garbage") site.rig.disturbance.displacement[0] = std::nan("");
    if (which == "missing") site.rig.short_force = true;
    if (which == "tripped") site.rig.write_status = AdapterStatus::kTripped;
    if (which == "load cell") site.rig.disturbance.force_only = InterfaceVector::Zero(1);
    EXPECT_TRUE(site.loop.step_safe_action(site.now)) << what;
    EXPECT_EQ(site.rig.calls.back(), 'h') << what;
    if (which != "tripped") {
      EXPECT_EQ(site.rig.position, there) << what;
    }
    site.rig.calls.clear();
    EXPECT_TRUE(site.loop.step_safe_action(site.now));
    EXPECT_EQ(site.rig.calls, "") << what;
  }
}

TEST(SafeTick, IsNotEndedByAHoldFromElsewhere) {
  Site site(home());
  site.loop.trigger_safe_action({FaultKind::kStopped, -1, 0.0, 0.0});
  site.loop.step_safe_action(site.now);
  site.loop.hold();
  EXPECT_EQ(site.rig.calls.find('h'), std::string::npos);
  site.bring_home();
  EXPECT_EQ(site.rig.position, ActuatorVector::Zero(2));
}

TEST(SafeTick, GoesOnInTheRecord) {
  Site site(home());
  site.loop.trigger_safe_action({FaultKind::kStopped, -1, 0.0, 0.0});
  const std::size_t before = site.rows.rows.size();
  const int ticks = site.bring_home();
  ASSERT_EQ(site.rows.rows.size(), before + static_cast<std::size_t>(ticks) - 1)
      << "the last drive has no read behind it";
  for (std::size_t row = 1; row < site.rows.rows.size(); ++row)
    EXPECT_EQ(site.rows.rows[row].first, site.rows.rows[row - 1].first + 1);
  EXPECT_EQ(site.rows.rows.back().second[1], site.rows.rows.back().second[2])
      << "the command, and what it has done";
}

TEST(SafeTick, GoesOnFromASnapshotToTheBit) {
  Site first(home());
  Site second(home());
  first.loop.trigger_safe_action({FaultKind::kStopped, -1, 0.0, 0.0});
  for (int n = 0; n < 20; ++n) first.loop.step_safe_action(first.now);
  SnapshotWriter writer;
  first.loop.save(writer);
  SnapshotReader reader(writer.values());
  second.loop.restore(reader);
  EXPECT_TRUE(reader.at_end());
  second.rig.position = first.rig.position;
  while (!first.loop.safe()) {
    first.loop.step_safe_action(first.now);
    second.loop.step_safe_action(second.now);
    ASSERT_EQ(second.rig.position, first.rig.position);
  }
  EXPECT_TRUE(second.loop.safe());
  EXPECT_EQ(second.loop.ticks_to_safe_action(), 1);
}

TEST(SafeTick, AResetMakesAnotherRunPossible) {
  Site site(home());
  site.loop.trigger_safe_action({FaultKind::kStopped, -1, 0.0, 0.0});
  site.bring_home();
  site.loop.reset();
  EXPECT_EQ(site.loop.ticks_to_safe_action(), 0);
  EXPECT_FALSE(site.loop.sense(site.now));
  EXPECT_FALSE(site.step(0.01, 0.0));
}

TEST(SafeTick, TakesMissingValuesForAFaultAndNotForABug) {
  Site site(safety::SafeAction{});
  site.rig.short_force = true;
  EXPECT_EQ(site.step(0.02, -0.01).kind, FaultKind::kNotFinite);
  Site felt(safety::SafeAction{});
  felt.rig.disturbance.force_only = InterfaceVector::Zero(1);
  EXPECT_EQ(felt.step(0.02, -0.01).kind, FaultKind::kAdapter);
}

TEST(SafeTick, RefusesATargetOfTheWrongLength) {
  Site site(safety::SafeAction{});
  StepCommand command;
  command.target = InterfaceMotion::zero(1);
  EXPECT_EQ(site.loop.accept(command).kind, FaultKind::kNotFinite);
  command.target = InterfaceMotion::zero(2);
  command.target.velocity.resize(1);
  EXPECT_EQ(site.loop.accept(command).kind, FaultKind::kNotFinite);
  command.target = InterfaceMotion::zero(2);
  command.command_feedforward = InterfaceVector::Zero(1);
  EXPECT_EQ(site.loop.accept(command).kind, FaultKind::kNotFinite);
  command.command_feedforward.resize(0);
  command.feedforward_target = InterfaceMotion::zero(3);
  EXPECT_EQ(site.loop.accept(command).kind, FaultKind::kNotFinite);
  EXPECT_FALSE(site.loop.fault()) << "nothing is latched";
}

TEST(SafeTick, ARampFromFullSpeedIsNotTakenForAnAcceleration) {
  ControlLoopSettings limited = settings(safety::SafeAction{});
  limited.limits = {{.acceleration = 200.0}, {.acceleration = 200.0}};
  const kinematics::MatrixFrame frame = kinematics::MatrixFrame::identity(2);
  testing::SpringRig rig(2);
  ControlLoop loop(limited, frame,
                   {std::make_unique<compensators::NoCompensator>(),
                    std::make_unique<controllers::PassThrough>()},
                   rig, nullptr);
  loop.sense(TimePoint{});
  StepCommand command;
  command.target = InterfaceMotion::zero(2);
  command.target.displacement[0] = 0.0015;
  for (int n = 0; n < 5 && !loop.fault(); ++n) {
    loop.accept(command);
    while (loop.step_open() && !loop.act()) loop.sense(TimePoint{});
    command.target.displacement[0] += 0.0015;
  }
  ASSERT_FALSE(loop.fault());
  for (int n = 0; n < 100'000 && !loop.ramp(TimePoint{}); ++n) {
  }
  EXPECT_FALSE(loop.fault());
  EXPECT_EQ(rig.position, ActuatorVector::Zero(2));
}

}  // namespace
}  // namespace trestle::site_node::safe_tick_test
