// What delay a hybrid test bears, held to closed forms and to the tests themselves.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "studies/pretest/spectral_radius.h"
#include "studies/pretest/stability_factory.h"
#include "studies/pretest/stability_words.h"
#include "tests/studies/pretest/test_text.h"
#include "tests/system/lab_run.h"

namespace trestle::pretest::critical_delay_test {
namespace {

using testing::LabRun;
using testing::pulse;
using testing::run_lab;
using testing::test_of;
using testing::TextFile;

/// One mass on a spring in the model and one in the laboratory.
struct Oscillator {
  double mass;          // [kg]
  double damping;       // [N·s/m]
  double numerical;     // [N/m]
  double experimental;  // [N/m]

  std::string yaml(double time_step) const {
    return "test: oscillator\ntime_step: " + std::to_string(1e6 * time_step) +
           " us\nduration: 1 s\nexcitation: {record: none}\nnumerical:\n"
           "  shear_building:\n    storeys: {floor: {mass: " +
           std::to_string(mass) + ", stiffness: " + std::to_string(numerical) +
           "}}\n    damping: {rayleigh: {mass_factor: " + std::to_string(damping / mass) +
           ", stiffness_factor: 0}}\nsites:\n  lab:\n    interface: [floor.x]\n    rig: "
           "{specimen: {kind: linear, stiffness: [[" +
           std::to_string(experimental) + "]]}}\n";
  }

