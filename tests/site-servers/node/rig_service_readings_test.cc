// A person reads the rig of a site between two tests, and tares it.
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "tests/site-servers/node/rig_service_bench.h"

namespace trestle::site_node::rig_service_test {
namespace {

TEST(RigService, ReadsTheRigForASecondAndDrivesNothing) {
  Bench bench;
  bench.rig.zero << 1e-4, -2e-4;
  EXPECT_EQ(bench.node.command_rig(kAda, {.action = Action::kStatus}), "");
  EXPECT_TRUE(bench.node.command_under_way());
  bench.run_for(0.9);
  EXPECT_EQ(bench.outcome(), "(none yet)");
  EXPECT_EQ(bench.report().state, "reads");
  bench.run_for(0.2);
  EXPECT_EQ(bench.outcome(), "");
  const RigReport report = bench.report();
  EXPECT_TRUE(report.done);
  EXPECT_EQ(report.state, "over");
  ASSERT_EQ(report.readings.size(), 5U);
  EXPECT_NEAR(reading(report, "1.displacement").mean, 1e-4, 1e-15);
  EXPECT_EQ(reading(report, "1.displacement").unit, "m");
  EXPECT_EQ(reading(report, "2.displacement").unit, "rad");
  EXPECT_EQ(reading(report, "2.force").unit, "N.m");
  EXPECT_NEAR(reading(report, "oil").mean, 207.0, 1e-9);
  EXPECT_FALSE(reading(report, "1.displacement").drift);
  EXPECT_EQ(bench.rig.writes, 0);
  EXPECT_TRUE(bench.kept.acts.empty());  // nothing was done
}

TEST(RigService, KeepsZeroReadingsAndShowsTheDriftSince) {
  Bench bench;
  bench.rig.zero << 1e-4, -2e-4;
  EXPECT_EQ(bench.node.command_rig(kAda, {.action = Action::kZero}), "");
  bench.run_for(1.1);
  EXPECT_EQ(bench.outcome(), "");
  ASSERT_TRUE(bench.kept.zero);
  ASSERT_EQ(bench.kept.acts.size(), 1U);
  EXPECT_EQ(bench.kept.acts[0].who, kAda);
  EXPECT_EQ(bench.kept.acts[0].what, "rig");
  EXPECT_NE(bench.kept.acts[0].text.find("1.displacement 0.1 mm"), std::string::npos)
      << bench.kept.acts[0].text;
  bench.rig.zero[0] = 1.5e-4;
  EXPECT_EQ(bench.node.command_rig("bob@lab", {.action = Action::kStatus}), "");
  bench.run_for(1.1);
  const RigReport report = bench.report();
  EXPECT_EQ(report.zero, "2026-11-27T09:12:03Z by ada@lab");
  EXPECT_NEAR(*reading(report, "1.displacement").drift, 5e-5, 1e-12);
  EXPECT_NEAR(*reading(report, "2.displacement").drift, 0.0, 1e-12);
  EXPECT_EQ(bench.rig.writes, 0);
}

TEST(RigService, SaysWhyARigCannotBeReadAndLatchesNothing) {
  Bench bench;
  bench.rig.status = AdapterStatus::kTripped;
  EXPECT_EQ(bench.node.command_rig(kAda, {.action = Action::kStatus}), "");
  bench.run_for(0.1);
  EXPECT_NE(bench.outcome().find("the emergency stop is open"), std::string::npos);
  EXPECT_NE(bench.node.state(), kFault);
  bench.rig.status = AdapterStatus::kOk;
  bench.rig.ready = "the pump is off";
  EXPECT_EQ(bench.node.command_rig(kAda, {.action = Action::kStatus}), "");
  bench.run_for(0.1);
  EXPECT_EQ(bench.outcome(), "the pump is off");
}

// ---------------------------------------------------------------- tare

TEST(RigService, SubtractsATareFromReadingsAndShowsBy) {
  Bench bench;
  bench.rig.load << 120.0, -40.0;
  EXPECT_EQ(bench.node.command_rig(kAda, {.action = Action::kZero}), "");
  bench.run_for(1.1);
  bench.rig.load << 150.0, -40.0;
  EXPECT_EQ(bench.node.command_rig(kAda, {.action = Action::kTare}), "");
  bench.run_for(1.1);
  EXPECT_EQ(bench.outcome(), "");
  ASSERT_EQ(bench.kept.tare.offsets.size(), 2U);
  EXPECT_EQ(bench.kept.tare.offsets[0].channel, "1.force");
  EXPECT_NEAR(bench.kept.tare.offsets[0].value, 150.0, 1e-9);
  EXPECT_NEAR(bench.kept.tare.offsets[1].value, -40.0, 1e-9);
  EXPECT_NEAR(reading(bench.report(), "1.force").mean, 0.0, 1e-9);
  bench.rig.load[0] = 157.0;
  EXPECT_EQ(bench.node.command_rig("bob@lab", {.action = Action::kStatus}), "");
  bench.run_for(1.1);
  const RigReport report = bench.report();
  EXPECT_NEAR(reading(report, "1.force").mean, 7.0, 1e-9);
  EXPECT_NEAR(reading(report, "1.force").tare, 150.0, 1e-9);
  EXPECT_EQ(reading(report, "1.force").tared, "2026-11-27T09:13:00Z by ada@lab");
  // The drift is of the equipment: from 120 N to 157 N.
  EXPECT_NEAR(*reading(report, "1.force").drift, 37.0, 1e-9);
  EXPECT_NEAR(reading(report, "oil").mean, 207.0, 1e-9);
  EXPECT_EQ(reading(report, "oil").tared, "");
  EXPECT_EQ(bench.rig.writes, 0);
  EXPECT_EQ(bench.kept.motions, 0);  // a drive that was told is in force still
  ASSERT_EQ(bench.kept.acts.size(), 3U);
  EXPECT_EQ(bench.kept.acts[1].text, "tare of 1.force, 2.force: commanded");
  EXPECT_EQ(bench.kept.acts[2].text,
            "tare of 1.force, 2.force: subtracted from now on: 1.force 0.15 kN, 2.force "
            "-0.04 kN.m");
}

TEST(RigService, TaresAgainFromTheEquipmentsReadingsAndUndoesIt) {
  Bench bench;
  bench.rig.load << 150.0, -40.0;
  for (const double load : {150.0, 160.0}) {
    bench.rig.load[0] = load;
    EXPECT_EQ(bench.node.command_rig(kAda, {.action = Action::kTare}), "");
    bench.run_for(1.1);
    EXPECT_EQ(bench.outcome(), "");
    EXPECT_NEAR(bench.kept.tare.find("1.force")->value, load, 1e-9);
  }
  EXPECT_EQ(bench.node.command_rig(kAda, {.action = Action::kTare, .channels = "oil"}), "");
  bench.run_for(1.1);
  EXPECT_EQ(bench.outcome(), "");
  EXPECT_NEAR(reading(bench.report(), "oil").mean, 0.0, 1e-9);
  const int prepared = bench.rig.prepared;
  EXPECT_EQ(
      bench.node.command_rig(kAda, {.action = Action::kUndoTare, .channels = "1.force"}),
      "");
  EXPECT_EQ(bench.outcome(), "");
  EXPECT_EQ(bench.rig.prepared, prepared);  // nothing is read for it
  EXPECT_EQ(bench.kept.tare.find("1.force"), nullptr);
  ASSERT_NE(bench.kept.tare.find("2.force"), nullptr);
  EXPECT_EQ(bench.node.command_rig(kAda, {.action = Action::kUndoTare}), "");
  EXPECT_TRUE(bench.kept.tare.offsets.empty());
  EXPECT_EQ(bench.kept.acts.back().text,
            "undoing of the tare of 2.force, oil: the readings of 2.force, oil are the "
            "equipment's again");
  EXPECT_EQ(bench.outcome(), "");
  EXPECT_EQ(bench.node.command_rig(kAda, {.action = Action::kUndoTare}),
            "nothing is tared");
  EXPECT_EQ(bench.node.command_rig(kAda, {.action = Action::kStatus}), "");
  bench.run_for(1.1);
  EXPECT_NEAR(reading(bench.report(), "1.force").mean, 160.0, 1e-9);
  EXPECT_NEAR(reading(bench.report(), "oil").mean, 207.0, 1e-9);
}

TEST(RigService, TaresNoLoadAndNoCoordinateOfADrive) {
  Bench bench;
  bench.rig.load[0] = 1300.0;  // of a limit of 5 kN
  EXPECT_EQ(bench.node.command_rig(kAda, {.action = Action::kTare}), "");
  bench.run_for(1.1);
  EXPECT_NE(bench.outcome().find("the equipment reads 1.force 1.3 kN, more than a quarter "
                                 "of the limit of force (1.force 1.25 kN)"),
            std::string::npos)
      << bench.report().outcome;
  EXPECT_TRUE(bench.kept.tare.offsets.empty());
  const auto refusal = [&bench](const std::string& channels) {
    return bench.node.command_rig(kAda, {.action = Action::kTare, .channels = channels});
  };
  EXPECT_NE(refusal("1.displacement").find("in the coordinate of the drive"),
            std::string::npos);
  EXPECT_NE(refusal("2.force,3.force")
                .find("no channel 3.force; give some of 1.force, 2.force, oil"),
            std::string::npos);
  EXPECT_NE(
      bench.node.command_rig(kAda, {.action = Action::kUndoTare, .channels = "1.force"})
          .find("is not tared"),
      std::string::npos);
  bench.rig.load[0] = 100.0;
  bench.kept.tare_broken = "the disk is full";
  EXPECT_EQ(refusal("1.force"), "");
  bench.run_for(1.1);
  EXPECT_NE(bench.outcome().find("the disk is full"), std::string::npos);
  EXPECT_EQ(bench.node.command_rig(kAda, {.action = Action::kStatus}), "");
  bench.run_for(1.1);
  EXPECT_NEAR(reading(bench.report(), "1.force").mean, 100.0, 1e-9);  // it is not in effect
}

TEST(RigService, BeginsWithTheKeptTareWhichLimitsContractAndAnswersHave) {
  Diary::Kept kept;
  kept.tare.offsets = {{"1.force", "N", 1000.0, "yesterday by ada@lab"}};
  Bench bench({.kept = kept});
  bench.rig.load[0] = 1000.0;
  // 5 kN of 100 kN/m, by the tared force.
  EXPECT_EQ(bench.jog("49mm", "20mm/s"), "");
  bench.hold_down(6.0);
  EXPECT_TRUE(bench.report().done) << bench.report().outcome;
  EXPECT_EQ(bench.jog("-49mm", "20mm/s"), "");
  bench.hold_down(6.0);
  EXPECT_TRUE(bench.report().done) << bench.report().outcome;
  bench.gets(Welcome{kProtocolVersion, "0.1"});
  bench.gets(bench.configure);
  const std::string contract = bench.transport.last<Configured>().contract;
  EXPECT_NE(contract.find("site_states.tare.1.force: 1000 N, yesterday by ada@lab\n"),
            std::string::npos)
      << contract;
  EXPECT_NE(bench.node.command_rig(kAda, {.action = Action::kTare})
                .find("between two tests only"),
            std::string::npos);
  EXPECT_NE(bench.node.command_rig(kAda, {.action = Action::kUndoTare})
                .find("between two tests only"),
            std::string::npos);
  bench.gets(Arm{kSession, session::contract_hash(contract), "ada@lab"});
  bench.gets(Start{kSession, bench.clock.now()});
  bench.run_for(0.5);
  StepCommand command;
  command.session = kSession;
  command.step = 0;
  command.target = InterfaceMotion::zero(2);
  command.target.displacement << 0.001, 0.0;
  bench.transport.arrives(0, command);
  bench.run_for(1.0);
  ASSERT_FALSE(bench.transport.responses.empty());
  EXPECT_EQ(bench.transport.responses.back().step, 0);
  EXPECT_NEAR(bench.transport.responses.back().force[0], 100.0, 1.0);
}

TEST(RigService, KeepsNoTareThatSomebodyEnds) {
  Bench bench;
  bench.rig.load << 150.0, -40.0;
  EXPECT_EQ(bench.node.command_rig(kAda, {.action = Action::kTare, .token = "first"}), "");
  bench.run_for(0.5);
  EXPECT_NE(bench.node.command_rig(kAda, {.action = Action::kEnd, .token = "other"})
                .find("another one is under way: tare of 1.force, 2.force"),
            std::string::npos);
  EXPECT_EQ(bench.node.command_rig("bob@lab", {.action = Action::kEnd}), "");
  bench.run_for(2.0);
  EXPECT_FALSE(bench.report().done);
  EXPECT_NE(bench.outcome().find("stopped by bob@lab"), std::string::npos);
  EXPECT_TRUE(bench.kept.tare.offsets.empty());
}

TEST(RigService, KeepsATareInTheUnitsOfTheRigWhateverATestHasAgreed) {
  Bench bench({.second = DofKind::kTranslation});
  bench.gets(Welcome{kProtocolVersion, "0.1"});
  bench.gets(bench.configure);  // the second actuator turns in this test
  ASSERT_EQ(bench.node.state(), kConfigured);
  bench.gets(Stop{kSession, "stopped by ada@lab", "ada@lab"});
  bench.run_for(5.0);
  bench.rig.load << 150.0, -40.0;
  ASSERT_EQ(bench.node.command_rig(kAda, {.action = Action::kTare}), "");
  bench.run_for(1.1);
  EXPECT_EQ(bench.outcome(), "");
  EXPECT_EQ(reading(bench.report(), "2.force").unit, "N.m");
  EXPECT_NEAR(reading(bench.report(), "2.force").mean, 0.0, 1e-9);
  ASSERT_NE(bench.kept.tare.find("2.force"), nullptr);
  EXPECT_EQ(bench.kept.tare.find("2.force")->unit, "N");
  // So the next process begins with it.
  Bench next({.kept = bench.kept, .second = DofKind::kTranslation});
  next.rig.load << 150.0, -40.0;
  EXPECT_EQ(next.node.command_rig(kAda, {.action = Action::kStatus}), "");
  next.run_for(1.1);
  EXPECT_NEAR(reading(next.report(), "2.force").mean, 0.0, 1e-9);
}

TEST(RigService, BeginsNotAtAllWithATareOfAnotherRig) {
  Diary::Kept kept;
  kept.tare.offsets = {{"3.force", "N", 1000.0, "yesterday by ada@lab"}};
  try {
    Bench bench({.kept = kept});
    ADD_FAILURE();
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("yesterday by ada@lab (the-place/tare)"),
              std::string::npos)
        << error.what();
  }
}

TEST(RigService, BeginsNotAtAllWithATareThatIsALoadByTheLimitOfToday) {
  Diary::Kept kept;
  // Taken with a limit of 8 kN; this file has 5 kN.
  kept.tare.offsets = {{"1.force", "N", -1500.0, "yesterday by ada@lab"}};
  try {
    Bench bench({.kept = kept});
    ADD_FAILURE();
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what())
                  .find("is 1.force -1.5 kN, more than a quarter of its limit of force in "
                        "the site's file (1.force 1.25 kN)"),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace trestle::site_node::rig_service_test
