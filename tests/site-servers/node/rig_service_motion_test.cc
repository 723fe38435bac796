// A person moves the rig of a site between two tests: a jog, the way home, an exercise.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "tests/site-servers/node/rig_service_bench.h"

namespace trestle::site_node::rig_service_test {
namespace {

TEST(RigService, JogsOneActuatorByAnAmountAtARateWhileItsPersonRepeatsTheCommand) {
  Bench bench;
  bench.rig.drive << 0.004, 0.001;
  EXPECT_EQ(bench.jog("-2 mm", "1mm/s"), "");
  bench.run_for(0.01);
  EXPECT_EQ(bench.outcome(), "");  // it has begun
  EXPECT_EQ(bench.report().state, "moves");
  bench.hold_down(6.0);
  const RigReport report = bench.report();
  EXPECT_TRUE(report.done) << report.outcome;
  EXPECT_NEAR(bench.rig.drive[0], 0.002, 1e-15);
  EXPECT_EQ(bench.rig.drive[1], 0.001);
  EXPECT_LE(bench.rig.fastest[0], 1e-3 * kTick * (1.0 + 1e-9));
  EXPECT_EQ(bench.rig.fastest[1], 0.0);
  EXPECT_GE(bench.rig.holds, 1);
  EXPECT_EQ(bench.kept.motions, 1);
  ASSERT_EQ(bench.kept.acts.size(), 2U);
  EXPECT_EQ(bench.kept.acts[0].text, "jog of actuator 1 by -2 mm at 1 mm/s: commanded");
  EXPECT_NE(bench.kept.acts[1].text.find("moved as commanded; the rig holds at the drive "
                                         "2 mm, 1 mrad"),
            std::string::npos)
      << bench.kept.acts[1].text;
  EXPECT_EQ(bench.kept.acts[1].who, kAda);
}

TEST(RigService, HoldsWithinTwoTicksOfASecondOfSilence) {
  Bench bench;
  EXPECT_EQ(bench.jog("20mm", "2mm/s"), "");
  bench.hold_down(3.0);
  const int before = bench.rig.writes;
  bench.run_for(5.0);
  EXPECT_LE(bench.rig.writes - before, 128 + 2);
  const RigReport report = bench.report();
  EXPECT_EQ(report.state, "over");
  EXPECT_FALSE(report.done);
  EXPECT_NE(report.outcome.find("the command was not repeated for 1 s"), std::string::npos)
      << report.outcome;
  EXPECT_GE(bench.rig.holds, 1);
  EXPECT_NE(bench.node.state(), kFault);
  // A later word begins nothing.
  const double there = bench.rig.drive[0];
  bench.hold_down(2.0);
  EXPECT_EQ(bench.rig.drive[0], there);
}

TEST(RigService, MovesNothingForAPersonWhoIsGoneWhenTheRigIsReady) {
  Bench bench;
  bench.rig.drive << 0.004, 0.001;
  EXPECT_EQ(bench.jog("20mm", "2mm/s"), "");
  bench.run_for(3.0);
  EXPECT_EQ(bench.rig.drive[0], 0.004);
  EXPECT_EQ(bench.report().state, "over");
  EXPECT_NE(bench.report().outcome.find("the command was not repeated for 1 s"),
            std::string::npos)
      << bench.report().outcome;
  // So of one who was there, and gives the next command elsewhere.
  EXPECT_EQ(bench.node.command_rig(kAda, {.action = Action::kContinue}), "");
  EXPECT_EQ(bench.rig.drive[0], 0.004);
}

TEST(RigService, LetsAProgramRepeatAndEndItsOwnCommandAlone) {
  Bench bench;
  RigRequest jog{.action = Action::kJog,
                 .actuator = "1",
                 .amount = "20mm",
                 .rate = "2mm/s",
                 .token = "first"};
  EXPECT_EQ(bench.node.command_rig(kAda, jog), "");
  bench.run_for(0.1);
  EXPECT_EQ(bench.node.command_rig(kAda, {.action = Action::kContinue, .token = "first"}),
            "");
  bench.run_for(3.0);
  EXPECT_GT(bench.rig.drive[0], 0.0);
  ASSERT_EQ(bench.report().state, "over");  // it was silent
  jog.token = "second";
  EXPECT_EQ(bench.node.command_rig(kAda, jog), "");
  bench.run_for(0.1);
  const double there = bench.rig.drive[0];
  // The first program comes back.
  for (const Action action : {Action::kContinue, Action::kEnd})
    EXPECT_NE(bench.node.command_rig(kAda, {.action = action, .token = "first"})
                  .find("another one is under way: jog of actuator 1"),
              std::string::npos);
  bench.run_for(2.0);
  EXPECT_EQ(bench.rig.drive[0], there) << "the first kept the second alive";
  EXPECT_EQ(bench.report().state, "over");
}

TEST(RigService, TakesARepetitionFromItsOwnPersonAloneAndAnEndFromAnyone) {
  Bench bench;
  EXPECT_EQ(bench.jog("20mm", "2mm/s"), "");
  bench.run_for(0.5);
  EXPECT_NE(bench.node.command_rig("bob@lab", {.action = Action::kContinue})
                .find("for ada@lab); only the person who gave it can repeat it"),
            std::string::npos);
  EXPECT_NE(
      bench.node.command_rig("bob@lab", {.action = Action::kStatus}).find("is under way"),
      std::string::npos);
  EXPECT_EQ(bench.node.command_rig("bob@lab", {.action = Action::kEnd}), "");
  const int before = bench.rig.writes;
  bench.run_for(0.1);
  EXPECT_EQ(bench.rig.writes, before);
  EXPECT_NE(bench.report().outcome.find("stopped by bob@lab"), std::string::npos);
}

TEST(RigService, ReturnsHomeOnASmoothPathAndStopsAtTheStatedForce) {
  Bench bench;
  bench.rig.drive << 0.01, -0.02;
  bench.rig.stiffness = 1e4;
  RigRequest home{.action = Action::kHome, .rate = "2mm/s,8mrad/s", .force = "1kN,1kN.m"};
  EXPECT_EQ(bench.node.command_rig(kAda, home), "");
  bench.hold_down(11.0);
  EXPECT_TRUE(bench.report().done) << bench.report().outcome;
  EXPECT_EQ(bench.rig.drive, ActuatorVector::Zero(2));
  EXPECT_LE(bench.rig.fastest[0], 2e-3 * kTick * (1.0 + 1e-9));
  EXPECT_LE(bench.rig.fastest[1], 8e-3 * kTick * (1.0 + 1e-9));
  // 15/8 · 10 mm / 2 mm/s = 9.375 s is longer than 15/8 · 20 / 8 = 4.69 s.
  EXPECT_NEAR(bench.rig.writes * kTick, 9.375 + 0.25, 3 * kTick);

  home.force = "1kN,50 N.m";
  bench.rig.drive << 0.01, -0.01;
  EXPECT_EQ(bench.node.command_rig(kAda, home), "");
  bench.run_for(0.1);
  EXPECT_NE(bench.outcome().find("the force of actuator 2 is -0.1 kN.m already"),
            std::string::npos);
}

// ---------------------------------------------------------------- exercise

RigRequest exercise() {
  return {.action = Action::kExercise,
          .amount = "0.5mm,0.4mrad",
          .force = "1kN,1kN.m",
          .frequency = "1Hz"};
}

TEST(RigService, ExercisesEachActuatorAndSaysThatItFollowsAsStated) {
  Bench bench;
  bench.rig.drive << 0.004, 0.001;
  EXPECT_EQ(bench.node.command_rig(kAda, exercise()), "");
  bench.run_for(0.01);
  EXPECT_EQ(bench.outcome(), "");  // it has begun
  EXPECT_EQ(bench.report().state, "moves");
  bench.hold_down(16.0);
  const RigReport report = bench.report();
  ASSERT_TRUE(report.done) << report.outcome;
  ASSERT_EQ(report.exercise.size(), 2U);
  for (const ExerciseResult& each : report.exercise) {
    EXPECT_NEAR(each.gain, 1.0, 1e-9);
    EXPECT_NEAR(each.delay, kTick, 1e-9);  // it reads what the tick before has driven
    EXPECT_NEAR(each.noise, 0.0, 1e-15);
    EXPECT_NEAR(each.stiffness, 1e5, 1e-3);
    EXPECT_EQ(each.finding, "");
  }
  EXPECT_EQ(report.exercise[0].unit, "m");
  EXPECT_EQ(report.exercise[0].amplitude, 0.5e-3);
  EXPECT_EQ(report.exercise[1].unit, "rad");
  EXPECT_EQ(bench.rig.drive[0], 0.004);
  EXPECT_EQ(bench.rig.drive[1], 0.001);
  EXPECT_LE(bench.rig.fastest[0], 0.5e-3 * RigSine::kPeakRate * kTick);
  EXPECT_LE(bench.rig.largest[0], 0.0045 + 1e-15);
  ASSERT_EQ(bench.kept.acts.size(), 2U);
  EXPECT_EQ(bench.kept.acts[0].text,
            "exercise of all actuators by 0.5 mm, 0.4 mrad at 1 Hz, up to 1 kN, 1 kN.m: "
            "commanded");
  EXPECT_NE(bench.kept.acts[1].text.find("actuator 1 gain 1.000 delay 7.81 ms"),
            std::string::npos)
      << bench.kept.acts[1].text;
  EXPECT_TRUE(bench.kept.acts[1].text.ends_with("; as stated"));
  EXPECT_EQ(bench.kept.motions, 1);
}

TEST(RigService, SaysWhatDoesNotFollowAsStated) {
  const auto finding = [](double gain, double stiffness, const std::string& delay) {
    Bench bench;
    bench.rig.gain = gain;
    bench.rig.stiffness = stiffness;
    RigRequest one = exercise();
    one.actuator = "1";
    one.amount = "0.5mm";
    one.force = "1kN";
    one.delay = delay;
    EXPECT_EQ(bench.node.command_rig(kAda, one), "");
    bench.hold_down(9.0);
    const RigReport report = bench.report();
    EXPECT_TRUE(report.done) << report.outcome;
    EXPECT_EQ(report.exercise.size(), 1U);
    EXPECT_EQ(bench.rig.largest[1], 0.0);
    return report.exercise.empty() ? "" : report.exercise[0].finding;
  };
  EXPECT_EQ(finding(1.04, 1e5, "8ms"), "");
  EXPECT_EQ(finding(0.9, 1e5, ""), "its gain is 0.900, stated 1 within 5 %");
  EXPECT_EQ(finding(-1.0, 0.0, ""), "it moves against its drive (gain -1.000)");
  EXPECT_EQ(finding(0.0, 1e5, "").substr(0, 18), "its gain is 0.000,");
  EXPECT_EQ(finding(1.0, 1e5, "5 ms"), "its delay is 7.81 ms, stated at most 5 ms");
  EXPECT_EQ(finding(1.0, -1e5, "").substr(0, 39),
            "its force falls where it moves forward:");
}

TEST(RigService, ExercisesNothingBeyondALimitOrWithoutItsPerson) {
  Bench bench;
  const auto refused = [&](const RigRequest& request) {
    std::string why = bench.node.command_rig(kAda, request);
    if (!why.empty()) return why;
    bench.run_for(0.1);
    return bench.outcome();
  };
  RigRequest other = exercise();
  other.amount = "10mm,0.4mrad";
  EXPECT_NE(refused(other).find("would reach 81.5"), std::string::npos) << refused(other);
  other = exercise();
  other.frequency = "0.1Hz";
  other.amount = "61mm,0.4mrad";
  EXPECT_NE(refused(other).find("the sine would take actuator 1 to -61 mm, beyond"),
            std::string::npos);
  for (const char* frequency : {"", "1", "0Hz", "-1Hz", "nanHz", "1kHz"}) {
    other = exercise();
    other.frequency = frequency;
    EXPECT_NE(refused(other).find("--frequency 0.5Hz"), std::string::npos) << frequency;
  }
  other.frequency = "9Hz";
  EXPECT_NE(refused(other).find("is above 8.000 Hz"), std::string::npos) << refused(other);
  other.frequency = "1e-300Hz";
  EXPECT_NE(refused(other).find("longer than an hour"), std::string::npos);
  other = exercise();
  other.force.clear();
  EXPECT_NE(refused(other).find("--force 10kN"), std::string::npos);
  other = exercise();
  other.delay = "soon";
  EXPECT_NE(refused(other).find("--delay soon is no time"), std::string::npos);
  EXPECT_EQ(bench.rig.writes, 0);
  // Its person is silent in the middle: the rig holds where it is.
  EXPECT_EQ(bench.node.command_rig(kAda, exercise()), "");
  bench.hold_down(3.0);
  bench.run_for(3.0);
  EXPECT_FALSE(bench.report().done);
  EXPECT_TRUE(bench.report().exercise.empty());
  EXPECT_NE(bench.report().outcome.find("not repeated for 1 s"), std::string::npos);
  EXPECT_NE(bench.node.state(), kFault);
}

TEST(RigService, ExercisesNothingForAPersonWhoIsGoneWhenTheRigIsReady) {
  Bench bench;
  bench.rig.drive << 0.004, 0.001;
  EXPECT_EQ(bench.node.command_rig(kAda, exercise()), "");
  bench.run_for(3.0);
  EXPECT_EQ(bench.report().state, "over");
  EXPECT_EQ(bench.rig.fastest, ActuatorVector::Zero(2));
  EXPECT_TRUE(bench.report().exercise.empty());
  EXPECT_NE(bench.report().outcome.find("the command was not repeated for 1 s"),
            std::string::npos)
      << bench.report().outcome;
  // One who answers late begins it then, and it is measured as ever.
  EXPECT_EQ(bench.node.command_rig(kAda, exercise()), "");
  bench.run_for(0.9);
  EXPECT_EQ(bench.rig.fastest, ActuatorVector::Zero(2));
  bench.hold_down(16.0);
  ASSERT_TRUE(bench.report().done) << bench.report().outcome;
  ASSERT_EQ(bench.report().exercise.size(), 2U);
  for (const ExerciseResult& each : bench.report().exercise) {
    EXPECT_NEAR(each.gain, 1.0, 1e-9);
    EXPECT_NEAR(each.delay, kTick, 1e-9);
  }
}

TEST(RigService, LetsTheProgramOfAnExerciseRepeatItAndAnyoneEndIt) {
  Bench bench;
  RigRequest swing = exercise();
  swing.token = "first";
  EXPECT_EQ(bench.node.command_rig(kAda, swing), "");
  bench.run_for(0.1);
  const auto word = [&bench](const std::string& by, Action action,
                             const std::string& token) {
    return bench.node.command_rig(by, {.action = action, .token = token});
  };
  for (const Action action : {Action::kContinue, Action::kEnd})
    EXPECT_NE(word(kAda, action, "before").find("another one is under way: exercise of"),
              std::string::npos);
  EXPECT_NE(word("bob@lab", Action::kContinue, "first").find("only the person who gave it"),
            std::string::npos);
  EXPECT_EQ(bench.rig.fastest, ActuatorVector::Zero(2)) << "another one began it";
  for (int n = 0; n < 4; ++n) {
    EXPECT_EQ(word(kAda, Action::kContinue, "first"), "");
    bench.run_for(0.5);
  }
  EXPECT_GT(bench.rig.fastest[0], 0.0);
  EXPECT_EQ(word("bob@lab", Action::kEnd, ""), "");
  const int before = bench.rig.writes;
  bench.run_for(1.0);
  EXPECT_EQ(bench.rig.writes, before);
  EXPECT_FALSE(bench.report().done);
  EXPECT_TRUE(bench.report().exercise.empty());
  EXPECT_NE(bench.report().outcome.find("stopped by bob@lab"), std::string::npos);
}

TEST(RigService, ExercisesNothingFromADriveFarFromTheRig) {
  Bench bench({.tracking_error = std::numeric_limits<double>::infinity()});
  bench.rig.reports = false;
  bench.rig.drive << 0.0149, 0.0;
  for (const char* told : {"", "1.49mm,0mrad"}) {
    RigRequest swing = exercise();
    swing.drive = told;
    EXPECT_EQ(bench.node.command_rig(kAda, swing), "");
    bench.run_for(0.1);
    EXPECT_NE(bench.outcome(), "") << told;
  }
  EXPECT_EQ(bench.rig.writes, 0);
}

TEST(RigService, SaysThatTheSafeActionOfAnExerciseIsNotEndedAndChangesNoTareInIt) {
  Bench bench({.ramps_home = true});
  // 55 mm of 100 kN/m are more than the limit of 5 kN.
  EXPECT_EQ(bench.node.command_rig(kAda, {.action = Action::kExercise,
                                          .actuator = "1",
                                          .amount = "55mm",
                                          .force = "9kN",
                                          .frequency = "0.1Hz"}),
            "");
  for (int n = 0; n < 100 && bench.node.state() != kFault; ++n) bench.hold_down(0.5);
  ASSERT_EQ(bench.report().state, "acts safely") << bench.report().outcome;
  EXPECT_NE(bench.node.reason().find("during the exercise of actuator 1"),
            std::string::npos);
  for (const std::string& why :
       {bench.node.command_rig("bob@lab", {.action = Action::kEnd}),
        bench.node.hold("bob@lab", "a noise"), bench.node.stop("bob@lab", "a noise")})
    EXPECT_NE(why.find("the equipment's emergency stop ends it"), std::string::npos) << why;
  for (const Action action : {Action::kTare, Action::kUndoTare, Action::kExercise})
    EXPECT_NE(bench.node.command_rig(kAda, {.action = action}).find("is under way"),
              std::string::npos);
  bench.run_for(120.0);
  EXPECT_EQ(bench.report().state, "over");
  EXPECT_FALSE(bench.report().done);
  EXPECT_TRUE(bench.report().exercise.empty());
  EXPECT_EQ(bench.rig.drive, ActuatorVector::Zero(2));
}

TEST(RigService, RefusesWhatNoLimitAllowsBeforeAnythingMoves) {
  Bench bench;
  const auto refused = [&](const RigRequest& request) {
    std::string why = bench.node.command_rig(kAda, request);
    if (!why.empty()) return why;
    bench.run_for(0.1);
    return bench.outcome();
  };
  const RigRequest jog{
      .action = Action::kJog, .actuator = "1", .amount = "2mm", .rate = "1mm/s"};
  RigRequest other = jog;
  other.amount = "61mm";
  EXPECT_NE(refused(other).find("would take actuator 1 to 61 mm, beyond its limit 60 mm "
                                "(site limit, site.yaml:9"),
            std::string::npos)
      << refused(other);
  other = jog;
  other.rate = "80mm/s";
  EXPECT_NE(refused(other).find("is above 75 mm/s, half of its limit"), std::string::npos)
      << refused(other);
  other = jog;
  other.amount = "2 mrad";
  EXPECT_NE(refused(other).find("is no way with its unit"), std::string::npos);
  other = jog;
  other.actuator = "3";
  EXPECT_NE(refused(other).find("the rig has no actuator 3; give one of 1, 2"),
            std::string::npos);
  other = jog;
  other.actuator.clear();
  EXPECT_NE(refused(other).find("a jog moves one actuator"), std::string::npos);
  other = jog;
  other.rate = "1 um/s";
  EXPECT_NE(refused(other).find("would take 63 min"), std::string::npos) << refused(other);
  other = jog;
  other.rate.clear();
  EXPECT_NE(refused(other).find("--rate"), std::string::npos);
  EXPECT_NE(refused({.action = Action::kHome, .rate = "1mm/s,1mrad/s"}).find("--force"),
            std::string::npos);
  bench.rig.drive[0] = 0.07;
  EXPECT_NE(refused(jog).find("by the equipment's own means"), std::string::npos);
  EXPECT_EQ(bench.rig.writes, 0);
  bench.rig.drive[0] = 0.0;
  bench.kept.broken = "the diary cannot be written";
  EXPECT_EQ(refused(jog), "the diary cannot be written");
  EXPECT_EQ(bench.rig.writes, 0);
}

TEST(RigService, MovesNothingThatNothingStopsWhenTheProgramDies) {
  Bench bench({.watchdog = false});
  EXPECT_NE(bench.jog("2mm", "1mm/s").find("no hardware watchdog"), std::string::npos);
  bench.run_for(0.1);
  EXPECT_EQ(bench.rig.writes, 0);
  EXPECT_EQ(bench.node.command_rig(kAda, {.action = Action::kStatus}), "");
}

TEST(RigService, NeedsTheDriveInForceOfEquipmentThatDoesNotReportIt) {
  Bench bench;
  bench.rig.reports = false;
  bench.rig.gain = 0.9;
  bench.rig.drive << 0.01, 0.0;
  EXPECT_EQ(bench.jog("2mm", "1mm/s"), "");
  bench.run_for(0.1);
  const std::string why = bench.outcome();
  EXPECT_NE(why.find("nobody knows which drive"), std::string::npos) << why;
  EXPECT_NE(why.find("9 mm, 0 mrad"), std::string::npos) << why;
  EXPECT_EQ(bench.rig.writes, 0);
  EXPECT_EQ(bench.jog("2mm", "1mm/s", "10mm,0mrad"), "");
  bench.hold_down(6.0);
  EXPECT_TRUE(bench.report().done) << bench.report().outcome;
  EXPECT_NEAR(bench.rig.drive[0], 0.012, 1e-12);
  EXPECT_LE(bench.rig.fastest[0], 1e-3 * kTick * (1.0 + 1e-9)) << "it jumped";
  // A misread one is refused.
  EXPECT_EQ(bench.jog("2mm", "1mm/s", "-1mm,0mrad"), "");
  bench.run_for(0.1);
  EXPECT_NE(bench.outcome().find("of its tracking error"), std::string::npos);
  // Now this process knows it.
  EXPECT_EQ(bench.jog("-12mm", "4mm/s"), "");
  bench.hold_down(8.0);
  EXPECT_TRUE(bench.report().done) << bench.report().outcome;
  EXPECT_NEAR(bench.rig.drive[0], 0.0, 1e-12);
  EXPECT_LE(bench.rig.fastest[0], 4e-3 * kTick * (1.0 + 1e-9)) << "it jumped";
  // Others move the rig by its own controls.
  bench.rig.drive[0] = 0.02;
  EXPECT_EQ(bench.jog("1mm", "1mm/s"), "");
  bench.run_for(0.1);
  EXPECT_NE(bench.outcome().find("does not stand where this site left it"),
            std::string::npos);
}

TEST(RigService, BelievesNoDriveFarFromARigWithoutALimitOfItsTrackingError) {
  Bench bench({.tracking_error = std::numeric_limits<double>::infinity()});
  bench.rig.reports = false;
  bench.rig.drive << 0.0149, 0.0;
  for (const char* told : {"1.49mm,0mrad", "149 mm,0mrad"}) {
    EXPECT_EQ(bench.jog("2mm", "1mm/s", told), "");
    bench.run_for(0.1);
    EXPECT_NE(bench.outcome(), "") << told;
  }
  EXPECT_EQ(bench.rig.writes, 0);
  EXPECT_EQ(bench.jog("2mm", "1mm/s", "14.94 mm,0mrad"), "");
  bench.hold_down(6.0);
  EXPECT_TRUE(bench.report().done) << bench.report().outcome;
}

}  // namespace
}  // namespace trestle::site_node::rig_service_test
