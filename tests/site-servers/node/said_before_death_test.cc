// What a person has said at a site reaches its integrator, whatever dies or is cut off in
// between, and no word that was given before undoes it.
#include <gtest/gtest.h>

#include <string>

#include "tests/site-servers/node/equipment_laboratory.h"

namespace trestle::site_node::said_before_death_test {
namespace {

using laboratory::kMostOfATick;
using laboratory::kSession;
using laboratory::Laboratory;
using testing::after;
using enum session::SessionState;

class SaidBeforeDeath : public ::testing::TestWithParam<ExecutionMode> {};
INSTANTIATE_TEST_SUITE_P(Modes, SaidBeforeDeath,
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

/// The integrator has this hold of a person here on its record.
void answer(Laboratory& lab, const Halt& told) {
  lab.gets(Halt{.session = kSession,
                .node = "west",
                .fault = {},
                .step = told.step,
                .reason = "west: " + told.reason,
                .by = told.by,
                .hold = told.hold});
}
void answer(Laboratory& lab) {
  answer(lab, lab.transport.last<Halt>());
}

// A resume that was commanded before may wait for this site.
TEST_P(SaidBeforeDeath, TellsItsIntegratorOfAHoldThatAPersonSaidBeforeItConnected) {
  Laboratory lab(GetParam());
  lab.start();
  lab.go_out_to(6e-3);
  lab.die();
  lab.live();
  EXPECT_EQ(lab.node->hold("bob@lab", "a noise"), "");
  EXPECT_NE(lab.node->status().reason.find("held by bob@lab: a noise"), std::string::npos)
      << lab.node->status().reason;
  EXPECT_NE(lab.node->status().waits.at(0).what.find("trestle rig set-aside west"),
            std::string::npos)
      << lab.node->status().waits.at(0).what;
  lab.gets(Welcome{kProtocolVersion, "0.1"});
  lab.configure.resume = true;
  lab.gets(lab.configure);
  ASSERT_EQ(lab.transport.sent<Configured>(0), 1) << lab.transport.last<Rejection>().reason;
  ASSERT_EQ(lab.transport.sent<Halt>(0), 1);
  const Halt halt = lab.transport.last<Halt>();
  EXPECT_FALSE(halt.fault);
  EXPECT_EQ(halt.by, "bob@lab");
  EXPECT_EQ(halt.reason, "held by bob@lab: a noise");
}

// Said at the site that ran, or at the one that was started again; this process dies, too.
TEST_P(SaidBeforeDeath, KnowsAfterItsDeathThatAPersonHasHeldTheTest) {
  for (const bool restarted : {false, true}) {
    Laboratory lab(GetParam());
    lab.start();
    lab.go_out_to(6e-3);
    if (restarted) {
      lab.die();
      lab.live();
    }
    EXPECT_EQ(lab.node->hold("bob@lab", "a noise"), "");
    lab.die();
    ASSERT_TRUE(lab.come_back()) << lab.transport.last<Rejection>().reason;
    const int told = lab.transport.sent<Halt>(0);
    EXPECT_GE(told, 1);
    EXPECT_EQ(lab.transport.last<Halt>().by, "bob@lab");
    lab.resume();
    lab.resume();
    EXPECT_EQ(lab.node->state(), kHolding) << "nobody has answered it";
    EXPECT_GT(lab.transport.sent<Halt>(0), told);
    answer(lab);
    lab.resume();
    EXPECT_EQ(lab.node->state(), kRunning);
  }
}

// Once it was answered no process of the site tells it again: a test that is complete would
// be refused after each restart.
TEST_P(SaidBeforeDeath, TellsNoHoldThatWasAnswered) {
  Laboratory lab(GetParam());
  lab.start();
  lab.go_out_to(6e-3);
  EXPECT_EQ(lab.node->hold("bob@lab", "a noise"), "");
  answer(lab);
  lab.die();
  ASSERT_TRUE(lab.come_back()) << lab.transport.last<Rejection>().reason;
  EXPECT_EQ(lab.transport.sent<Halt>(0), 0);
  lab.resume();
  EXPECT_EQ(lab.node->state(), kRunning);
}

// Two words of the integrator are under way that were given before bob's.
TEST_P(SaidBeforeDeath, FollowsNoResumeThatDoesNotKnowOfTheLastHold) {
  Laboratory lab(GetParam());
  lab.start();
  lab.go_out_to(6e-3);
  EXPECT_EQ(lab.node->hold("bob@lab", ""), "");
  lab.run_for(0.1);
  const Halt first = lab.transport.last<Halt>();
  EXPECT_EQ(lab.node->hold("bob@lab", ""), "");
  const Halt second = lab.transport.last<Halt>();
  EXPECT_NE(first.hold, 0);
  EXPECT_NE(first.hold, second.hold);
  answer(lab, first);
  for (int n = 0; n < 3; ++n) lab.resume(first.hold);
  EXPECT_EQ(lab.node->state(), kHolding);
  const double drive = lab.rig.drive;
  lab.run_for(0.5);
  EXPECT_EQ(lab.rig.drive, drive);
  lab.resume(second.hold);  // that of somebody who knows of both
  EXPECT_EQ(lab.node->state(), kRunning);
}

// Ada's stop at this site is on its way to the integrator and back when bob holds the rig.
TEST_P(SaidBeforeDeath, AHoldWithdrawsAStopAtTheSameSite) {
  for (const bool dies : {false, true}) {
    Laboratory lab(GetParam());
    lab.start();
    lab.go_out_to(6e-3);
    EXPECT_EQ(lab.node->stop("ada@lab", "enough"), "");
    lab.run_for(0.1);
    EXPECT_EQ(lab.node->hold("bob@lab", "a hand in the rig"), "");
    lab.run_for(0.1);
    const double drive = lab.rig.drive;
    if (dies) {
      lab.die();
      ASSERT_TRUE(lab.come_back()) << lab.transport.last<Rejection>().reason;
    }
    lab.gets(Stop{kSession, "west: stopped by ada@lab: enough", "ada@lab", {}});
    lab.run_for(8.0);
    EXPECT_EQ(lab.node->state(), kHolding) << lab.node->reason();
    EXPECT_EQ(lab.rig.drive, drive);
  }
}

// Ada's stop is on the record of a process that died; bob speaks to the next one, and also
// that one may die. The integrator has heard of neither.
TEST_P(SaidBeforeDeath, AHoldToTheNextProcessWithdrawsAStopOnRecord) {
  for (const bool dies : {false, true}) {
    Laboratory lab(GetParam());
    lab.start();
    lab.go_out_to(6e-3);
    ASSERT_EQ(lab.node->stop("ada@lab", "enough"), "");
    lab.run_for(0.1);
    lab.die();
    lab.live();
    EXPECT_EQ(lab.node->hold("bob@lab", "a hand in the rig"), "");
    const double drive = lab.rig.drive;
    if (dies) {
      lab.die();
      lab.live();
    }
    lab.gets(Welcome{kProtocolVersion, "0.1"});
    lab.configure.resume = true;
    lab.gets(lab.configure);
    ASSERT_GE(lab.transport.sent<Halt>(0), 1) << lab.transport.last<Rejection>().reason;
    const Halt halt = lab.transport.last<Halt>();
    EXPECT_EQ(halt.by, "bob@lab");
    EXPECT_FALSE(halt.fault) << "nobody is asked to end the test";
    answer(lab);
    lab.run_for(20.0);  // the watchdog, too, moves nothing
    EXPECT_EQ(lab.node->state(), kHolding) << lab.node->reason();
    EXPECT_EQ(lab.rig.drive, drive);
    lab.resume(halt.hold);
    EXPECT_EQ(lab.node->state(), kRunning);
  }
}

TEST_P(SaidBeforeDeath, IsHeldAgainstAStopThatDoesNotKnowOfIt) {
  for (const bool knows : {false, true}) {
    Laboratory lab(GetParam());
    lab.start();
    lab.go_out_to(6e-3);
    EXPECT_EQ(lab.node->hold("bob@lab", "a hand in the rig"), "");
    lab.run_for(0.1);
    const double drive = lab.rig.drive;
    Stop stop{kSession, "stopped by ada@lab", "ada@lab", {}};
    if (knows) stop.hold = lab.transport.last<Halt>().hold;
    lab.gets(stop);
    lab.run_for(8.0);
    EXPECT_EQ(lab.node->state(), knows ? kConfigured : kHolding) << lab.node->reason();
    EXPECT_NEAR(lab.rig.drive, knows ? 0.0 : drive, 1e-9);
    if (knows) continue;
    EXPECT_EQ(lab.node->stop("bob@lab", ""), "");
    lab.run_for(8.0);
    EXPECT_EQ(lab.node->state(), kConfigured) << "a person here ends it";
    EXPECT_NEAR(lab.rig.drive, 0.0, 1e-9);
  }
}

/// The integrator had not heard of it, and this process died before its watchdog.
TEST_P(SaidBeforeDeath, KnowsAfterItsDeathThatAPersonHasStoppedTheTest) {
  for (const bool asks_to_resume : {false, true}) {
    Laboratory lab(GetParam());
    lab.start();
    lab.go_out_to(6e-3);
    ASSERT_EQ(lab.node->stop("ada@lab", "a weld has cracked"), "");
    lab.run_until(lab.clock.now() + after(0.2));
    ASSERT_EQ(lab.node->state(), kHolding) << lab.node->reason();
    lab.rig.jump = 0.0;
    lab.die();
    lab.live();
    const PendingWait wait = lab.node->status().waits.at(0);
    EXPECT_NE(wait.what.find("stopped by ada@lab"), std::string::npos) << wait.what;
    EXPECT_NE(lab.node->stop("bob@lab", ""), "");
    lab.die();
    ASSERT_TRUE(lab.come_back()) << lab.transport.last<Rejection>().reason;
    EXPECT_EQ(lab.node->state(), kHolding);
    EXPECT_EQ(lab.node->reason(), "stopped by ada@lab: a weld has cracked");
    const Halt halt = lab.transport.last<Halt>();
    EXPECT_EQ(halt.fault.kind, FaultKind::kStopped);
    EXPECT_EQ(halt.by, "ada@lab");
    if (asks_to_resume) {
      const int asked = lab.transport.sent<Halt>(0);
      lab.resume();
      EXPECT_GT(lab.transport.sent<Halt>(0), asked) << "the integrator is asked again";
      EXPECT_EQ(lab.node->state(), kHolding);
    }
    lab.run_until(lab.clock.now() + after(20.0));
    EXPECT_EQ(lab.node->state(), kConfigured) << lab.node->reason();
    EXPECT_NEAR(lab.rig.drive, 0.0, 1e-9);
    EXPECT_LE(lab.rig.jump, kMostOfATick);
  }
}

TEST_P(SaidBeforeDeath, SaysThatTheTestThatAPersonHasEndedInFaultIsOver) {
  Laboratory lab(GetParam());
  lab.start();
  lab.go_out_to(6e-3);
  lab.rig.interlock = {InterlockReaction::kHold, 0};
  for (int n = 0; n < 100 && lab.node->state() != kFault; ++n) lab.run_for(0.01);
  ASSERT_EQ(lab.node->state(), kFault);
  lab.configure.resume = true;
  lab.gets(lab.configure);
  EXPECT_FALSE(lab.transport.last<Halt>().over);
  ASSERT_EQ(lab.node->stop("ada@lab", "enough"), "");
  lab.run_until(lab.clock.now() + after(8.0));  // no integrator has heard it
  lab.gets(lab.configure);
  ASSERT_EQ(lab.node->state(), kFault) << lab.node->reason();
  EXPECT_TRUE(lab.transport.last<Halt>().over);
  EXPECT_TRUE(lab.transport.last<Halt>().fault);
}

}  // namespace
}  // namespace trestle::site_node::said_before_death_test
