// Real equipment at a site that dies, trips, is cleared, sleeps and ends: by what the
// equipment was told, not by what the site believes.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "site-servers/node/told_drive.h"
#include "tests/site-servers/node/equipment_laboratory.h"

namespace trestle::site_node::real_equipment_test {
namespace {

using laboratory::kMostOfATick;
using laboratory::kSession;
using laboratory::kStep;
using laboratory::kTicks;
using laboratory::Laboratory;
using testing::after;
using testing::at;
using testing::ErringRig;
using enum session::SessionState;

class RealEquipment : public ::testing::TestWithParam<ExecutionMode> {};
INSTANTIATE_TEST_SUITE_P(Modes, RealEquipment,
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

TEST_P(RealEquipment, GoesOnAfterTheSitesDeathWithoutAJump) {
  for (const bool reports : {false, true}) {
    Laboratory lab(GetParam());
    lab.rig.reports = reports;
    lab.start();
    const std::int64_t done = lab.go_out_to(6e-3);
    ASSERT_EQ(lab.node->last_step(), done) << lab.node->reason();
    lab.step(done + 2 - (GetParam() == ExecutionMode::kRealTime ? 0 : 1),
             6e-3 + lab.way_of_a_step());
    lab.run_until(lab.clock.now() + after(0.006));
    const double drive = lab.rig.drive;
    ASSERT_GT(drive, 5e-3);
    lab.rig.jump = 0.0;
    lab.die();
    ASSERT_TRUE(lab.come_back()) << lab.transport.last<Rejection>().reason;
    EXPECT_EQ(lab.node->state(), kHolding);
    EXPECT_GE(lab.node->last_step(), done);
    EXPECT_EQ(lab.rig.drive, drive) << "nothing moves before a person has said so";
    lab.run_for(0.1);
    EXPECT_EQ(lab.node->status().rig, "holds") << "nobody has told it since the restart";
    EXPECT_TRUE(lab.rig.held_last);
    lab.resume();
    ASSERT_EQ(lab.node->state(), kRunning) << lab.transport.last<Rejection>().reason;
    lab.rig.highest = 0.0;
    lab.rig.lowest = 1.0;
    const std::int64_t last = lab.go_out_to(9e-3);
    EXPECT_EQ(lab.node->state(), kRunning) << lab.node->reason();
    EXPECT_EQ(lab.node->last_step(), last);
    EXPECT_NEAR(lab.rig.drive, 9e-3, 1e-3);
    EXPECT_LE(lab.rig.jump, kMostOfATick);
    EXPECT_GE(lab.rig.lowest, drive - 2e-4) << "it went back by its servo loop's error";
  }
}

TEST_P(RealEquipment, AsksAPersonWhereItsLastDrivesWereLostWithThePower) {
  Laboratory lab(GetParam());
  lab.start();
  lab.go_out_to(6e-3);
  const double kept = lab.rig.drive;
  // It was driven on, and nothing of that is in the record: not so far that where it stands
  // would tell.
  lab.lose_power();
  const double last = kept - 4e-4;
  lab.rig.moved_to(last);
  EXPECT_FALSE(lab.come_back());
  ASSERT_EQ(lab.node->state(), kFault);
  EXPECT_NE(lab.node->reason().find("lost with the power"), std::string::npos)
      << lab.node->reason();
  lab.gets(lab.configure);  // the integrator asks again
  EXPECT_EQ(lab.transport.last<Halt>().session, kSession);
  EXPECT_FALSE(lab.transport.last<Halt>().over) << "the test is cut off, and not over";
  ASSERT_EQ(lab.node->clear_from("ada@lab", std::to_string(1e3 * last) + " mm"), "");
  lab.gets(lab.configure);
  ASSERT_EQ(lab.node->state(), kHolding) << lab.transport.last<Rejection>().reason;
  lab.resume();
  ASSERT_EQ(lab.node->state(), kRunning) << lab.transport.last<Rejection>().reason;
  const int writes = lab.rig.writes;
  for (int n = 0; n < 1000 && lab.rig.writes == writes; ++n)
    lab.run_until(lab.clock.now() + after(1e-4));
  EXPECT_NEAR(lab.rig.drive, last, 1e-4)
      << "it trusts a drive of " << kept << " m, which is older than the last one";
}

TEST_P(RealEquipment, HoldsAtAnInterlockAndTellsItsEquipmentWhatTheSiteDoes) {
  Laboratory lab(GetParam());
  lab.rig.reports = true;
  lab.run_for(0.01);
  EXPECT_EQ(lab.rig.told, (SiteSignals{.ready = true, .running = false}));
  lab.start();
  lab.go_out_to(6e-3);
  ASSERT_EQ(lab.node->state(), kRunning) << lab.node->reason();
  EXPECT_EQ(lab.rig.told, (SiteSignals{.ready = true, .running = true}));
  const int writes = lab.rig.writes;
  lab.rig.interlock = {InterlockReaction::kHold, 0};
  for (int n = 0; n < 100 && lab.node->state() != kFault; ++n) lab.run_for(0.01);
  ASSERT_EQ(lab.node->state(), kFault);
  EXPECT_LE(lab.rig.writes, writes + 1) << "the tick that was read before";
  EXPECT_TRUE(lab.rig.held_last);
  EXPECT_EQ(lab.rig.told, SiteSignals{});
  EXPECT_FALSE(lab.rig.released);
  lab.node->clear("ada@lab");
  lab.run_for(0.1);
  EXPECT_EQ(lab.node->state(), kFault) << "cleared while it is active";
  lab.rig.interlock = {};
  lab.node->clear("ada@lab");
  lab.run_for(0.1);
  EXPECT_EQ(lab.node->state(), kHolding) << lab.node->reason();
  EXPECT_EQ(lab.rig.told, (SiteSignals{.ready = true, .running = false}));
}

TEST_P(RealEquipment, IsNotArmedWhileAnInterlockIsActive) {
  Laboratory lab(GetParam());
  lab.rig.interlock = {InterlockReaction::kRamp, 0};
  lab.start();
  EXPECT_EQ(lab.node->state(), kConfigured);
  EXPECT_NE(lab.transport.last<Rejection>().reason.find("the rig must stay"),
            std::string::npos)
      << lab.transport.last<Rejection>().reason;
  EXPECT_EQ(lab.rig.writes, 0);
}

TEST_P(RealEquipment, TellsItsEquipmentThatItIsDrivenUntilItsSafeActionIsOver) {
  const ActuatorVector one = ActuatorVector::Ones(1);
  Laboratory lab(GetParam(), true, 1e9,
                 {safety::SafeAction::Kind::kRampHome, 0.01 * one, 0.1 * one, one, one});
  lab.rig.reports = true;
  lab.start();
  lab.go_out_to(6e-3);
  lab.rig.interlock = {InterlockReaction::kRamp, 0};
  for (int n = 0; n < 1000 && lab.node->state() != kFault; ++n)
    lab.run_until(lab.clock.now() + after(1e-3));
  ASSERT_EQ(lab.node->state(), kFault);
  lab.run_until(lab.clock.now() + after(0.05));
  ASSERT_FALSE(lab.rig.held_last) << "the ramp takes a few tenths of a second";
  EXPECT_EQ(lab.rig.told, (SiteSignals{.ready = false, .running = true}));
  lab.run_for(5.0);
  EXPECT_EQ(lab.rig.drive, 0.0);
  EXPECT_TRUE(lab.rig.held_last);
  EXPECT_EQ(lab.rig.told, SiteSignals{});
}

TEST_P(RealEquipment, IsReleasedByAnInterlockOnceItHoldsAndNotClearedAfterwards) {
  Laboratory lab(GetParam());
  lab.start();
  lab.go_out_to(6e-3);
  lab.rig.interlock = {InterlockReaction::kRelease, 0};
  for (int n = 0; n < 100'000 && !lab.rig.released; ++n) lab.run_for(0.01);
  EXPECT_TRUE(lab.rig.released);
  EXPECT_TRUE(lab.rig.held_last);
  const auto told = [&lab] {
    return lab.node->reason().find("; the rig is released by an interlock, as far as");
  };
  for (int n = 0; n < 100'000 && told() == std::string::npos; ++n) lab.run_for(0.01);
  EXPECT_NE(told(), std::string::npos) << lab.node->reason();
  lab.rig.interlock = {};
  EXPECT_NE(lab.node->clear("ada@lab").find("an interlock has released the rig"),
            std::string::npos);
  EXPECT_EQ(lab.node->state(), kFault);
  EXPECT_EQ(lab.node->status().waits.front().what,
            "this program to be started again, for an interlock has released the rig");
}

TEST_P(RealEquipment, SaysThatItIsNotReleasedWhereItsDriverOffersNoRelease) {
  Laboratory lab(GetParam());
  lab.rig.offers_release = false;
  lab.start();
  lab.go_out_to(6e-3);
  lab.rig.interlock = {InterlockReaction::kRelease, 0};
  const auto said = [&lab] {
    return lab.node->clear("ada@lab");
  };
  for (int n = 0; n < 100 && lab.node->state() != kFault; ++n) lab.run_for(0.01);
  ASSERT_EQ(lab.node->state(), kFault);
  for (int n = 0; n < 100'000 && said().find("not over yet") != std::string::npos; ++n)
    lab.run_for(0.01);
  EXPECT_NE(said().find("it is not released: the driver of this rig offers no release"),
            std::string::npos)
      << said();
  EXPECT_NE(lab.node->reason().find("; the rig is not released, as an interlock asks for"),
            std::string::npos)
      << lab.node->reason();
}

TEST_P(RealEquipment, GoesOnAfterAClearedFaultWithoutAJump) {
  Laboratory lab(GetParam(), true, 8e3);
  lab.start();
  lab.go_out_to(6e-3);
  lab.rig.stiffness = 2e6;
  for (int n = 0; n < 5000 && lab.node->state() != kFault; ++n) {
    lab.step(lab.node->last_step() + 1, 6e-3);
    lab.run_for(0.01);
  }
  ASSERT_EQ(lab.node->state(), kFault);
  lab.run_for(0.1);
  const std::string refusal = lab.node->clear("ada@lab");
  EXPECT_NE(refusal.find("the rig is still in fault: "), std::string::npos) << refusal;
  EXPECT_EQ(lab.node->state(), kFault) << "the force is above its limit still";
  lab.rig.stiffness = 1e6;
  lab.run_for(0.1);
  const double drive = lab.rig.drive;
  lab.rig.jump = 0.0;
  ASSERT_EQ(lab.node->clear("ada@lab"), "");
  lab.run_for(0.1);
  ASSERT_EQ(lab.node->state(), kHolding) << lab.node->reason();
  lab.resume();
  ASSERT_EQ(lab.node->state(), kRunning) << lab.transport.last<Rejection>().reason;
  lab.rig.lowest = 1.0;
  lab.go_out_to(8e-3);
  EXPECT_EQ(lab.node->state(), kRunning) << lab.node->reason();
  EXPECT_NEAR(lab.rig.drive, 8e-3, 1e-3);
  EXPECT_LE(lab.rig.jump, kMostOfATick) << "a step by the servo loop's error";
  EXPECT_GE(lab.rig.lowest, drive - 2e-4);
}

TEST_P(RealEquipment, BeginsWhereItsOwnControllerHasMovedIt) {
  for (const bool reports : {false, true}) {
    Laboratory lab(GetParam());
    lab.rig.reports = reports;
    lab.start();
    lab.go_out_to(6e-3);
    lab.gets(Halt{kSession, "east", {}, 0, "look at the grips"});
    lab.run_for(0.1);
    lab.rig.moved_to(2e-3);
    lab.run_for(0.1);
    lab.rig.jump = 0.0;
    lab.resume();
    if (!reports) {
      lab.tells_the_drive("2 mm");
      lab.resume();
    }
    lab.go_out_to(12e-3);
    EXPECT_EQ(lab.node->state(), kRunning) << lab.node->reason();
    EXPECT_GT(lab.rig.drive, 2.2e-3) << "it does not go on";
    EXPECT_LE(lab.rig.jump, kMostOfATick);
  }
}

// Its last reading is of when the site came back.
TEST_P(RealEquipment, BeginsWhereItsOwnControllerHasMovedItAfterARestart) {
  for (const bool reports : {false, true}) {
    Laboratory lab(GetParam());
    lab.rig.reports = reports;
    lab.start();
    lab.go_out_to(6e-3);
    lab.die();
    ASSERT_TRUE(lab.come_back()) << lab.transport.last<Rejection>().reason;
    lab.run_for(0.1);
    lab.rig.moved_to(2e-3);
    lab.run_for(0.1);
    lab.rig.jump = 0.0;
    lab.resume();
    if (!reports) {
      lab.tells_the_drive("2 mm");
      lab.resume();
    }
    lab.go_out_to(12e-3);
    EXPECT_EQ(lab.node->state(), kRunning) << lab.node->reason();
    EXPECT_GT(lab.rig.drive, 2.2e-3) << "it does not go on";
    EXPECT_LE(lab.rig.jump, kMostOfATick);
  }
}

/// In its emergency stop the equipment's controller takes the drive that keeps the rig
/// where it is, which is another one than was written last where the rig was on its way.
TEST_P(RealEquipment, AsksAPersonForTheDriveAfterItHasStoppedByItself) {
  for (const bool reports : {false, true})
    for (const bool dies : {false, true}) {
      Laboratory lab(GetParam());
      lab.rig.reports = reports;
      lab.start();
      lab.go_out_to(6e-3);
      const double written = lab.rig.drive;
      lab.rig.stop(written - 1e-3);
      lab.gets(Heartbeat{kSession});
      if (lab.mode == ExecutionMode::kPseudoDynamic)
        lab.step(lab.node->last_step() + 1, 8e-3);
      lab.run_for(0.1);
      ASSERT_EQ(lab.node->state(), kFault);
      lab.rig.stopped = false;
      lab.rig.jump = 0.0;
      if (dies) {
        lab.die();
        EXPECT_EQ(lab.come_back(), reports);
        if (!reports) {
          EXPECT_NE(lab.transport.last<Rejection>().reason.find("--drive"),
                    std::string::npos)
              << lab.transport.last<Rejection>().reason;
          ASSERT_EQ(lab.node->clear_from("ada@lab", lab.in_mm(written - 1e-3)), "");
          lab.gets(lab.configure);
        }
      } else if (reports) {
        ASSERT_EQ(lab.node->clear("ada@lab"), "");
      } else {
        const std::string asked = lab.node->clear("ada@lab");
        EXPECT_NE(asked.find("nobody knows which drive"), std::string::npos) << asked;
        EXPECT_TRUE(asked.ends_with("trestle clear west --drive measured")) << asked;
        lab.tells_the_drive(lab.in_mm(written - 1e-3));
      }
      ASSERT_EQ(lab.node->state(), kHolding) << lab.node->reason();
      lab.resume();
      lab.go_out_to(12e-3);
      EXPECT_EQ(lab.node->state(), kRunning) << lab.node->reason();
      EXPECT_GT(lab.rig.drive, 6e-3) << "it does not go on";
      EXPECT_LE(lab.rig.jump, kMostOfATick) << "reports " << reports << ", dies " << dies;
    }
}

/// A connection loses what is written, and the site notices only when nothing has come for
/// as long as it allows.
TEST_P(RealEquipment, AsksAPersonForTheDriveAfterWritesThatMayNotHaveArrived) {
  for (const bool dies : {false, true}) {
    Laboratory lab(GetParam());
    lab.start();
    lab.go_out_to(6e-3);
    lab.rig.cut = true;
    for (int n = 0; n < 500 && lab.node->state() == kRunning && lab.rig.stale_reads() < 19;
         ++n) {
      if (lab.mode == ExecutionMode::kPseudoDynamic && n == 0)
        lab.step(lab.node->last_step() + 1, 8e-3);
      else if (lab.mode != ExecutionMode::kPseudoDynamic && n % 5 == 0)
        lab.step(lab.node->last_step() + 1 + n / 5, 8e-3 + 1e-4 * n);
      lab.run_until(lab.clock.now() + after(kStep / kTicks));
    }
    lab.run_for(0.1);
    ASSERT_EQ(lab.node->state(), kFault) << lab.node->reason();
    lab.rig.cut = false;
    lab.rig.jump = 0.0;
    const std::string there = lab.in_mm(lab.rig.drive);
    if (dies) {
      lab.die();
      EXPECT_FALSE(lab.come_back());
      ASSERT_EQ(lab.node->clear_from("ada@lab", there), "");
      lab.gets(lab.configure);
    } else {
      EXPECT_NE(lab.node->clear("ada@lab"), "");
      lab.tells_the_drive(there);
    }
    ASSERT_EQ(lab.node->state(), kHolding) << lab.node->reason();
    lab.resume();
    lab.go_out_to(8e-3);
    EXPECT_EQ(lab.node->state(), kRunning) << lab.node->reason();
    EXPECT_LE(lab.rig.jump, kMostOfATick) << "dies " << dies;
  }
}

/// The servo loop stands 20 % off its drive, the equipment reports none, and it was moved
/// while no site ran: what is in force only a person can read.
TEST_P(RealEquipment, AsksAPersonForADriveThatNobodyKnowsAfterARestart) {
  for (const bool measured : {false, true}) {
    Laboratory lab(GetParam());
    lab.start();
    lab.go_out_to(6e-3);
    lab.die();
    lab.rig.moved_to(4e-3);
    const int writes = lab.rig.writes;
    lab.rig.jump = 0.0;
    EXPECT_FALSE(lab.come_back());
    EXPECT_EQ(lab.node->state(), kFault);
    const std::string why = lab.transport.last<Rejection>().reason;
    for (const char* part :
         {"it stands at 3.2 mm", "the last drive on record is ", "clear west --drive"})
      EXPECT_NE(why.find(part), std::string::npos) << part << " is not in: " << why;
    lab.run_for(1.0);
    for (const char* wrong :
         {"", "4", "4 kN", "0x4 mm", "4 mm, 4 mm", "90 mm", "nan mm", "4 mrad"})
      EXPECT_NE(lab.node->clear_from("ada@lab", wrong), "") << wrong;
    EXPECT_EQ(lab.node->state(), kFault);
    EXPECT_EQ(lab.rig.writes, writes) << "nothing moves before a person has said it";
    ASSERT_EQ(lab.node->clear_from("ada@lab", measured ? "measured" : "0.4 cm"), "");
    if (measured) {  // as the person made the controller do
      lab.rig.drive = 3.2e-3;
      lab.rig.servo = 1.0;
    }
    lab.gets(lab.configure);
    ASSERT_EQ(lab.node->state(), kHolding) << lab.transport.last<Rejection>().reason;
    lab.resume();
    lab.go_out_to(8e-3);
    EXPECT_EQ(lab.node->state(), kRunning) << lab.node->reason();
    EXPECT_GT(lab.rig.drive, 3.2e-3) << "it does not go on";
    EXPECT_LE(lab.rig.jump, kMostOfATick) << "a step by the servo loop's error";
  }
}

/// What is lost with the integrator holds the rig, and what ends there moves it nowhere.
TEST_P(RealEquipment, ThatIsHeldGoesHomeByAPersonsWordOnly) {
  for (const bool here : {true, false}) {
    Laboratory lab(GetParam());
    lab.start();
    lab.go_out_to(4e-3);
    lab.run_until(lab.clock.now() + after(3.0));  // silence
    ASSERT_EQ(lab.node->state(), kHolding);
    const double drive = lab.rig.drive;
    lab.gets(Stop{kSession, "complete"});
    lab.run_for(5.0);
    EXPECT_EQ(lab.node->state(), kHolding);
    EXPECT_EQ(lab.rig.drive, drive) << "it ramped home by itself";
    EXPECT_NE(lab.node->reason().find("trestle stop west"), std::string::npos)
        << lab.node->reason();
    ASSERT_FALSE(lab.node->status().waits.empty());
    EXPECT_EQ(lab.node->status().waits.back().whom, "a person at the site");
    if (here)
      EXPECT_EQ(lab.node->stop("ada@lab", "enough"), "");
    else
      lab.gets(Stop{kSession, "stopped by ada@lab", "ada@lab"});
    lab.run_for(5.0);
    EXPECT_EQ(lab.node->state(), kConfigured);
    EXPECT_EQ(lab.rig.drive, 0.0);
    EXPECT_LE(lab.rig.jump, kMostOfATick);
  }
}

/// A person moved it by its own controls while it was held, and then ends the test.
TEST_P(RealEquipment, GoesHomeFromWhereItsOwnControllerHasMovedIt) {
  for (const bool reports : {true, false}) {
    Laboratory lab(GetParam());
    lab.rig.reports = reports;
    lab.start();
    lab.go_out_to(6e-3);
    lab.gets(Halt{kSession, "east", {}, 0, "look at the grips"});
    lab.run_for(0.1);
    lab.rig.moved_to(2e-3);
    lab.run_for(0.1);
    lab.rig.jump = 0.0;
    const int writes = lab.rig.writes;
    lab.gets(Stop{kSession, "stopped by ada@lab", "ada@lab"});
    lab.run_for(5.0);
    EXPECT_LE(lab.rig.jump, kMostOfATick) << "reports " << reports;
    if (reports) {
      EXPECT_EQ(lab.node->state(), kConfigured) << lab.node->reason();
      EXPECT_EQ(lab.rig.drive, 0.0);
    } else {
      EXPECT_EQ(lab.node->state(), kFault);
      EXPECT_NE(lab.node->reason().find("nobody knows which drive"), std::string::npos)
          << lab.node->reason();
      EXPECT_EQ(lab.rig.writes, writes) << "it goes home from a guess";
      EXPECT_EQ(lab.node->clear_from("ada@lab", "2 mm"), "") << "as it asks to";
    }
  }
}

/// The test is held between its opening read and its first drive.
TEST_P(RealEquipment, BeginsWhereItsOwnControllerHasMovedItBeforeItsFirstDrive) {
  for (const bool reports : {true, false}) {
    Laboratory lab(GetParam());
    lab.rig.reports = reports;
    lab.start();
    lab.gets(Halt{kSession, "east", {}, 0, "look at the grips"});
    lab.run_for(0.1);
    ASSERT_EQ(lab.rig.writes, 0);
    ASSERT_EQ(lab.node->state(), kHolding) << lab.node->reason();
    lab.rig.moved_to(2e-3);
    lab.run_for(0.1);
    lab.resume();
    ASSERT_EQ(lab.node->state(), kRunning) << lab.node->reason();
    lab.go_out_to(4e-3);
    EXPECT_GT(lab.rig.writes, 0);
    EXPECT_EQ(lab.node->state(), kRunning) << lab.node->reason();
    // Where it does not report its drive, the drive begins at the measurement.
    const double most =
        reports ? kMostOfATick : (1.0 - ErringRig::kServo) * 2e-3 + kMostOfATick;
    EXPECT_LE(lab.rig.jump, most) << "reports " << reports;
  }
}

TEST_P(RealEquipment, IsToldToHoldWhenTheTestIsOver) {
  Laboratory lab(GetParam());
  lab.start();
  lab.go_out_to(2e-3);
  lab.gets(Stop{kSession, "complete"});
  lab.run_for(5.0);
  ASSERT_EQ(lab.node->state(), kConfigured);
  EXPECT_EQ(lab.rig.drive, 0.0);
  EXPECT_TRUE(lab.rig.held_last) << "its watchdog fires on a motion command";
}

TEST_P(RealEquipment, IsToldToHoldWhenItsSafeActionIsOver) {
  const ActuatorVector one = ActuatorVector::Ones(1);
  Laboratory lab(GetParam(), true, 1e9,
                 {safety::SafeAction::Kind::kRampHome, 0.01 * one, 0.1 * one, one, one});
  lab.start();
  lab.go_out_to(2e-3);
  lab.run_until(lab.clock.now() + after(9.0));  // silence
  ASSERT_EQ(lab.node->state(), kFault);
  EXPECT_EQ(lab.rig.drive, 0.0);
  EXPECT_TRUE(lab.rig.held_last);
  EXPECT_EQ(lab.node->status().rig, "holds");
}

TEST_P(RealEquipment, IsInFaultWhenItsHostHasSlept) {
  Laboratory lab(GetParam());
  lab.start();
  lab.go_out_to(2e-3);
  lab.gets(Heartbeat{kSession});
  lab.step(lab.node->last_step() + 1, 3e-3);
  const int writes = lab.rig.writes;
  lab.clock.slept = std::chrono::seconds(40);
  lab.run_until(lab.clock.now() + after(0.05));
  EXPECT_EQ(lab.node->state(), kFault);
  EXPECT_NE(lab.node->reason().find("the host was suspended for 40 s"), std::string::npos)
      << lab.node->reason();
  EXPECT_EQ(lab.rig.writes, writes) << "nothing is driven after it";
  EXPECT_TRUE(lab.rig.held_last);
  ASSERT_EQ(lab.node->clear("ada@lab"), "");
  lab.run_for(0.1);
  EXPECT_EQ(lab.node->state(), kHolding) << "once is once";
}

TEST_P(RealEquipment, IsInFaultWhenItsHostSleepsDuringItsStartChecks) {
  Laboratory lab(GetParam());
  lab.die();
  lab.check_motion = 1e-3;
  lab.live();
  lab.gets(Welcome{kProtocolVersion, "0.1"});
  lab.gets(lab.configure);
  lab.gets(Arm{kSession, session::contract_hash(lab.transport.last<Configured>().contract),
               "ada@lab"});
  for (int n = 0; n < 1000 && std::abs(lab.rig.drive) < 1e-5; ++n) lab.run_for(0.01);
  ASSERT_GE(std::abs(lab.rig.drive), 1e-5) << "it moves for a check";
  const int writes = lab.rig.writes;
  lab.clock.slept = std::chrono::seconds(40);
  lab.run_until(lab.clock.now() + after(0.05));
  EXPECT_EQ(lab.node->state(), kFault);
  EXPECT_NE(lab.node->reason().find("the host was suspended for 40 s"), std::string::npos)
      << lab.node->reason();
  EXPECT_EQ(lab.rig.writes, writes) << "nothing is driven after it";
  EXPECT_TRUE(lab.rig.held_last);
  EXPECT_EQ(lab.transport.sent<Armed>(0), 0);
}

TEST(ToldDrive, IsRefusedWhereTheRigStandsTooFarFromIt) {
  const std::vector<ActuatorDescription> actuators{{"1", DofKind::kTranslation}};
  const RigLimits limits{{.displacement = 0.05, .tracking_error = 0.01}};
  const ActuatorVector measured = ActuatorVector::Constant(1, 4e-3);
  const auto wrong = told_drive("-14 mm", actuators, measured, limits);
  ASSERT_TRUE(std::holds_alternative<std::string>(wrong));
  EXPECT_NE(std::get<std::string>(wrong).find("18 mm from where it stands"),
            std::string::npos)
      << std::get<std::string>(wrong);
  EXPECT_TRUE(std::holds_alternative<ActuatorVector>(
      told_drive("5 mm", actuators, measured, limits)));
}

TEST(SiteRestart, LeavesNothingBehindWhereAStateCannotBeTakenBack) {
  for (const ExecutionMode mode : {ExecutionMode::kPseudoDynamic,
                                   ExecutionMode::kContinuous, ExecutionMode::kRealTime}) {
    Laboratory lab(mode, /*real=*/false);
    lab.start();
    lab.go_out_to(1e-3);
    lab.die();
    EXPECT_FALSE(lab.come_back());
    EXPECT_NE(lab.transport.last<Rejection>().reason.find("snapshot"), std::string::npos);
    lab.gets(lab.configure);
    lab.run_for(0.1);
    lab.configure.resume = false;
    const auto answers = [&lab] {
      return lab.transport.sent<Configured>(0) + lab.transport.sent<Rejection>(0);
    };
    const auto before = answers();
    lab.gets(lab.configure);
    EXPECT_GT(answers(), before) << "half a loop stands for its session, and says nothing";
    lab.configure.session = {7};
    lab.gets(lab.configure);
    EXPECT_EQ(lab.transport.last<Configured>().session, SessionId{7});
  }
}

}  // namespace
}  // namespace trestle::site_node::real_equipment_test
