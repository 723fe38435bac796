#include <gtest/gtest.h>

#include <cmath>
#include <ostream>
#include <string>
#include <vector>

#include "tests/system/lab_run.h"

namespace trestle {
namespace {

using testing::difference;
using testing::LabRun;
using testing::run_lab;

// The undivided structure is the oracle: cut in two or three, its halves joined over the
// bus by ideal rigs, it must move like the undivided structure.

const char* const kHead = R"(test: oracle
time_step: 1/1024 s
seed: 7
duration: 10 s
excitation: {record: synthetic, scale: 0.4, synthetic: {duration: 10 s}}
)";

// A storey's columns stand below; who carries them is the difference between the tests.
std::string model(const std::string& feet, const std::string& columns) {
  return R"(numerical:
  frame:
    nodes: {floor_w: [0, 3 m], floor_e: [6 m, 3 m], roof_w: [0, 6 m], roof_e: [6 m, 6 m])" +
         feet + R"(}
    supports:
      - {nodes: [floor_w, floor_e], fixed: [y]})" +
         (feet.empty() ? "" : "\n      - {nodes: [foot_w, foot_e], fixed: [x, y, rz]}") +
         R"(
    sections:
      column: {E: 210 GPa, A: 78.1 cm2, I: 5696 cm4}
      beam:   {E: 210 GPa, A: 62.6 cm2, I: 11770 cm4}
    members:
      - {from: floor_w, to: roof_w, section: column}
      - {from: floor_e, to: roof_e, section: column}
      - {from: floor_w, to: floor_e, section: beam}
      - {from: roof_w,  to: roof_e,  section: beam})" +
         columns + R"(
    floors:
      - {nodes: [floor_w, floor_e], mass: 12 t, rotational_inertia: 500 kg.m2}
      - {nodes: [roof_w, roof_e],   mass: 10 t, rotational_inertia: 500 kg.m2}
    damping: {rayleigh: {ratio: 0.02, modes: [1, 2]}}
)";
}

const char* const kFeet = ", foot_w: [0, 0], foot_e: [6 m, 0]";
const char* const kWestColumn = "\n      - {from: foot_w, to: floor_w, section: column}";
const char* const kEastColumn = "\n      - {from: foot_e, to: floor_e, section: column}";

std::string site(const std::string& name, const std::string& node,
                 const std::string& hysteresis) {
  return "  " + name + ":\n    interface: [" + node + ".x, " + node + R"(.rz]
    rig:
      actuators: [{kind: ideal}, {kind: ideal}]
      specimen: {kind: column, E: 210 GPa, A: 78.1 cm2, I: 5696 cm4, height: 3 m)" +
         (hysteresis.empty() ? "" : ", hysteresis: " + hysteresis) + "}\n";
}

/// Undivided: all columns are members of the model.
std::string uncut() {
  return kHead + model(kFeet, std::string(kWestColumn) + kEastColumn) + "undivided: true\n";
}
/// One column is in a laboratory.
std::string cut_in_two(const std::string& hysteresis = "") {
  return kHead + model(kFeet, kEastColumn) + "sites:\n" +
         site("west", "floor_w", hysteresis);
}
/// Both columns do, in two laboratories.
std::string cut_in_three(const std::string& hysteresis = "") {
  return kHead + model("", "") + "sites:\n" + site("west", "floor_w", hysteresis) +
         site("east", "floor_e", hysteresis);
}

std::string integrator(const std::string& kind) {
  return "numerical.integrator=" + kind;
}

Eigen::MatrixXd displacements(const std::string& yaml,
                              const std::vector<std::string>& overrides) {
  const LabRun run = run_lab(yaml, overrides);
  EXPECT_EQ(run.report.result, evaluation::RunResult::kComplete) << run.report.reason;
  EXPECT_EQ(run.results.cols(), run.report.steps_planned);
  return run.rows(".disp_");
}

/// Each kind of motion by itself: the largest relative difference of any DOF.
double worst(const Eigen::MatrixXd& one, const Eigen::MatrixXd& other) {
  double largest = 0.0;
  for (Eigen::Index i = 0; i < other.rows(); ++i)
    largest = std::max(largest, difference(one.row(i), other.row(i)));
  return largest;
}

struct Case {
  std::string name;
  std::string kind;
};
void PrintTo(const Case& of, std::ostream* stream) {
  *stream << of.name;
}

const std::vector<Case> kExact{
    {"explicit_newmark", "explicit-newmark"},
    {"kr_alpha", "{kind: kr-alpha, rho_infinity: 0.9}"},
    {"alpha_operator_splitting", "{kind: operator-splitting, alpha: -0.05}"},
};

class OracleOverTheBus : public ::testing::TestWithParam<Case> {};

// Cut and uncut solve the same equations, summed in another order; a damped structure does
// not amplify rounding, so 10 240 steps leave some 1e4 times 1e-16 of it.
TEST_P(OracleOverTheBus, AFrameCutInTwoMovesAsTheUncutOne) {
  const std::vector<std::string> scheme{integrator(GetParam().kind)};
  const Eigen::MatrixXd reference = displacements(uncut(), scheme);
  EXPECT_GT(reference.cwiseAbs().maxCoeff(), 1e-3);
  EXPECT_LT(worst(displacements(cut_in_two(), scheme), reference), 1e-10);
}

TEST_P(OracleOverTheBus, AFrameCutInThreeMovesAsTheUncutOne) {
  const std::vector<std::string> scheme{integrator(GetParam().kind)};
  EXPECT_LT(worst(displacements(cut_in_three(), scheme), displacements(uncut(), scheme)),
            1e-10);
}