  /// (kₙ − mω²)² + (cω)² = kₑ², τ = atan2(cω, mω² − kₙ)/ω, the smallest over real ω > 0.
  double critical_delay() const {
    const double a = mass * mass;
    const double b = damping * damping - 2.0 * mass * numerical;
    const double c = numerical * numerical - experimental * experimental;
    double smallest = INFINITY;
    for (const double sign : {-1.0, 1.0}) {
      const double y = (-b + sign * std::sqrt(b * b - 4.0 * a * c)) / (2.0 * a);
      if (!(y > 0.0)) continue;
      const double omega = std::sqrt(y);
      smallest =
          std::min(smallest, std::atan2(damping * omega, mass * y - numerical) / omega);
    }
    return smallest;
  }
};

StabilityCase of(const std::string& yaml) {
  const StabilityReport report = assess_stability(test_of(yaml));
  EXPECT_TRUE(report.known) << report.why;
  return report.cases.empty() ? StabilityCase{} : report.cases.front();
}

TEST(CriticalDelay, OfADampedSpringSplitIsThatOfTheDelayedEquation) {
  for (const Oscillator& it :
       {Oscillator{1000.0, 500.0, 80e3, 80e3}, Oscillator{1000.0, 2000.0, 20e3, 100e3},
        Oscillator{500.0, 3000.0, 60e3, 60e3}, Oscillator{2000.0, 900.0, 0.0, 50e3}}) {
    const double expected = it.critical_delay();
    const StabilityCase found = of(it.yaml(std::round(1e9 * expected / 200.0) * 1e-9));
    EXPECT_FALSE(found.critical.at_least);
    EXPECT_NEAR(found.critical.delay, expected, 0.01 * expected);
    // The rig of these tests is ideal.
    EXPECT_TRUE(found.compensated.stable);
    EXPECT_NEAR(found.compensated.margin.delay, expected, 0.01 * expected);
  }
}

// A rig that is d whole steps later than told leaves z^(d+1) − μ z^d + μ = 0 of a
// specimen's mass, μ its part of all mass: stable for μ < 1/(2 cos(π/(d + 2))).
TEST(SpecimenMass, BearsADelayUpToItsPartOfTheWhole) {
  const auto stable = [](double part, int late) {
    return of("test: masses\ntime_step: 0.1 ms\nduration: 1 s\nexcitation: {record: none}\n"
              "numerical:\n  shear_building:\n    storeys: {floor: {mass: " +
              std::to_string(1000.0 * (1.0 - part)) +
              ", stiffness: 4e3}}\n    damping: {rayleigh: {mass_factor: 0.1, "
              "stiffness_factor: 0}}\nsites:\n  lab:\n    interface: [floor.x]\n    rig: "
              "{actuators: [{kind: delay, delay: " +
              std::to_string(0.1 * late) +
              " ms}], specimen: {kind: linear, stiffness: [[10]], mass: [[" +
              std::to_string(1000.0 * part) + "]]}}\n")
        .compensated.stable;
  };
  EXPECT_TRUE(stable(0.98, 0));
  EXPECT_TRUE(stable(0.98, 1));
  for (const int late : {2, 3, 4, 5}) {
    const double bound = 0.5 / std::cos(M_PI / (late + 2));
    EXPECT_TRUE(stable(0.99 * bound, late)) << late;
    EXPECT_FALSE(stable(1.01 * bound, late)) << late;
  }
}

TEST(CriticalDelay, OfAnUndampedSpringSplitIsZero) {
  for (const double step : {1e-4, 1e-3, 5e-3}) {
    const std::string yaml = Oscillator{1000.0, 0.0, 80e3, 80e3}.yaml(step);
    const StabilityReport report = assess_stability(test_of(yaml));
    ASSERT_EQ(report.cases.size(), 1U);
    EXPECT_EQ(report.cases[0].critical.delay, 0.0);
    EXPECT_FALSE(report.cases[0].critical.at_least);
    EXPECT_NEAR(report.cases[0].compensated.spectral_radius, 1.0, 1e-12);
    EXPECT_NE(in_words(report)[0].find("unstable for any delay"), std::string::npos)
        << in_words(report)[0];
  }
}

TEST(CriticalDelay, CountsTheLatencyOfRealTimeMode) {
  const Oscillator it{1000.0, 500.0, 80e3, 80e3};
  const double step = 1.0 / 1024.0;
  const double none = of(it.yaml(step)).critical.delay;
  for (const int latency : {0, 1, 3}) {
    const StabilityCase found =
        of(it.yaml(step) + "mode: real-time\nreal_time: {latency_steps: " +
           std::to_string(latency) + "}\n");
    EXPECT_NEAR(found.critical.delay, none - latency * step, 0.01 * step) << latency;
  }
  EXPECT_NEAR(of(it.yaml(step) + "mode: real-time\n").critical.delay, none - step,
              0.01 * step);
}

// The rig is ideal: only the late answers can make the loop unstable.
TEST(CriticalDelay, NamesALatencyThatAloneIsTooMuch) {
  const Oscillator it{1000.0, 500.0, 80e3, 80e3};
  const double step = 1.0 / 1024.0;
  const int borne = static_cast<int>(it.critical_delay() / step);
  const auto words = [&](int latency) {
    return in_words(assess_stability(test_of(it.yaml(step) +
                                             "mode: real-time\nclock: virtual\nreal_time: "
                                             "{latency_steps: " +
                                             std::to_string(latency) + "}\n")))[0];
  };
  EXPECT_EQ(words(borne).substr(0, 14), "stable, margin") << words(borne);
  char late[16];
  std::snprintf(late, sizeof late, "%.3g ms", 1e3 * (borne + 2) * step);
  EXPECT_EQ(words(borne + 2), "UNSTABLE (the actuators are 0 ms late, and answers come " +
                                  std::to_string(borne + 2) + " steps (" + late +
                                  ") late by real_time.latency_steps; unstable already, "
                                  "without any further delay)   UNSTABLE");
}

/// A test whose rigs are pure delays, and where it is seen.
struct Partition {
  const char* name;
  double time_step;
  std::string yaml;      // up to the excitation's record and the actuators' delay
  std::string response;  // channel
};

void PrintTo(const Partition& partition, std::ostream* out) {
  *out << partition.name;
}

/// Both with the words DELAY and RECORD filled in.
std::string filled(std::string yaml, const std::string& record, double delay) {
  const auto fill = [&yaml](const std::string& word, const std::string& text) {
    for (std::size_t at = yaml.find(word); at != std::string::npos; at = yaml.find(word))
      yaml.replace(at, word.size(), text);
  };
  fill("RECORD", record);
  fill("DELAY", std::to_string(1e6 * delay) + " us");
  return yaml;
}

class PartitionDelay : public ::testing::TestWithParam<Partition> {};

/// Largest in the last third of a run, over that in the third before.
double growth(const Eigen::VectorXd& x) {
  const Eigen::Index third = x.size() / 3;
  return x.tail(third).cwiseAbs().maxCoeff() /
         x.segment(third, third).cwiseAbs().maxCoeff();
}

TEST_P(PartitionDelay, IsWhereTheTestReallyBeginsToDiverge) {
  const Partition& it = GetParam();
  const TextFile record(pulse(it.time_step, 1e-3, 200.0));
  const StabilityCase ideal = of(filled(it.yaml, record.path(), 0.0));
  ASSERT_FALSE(ideal.critical.at_least);
  const double whole = std::floor(ideal.critical.delay / it.time_step);
  ASSERT_GE(whole, 1.0);
  for (const double ticks : {whole - 1.0, whole, whole + 1.0, whole + 2.0}) {
    const std::string yaml = filled(it.yaml, record.path(), ticks * it.time_step);
    const LabRun run = run_lab(yaml);
    ASSERT_EQ(run.report.result, evaluation::RunResult::kComplete) << run.report.reason;
    const StabilityCase found = of(yaml);
    EXPECT_EQ(found.compensated.stable, ticks <= whole) << ticks;
    const double grown = growth(run.row(it.response));
    EXPECT_EQ(grown < 1.0, ticks <= whole) << ticks << " ticks: grows by " << grown;
    // By as much as the spectral radius says, once one mode is left.
    const double steps = static_cast<double>(run.results.cols() / 3);
    EXPECT_NEAR(std::log(grown) / steps, std::log(found.compensated.spectral_radius),
                0.5 * std::abs(std::log(found.compensated.spectral_radius)) + 1.0 / steps)
        << ticks;
  }
}

std::vector<Partition> partitions() {
  const std::string shear =
      "test: shear\ntime_step: 1/1000 s\nduration: 30 s\nexcitation: {record: RECORD}\n"
      "numerical:\n  shear_building:\n    storeys:\n      ground: {mass: 20 t}\n"
      "      middle: {mass: 20 t, stiffness: 24 kN/mm}\n"
      "      top: {mass: 15 t, stiffness: 20 kN/mm}\n"
      "    damping: {rayleigh: {ratio: 6 %, modes: [1, 3]}}\n"
      "  integrator: {kind: kr-alpha, rho_infinity: 0.9}\n"
      "sites:\n  lab:\n    interface: [ground.x]\n    rig:\n"
      "      actuators: [{kind: delay, delay: DELAY}]\n"
      "      specimen: {kind: linear, stiffness: [[12e6]]}\n";
  const std::string frame =
      "test: frame\ntime_step: 1/1024 s\nduration: 30 s\nexcitation: {record: RECORD}\n"
      "numerical:\n  frame:\n"
      "    nodes:    {floor_w: [0, 3 m], floor_e: [6 m, 3 m], roof_w: [0, 6 m], roof_e: [6 "
      "m, "
      "6 m]}\n    supports: [{nodes: [floor_w, floor_e], fixed: [y]}]\n"
      "    sections: {column: {E: 210 GPa, A: 78.1 cm2, I: 5696 cm4}, beam: {E: 210 GPa, "
      "A: "
      "62.6 cm2, I: 11770 cm4}}\n    members:\n"
      "      - {from: floor_w, to: roof_w, section: column}\n"
      "      - {from: floor_e, to: roof_e, section: column}\n"
      "      - {from: floor_w, to: floor_e, section: beam}\n"
      "      - {from: roof_w,  to: roof_e,  section: beam}\n    floors:\n"
      "      - {nodes: [floor_w, floor_e], mass: 12 t, rotational_inertia: 500 kg.m2}\n"
      "      - {nodes: [roof_w, roof_e],   mass: 10 t, rotational_inertia: 500 kg.m2}\n"
      "    damping:  {rayleigh: {ratio: 0.05, modes: [1, 2]}}\n"
      "sites:\n  west:\n    interface: [floor_w.x, floor_w.rz]\n    rig:\n"
      "      actuators: [{kind: delay, delay: DELAY}, {kind: delay, delay: DELAY}]\n"
      "      specimen: {kind: column, E: 210 GPa, A: 78.1 cm2, I: 5696 cm4, height: 3 m}\n"
      "  east:\n    like: west\n    interface: [floor_e.x, floor_e.rz]\n";
  const std::string matrices =
      "test: matrices\ntime_step: 1/500 s\nduration: 120 s\nexcitation: {record: RECORD}\n"
      "numerical:\n  matrices:\n    dofs: [a.x, b.x, c.x]\n"
      "    mass: {rows: [[800, 100, 0], [100, 900, 50], [0, 50, 700]]}\n"
      "    stiffness: {rows: [[2e5, -1.2e5, 0], [-1.2e5, 2.6e5, -1e5], [0, -1e5, 1.4e5]]}\n"
      "    damping: {modal: {ratio: [0.04, 0.05, 0.07]}}\n"
      "  integrator: {kind: operator-splitting, alpha: -0.05}\n"
      "sites:\n  lab:\n    interface: [a.x, c.x]\n    control_tick: 1/500 s\n    rig:\n"
      "      actuators: [{kind: delay, delay: DELAY}, {kind: delay, delay: DELAY}]\n"
      "      specimen: {kind: linear, stiffness: [[5e4, -1e4], [-1e4, 4e4]], damping: "
      "[[20, "
      "0], [0, 30]]}\n";
  return {{"ShearBuilding", 1.0 / 1000.0, shear, "ground.x.disp_m"},
          {"TwoSiteFrame", 1.0 / 1024.0, frame, "floor_w.rz.disp_rad"},
          {"Matrices", 1.0 / 500.0, matrices, "a.x.disp_m"}};
}

const auto kName = [](const auto& it) {
  return std::string(it.param.name);
};

INSTANTIATE_TEST_SUITE_P(Partitions, PartitionDelay, ::testing::ValuesIn(partitions()),
                         kName);

}  // namespace
}  // namespace trestle::pretest::critical_delay_test
