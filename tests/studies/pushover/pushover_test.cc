// Pushover against numbers of two independent programs (OpenSees 3.8.0 and one of our own).
#include "studies/pushover/pushover.h"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "core/base/setting_error.h"
#include "studies/pushover/pushover_results.h"
#include "tests/numerical/substructure/structure_from_yaml.h"

namespace trestle::pushover::pushover_test {
namespace {

using testing::read_test;

/// Two storeys whose column bases and beam ends yield, under gravity.
std::string hinges(const std::string& geometry = "linear", const std::string& linear = "") {
  return R"(
test: hinges
time_step: 1 ms
duration: 0.01 s
numerical:
  integrator: implicit
  frame:
    geometry: )" +
         geometry + R"(
    nodes: {'1': [0, 0], '2': [6, 0], '11': [0, 3.5], '12': [6, 3.5], '21': [0, 7], '22': [6, 7]}
    supports: [{nodes: ['1', '2'], fixed: all}]
    sections:
      column: {E: 210 GPa, A: 106 cm2, I: 11260 cm4}
      beam: {E: 210 GPa, A: 72.7 cm2, I: 16270 cm4}
    members:
      - {name: c1, from: '1', to: '11', section: column, plastic: {from: {rz: &base {kind: bilinear, stiffness: 60*210e9*11260e-8/3.5, yield_force: 260 kN.m, hardening: 0.02}}}}
      - {name: c2, from: '2', to: '12', section: column, plastic: {from: {rz: *base}}}
      - {from: '11', to: '21', section: column}
      - {from: '12', to: '22', section: column}
      - {name: floor, from: '11', to: '12', section: beam)" +
         linear +
         R"(, plastic: &ends {from: {rz: &end {kind: bilinear, stiffness: 60*210e9*16270e-8/6, yield_force: 240 kN.m, hardening: 0.02}}, to: {rz: *end}}}
      - {name: roof, from: '21', to: '22', section: beam)" +
         linear + R"(, plastic: *ends}
    masses:
      - {node: '11', mass: 14 t, rotational_inertia: 700 kg.m2}
      - {node: '12', mass: 14 t, rotational_inertia: 700 kg.m2}
      - {node: '21', mass: 11 t, rotational_inertia: 600 kg.m2}
      - {node: '22', mass: 11 t, rotational_inertia: 600 kg.m2}
excitation:
  loads:
    dead:
      nodes: {'11': {y: -150 kN}, '12': {y: -150 kN}, '21': {y: -120 kN}, '22': {y: -120 kN}}
      members: {floor: {y: -30 kN/m}, roof: {y: -22 kN/m}}
    push: {nodes: {'11': {x: 14}, '12': {x: 14}, '21': {x: 11}, '22': {x: 11}}}
  gravity: {from: [], loads: dead}
)";
}

PushoverSettings roof(double to, Pattern pattern = Pattern::kMass) {
  return {.dof = "21.x", .displacement = to, .steps = 100, .pattern = pattern};
}

double shear_at(const PushoverCurve& curve, double displacement) {
  for (std::size_t i = 0; i < curve.displacement.size(); ++i)
    if (std::abs(curve.displacement[i] - displacement) < 1e-9) return curve.shear[i];
  ADD_FAILURE() << displacement << " is no state";
  return 0.0;
}

TEST(Pushover, FrameWithHingesResistsAsTwoProgramsSay) {
  const std::vector<std::pair<double, double>> anchors{{0.02, 79695.5562958},
                                                       {0.05, 192184.805988},
                                                       {0.1, 295765.444406},
                                                       {0.2, 411847.426722}};
  // Loads as the masses, given and by the masses.
  for (const Pattern pattern : {Pattern::kMass, Pattern::kLoads}) {
    const PushoverCurve curve = push_over(read_test(hinges()), roof(0.2, pattern));
    EXPECT_EQ(curve.ended, "");
    ASSERT_EQ(curve.displacement.size(), 101U);
    EXPECT_EQ(curve.shear.front(), 0.0);
    for (const auto& [displacement, shear] : anchors)
      EXPECT_NEAR(shear_at(curve, displacement), shear, 1e-9 * 411847.0) << displacement;
  }
}

// Ours are the axial forces of gravity, as in a program of our own; the two programs' are
// the present ones.
TEST(Pushover, AxialForcesOfGravityWeakenTheFrame) {
  const PushoverCurve curve = push_over(
      read_test(hinges("p-delta\n    p_delta: chord", ", linear: true")), roof(0.2));
  struct Anchor {
    double displacement, constant, present;
  };
  for (const Anchor& anchor : {Anchor{0.02, 77218.16056607004, 77218.5185057},
                               {0.05, 185993.31040988822, 185994.376849},
                               {0.1, 282730.75451697095, 282731.331261},
                               {0.2, 386175.73576189036, 386178.746857}}) {
    const double shear = shear_at(curve, anchor.displacement);
    EXPECT_NEAR(shear, anchor.constant, 1e-9 * 386175.0) << anchor.displacement;
    EXPECT_NEAR(shear, anchor.present, 1e-5 * anchor.present) << anchor.displacement;
  }
}

