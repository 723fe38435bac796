#include "studies/pretest/assessment.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iterator>

#include "studies/pretest/stability_factory.h"
#include "studies/pretest/stability_words.h"
#include "tests/studies/pretest/test_text.h"
#include "tests/system/lab_run.h"

namespace trestle::pretest::assessment_test {
namespace {

using testing::run_lab;
using testing::test_of;

constexpr double kStep = 1.0 / 1024.0;

std::string shear(const std::string& site) {
  return "test: shear\ntime_step: 1/1024 s\nduration: 1 s\nexcitation: {record: none}\n"
         "numerical:\n  shear_building:\n    storeys: {ground: {mass: 20 t}, top: {mass: "
         "15 "
         "t, stiffness: 20 kN/mm}}\n    damping: {rayleigh: {ratio: 6 %, modes: [1, 2]}}\n"
         "sites:\n  lab:\n    interface: [ground.x]\n" +
         site;
}

std::string rig(const std::string& actuator, double stiffness = 12e6) {
  return "    rig: {actuators: [" + actuator + "], specimen: {kind: linear, stiffness: [[" +
         std::to_string(stiffness) + "]]}}\n";
}

std::string two_site_frame() {
  std::ifstream file(TRESTLE_SOURCE_DIR "/examples/two_site_frame/test.yaml");
  EXPECT_TRUE(file);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string why_not(const std::string& yaml) {
  const StabilityReport report = assess_stability(test_of(yaml));
  EXPECT_FALSE(report.known);
  EXPECT_TRUE(report.cases.empty());
  EXPECT_EQ(in_words(report), std::vector<std::string>{"not known: " + report.why});
  return report.why;
}

TEST(Stability, OfTheTwoSiteFrameNeedsItsCompensators) {
  const StabilityReport report = assess_stability(test_of(two_site_frame()));
  ASSERT_TRUE(report.known) << report.why;
  ASSERT_EQ(report.cases.size(), 1U);
  const StabilityCase& found = report.cases[0];
  EXPECT_FALSE(found.uncompensated.stable);
  EXPECT_TRUE(found.compensated.stable);
  EXPECT_TRUE(report.stable());
  EXPECT_GT(found.compensated.margin.delay, kStep);
  EXPECT_LT(found.compensated.margin.delay, 4.0 * kStep);
  ASSERT_EQ(report.actuators.size(), 4U);
  constexpr double kSteps = kStep * (18.0 / 1024.0) * (18.0 / 1024.0);
  for (const LateActuator& actuator : report.actuators) {
    // 2ζ/ω of the servo loop, and half a tick less: a held drive is early by that much, but
    // for what is left of its steps behind the actuator.
    const double expected = 1.4 / (2.0 * M_PI * 18.0) - 0.5 * kStep;
    EXPECT_NEAR(actuator.delay, expected, kSteps);
    EXPECT_NEAR(actuator.left, expected - 0.012, kSteps);  // ats expects 12 ms
    EXPECT_GT(actuator.delay, found.critical.delay);
  }
  // Both sites are alike, and one actuator alone may be later than all four together.
  ASSERT_EQ(found.compensated.per_actuator.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(found.compensated.per_actuator[i].delay,
                found.compensated.per_actuator[i % 2].delay, 0.01 * kStep);
    EXPECT_GT(found.compensated.per_actuator[i].delay, found.compensated.margin.delay);
  }
}

TEST(Stability, OfTheTwoSiteFrameIsWhatItsRunShows) {
  // Columns that yield would take up what the delay feeds in.
  const std::vector<std::string> bare = {"sites.west.compensator=none",
                                         "sites.west.rig.specimen.hysteresis=elastic"};
  const auto stopped = run_lab(two_site_frame(), bare);
  EXPECT_EQ(stopped.report.result, evaluation::RunResult::kStopped);
  EXPECT_NE(stopped.report.reason.find("is above its limit"), std::string::npos)
      << stopped.report.reason;
  EXPECT_EQ(run_lab(two_site_frame(), {"duration=6 s"}).report.result,
            evaluation::RunResult::kComplete);
}

TEST(Stability, MarginsAreThoseOfARigThatIsLaterByThem) {
  // poles of the shipped servo loop, 18 Hz at 70 %
  const auto late = [](double delay) {
    return rig(
        "{kind: identified, delay: " + std::to_string(1e6 * delay) +
        " us, dc_gain: 1, poles: [[-79.168134870463, 80.767652714091], [-79.168134870463, "
        "-80.767652714091]]}");
  };
  const std::string compensated = "    compensator: {kind: polynomial, delay: 12 ms}\n";
  const auto at = [&](double delay) {
    const StabilityReport report =
        assess_stability(test_of(shear(compensated + late(delay))));
    EXPECT_TRUE(report.known) << report.why;
    return report.cases.at(0).compensated;
  };
  const ClosedLoopStability now = at(0.0);
  ASSERT_TRUE(now.stable);
  ASSERT_FALSE(now.margin.at_least);
  EXPECT_EQ(now.per_actuator.at(0).delay, now.margin.delay);
  EXPECT_TRUE(at(now.margin.delay).stable);
  EXPECT_FALSE(at(now.margin.delay + kStep / 128.0).stable);
  EXPECT_NEAR(at(2.0 * kStep).margin.delay, now.margin.delay - 2.0 * kStep, 0.01 * kStep);
  const StabilityReport second = assess_stability(test_of(
      shear(compensated + rig("{kind: second-order, frequency: 18 Hz, damping: 0.7}"))));
  EXPECT_NEAR(second.cases.at(0).compensated.spectral_radius, now.spectral_radius, 1e-9);
}

TEST(Stability, IsLookedAtWithPartsOfTheStiffness) {
  const std::string actuator = "{kind: delay, delay: 4 ms}";
  const StabilityReport report = assess_stability(
      test_of(shear("    secant_stiffness: [0.5, 0.2]\n" + rig(actuator))));
  ASSERT_EQ(report.cases.size(), 3U);
  // Not the same test: its damping is made with the initial stiffness.
  for (const StabilityCase& found : report.cases) EXPECT_TRUE(found.critical.delay > 0.0);
  EXPECT_EQ(report.cases[0].stiffness_part, 1.0);
  EXPECT_EQ(report.cases[1].stiffness_part, 0.5);
  EXPECT_EQ(report.cases[2].stiffness_part, 0.2);
  EXPECT_LT(report.cases[0].critical.delay, report.cases[1].critical.delay);
  EXPECT_LT(report.cases[1].critical.delay, report.cases[2].critical.delay);
  EXPECT_NE(in_words(report).back().find("at 20 % of the stiffness"), std::string::npos);
}

TEST(Stability, KnowsHowTheInertiaOfALateRigIsTakenOut) {
  const std::string heavy =
      "    rig: {actuators: [{kind: delay, delay: 3/1024 s}], specimen: {kind: linear, "
      "stiffness: [[1e6]], mass: [[60000]]}}\n";
  const auto of = [&](const std::string& inertia) {
    return assess_stability(test_of(shear("    inertia: " + inertia + "\n" + heavy)))
        .cases.at(0)
        .uncompensated.stable;
  };
  EXPECT_FALSE(of("commanded")) << "three quarters of the mass: above 0.618";
  EXPECT_TRUE(of("measured"));
}

TEST(Stability, KnowsARemoteSiteByItsTwin) {
  const std::string address = "    address: tcp://lab.example:7001\n";
  EXPECT_TRUE(assess_stability(test_of(shear(address + rig("{kind: ideal}")))).known);
  EXPECT_NE(why_not(shear(address)).find("there is no model of the rig of lab"),
            std::string::npos);
}

TEST(Stability, SaysWhyItIsNotKnown) {
  EXPECT_NE(why_not(shear(rig("{kind: ideal}")) + "mode: pseudo-dynamic\n")
                .find("waits until its actuators have arrived"),
            std::string::npos);
  EXPECT_NE(why_not(shear(rig("{kind: ideal}")) + "undivided: true\n").find("no sites"),
            std::string::npos);
  const std::string beam =
      "test: beam\ntime_step: 1e-5 s\nduration: 1 s\nexcitation: {record: "
      "none}\nnumerical:\n"
      "  beam: {length: 10 m, elements: 100, E: 30 GPa, I: 1e6 cm4, mass_per_length: 500 "
      "kg/m, supports: [{nodes: [n0], fixed: [y, rz]}]}\n"
      "  integrator: {kind: operator-splitting}\nsites:\n  lab:\n    interface: "
      "[n100.y]\n" +
      rig("{kind: ideal}");
  EXPECT_NE(why_not(beam).find("200 equations"), std::string::npos) << why_not(beam);
}

TEST(Stability, SaysWhereASpecimenWithInnerMotionIsCondensed) {
  const StabilityReport report = assess_stability(test_of(shear(
      "    rig:\n      specimen:\n        kind: frame\n        interface: [top.x]\n"
      "        frame:\n          nodes: {foot: [0, 0], middle: [0, 1.5 m], top: [0, 3 m]}\n"
      "          supports: [{nodes: [foot], fixed: [x, y, rz]}]\n"
      "          sections: {column: {E: 210 GPa, A: 78.1 cm2, I: 5696 cm4}}\n"
      "          members: [{from: foot, to: middle, section: column}, {from: middle, to: "
      "top, "
      "section: column}]\n"
      "          floors: [{nodes: [middle], mass: 500 kg, rotational_inertia: 10 "
      "kg.m2}]\n")));
  ASSERT_TRUE(report.known) << report.why;
  EXPECT_NE(report.why.find("inner motion"), std::string::npos);
  EXPECT_EQ(in_words(report).back(), "(" + report.why + ")");
}

TEST(Stability, IsToldInOneSentence) {
  StabilityReport report{.known = true, .compensates = true, .compensators = "ats"};
  report.actuators = {{"west", 1, 0.0124, 0.0}, {"east", 1, 0.0124, 0.0}};
  StabilityCase one;
  one.compensated = {
      .stable = true,
      .margin = {.delay = 0.0019},
      .per_actuator = {{.delay = 0.0021}, {.delay = 0.04, .at_least = true}}};
  one.critical = {.delay = 0.0023};
  report.cases = {one};
  EXPECT_EQ(
      in_words(report),
      (std::vector<std::string>{
          "without compensation UNSTABLE (the actuators are 12.4 ms late; 2.3 ms would "
          "be too much); with ats, as it starts: stable, margin 1.9 ms   ok",
          "one alone may be later by: west 1 2.1 ms, east 1 at least 40 ms"}));
  report.compensates = false;
  report.actuators[1].delay = 0.0051;
  report.cases[0].compensated = {};
  report.cases[0].critical = {};
  EXPECT_EQ(in_words(report).at(0),
            "UNSTABLE (the actuators are 5.1 to 12.4 ms late; unstable for any delay)   "
            "UNSTABLE");
  report.cases[0].unstable_already = true;
  EXPECT_EQ(in_words(report).at(0),
            "UNSTABLE (the actuators are 5.1 to 12.4 ms late; unstable already, without "
            "any further delay)   UNSTABLE");
}

TEST(Stability, TellsTheLatencyOfRealTimeMode) {
  StabilityReport report{.known = true, .latency_steps = 1, .latency = 0.001};
  report.actuators = {{"west", 1, 0.0124, 0.0124}};
  report.cases = {StabilityCase{.critical = {.delay = 0.0023}}};
  const std::string answers = "answers come 1 step (1 ms) late by real_time.latency_steps";
  EXPECT_EQ(in_words(report).at(0), "UNSTABLE (the actuators are 12.4 ms late, and " +
                                        answers +
                                        "; 2.3 ms of the actuators would be too much)   "
                                        "UNSTABLE");
  report.actuators[0].delay = 0.001;
  report.cases[0].compensated.frequency = 8.0;
  EXPECT_EQ(in_words(report).at(0),
            "UNSTABLE (the actuators are 1 ms late in slow motion, " + answers +
                ", and a further pure delay would be borne up to 2.3 ms; what is unstable "
                "is their response at 8 Hz)   UNSTABLE");
  report.actuators[0].delay = std::nan("");
  EXPECT_EQ(in_words(report).at(0), "UNSTABLE (" + answers +
                                        "; 2.3 ms of the actuators would be too much)   "
                                        "UNSTABLE");
}

}  // namespace
}  // namespace trestle::pretest::assessment_test
