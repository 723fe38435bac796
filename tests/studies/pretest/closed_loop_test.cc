#include "studies/pretest/closed_loop.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>

#include "studies/pretest/spectral_radius.h"
#include "studies/pretest/stability_factory.h"
#include "tests/studies/pretest/test_text.h"
#include "tests/system/lab_run.h"

namespace trestle::pretest::closed_loop_test {
namespace {

using testing::LabRun;
using testing::pulse;
using testing::run_lab;
using testing::test_of;
using testing::TextFile;

// A node in the laboratory and one beside it; the ground pulls at the first DOF alone.
constexpr double kLoopStep = 1.0 / 512.0;
constexpr double kMass = 6000.0;        // at a.x [kg]
constexpr double kAcceleration = 1e-4;  // so small that nothing learns and nothing yields
constexpr Eigen::Index kSteps = 300;
const std::vector<std::string> kDofs = {"a.x", "a.rz", "b.x", "b.rz"};

struct Variant {
  const char* name;
  const char* integrator;
  const char* site;  // lines below `interface`, and more of it
};

void PrintTo(const Variant& variant, std::ostream* out) {
  *out << variant.name;
}

const char* const kLagging =
    "    rig:\n"
    "      actuators: [{kind: second-order, frequency: 30 Hz, damping: 0.7},"
    " {kind: first-order, frequency: 25 Hz, gain: 0.97}]\n"
    "      specimen: {kind: linear, stiffness: [[2e5, 3e4], [3e4, 9e4]],"
    " damping: [[300, 0], [0, 40]], mass: [[200, 5], [5, 10]]}\n";

const char* const kPlant =
    "{kind: zpk, entries: [{to: 1, from: 1, poles: [-300], dc_gain: 1},"
    " {to: 2, from: 2, poles: [-200], dc_gain: 0.98}]}";

std::string model(const std::string& integrator, const std::string& record) {
  return "test: loop\ntime_step: 1/512 s\nduration: 1 s\nexcitation: {record: " + record +
         "}\nnumerical:\n  matrices:\n    dofs: [a.x, a.rz, b.x, b.rz]\n"
         "    influence: [1, 0, 0, 0]\n"
         "    mass: {rows: [[6000, 0, 0, 0], [0, 900, 0, 0], [0, 0, 5000, 0], [0, 0, 0, "
         "700]]}\n"
         "    stiffness: {rows: [[9e5, 5e4, -6e5, 2e4], [5e4, 4e5, 3e4, 1e5],"
         " [-6e5, 3e4, 8e5, 1e4], [2e4, 1e5, 1e4, 3e5]]}\n"
         "    damping: {rayleigh: {ratio: 0.03}}\n  integrator: " +
         integrator + "\nsites:\n  lab:\n    interface: [a.x, a.rz]\n";
}

Eigen::MatrixXd recorded(const LabRun& run) {
  Eigen::MatrixXd rows(12, run.results.cols());
  for (std::size_t i = 0; i < kDofs.size(); ++i) {
    const bool turns = kDofs[i].ends_with("rz");
    const auto at = static_cast<Eigen::Index>(i);
    rows.row(at) = run.row(kDofs[i] + (turns ? ".disp_rad" : ".disp_m"));
    rows.row(4 + at) = run.row(kDofs[i] + (turns ? ".vel_rad_s" : ".vel_m_s"));
    rows.row(8 + at) = run.row(kDofs[i] + (turns ? ".acc_rad_s2" : ".acc_m_s2"));
  }
  return rows;
}

/// What the loop is after the step whose load is −kMass·kAcceleration at a.x, and that of
/// the specimen's mass, which the integrator owns.
Eigen::VectorXd struck(const ClosedLoop& loop, const Eigen::MatrixXd& step) {
  const LinearSubstructureModel& numerical = loop.numerical;
  const Eigen::Index own = numerical.A.rows();
  Eigen::VectorXd state = Eigen::VectorXd::Zero(step.rows());
  Eigen::VectorXd force = kMass * Eigen::VectorXd::Unit(numerical.B.cols(), 0);
  if (loop.sites[0].mass.size() > 0) force += loop.sites[0].mass.col(0);
  force *= kAcceleration;
  if (numerical.uses_previous_step_force) {  // as if the last answer had been that force
    state.segment(own, force.size()) = force;
    return step * state;
  }
  state.head(own) = numerical.B * force;
  return state;
}

class ClosedLoop : public ::testing::TestWithParam<Variant> {};

TEST_P(ClosedLoop, GoesStepByStepWhereTheTestGoes) {
  const TextFile record(pulse(kLoopStep, kAcceleration, 1.0));
  const std::string yaml = model(GetParam().integrator, record.path()) + GetParam().site;
  const LabRun run = run_lab(yaml);
  ASSERT_EQ(run.report.result, evaluation::RunResult::kComplete) << run.report.reason;
  const Eigen::MatrixXd truth = recorded(run);
  const TestClosedLoop test = make_loop(test_of(yaml));
  ASSERT_EQ(test.unknown, "");
  ASSERT_EQ(test.approximate, "");
  const Eigen::MatrixXd step = step_matrix(test.loop, {});
  Eigen::VectorXd state = struck(test.loop, step);
  Eigen::VectorXd largest = truth.rowwise().lpNorm<Eigen::Infinity>();
  for (Eigen::Index k = 1; k < kSteps; ++k) {
    for (Eigen::Index i = 0; i < truth.rows(); ++i)
      ASSERT_NEAR(state[i], truth(i, k), 1e-6 * largest[i])
          << "row " << i << ", step " << k;
    state = step * state;
  }
}

TEST_P(ClosedLoop, KeepsItsEigenvaluesWithoutIdleStates) {
  const TestClosedLoop test =
      make_loop(test_of(model(GetParam().integrator, "none") + GetParam().site));
  const Eigen::MatrixXd step = step_matrix(test.loop, {});
  EXPECT_LE(remove_unreachable_states(step).rows(), step.rows());
  const double radius = spectral_radius(step);
  EXPECT_GT(radius, 0.9);
  EXPECT_LT(radius, 1.1);
}

std::string with(const std::string& lines) {
  return lines + kLagging;
}

/// Keeps the texts of the variants alive.
const char* kept(const std::string& text) {
  static std::vector<std::unique_ptr<std::string>> texts;
  texts.push_back(std::make_unique<std::string>(text));
  return texts.back()->c_str();
}

const char* const kNewmark = "explicit-newmark";

std::vector<Variant> integrators() {
  return {
      {"Newmark", kNewmark, kept(with(""))},
      {"AverageAcceleration", "constant-average-acceleration", kept(with(""))},
      {"ForceOfLastStep", "{kind: constant-average-acceleration, site_force: of-last-step}",
       kept(with(""))},
      {"OperatorSplitting", "{kind: operator-splitting, alpha: -0.1}", kept(with(""))},
      {"OperatorSplittingOfGeneralisedAlpha",
       "{kind: operator-splitting, rho_infinity: 0.8}", kept(with(""))},
      {"Implicit", "{kind: implicit, sites: once}", kept(with(""))},
      {"ImplicitOfGeneralisedAlpha", "{kind: implicit, sites: once, rho_infinity: 0.8}",
       kept(with(""))},
      {"OperatorSplittingPlain", "{kind: operator-splitting, alpha: 0}", kept(with(""))},
      {"KrAlpha", "{kind: kr-alpha, rho_infinity: 0.8}", kept(with(""))},
      {"FourTicks", kNewmark, kept(with("    control_tick: 1/2048 s\n"))},
      {"FourTicksOfLastStep",
       "{kind: constant-average-acceleration, site_force: of-last-step}",
       kept(with("    control_tick: 1/2048 s\n"
                 "    compensator: {kind: ats, expected_delay: 8 ms}\n"))},
  };
}

std::vector<Variant> compensators() {
  const auto compensated = [](const char* settings) {
    return kept(with(std::string("    compensator: {") + settings + "}\n"));
  };
  return {
      {"Polynomial", kNewmark, compensated("kind: polynomial, delay: [8 ms, 5 ms]")},
      {"Ats", kNewmark, compensated("kind: ats, expected_delay: 9 ms")},
      {"AtsByDifferences", kNewmark,
       compensated("kind: ats, expected_delay: 9 ms, differences: true")},
      {"Inverse", kNewmark, compensated("kind: inverse, delay: 8 ms")},
      {"AdaptivePolynomial", kNewmark,
       compensated("kind: adaptive-polynomial, delay: 9 ms")},
      {"Narx", kNewmark,
       compensated("kind: narx, order: 2, window: 64, initial_delay: 8 ms")},
      {"AdaptiveFir", kNewmark, compensated("kind: adaptive-fir, initial_delay: 8 ms")},
      {"AdaptiveDiscreteModel", kNewmark,
       compensated(
           "kind: adm, command_taps: 1, start: [{coefficients: [0.2, 2, -0.5, -0.4, "
           "-0.2, -0.1]}, {coefficients: [0.1, 1.5, -0.3, -0.2, -0.1, 0]}]")},
  };
}

std::vector<Variant> controllers() {
  const std::string observer = std::string("plant: {model: ") + kPlant +
                               ", process_noise: 10}, integral_weight: 1e5";
  const auto controlled = [](const std::string& settings) {
    return kept(with("    controller: {" + settings + "}\n"));
  };
  return {
      {"Pid", kNewmark,
       controlled(
           "kind: pid, proportional: 0.4, integral: 3, derivative: 1e-4, filter: 80 Hz")},
      {"Lqg", kNewmark, controlled("kind: lqg, " + observer)},
      {"LqgOfEstimated", kNewmark,
       controlled("kind: lqg, integrand: of-estimated, " + observer)},
      {"SlidingMode", kNewmark, controlled("kind: msmc, tolerance: 1, " + observer)},
      {"PublishedSlidingMode", kNewmark,
       controlled(std::string("kind: msmc, law: published, sliding_tolerance: 200, plant: "
                              "{model: ") +
                  kPlant + ", process_noise: 10}")},
      {"PiOfTheError", kNewmark,
       controlled("kind: pid, command_gain: 0, proportional: 0.5, integral: 60")},
  };
}

std::vector<Variant> rigs() {
  const char* const late =
      "    rig:\n      actuators: [{kind: delay, delay: 4.3 ms}, {kind: delay, delay: "
      "1/512 s,"
      " gain: 1.02}]\n"
      "      specimen: {kind: springs, laws: [{kind: bilinear, stiffness: 2e5, "
      "yield_force: 9e4},"
      " {kind: bouc-wen, stiffness: 9e4, yield_force: 8e4}], damping: [200, 10]}\n";
  return {
      {"PureDelays", kNewmark, late},
      {"PureDelaysFourTicks", kNewmark,
       kept(std::string("    control_tick: 1/2048 s\n") + late)},
      {"MatrixFrame", kNewmark,
       kept(
           with("    loading_frame: {kind: matrix, actuator_from_interface: [[1, 0.4], [1, "
                "-0.5]]}\n"))},
      {"ThreeActuators", kNewmark,
       "    loading_frame: {kind: matrix, actuator_from_interface: [[1, 0.4], [1, -0.5], "
       "[1, 0]]}\n"
       "    rig:\n      actuators: [{kind: first-order, frequency: 30 Hz}, {kind: "
       "first-order, "
       "frequency: 25 Hz}, {kind: zpk, zeros: [-90], poles: [[-60, 80], [-60, -80]], gain: "
       "100}]\n"
       "      specimen: {kind: linear, stiffness: [[2e5, 3e4], [3e4, 9e4]]}\n"},
      {"Coupler", kNewmark,
       kept(with("    loading_frame: {kind: coupler, arm: 0.3 m, angle: 25 deg}\n"))},
      {"CoupledTransferWithFeedthrough", kNewmark,
       "    rig:\n      integration: runge-kutta\n      transfer_matrix:\n        kind: "
       "zpk\n"
       "        entries:\n"
       "          - {to: 1, from: 1, zeros: [-900], poles: [-150], dc_gain: 0.98}\n"
       "          - {to: 2, from: 1, poles: [[-100, 60], [-100, -60]], dc_gain: 0.05}\n"
       "          - {to: 2, from: 2, poles: [-220], dc_gain: 1.01}\n"
       "      specimen: {kind: linear, stiffness: [[2e5, 3e4], [3e4, 9e4]], damping: "
       "[[300, 0], "
       "[0, 40]], mass: [[20, 5], [5, 10]]}\n"},
      {"StateSpaces", kNewmark,
       "    rig:\n      actuators:\n"
       "        - {kind: state-space, A: {rows: [[-150]]}, B: {rows: [[150]]}, C: {rows: "
       "[[1]]}}\n"
       "        - {kind: state-space, A: {rows: [[-120]]}, B: {rows: [[100]]}, C: {rows: "
       "[[1]]}, "
       "D: {rows: [[0.1]]}}\n"
       "      specimen: {kind: column, E: 210 GPa, A: 10 cm2, I: 20 cm4, height: 2 m, "
       "damping: "
       "1 ms, hysteresis: {kind: bilinear, yield_moment: 180 kN.m, hardening: 0.03}}\n"},
      {"KinematicByItsEstimate", kNewmark,
       kept(
           std::string("    force_only: [b.rz]\n    rig:\n      force_from_measured: true\n"
                       "      estimator: {model: ") +
           kPlant + ", process_noise: 0.1}\n      transfer_matrix: " + kPlant +
           "\n      specimen: {kind: kinematic, stiffness: [[1e5, 2e4, 2e4, 1e4], [2e4, "
           "9e4, "
           "1e4, 0], [2e4, 1e4, 8e4, 5e3], [1e4, 0, 5e3, 4e4]], damping: [[50, 0, 0, 0], "
           "[0, "
           "40, 0, 0], [0, 0, 40, 0], [0, 0, 0, 20]], mass: [[20, 0, 0, 0], [0, 2, 0, 0], "
           "[0, "
           "0, 2, 0], [0, 0, 0, 1]]}\n")},
      {"Ideal", kNewmark,
       "    force_only: [b.x]\n    rig: {specimen: {kind: linear, stiffness: [[2e5, 3e4, "
       "-8e4], "
       "[3e4, 9e4, 0], [-8e4, 0, 8e4]], damping: [[30, 0, -30], [0, 10, 0], [-30, 0, "
       "30]]}}\n"},
  };
}

std::vector<Variant> variants() {
  std::vector<Variant> all;
  for (const auto& group : {integrators(), compensators(), controllers(), rigs()})
    all.insert(all.end(), group.begin(), group.end());
  return all;
}

const auto kName = [](const auto& it) {
  return std::string(it.param.name);
};

INSTANTIATE_TEST_SUITE_P(Variants, ClosedLoop, ::testing::ValuesIn(variants()), kName);

/// One mass of 6 t at 0.9 MN/m and 4.8 kN·s/m, and 0.2 MN/m in the laboratory.
std::string commanded(const std::string& integrator, const std::string& record,
                      const std::string& actuators) {
  return "test: commands\ntime_step: 1/512 s\nduration: 1 s\nexcitation: {record: " +
         record +
         "}\nnumerical:\n  matrices:\n    dofs: [a.x]\n    influence: [1]\n"
         "    mass: {rows: [[6000]]}\n    stiffness: {rows: [[9e5]]}\n"
         "    damping: {rayleigh: {mass_factor: 0.8}}\n  integrator: {kind: implicit, "
         "sites: each-iteration" +
         integrator + "}\nsites:\n  lab:\n    interface: [a.x]\n    rig:\n" + actuators +
         "      specimen: {kind: linear, stiffness: [[2e5]]}\n";
}

// With ideal rigs it is Newton's method in a linear structure, and so the trapezoidal rule:
// z = (1 + λΔt/2)/(1 − λΔt/2), m λ² + c λ + k = 0.
TEST(ClosedLoopOfCommands, IsTheTrapezoidalRuleWithIdealRigs) {
  const std::complex<double> root =
      (-4800.0 + std::sqrt(std::complex<double>(4800.0 * 4800.0 - 4.0 * 6e3 * 1.1e6))) /
      12e3;
  const std::complex<double> z =
      (1.0 + 0.5 * kLoopStep * root) / (1.0 - 0.5 * kLoopStep * root);
  for (const char* integrator :
       {"", ", iterations: 4", ", polynomial: 1", ", polynomial: 3, iterations: 5"}) {
    const StabilityReport report =
        assess_stability(test_of(commanded(integrator, "none", "")), MarginScope::kNone);
    ASSERT_TRUE(report.known) << report.why;
    EXPECT_NEAR(report.cases[0].compensated.spectral_radius, std::abs(z), 1e-8)
        << integrator;
    EXPECT_NEAR(report.cases[0].compensated.frequency,
                std::arg(z) / (2.0 * M_PI * kLoopStep), 1e-6)
        << integrator;
    EXPECT_TRUE(report.stable());
  }
}

// A motion of one frequency, x = Rᵏ·cos(kθ + φ), has x_k² − x_{k+1}·x_{k−1} = R²ᵏ·sin²θ.
TEST(ClosedLoopOfCommands, DecaysAsTheTestWithDelayJumpActuators) {
  const TextFile record(pulse(kLoopStep, 0.1, 1.0));
  for (const char* delay : {"1/1536 s", "4 ms"}) {
    const std::string yaml =
        commanded("", record.path(),
                  std::string("      actuators: [{kind: delay, delay: ") + delay + "}]\n");
    const LabRun run = run_lab(yaml);
    ASSERT_EQ(run.report.result, evaluation::RunResult::kComplete) << run.report.reason;
    const Eigen::VectorXd motion = run.row("a.x.disp_m");
    const auto size_of = [&motion](Eigen::Index step) {
      const auto at = [&](Eigen::Index k) {
        return motion[3 * k];
      };
      return at(step) * at(step) - at(step + 1) * at(step - 1);
    };
    const double radius = std::pow(size_of(400) / size_of(100), 1.0 / 600.0);
    const StabilityReport report = assess_stability(test_of(yaml), MarginScope::kOverall);
    ASSERT_TRUE(report.known) << report.why;
    EXPECT_NEAR(report.cases[0].compensated.spectral_radius, radius, 1e-7) << delay;
    // Later by so much as makes up for 3 % of damping: (k_e/k)·ωτ/2 there.
    const double most = 0.8 * 1.1e6 / 2e5 / (1.1e6 / 6e3);
    EXPECT_NEAR(report.cases[0].compensated.margin.delay,
                most - (delay == std::string("4 ms") ? 4e-3 : kLoopStep / 3.0), 0.1 * most)
        << delay;
  }
}

}  // namespace
}  // namespace trestle::pretest::closed_loop_test
