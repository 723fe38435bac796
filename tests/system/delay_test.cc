#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cmath>
#include <complex>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "core/math/dense_solve.h"
#include "tests/system/lab_run.h"

namespace trestle {
namespace {

using testing::LabRun;
using testing::run_lab;
using Complex = std::complex<double>;

// One mass on two springs, one in the model and one in the laboratory, whose actuator is
// late by τ:   m·ẍ + c·ẋ + kₙ·x + kₑ·x(t − τ) = p.   As in
// docs/explanation/delay-compensation.md.
constexpr double kMass = 1000.0;        // m [kg]
constexpr double kDamping = 500.0;      // c [N·s/m]
constexpr double kNumerical = 80e3;     // kₙ [N/m]
constexpr double kExperimental = 80e3;  // kₑ [N/m]
constexpr double kStep = 1.0 / 1024.0;  // Δt [s]

/// The test of docs/explanation/delay-compensation.md, freely vibrating after a jolt of
/// half a second.
std::string yaml() {
  std::ifstream file(TRESTLE_SOURCE_DIR "/docs/pictures/delay.yaml");
  EXPECT_TRUE(file) << "docs/pictures/delay.yaml is missing";
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> delayed_by(double delay) {
  return {"sites.lab.rig.actuators[0].delay=" + std::to_string(delay) + " s"};
}

Eigen::VectorXd displacement(const std::vector<std::string>& overrides) {
  const LabRun run = run_lab(yaml(), overrides);
  EXPECT_EQ(run.report.result, evaluation::RunResult::kComplete) << run.report.reason;
  return run.row("floor.x.disp_m");
}

/// σ + iω of a free vibration x = Re(a·e^((σ+iω)t)): such a signal obeys
/// x(t+h) − 2·e^(σh)·cos(ωh)·x(t) + e^(2σh)·x(t−h) = 0; h is a sixth of a period or so.
Complex exponent(const Eigen::VectorXd& x) {
  constexpr Eigen::Index kFrom = 1024;  // the jolt and the fast roots are over
  constexpr Eigen::Index kStride = 80;
  const Eigen::Index rows = x.size() - kFrom - 2 * kStride;
  Eigen::MatrixXd past(rows, 2);
  past.col(0) = x.segment(kFrom + kStride, rows);
  past.col(1) = x.segment(kFrom, rows);
  const Eigen::VectorXd f = math::least_squares(past, x.segment(kFrom + 2 * kStride, rows));
  const double radius = std::sqrt(-f[1]);
  const double h = kStride * kStep;
  return {std::log(radius) / h, std::acos(0.5 * f[0] / radius) / h};
}

/// Root of m·s² + c·s + kₙ + kₑ·e^(−sτ) nearest to the undelayed one, by Newton.
Complex theory(double delay) {
  const double omega = std::sqrt((kNumerical + kExperimental) / kMass);
  Complex s{-0.5 * kDamping / kMass, omega};
  for (int i = 0; i < 50; ++i) {
    const Complex late = kExperimental * std::exp(-s * delay);
    s -= (kMass * s * s + kDamping * s + kNumerical + late) /
         (2.0 * kMass * s + kDamping - delay * late);
  }
  return s;
}

/// Delay at which a pair of roots reaches the imaginary axis:
/// (kₙ − mω²)² + (cω)² = kₑ², τ = atan2(cω, mω² − kₙ)/ω, the smallest.
double critical_delay() {
  // In y = ω²: m²y² + (c² − 2·m·kₙ)·y + kₙ² − kₑ² = 0.
  const double a = kMass * kMass;
  const double b = kDamping * kDamping - 2.0 * kMass * kNumerical;
  const double c = kNumerical * kNumerical - kExperimental * kExperimental;
  double smallest = INFINITY;
  for (const double sign : {-1.0, 1.0}) {
    const double y = (-b + sign * std::sqrt(b * b - 4.0 * a * c)) / (2.0 * a);
    if (!(y > 0.0)) continue;
    const double omega = std::sqrt(y);
    smallest =
        std::min(smallest, std::atan2(kDamping * omega, kMass * y - kNumerical) / omega);
  }
  return smallest;
}

/// Of σ and ω each: the scheme's frequency is off by ω·(ωΔt)²/24, and what depends on the
/// frequency no more than that; with half as much again for what the fit adds.
const double kTolerance = 1.5 * std::pow(160.0, 1.5) * kStep * kStep / 24.0;  // [1/s]

TEST(ADelayedActuator, GivesTheDampingOfTheDelayedEquation) {
  for (const double ticks : {0.0, 2.0, 5.0, 10.0, 20.0}) {
    const double delay = ticks * kStep;
    const Complex measured = exponent(displacement(delayed_by(delay)));
    EXPECT_NEAR(measured.real(), theory(delay).real(), kTolerance) << ticks;
    EXPECT_NEAR(measured.imag(), theory(delay).imag(), kTolerance) << ticks;
  }
}

TEST(ADelayedActuator, TakesDampingInProportionToItsDelayWhileThatIsShort) {
  // Δζ = −kₑ·τ/(2·m·ω), Horiuchi et al. (1999); the next term is smaller by ωτ.
  const Complex ideal = exponent(displacement(delayed_by(0.0)));
  for (const double ticks : {2.0, 5.0, 10.0}) {
    const double delay = ticks * kStep;
    const Complex s = exponent(displacement(delayed_by(delay)));
    const double lost = -s.real() / std::abs(s) + ideal.real() / std::abs(ideal);
    const double first_order = -kExperimental * delay / (2.0 * kMass * std::abs(ideal));
    EXPECT_NEAR(lost, first_order, std::abs(ideal) * delay * std::abs(first_order))
        << ticks;
  }
}

TEST(ADelayedActuator, MakesTheTestUnstableFromTheCriticalDelayOn) {
  const double critical = critical_delay();
  EXPECT_NEAR(critical, kDamping / kExperimental, 0.01 * critical);  // c/kₑ for small ωτ
  EXPECT_LT(exponent(displacement(delayed_by(0.99 * critical))).real(), -kTolerance);
  EXPECT_GT(exponent(displacement(delayed_by(1.01 * critical))).real(), kTolerance);
}

TEST(ADelayedActuator, MakesAnUndampedSplitUnstableHoweverShortItsDelay) {
  std::vector<std::string> undamped = delayed_by(kStep);
  undamped.emplace_back("numerical.shear_building.damping.rayleigh.mass_factor=0");
  const double growth = exponent(displacement(undamped)).real();
  EXPECT_NEAR(growth, kExperimental * kStep / (2.0 * kMass), kTolerance);
}

/// What a compensator leaves of the damping that the actuator takes: 1 where it does
/// nothing, 0 if it wins all of it back.
double left(const std::string& actuator, const std::string& compensator) {
  const std::string rig = "sites.lab.rig.actuators=[" + actuator + "]";
  const double ideal = exponent(displacement({"sites.lab.rig.actuators=[ideal]"})).real();
  const double late = exponent(displacement({rig})).real();
  const double helped =
      exponent(displacement({rig, "sites.lab.compensator=" + compensator})).real();
  EXPECT_GT(late, 0.0) << actuator;  // diverges without help
  return std::abs((helped - ideal) / (late - ideal));
}

const char* const kLate = "{kind: delay, delay: 10 ms}";
const char* const kServo = "{kind: second-order, frequency: 18 Hz, damping: 0.7}";

TEST(PolynomialCompensation, WinsBackTheDampingThatADelayTakes) {
  // Third order leaves (ωτ)⁴ = 3e-4 of the target; first order (ωτ)² = 0.016.
  EXPECT_LT(left(kLate, "{kind: polynomial, delay: 10 ms, order: 3}"), 3e-3);
  EXPECT_LT(left(kLate, "{kind: polynomial, delay: 10 ms, order: 1}"), 0.03);
}

TEST(AtsCompensation, WinsBackTheDampingEvenIfToldTheWrongDelay) {
  for (const char* told : {"7 ms", "10 ms", "14 ms"})
    EXPECT_LT(left(kLate, std::string("{kind: ats, expected_delay: ") + told + "}"), 0.01)
        << told;
  EXPECT_LT(left(kServo, "{kind: ats, expected_delay: 12 ms}"), 0.01);
}

}  // namespace
}  // namespace trestle
