// Interlocks of real equipment while no tick is due: armed, held after a restart, in FAULT,
// and on the way of a safe action. By what the equipment was told.
#include <gtest/gtest.h>

#include <string>

#include "core/types/interlock.h"
#include "tests/site-servers/node/equipment_laboratory.h"

namespace trestle::site_node::interlock_reaction_test {
namespace {

using laboratory::kSession;
using laboratory::Laboratory;
using testing::after;
using enum session::SessionState;

safety::SafeAction ramp_home() {
  const ActuatorVector one = ActuatorVector::Ones(1);
  return {safety::SafeAction::Kind::kRampHome, 0.01 * one, 0.1 * one, one, one};
}

/// Asks again and again whether a thread of the site has done it.
template <typename Done>
bool until(Laboratory& lab, const Done& done) {
  for (int n = 0; n < 20'000 && !done(); ++n) lab.run_for(0.01);
  return done();
}

bool until_released(Laboratory& lab) {
  return until(lab, [&lab] { return lab.rig.released.load(); });
}

bool until_fault(Laboratory& lab) {
  return until(lab, [&lab] { return lab.node->state() == kFault; });
}

bool names(const std::string& reason, const std::string& part) {
  return reason.find(part) != std::string::npos;
}

class InterlockReaction : public ::testing::TestWithParam<ExecutionMode> {
 protected:
  using Is = trestle::InterlockReaction;

  static void drive_out(Laboratory& lab) {
    lab.rig.reports = true;
    lab.start();
    lab.go_out_to(6e-3);
    ASSERT_EQ(lab.node->state(), kRunning) << lab.node->reason();
  }
  /// A safe action that takes a few tenths of a second is on its way.
  static void begin_the_ramp(Laboratory& lab) {
    drive_out(lab);
    lab.rig.interlock = {Is::kRamp, 0};
    ASSERT_TRUE(until_fault(lab));
    lab.run_until(lab.clock.now() + after(0.05));
    ASSERT_FALSE(lab.rig.held_last);
  }
  static void arm(Laboratory& lab) {
    lab.gets(Welcome{kProtocolVersion, "0.1"});
    lab.gets(lab.configure);
    lab.gets(Arm{kSession,
                 session::contract_hash(lab.transport.last<Configured>().contract),
                 "ada@lab"});
    lab.run_for(1.0);
    ASSERT_EQ(lab.node->state(), kArmed) << lab.node->reason();
  }
};
INSTANTIATE_TEST_SUITE_P(Modes, InterlockReaction,
                         ::testing::Values(ExecutionMode::kPseudoDynamic,
                                           ExecutionMode::kContinuous,
                                           ExecutionMode::kRealTime),
                         [](const auto& mode) {
                           switch (mode.param) {
                             case ExecutionMode::kContinuous:
                               return "Continuous";
                             case ExecutionMode::kRealTime:
                               return "RealTime";
                             default:
                               return "PseudoDynamic";
                           }
                         });

TEST_P(InterlockReaction, IsAReleaseAlsoWhileTheRigIsOnlyArmed) {
  Laboratory lab(GetParam());
  arm(lab);
  lab.rig.interlock = {Is::kRelease, 0};
  EXPECT_TRUE(until_released(lab)) << lab.node->reason();
  EXPECT_EQ(lab.node->state(), kFault);
  EXPECT_EQ(lab.rig.writes, 0);
}

TEST_P(InterlockReaction, MovesNothingThatIsOnlyArmed) {
  Laboratory lab(GetParam(), true, 1e9, ramp_home());
  arm(lab);
  lab.rig.interlock = {Is::kRamp, 0};
  ASSERT_TRUE(until_fault(lab));
  lab.run_for(1.0);
  EXPECT_EQ(lab.rig.writes, 0);
  EXPECT_TRUE(lab.rig.held_last);
}

TEST_P(InterlockReaction, IsAFaultAlsoWhileTheRigHoldsAfterARestart) {
  Laboratory lab(GetParam(), true, 1e9, ramp_home());
  drive_out(lab);
  lab.die();
  ASSERT_TRUE(lab.come_back()) << lab.transport.last<Rejection>().reason;
  lab.run_for(0.1);
  ASSERT_EQ(lab.node->state(), kHolding) << lab.node->reason();
  const int writes = lab.rig.writes;
  lab.rig.interlock = {Is::kRamp, 1};
  ASSERT_TRUE(until_fault(lab));
  EXPECT_TRUE(names(lab.node->reason(), "interlock 2")) << lab.node->reason();
  lab.run_for(1.0);
  EXPECT_EQ(lab.rig.writes, writes) << "it may have been moved by its own means since";
}

/// A person may have moved it by its own controls while it was held.
TEST_P(InterlockReaction, BeginsWhereAHeldRigStands) {
  for (const bool moved : {true, false})
    for (const bool reports : {true, false}) {
      Laboratory lab(GetParam(), true, 1e9, ramp_home());
      drive_out(lab);
      lab.rig.reports = reports;
      lab.gets(Halt{kSession, "east", {}, 0, "look at the grips"});
      lab.run_for(0.1);
      if (moved) lab.rig.moved_to(2e-3);
      lab.run_for(0.1);
      lab.rig.jump = 0.0;
      const int writes = lab.rig.writes;
      lab.rig.interlock = {Is::kRamp, 0};
      ASSERT_TRUE(until_fault(lab));
      lab.run_for(5.0);
      EXPECT_LE(lab.rig.jump, laboratory::kMostOfATick)
          << "moved " << moved << ", reports " << reports;
      EXPECT_TRUE(lab.rig.held_last);
      if (reports || !moved)
        EXPECT_EQ(lab.rig.drive, 0.0) << "moved " << moved << ", reports " << reports;
      else
        EXPECT_EQ(lab.rig.writes, writes) << "it moves from a guess";
    }
}

/// The clear is refused, and a refused word moves nothing.
TEST_P(InterlockReaction, MovesNothingByAClearWhileItIsActive) {
  Laboratory lab(GetParam(), true, 1e9, ramp_home());
  lab.rig.reports = true;
  drive_out(lab);
  lab.rig.interlock = {Is::kRamp, 0};
  ASSERT_TRUE(until_fault(lab));
  lab.run_for(5.0);
  ASSERT_EQ(lab.rig.drive, 0.0);
  lab.rig.moved_to(2e-3);
  lab.run_for(0.1);
  const int writes = lab.rig.writes;
  lab.node->clear("ada@lab");
  lab.run_for(5.0);
  EXPECT_EQ(lab.node->state(), kFault) << lab.node->reason();
  EXPECT_EQ(lab.rig.writes, writes) << "nobody said that it may move";
  EXPECT_TRUE(lab.rig.held_last);
}

/// The driver has only an older measurement, as between two of its frames.
TEST_P(InterlockReaction, ReleasesNothingByAClearThatDidNotReadIt) {
  Laboratory lab(GetParam(), true, 1e9, ramp_home());
  drive_out(lab);
  lab.rig.interlock = {Is::kRamp, 0};
  ASSERT_TRUE(until_fault(lab));
  lab.run_for(5.0);
  lab.rig.cut = true;
  lab.rig.interlock = {Is::kRelease, 1};
  lab.node->clear("ada@lab");
  lab.rig.cut = false;
  lab.rig.interlock = {};
  lab.run_for(1.0);
  EXPECT_EQ(lab.node->state(), kFault);
  EXPECT_FALSE(lab.rig.released);
  EXPECT_EQ(lab.node->clear("ada@lab"), "");
  EXPECT_EQ(lab.node->state(), kHolding) << lab.node->reason();
}

/// Whether it was active before the site was started again or becomes so later.
TEST_P(InterlockReaction, MovesNothingAfterARestart) {
  for (const bool in_fault : {false, true}) {
    Laboratory lab(GetParam(), true, 1e9, ramp_home());
    lab.rig.reports = true;
    drive_out(lab);
    if (in_fault) {
      lab.rig.interlock = {Is::kRamp, 0};
      ASSERT_TRUE(until_fault(lab));
      lab.run_for(5.0);
      lab.rig.moved_to(2e-3);
      lab.run_for(0.1);
    } else {
      lab.gets(Halt{kSession, "east", {}, 0, "look at the grips"});
      lab.run_for(0.1);
    }
    lab.die();
    lab.rig.interlock = {Is::kRamp, 0};
    const int writes = lab.rig.writes;
    lab.live();
    if (lab.node->state() == kFault) lab.node->clear("ada@lab");
    lab.gets(Welcome{kProtocolVersion, "0.1"});
    lab.configure.resume = true;
    lab.gets(lab.configure);
    lab.run_for(5.0);
    EXPECT_EQ(lab.rig.writes, writes) << "in fault " << in_fault;
    EXPECT_TRUE(lab.rig.held_last);
    EXPECT_EQ(lab.node->state(), kFault) << lab.node->reason();
  }
}

/// The person waits, and does not cut it: the rig would stay where its limit was exceeded.
TEST_P(InterlockReaction, IsNotClearedWhileTheSafeActionMovesTheRig) {
  Laboratory lab(GetParam(), true, 1e9, ramp_home());
  begin_the_ramp(lab);
  lab.gets(Stop{kSession, "stopped by ada@lab", "ada@lab"});
  lab.rig.interlock = {};
  EXPECT_TRUE(names(lab.node->clear("ada@lab"), "still moves the rig"));
  lab.run_for(5.0);
  EXPECT_EQ(lab.rig.drive, 0.0);
  EXPECT_TRUE(lab.rig.held_last);
  EXPECT_EQ(lab.node->clear("ada@lab"), "") << "the stop has ended the test";
}

TEST_P(InterlockReaction, EndsAMotionOfTheSafeActionInAHoldAndThenReleases) {
  Laboratory lab(GetParam(), true, 1e9, ramp_home());
  begin_the_ramp(lab);
  const double drive = lab.rig.drive;
  ASSERT_GT(drive, 1e-3);
  lab.rig.interlock = {Is::kRelease, 1};
  EXPECT_TRUE(until_released(lab)) << lab.node->reason();
  EXPECT_TRUE(lab.rig.held_last);
  EXPECT_NEAR(lab.rig.drive, drive, 1e-4) << "it moved on";
  EXPECT_TRUE(names(lab.node->reason(), "; then interlock 2")) << lab.node->reason();
  EXPECT_EQ(lab.transport.last<Halt>().fault.index, 1);
}

TEST_P(InterlockReaction, NamesTheHoldThatEndsAMotionOfTheSafeAction) {
  Laboratory lab(GetParam(), true, 1e9, ramp_home());
  drive_out(lab);
  lab.rig.interlock = {Is::kRamp, 0};
  ASSERT_TRUE(until_fault(lab));
  lab.run_until(lab.clock.now() + after(0.05));
  ASSERT_FALSE(lab.rig.held_last);
  lab.rig.interlock = {Is::kHold, 1};
  lab.run_for(0.1);
  EXPECT_TRUE(lab.rig.held_last);
  EXPECT_FALSE(lab.rig.released);
  EXPECT_TRUE(names(lab.node->reason(), "; then interlock 2")) << lab.node->reason();
}

TEST_P(InterlockReaction, IsAReleaseAlsoAfterAnotherFault) {
  Laboratory lab(GetParam());
  drive_out(lab);
  lab.rig.interlock = {Is::kHold, 0};
  ASSERT_TRUE(until_fault(lab));
  lab.rig.interlock = {};
  lab.run_for(0.1);
  const int writes = lab.rig.writes;
  const int reads = lab.rig.reads;
  lab.run_for(0.1);
  EXPECT_GT(lab.rig.reads, reads) << "nobody reads it";
  lab.rig.interlock = {Is::kRelease, 1};
  EXPECT_TRUE(until_released(lab)) << lab.node->reason();
  EXPECT_EQ(lab.rig.writes, writes);
  EXPECT_TRUE(names(lab.node->reason(), "interlock 1")) << lab.node->reason();
  EXPECT_TRUE(names(lab.node->reason(), "; then interlock 2")) << lab.node->reason();
  const int then = lab.rig.reads;
  lab.rig.interlock = {};
  EXPECT_NE(lab.node->clear("ada@lab"), "");
  lab.run_for(0.5);
  EXPECT_EQ(lab.rig.reads, then) << "another thread is in its driver";
  EXPECT_EQ(lab.node->state(), kFault);
}

TEST_P(InterlockReaction, WaitsForAReadThatSucceeds) {
  Laboratory lab(GetParam());
  drive_out(lab);
  lab.rig.stopped = true;
  ASSERT_TRUE(until_fault(lab));
  lab.rig.interlock = {Is::kRelease, 0};
  lab.run_for(0.5);
  EXPECT_FALSE(lab.rig.released) << "a read that failed says nothing of a contact";
  lab.rig.stopped = false;
  EXPECT_TRUE(until_released(lab)) << lab.node->reason();
}

TEST_P(InterlockReaction, IsNoMoreThanTheHoldOfTheFaultBefore) {
  Laboratory lab(GetParam());
  drive_out(lab);
  lab.rig.stopped = true;
  ASSERT_TRUE(until_fault(lab));
  lab.rig.stopped = false;
  const std::string reason = lab.node->reason();
  lab.rig.interlock = {Is::kHold, 0};
  lab.run_for(0.5);
  EXPECT_EQ(lab.node->reason(), reason);
  EXPECT_NE(lab.node->clear("ada@lab"), "") << "it is active";
  lab.rig.interlock = {};
  EXPECT_EQ(lab.node->clear("ada@lab"), "");
  EXPECT_EQ(lab.node->state(), kHolding) << lab.node->reason();
}

TEST_P(InterlockReaction, LeavesThatTheReadingsInFaultAreThoseOfNow) {
  Laboratory lab(GetParam());
  drive_out(lab);
  const auto told = [&lab] {
    return lab.transport.last<Heartbeat>().health;
  };
  lab.rig.interlock = {Is::kHold, 0};
  ASSERT_TRUE(until_fault(lab));
  lab.rig.moved_to(2e-3);
  lab.run_for(3.0);
  ASSERT_FALSE(told().mean.empty());
  EXPECT_NEAR(told().mean[0], lab.rig.servo * 2e-3, 1e-6);
  lab.rig.interlock = {Is::kRelease, 1};
  ASSERT_TRUE(until_released(lab)) << lab.node->reason();
  lab.run_for(1.0);
  EXPECT_TRUE(told().mean.empty()) << "nobody reads it any more";
}

}  // namespace
}  // namespace trestle::site_node::interlock_reaction_test
