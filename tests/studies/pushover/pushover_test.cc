// Pushover against numbers of two independent programs (OpenSees 3.8.0 and one of our own).
#include "studies/pushover/pushover.h"

#include "core/base/setting_error.h"
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