INSTANTIATE_TEST_SUITE_P(Schemes, OracleOverTheBus, ::testing::ValuesIn(kExact),
                         [](const auto& of) { return of.param.name; });

class SameSplit : public ::testing::TestWithParam<Case> {};

std::vector<Case> all_cases() {
  std::vector<Case> cases = kExact;
  cases.push_back({"constant_average_acceleration", "constant-average-acceleration"});
  return cases;
}

const char* const kBilinear = "{kind: bilinear, yield_moment: 40 kN.m, hardening: 0.03}";

// The same arithmetic at the same places: the bus, the control loop and an ideal rig hand
// on every bit. Whatever the law of the specimens, since the reference evaluates it too.
TEST_P(SameSplit, TheUndividedReferenceGivesTheSameBits) {
  for (const char* law : {"", kBilinear}) {
    const std::vector<std::string> cut{integrator(GetParam().kind)};
    const std::vector<std::string> undivided{integrator(GetParam().kind), "undivided=true"};
    for (const std::string& yaml : {cut_in_two(law), cut_in_three(law)})
      EXPECT_EQ(displacements(yaml, cut), displacements(yaml, undivided)) << law;
  }
}

TEST_P(SameSplit, SpecimensThatYieldMoveOtherwiseThanElasticOnes) {
  const std::vector<std::string> scheme{integrator(GetParam().kind)};
  EXPECT_GT(worst(displacements(cut_in_three(kBilinear), scheme),
                  displacements(cut_in_three(), scheme)),
            0.01);
}

// An elastic specimen has no memory, and the last tick of a step aims at the whole target.
TEST_P(SameSplit, SeveralControlTicksPerStepChangeNothingForElasticSpecimens) {
  const std::vector<std::string> scheme{integrator(GetParam().kind)};
  const std::string tick = "control_tick=1/4096 s";
  const Eigen::MatrixXd ticks = displacements(
      cut_in_three(), {scheme[0], "sites.west." + tick, "sites.east." + tick});
  EXPECT_LT(worst(ticks, displacements(cut_in_three(), scheme)), 1e-10);
}

INSTANTIATE_TEST_SUITE_P(Schemes, SameSplit, ::testing::ValuesIn(all_cases()),
                         [](const auto& of) { return of.param.name; });

// A specimen that yields sees the way between two targets as well: with more ticks it is
// led along it, with one it goes straight. Only a corner of the law within a step tells the
// two apart, by (ωΔt)² of the motion: ω = 14 rad/s.
TEST(SeveralControlTicks, LeadASpecimenThatYieldsAlongNearlyTheSameWay) {
  const std::string tick = "control_tick=1/4096 s";
  EXPECT_LT(worst(displacements(cut_in_three(kBilinear),
                                {"sites.west." + tick, "sites.east." + tick}),
                  displacements(cut_in_three(kBilinear), {})),
            std::pow(14.0 / 1024.0, 2));
}

// The model's own nonlinear springs are taken where a site's force is taken.
TEST_P(OracleOverTheBus, AYieldingSpringInTheLaboratoryMovesAsTheOneInTheModel) {
  const std::string law =
      "{kind: bilinear, stiffness: 2 MN/m, yield_force: 8 kN, "
      "hardening: 0.05}";
  const std::string head = std::string(kHead) +
                           "numerical:\n  shear_building:\n    storeys:\n"
                           "      first: {mass: 2 t";
  const std::string roof =
      "}\n      roof: {mass: 1 t, stiffness: 1.5 MN/m}\n"
      "    damping: {rayleigh: {ratio: 0.02}}\n";
  const std::string lab =
      "sites:\n  lab:\n    interface: [first.x]\n    rig:\n      actuators: [ideal]\n"
      "      specimen: {kind: springs, laws: [" +
      law + "]}\n";
  const std::vector<std::string> scheme{integrator(GetParam().kind)};
  const Eigen::MatrixXd reference =
      displacements(head + ", law: " + law + roof + "undivided: true\n", scheme);
  EXPECT_GT(reference.row(0).cwiseAbs().maxCoeff(), 2.0 * 8e3 / 2e6);  // it yields
  EXPECT_LT(worst(displacements(head + roof + lab, scheme), reference), 1e-10);
}

// The site's force belongs to a place that is off by Δt²/4·(a_k − a_{k−1}) = O(Δt³), and
// with it the motion: both schemes are of second order, their difference is of third.
TEST(ConstantAverageAccelerationOverTheBus, ApproachesTheUncutFrameWithThirdOrder) {
  const auto error = [](const std::string& step) {
    const std::vector<std::string> settings{integrator("constant-average-acceleration"),
                                            "time_step=" + step, "duration=2 s"};
    return difference(displacements(cut_in_three(), settings),
                      displacements(uncut(), settings));
  };
  const double coarse = error("1/2048 s");
  const double fine = error("1/4096 s");
  EXPECT_NEAR(std::log2(coarse / fine), 3.0, 0.1) << coarse << " " << fine;
}

TEST(AMeasuredRecord, MovesTheCutFrameAsTheUncutOne) {
  const std::string record = TRESTLE_SOURCE_DIR "/tests/data/records/elcentro.csv";
  const std::vector<std::string> shaken{"excitation={record: " + record + "}",
                                        "duration=41.18 s"};
  const Eigen::MatrixXd reference = displacements(uncut(), shaken);
  EXPECT_EQ(reference.cols(), 42'169);
  EXPECT_LT(worst(displacements(cut_in_three(), shaken), reference), 1e-10);
}

}  // namespace
}  // namespace trestle