// A rigid column on a hinge that does not harden: V = (M − N·u)/h from its yield on, with N
// on the chord; it falls with the displacement, and turns its sign.
TEST(Pushover, FollowsTheLoadBeyondItsPeak) {
  for (const double gravity : {400.0, 0.001}) {
    const PushoverCurve curve = push_over(read_test(R"(
test: column
time_step: 1 ms
duration: 0.01 s
numerical:
  integrator: implicit
  frame:
    geometry: p-delta
    p_delta: chord
    nodes: {a: [0, 0], b: [0, 3]}
    supports: [{nodes: a, fixed: all}]
    sections: {s: {E: 210 GPa, A: 106 cm2, I: 11260 cm4}}
    members: [{name: c, from: a, to: b, section: s, plastic: {from: {rz: {kind: bilinear, stiffness: 60*210e9*11260e-8/3, yield_force: 200 kN.m}}}}]
    masses: [{node: b, mass: 10 t, rotational_inertia: 1 kg.m2}]
excitation:
  loads: {dead: {nodes: {b: {y: -)" + std::to_string(gravity) +
                                                    R"( kN}}}}
  gravity: {from: [], loads: dead}
)"),
                                          {.dof = "b.x", .displacement = 0.6, .steps = 60});
    EXPECT_EQ(curve.ended, "");
    ASSERT_EQ(curve.shear.size(), 61U);
    for (std::size_t i = 10; i < curve.shear.size(); ++i)
      EXPECT_NEAR(curve.shear[i], (200e3 - 1e3 * gravity * curve.displacement[i]) / 3.0,
                  1e-3)
          << i;
  }
}

// While nothing yields the shear is in proportion, to both sides.
TEST(Pushover, IsStaticsWhileNothingYields) {
  const PushoverCurve curve = push_over(read_test(hinges()), roof(-0.01, Pattern::kMode1));
  EXPECT_NEAR(curve.shear.back(), 10.0 * curve.shear[10], 1e-6 * 4e4);
  EXPECT_LT(curve.shear.back(), -3e4);
}

/// The frame of hinges(), its left ground-floor column in a laboratory.
std::string with_column_in_laboratory(const std::string& gravity) {
  std::string text = hinges();
  const std::string column =
      "      - {name: c1, from: '1', to: '11', section: column, plastic: {from: {rz: "
      "&base ";
  const std::size_t at = text.find(column);
  const std::size_t end = text.find("}}}\n", at);
  const std::string law = text.substr(at + column.size(), end - at - column.size());
  text.replace(at, end + 4 - at, "");
  text.replace(text.find("*base"), 5, law);
  return text + R"(
sites:
  west:
    interface: ['11.x', '11.y', '11.rz']
    gravity: )" +
         gravity + R"(
    rig:
      actuators: [ideal, ideal, ideal]
      specimen:
        kind: frame
        interface: ['11.x', '11.y', '11.rz']
        frame:
          nodes: {'1': [0, 0], '11': [0, 3.5]}
          supports: [{nodes: '1', fixed: all}]
          sections: {column: {E: 210 GPa, A: 106 cm2, I: 11260 cm4}}
          members: [{name: c1, from: '1', to: '11', section: column, plastic: {from: {rz: )" +
         law + R"(}}}]
)";
}

// The two programs know nothing of a laboratory: where the column stands does not change
// what the frame resists. Gravity is applied, since the moment of gravity is in their
// hinge.
TEST(Pushover, AYieldingColumnInALaboratoryResistsAsInTheModel) {
  const PushoverCurve curve =
      push_over(read_test(with_column_in_laboratory("apply")), roof(0.2));
  EXPECT_EQ(curve.ended, "");
  for (const auto& [displacement, shear] :
       std::vector<std::pair<double, double>>{{0.02, 79695.5562958},
                                              {0.05, 192184.805988},
                                              {0.1, 295765.444406},
                                              {0.2, 411847.426722}})
    EXPECT_NEAR(shear_at(curve, displacement), shear, 1e-9 * 411847.0) << displacement;
  ASSERT_EQ(curve.specimens.size(), 3U);
  EXPECT_EQ(curve.specimens[1].by, SpecimenForce::kLaw);
  // From its zero, the unloaded state: OpenSees' force of gravity on the top of the column.
  EXPECT_NEAR(curve.specimens[1].force.front(), -426000.0, 1e-3);
  EXPECT_TRUE(curve.specimens[2].rotation);
}

// Preloaded, its zero is the state under gravity: no force there, and the hinge yields at
// the moment that gravity has taken from it, later.
TEST(Pushover, APreloadedColumnBeginsAtItsZero) {
  const PushoverCurve curve =
      push_over(read_test(with_column_in_laboratory("preloaded")), roof(0.2));
  EXPECT_EQ(curve.shear.front(), 0.0);
  for (const PushedDof& dof : curve.specimens) {
    EXPECT_EQ(dof.displacement.front(), 0.0) << dof.dof;
    EXPECT_EQ(dof.force.front(), 0.0) << dof.dof;
  }
  EXPECT_NEAR(shear_at(curve, 0.02), 79695.5562958, 1e-9 * 411847.0);  // elastic
  EXPECT_GT(std::abs(curve.shear.back() - 411847.426722), 1.0);
}

/// A mass on a specimen alone, pushed by 0.1 m in 50 steps.
PushoverCurve on_specimen(const std::string& rig) {
  return push_over(read_test(R"(
test: specimen
time_step: 1 ms
duration: 0.01 s
numerical:
  shear_building: {storeys: {first: {mass: 20 t}}}
  integrator: operator-splitting
sites: {lab: {interface: [first.x], )" +
                             rig + "}}\n"),
                   {.dof = "first.x", .displacement = 0.1, .steps = 50});
}

TEST(Pushover, FollowsTheLawsOfSpecimens) {
  struct Kind {
    const char* rig;
    double stiffness, yield, after;
  };
  // A cantilever of 3 m, its hinge at the foot: hardening/(1 − hardening) of 6EI/h after
  // yield, in series with 3EI/h³.
  constexpr double kFlexure = 210e9 * 5696e-8;
  constexpr double kHinge = 0.05 / 0.95 * 6.0 * kFlexure / 3.0;
  constexpr double kColumn = 3.0 * kFlexure / 27.0;
  for (const Kind& kind :
       {Kind{"rig: {actuators: [ideal], specimen: {kind: springs, laws: [{kind: bilinear, "
             "stiffness: 2 MN/m, yield_force: 30 kN, hardening: 0.1}]}}",
             2e6, 30e3, 0.2e6},
        Kind{"rig: {actuators: [ideal], specimen: {kind: column, E: 210 GPa, A: 78.1 cm2, "
             "I: "
             "5696 cm4, height: 3 m, hysteresis: {kind: bilinear, yield_moment: 120 kN.m, "
             "hardening: 0.05}}}",
             kColumn, 40e3, 1.0 / (1.0 / kColumn + 9.0 / kHinge)},
        Kind{"rig: {actuators: [ideal], specimen: {kind: linear, stiffness: [[2e6]]}}", 2e6,
             1e9, 2e6}}) {
    const PushoverCurve curve = on_specimen(kind.rig);
    EXPECT_EQ(curve.ended, "") << kind.rig;
    ASSERT_EQ(curve.shear.size(), 51U);
    for (std::size_t i = 0; i < curve.shear.size(); ++i) {
      const double moved = 0.1 * static_cast<double>(i) / 50.0;
      const double bend = kind.yield / kind.stiffness;
      const double force =
          moved < bend ? kind.stiffness * moved : kind.yield + kind.after * (moved - bend);
      EXPECT_NEAR(curve.shear[i], force, 1e-9 * 2e5) << kind.rig << i;
      EXPECT_NEAR(curve.specimens[0].force[i], force, 1e-9 * 2e5) << kind.rig << i;
    }
    EXPECT_EQ(curve.specimens[0].by, SpecimenForce::kLaw);
  }
}

TEST(Pushover, ASpecimenWithoutARigResistsNothingAndSaysSo) {
  const PushoverCurve curve =
      push_over(read_test(R"(
test: specimen
time_step: 1 ms
duration: 0.01 s
numerical:
  shear_building: {storeys: {first: {mass: 20 t, stiffness: 1 MN/m}}}
  integrator: operator-splitting
sites: {lab: {interface: [first.x], address: 'tcp://lab:7000'}}
)"),
                {.dof = "first.x", .displacement = 0.1, .steps = 5});
  EXPECT_NEAR(curve.shear.back(), 1e5, 1e-6);
  ASSERT_EQ(curve.specimens.size(), 1U);
  EXPECT_EQ(curve.specimens[0].by, SpecimenForce::kNone);
  EXPECT_NE(pushover_text(curve).find("no resistance: this file has no rig of it"),
            std::string::npos);
}

TEST(Pushover, RefusesWhatCannotBePushed) {
  const auto told = [](const PushoverSettings& settings, std::string text = hinges()) {
    try {
      push_over(read_test(text), settings);
    } catch (const SettingError& error) {
      return error.problems().front().path + ": " + error.problems().front().what;
    }
    return std::string("none");
  };
  PushoverSettings wrong = roof(0.1);
  wrong.dof = "21.rz";
  EXPECT_TRUE(told(wrong).starts_with("--node: the model has no free translation `21.rz`"));
  wrong.dof = "1.x";
  EXPECT_TRUE(told(wrong).starts_with("--node: the model has no free translation `1.x`"));
}

}  // namespace
}  // namespace trestle::pushover::pushover_test
