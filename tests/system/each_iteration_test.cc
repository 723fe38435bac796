// Whole tests whose commands follow the iterations of the integrator, in every mode.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include "tests/system/lab_run.h"

namespace trestle::each_iteration_test {
namespace {

using testing::complaints;
using testing::LabRun;
using testing::run_lab;

constexpr int kCommands = 3;

/// One mass of 20 t, 9 t of it in a laboratory.
std::string oscillator(const std::string& law) {
  const std::string record =
      ::testing::TempDir() + "/each_iteration_lab_" + std::to_string(::getpid()) + ".csv";
  std::ofstream(record) << "0, 0\n0.1, 3\n0.3, -5\n0.5, 4\n1, 0\n";
  return "test: oscillator\ntime_step: 3/1024 s\nseed: 1\nduration: 1.5 s\n"
         "excitation: {record: " +
         record +
         "}\n"
         "numerical:\n"
         "  integrator: {kind: implicit, sites: each-iteration}\n"
         "  frame:\n    nodes: {a: [0, 0]}\n"
         "    supports: [{nodes: [a], fixed: [y, rz]}]\n"
         "    masses: [{node: a, mass: 11 t}]\n"
         "    springs: [{node: a, dof: x, law: " +
         law +
         ", damping: 8 kN.s/m}]\n"
         "sites:\n  lab:\n    interface: [a.x]\n    rig:\n"
         "      specimen: {kind: linear, stiffness: [[0.8e6]], mass: [[9000]]}\n";
}
const char* const kYields =
    "{kind: bilinear, stiffness: 1 MN/m, yield_force: 8 kN, hardening: 0.1}";

LabRun complete(const std::string& yaml, const std::vector<std::string>& overrides) {
  LabRun run = run_lab(yaml, overrides);
  EXPECT_EQ(run.report.result, evaluation::RunResult::kComplete) << run.report.reason;
  return run;
}

/// Rows at the ends of the structure's steps.
std::vector<double> ends(const LabRun& run, int commands) {
  std::vector<double> found;
  const Eigen::VectorXd motion = run.row("a.x.disp_m");
  for (Eigen::Index i = 0; i < motion.size(); i += commands) found.push_back(motion[i]);
  return found;
}

double difference(const std::vector<double>& one, const std::vector<double>& other) {
  EXPECT_EQ(one.size(), other.size());
  double most = 0.0;
  double peak = 0.0;
  for (std::size_t i = 0; i < std::min(one.size(), other.size()); ++i) {
    most = std::max(most, std::abs(one[i] - other[i]));
    peak = std::max(peak, std::abs(other[i]));
  }
  EXPECT_GT(peak, 5e-3);
  return most / peak;
}

// A specimen that is linear, its K_e declared rightly: the scheme is Newton's method, and
// the commands come where it ends; in another mode as well.
TEST(EachIteration, IsNewtonsMethodInEveryMode) {
  const std::string yaml = oscillator(kYields);
  const std::vector<double> newton = ends(
      complete(yaml,
               {"undivided=true", "numerical.integrator={kind: implicit, iterations: 8}"}),
      1);
  const std::vector<std::vector<std::string>> modes{
      {"mode=simulated"},
      {"mode=real-time", "clock=virtual", "real_time={latency_steps: 0}"},
      {"mode=pseudo-dynamic", "clock=virtual",
       "pseudo_dynamic={rate: 1 m/s, settle: 2 ms, average: 1 ms}"},
      {"mode=continuous", "clock=virtual", "continuous={scale: 4}",
       "sites.lab.control_tick=1/1024 s"}};
  for (const std::vector<std::string>& mode : modes)
    EXPECT_LT(difference(ends(complete(yaml, mode), kCommands), newton), 1e-3)
        << mode.front();
}

TEST(EachIteration, GivesTheSameBitsUndivided) {
  const std::string yaml = oscillator(kYields);
  const LabRun divided = complete(yaml, {"reference=undivided"});
  const Eigen::VectorXd motion = divided.row("a.x.disp_m");
  EXPECT_EQ(motion, complete(yaml, {"undivided=true"}).row("a.x.disp_m"));
  EXPECT_EQ(motion, divided.row("reference.a.x.disp_m"));
}

// A reference with one command in a step is on straight lines between the ends of steps:
// where it stood still, a report would call the way of a command an error.
TEST(EachIteration, HasAReferenceWithAnotherIntegrator) {
  const LabRun run = complete(
      oscillator(kYields),
      {"reference={kind: numerical, integrator: {kind: implicit, iterations: 4}}"});
  const Eigen::VectorXd reference = run.row("reference.a.x.disp_m");
  double moved = 0.0;
  for (Eigen::Index i = 0; i + kCommands < reference.size(); i += kCommands) {
    const double way = reference[i + kCommands] - reference[i];
    moved = std::max(moved, std::abs(way));
    for (int j = 1; j < kCommands; ++j)
      ASSERT_NEAR(reference[i + j], reference[i] + way * j / kCommands, 1e-15);
  }
  EXPECT_GT(moved, 1e-5);
  const Eigen::VectorXd alone =
      complete(oscillator(kYields),
               {"numerical.integrator={kind: implicit, iterations: 4}",
                "reference={kind: numerical, integrator: {kind: implicit, iterations: 4}}"})
          .row("reference.a.x.disp_m");
  ASSERT_EQ(reference.size(), kCommands * (alone.size() - 1) + 1);
  for (Eigen::Index k = 0; k < alone.size(); ++k)
    ASSERT_EQ(reference[kCommands * k], alone[k]) << k;
}

// It has no site to ask: with other commands than the test's its rows would be of no time.
TEST(EachIteration, RefusesAReferenceWithOtherCommands) {
  const auto reference = [](const std::string& iterations) {
    return complaints(oscillator(kYields),
                      {"reference={kind: numerical, integrator: {kind: implicit, sites: "
                       "each-iteration" +
                       iterations + "}}"});
  };
  EXPECT_EQ(reference(""), std::vector<std::string>{});
  const std::vector<std::string> told = reference(", iterations: 4");
  ASSERT_EQ(told.size(), 1u);
  EXPECT_NE(told[0].find("has sites: each-iteration with other iterations than the test's"),
            std::string::npos)
      << told[0];
}

TEST(EachIteration, IsRefusedWhereAnAnswerComesLate) {
  const std::vector<std::string> told =
      complaints(oscillator(kYields), {"mode=real-time", "clock=virtual"});
  ASSERT_EQ(told.size(), 1u);
  EXPECT_NE(told[0].find("sites: each-iteration needs each answer before the next command"),
            std::string::npos)
      << told[0];
}

// Of a command, not of a step.
TEST(EachIteration, SaysWhatTheTimesOfACommandMustBe) {
  std::vector<std::string> told =
      complaints(oscillator(kYields), {"sites.lab.control_tick=3/2048 s"});
  ASSERT_EQ(told.size(), 1u);
  EXPECT_NE(told[0].find("control_tick goes 0.6666667 times into the time step / 3, from "
                         "one command to the next; must be a whole number"),
            std::string::npos)
      << told[0];
  told = complaints(oscillator(kYields), {"time_step=2e-6 s"});
  ASSERT_EQ(told.size(), 1u);
  EXPECT_NE(told[0].find("time_step is 2e-06 s, and its commands are 6.667e-07 s apart; "
                         "must be at least 1 us"),
            std::string::npos)
      << told[0];
}

}  // namespace
}  // namespace trestle::each_iteration_test
