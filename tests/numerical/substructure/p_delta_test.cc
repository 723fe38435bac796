// Axial forces of gravity that bend a frame, against numbers of two independent programs
// and closed forms.
#include "core/base/setting_error.h"
#include "numerical/integration/cholesky_factor.h"
#include "numerical/structure/combined_matrices.h"
#include "tests/numerical/substructure/structure_from_yaml.h"

namespace trestle::substructure::p_delta_test {
namespace {

using testing::Histories;
using testing::read_test;
using testing::structure_of;

constexpr double kAgreement = 1e-9;  // of the peak

#define EXPECT_AGREES_TO(value, anchor) \
  EXPECT_NEAR(value, anchor, kAgreement* std::abs(anchor))

std::string complaint(const std::string& text) {
  try {
    composition::make_numerical(read_test(text), {}, nullptr);
  } catch (const SettingError& error) {
    return error.problems().front().path + ": " + error.problems().front().what;
  }
  return "none";
}

/// A portal on pinned bases with 800 kN on each column.
struct Portal {
  std::string geometry = "p-delta";
  std::string form = "consistent";
  int parts = 1;
  std::string more = "";

  std::string text() const {
    return R"(
test: portal
time_step: 5 ms
duration: 25 s
numerical:
  frame:
    geometry: )" +
           geometry + "\n    p_delta: " + form + R"(
    nodes: {a: [0, 0], b: [6, 0], c: [0, 4], d: [6, 4]}
    supports: [{nodes: [a, b], fixed: [x, y]}]
    sections:
      column: {E: 210 GPa, A: 78.1 cm2, I: 5696 cm4}
      beam: {E: 210 GPa, A: 62.6 cm2, I: 11770 cm4}
    members:
      - {name: left, from: a, to: c, section: column, parts: )" +
           std::to_string(parts) + R"(}
      - {name: right, from: b, to: d, section: column, parts: )" +
           std::to_string(parts) + R"(}
      - {name: beam, from: c, to: d, section: beam}
    masses: [{node: c, mass: 10 t}, {node: d, mass: 10 t}]
    damping: {rayleigh: {mass_factor: 0.2, stiffness_factor: 0.002}}
  integrator: constant-average-acceleration
excitation:
  loads:
    weights: {nodes: {c: {y: -800 kN}, d: {y: -800 kN}}}
    push: {nodes: {c: {x: 10 kN}}}
  gravity: {from: none, loads: weights}
)" + more;
  }
};

/// Displacement of the left top under 10 kN, beside gravity.
double pushed(const structure::StructuralModel& structure) {
  Eigen::VectorXd d = Eigen::VectorXd::Zero(structure.equations);
  d[structure.equation("c.x")] = 1e4;
  integration::CholeskyFactor(structure::combined_stiffness(structure)).solve(d);
  return d[structure.equation("c.x")];
}

TEST(PDelta, PortalMovesVibratesAndBucklesAsTwoProgramsSay) {
  struct Anchor {
    const char* form;
    int parts;
    double pushed, omega2, buckling;
  };
  const std::vector<Anchor> anchors{
      {"chord", 1, 0.0237471727622, 21.0652205303, 1642610.32454},
      {"chord", 2, 0.0, 0.0, 1515670.56497},
      {"chord", 8, 0.0, 0.0, 1471827.03552},
      {"consistent", 1, 0.0265408808959, 18.8469336916, 1474204.57032},
      {"consistent", 2, 0.0, 0.0, 1469240.75092},
      {"consistent", 8, 0.0265982803748, 18.8062443458, 1468867.96057}};
  for (const Anchor& anchor : anchors) {
    SCOPED_TRACE(std::string(anchor.form) + " " + std::to_string(anchor.parts));
    const structure::StructuralModel structure =
        structure_of(read_test(Portal{.form = anchor.form, .parts = anchor.parts}.text()));
    EXPECT_AGREES_TO(800e3 * structure.buckling.factor, anchor.buckling);
    EXPECT_TRUE(structure.buckling.dof == "c.x" || structure.buckling.dof == "d.x")
        << structure.buckling.dof;
    if (anchor.pushed == 0.0) continue;
    EXPECT_AGREES_TO(pushed(structure), anchor.pushed);
    const structure::Modes modes = structure::lowest_modes(structure, 1);
    EXPECT_AGREES_TO(std::pow(modes.frequencies[0], 2), anchor.omega2);
  }
}

// Beams stay linear in the anchor. The hinges have their initial stiffness.
TEST(PDelta, FrameWithHingesHasTheModesOfTheAnchor) {
  const structure::StructuralModel structure = structure_of(read_test(R"(
test: hinges
time_step: 5 ms
duration: 1 s
numerical:
  integrator: operator-splitting
  frame:
    geometry: p-delta
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
      - {name: floor, from: '11', to: '12', section: beam, linear: true, plastic: &ends {from: {rz: &end {kind: bilinear, stiffness: 60*210e9*16270e-8/6, yield_force: 240 kN.m, hardening: 0.02}}, to: {rz: *end}}}
      - {name: roof, from: '21', to: '22', section: beam, linear: true, plastic: *ends}
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
  gravity: {from: none, loads: dead}
)"));
  const structure::Modes modes = structure::lowest_modes(structure, 2);
  EXPECT_AGREES_TO(std::pow(modes.frequencies[0], 2), 93.6973647887);
  EXPECT_AGREES_TO(std::pow(modes.frequencies[1], 2), 937.792103536);
}

TEST(PDelta, ShakesThePortalAsTwoProgramsSay) {
  if (!testing::records_are_here({"elcentro.csv"}))
    GTEST_SKIP() << "no ground motions beside the source";
  const std::string motion =
      "  motions: [{record: " + testing::record_from_rest("elcentro.csv") +
      ", scale: 0.4}]\nrecording: {nodes: c}\n";
  const auto peak = [&](const char* form, int parts) {
    std::string text = Portal{.form = form, .parts = parts, .more = motion}.text();
    const std::size_t push = text.find("    push:");
    text.erase(push, text.find('\n', push) + 1 - push);
    return Histories(read_test(text)).peak("c.x.disp_m");
  };
  EXPECT_AGREES_TO(peak("chord", 1), 0.0378631954477);
  EXPECT_AGREES_TO(peak("consistent", 1), 0.0400492386535);
  EXPECT_AGREES_TO(peak("consistent", 8), 0.0402002626991);
}

/// A member clamped at its start with a load along it, of `sign`: 1 presses.
std::string cantilever(const std::string& nodes, const std::string& section,
                       const std::string& load, const std::string& member) {
  return R"(
test: cantilever
time_step: 1 ms
duration: 0.1 s
numerical:
  frame:
    geometry: p-delta
    nodes: )" +
         nodes + R"(
    supports: [{nodes: a, fixed: all}]
    sections: {s: )" +
         section + R"(}
    members: [{name: m, from: a, to: b, section: s, parts: 8)" +
         member + R"(}]
    masses: [{node: b, mass: 1 t, rotational_inertia: 10 kg.m2}]
  integrator: constant-average-acceleration
excitation:
  loads: {axial: {nodes: {b: )" +
         load + R"(}}}
  gravity: {from: none, loads: axial}
)";
}

// Euler: π²EI/4L². Cubic members of length h are stiffer by (kh)⁴/720, k = π/2L.
TEST(PDelta, ColumnsBuckleAsEulerSays) {
  const double euler = M_PI * M_PI * 200e9 * 4000e-8 / 100.0;
  const structure::StructuralModel planar = structure_of(
      read_test(cantilever("{a: [0, 0], b: [3, 4]}", "{E: 200 GPa, A: 50 cm2, I: 4000 cm4}",
                           "{x: -6 kN, y: -8 kN}", "")));
  EXPECT_NEAR(1e4 * planar.buckling.factor / euler - 1.0, std::pow(M_PI / 16.0, 4) / 720.0,
              1e-8);
  // In space it buckles about the weaker axis, whichever that is.
  for (const char* moments : {"Iy: 4000 cm4, Iz: 9000 cm4", "Iy: 9000 cm4, Iz: 4000 cm4"}) {
    const structure::StructuralModel spatial = structure_of(read_test(
        cantilever("{a: [0, 0, 0], b: [3, 0, 4]}",
                   std::string("{E: 200 GPa, A: 50 cm2, J: 100 cm4, ") + moments + "}",
                   "{x: -6 kN, z: -8 kN}", ", roll: 20 deg")));
    EXPECT_NEAR(spatial.buckling.factor, planar.buckling.factor,
                1e-9 * planar.buckling.factor)
        << moments;
  }
}

TEST(PDelta, TensionStiffensAndCannotBuckle) {
  const auto stiffness_under = [](const char* load) {
    const structure::StructuralModel structure = structure_of(read_test(cantilever(
        "{a: [0, 0], b: [3, 4]}", "{E: 200 GPa, A: 50 cm2, I: 4000 cm4}", load, "")));
    return std::pair(structure.buckling.factor,
                     structure::lowest_modes(structure, 1).frequencies[0]);
  };
  const auto [pressed_factor, pressed] = stiffness_under("{x: -6 kN, y: -8 kN}");
  const auto [pulled_factor, pulled] = stiffness_under("{x: 6 kN, y: 8 kN}");
  EXPECT_TRUE(std::isinf(pulled_factor)) << pulled_factor;
  EXPECT_GT(pulled, pressed);
  // To first order as far above the linear frequency as the pressed one is below.
  const auto [none, linear] = stiffness_under("{x: 6e-9 N, y: 8e-9 N}");
  EXPECT_NEAR(pulled * pulled - linear * linear, linear * linear - pressed * pressed,
              0.1 * (linear * linear - pressed * pressed));
}

// A column hinged at both ends carries its load across the chord, whatever its stiffness:
// the prop that holds it up has the stiffness that is left.
TEST(PDelta, HingedColumnLeansOnWhatHoldsIt) {
  for (const char* parts : {"1", "2"}) {
    const structure::StructuralModel structure = structure_of(read_test(std::string(R"(
test: leaning
time_step: 1 ms
duration: 0.1 s
numerical:
  frame:
    geometry: p-delta
    nodes: {a: [0, 0], b: [0, 4]}
    supports: [{nodes: a, fixed: all}]
    sections: {s: {E: 210 GPa, A: 78.1 cm2, I: 5696 cm4}}
    members: [{name: m, from: a, to: b, section: s, hinges: [from, to], parts: )") +
                                                                        parts + R"(}]
    masses: [{node: b, mass: 1 t}]
    springs: [{node: b, dof: x, law: {kind: linear, stiffness: 300 kN/m}}]
  integrator: constant-average-acceleration
excitation:
  loads: {weight: {nodes: {b: {y: -400 kN}}}}
  gravity: {from: none, loads: weight}
)"));
    Eigen::VectorXd d = Eigen::VectorXd::Zero(structure.equations);
    d[structure.equation("b.x")] = 1e3;
    integration::CholeskyFactor(structure::combined_stiffness(structure)).solve(d);
    EXPECT_NEAR(d[structure.equation("b.x")], 1e3 / (300e3 - 400e3 / 4.0), 1e-12) << parts;
    EXPECT_NEAR(structure.buckling.factor, 3.0, 1e-9) << parts;
  }
}

// The forces on the ends of the members are in equilibrium with the loads where the frame
// stands: the columns' shear is what was pushed, P-Delta included.
TEST(PDelta, EndForcesCarryWhatIsPushed) {
  const Histories run(
      read_test(Portal{.more = "recording: {members: all, nodes: [c, d]}\n"}.text().replace(
          Portal{}.text().find("loads: weights"), 14, "loads: [weights, push]")));
  EXPECT_NEAR(run.of("left.to.V_N").front() + run.of("right.to.V_N").front(), -1e4, 1e-3);
}

TEST(PDelta, DampsByWhatTheMaterialHasAlone) {
  // Rayleigh's stiffness part is that of the linear frame.
  const structure::StructuralModel bent = structure_of(read_test(Portal{}.text()));
  const structure::StructuralModel straight =
      structure_of(read_test(Portal{.geometry = "linear"}.text()));
  const Eigen::MatrixXd difference = bent.damping - straight.damping;
  EXPECT_LT(difference.cwiseAbs().maxCoeff(),
            1e-12 * Eigen::MatrixXd(straight.damping).cwiseAbs().maxCoeff());
  // Ratios are met with it.
  std::string text = Portal{}.text();
  const std::string factors = "{mass_factor: 0.2, stiffness_factor: 0.002}";
  text.replace(text.find(factors), factors.size(), "{ratio: 3 %, modes: [1, 2]}");
  const structure::StructuralModel with_ratios = structure_of(read_test(text));
  const Eigen::VectorXd ratios =
      structure::damping_ratios(with_ratios, structure::lowest_modes(with_ratios, 2));
  EXPECT_NEAR(ratios[0], 0.03, 1e-12);
  EXPECT_NEAR(ratios[1], 0.03, 1e-12);
}

TEST(PDelta, TellsWhatIsWrong) {
  std::string text = Portal{}.text();
  text.resize(text.find("excitation:"));
  EXPECT_EQ(complaint(text),
            "numerical.frame.geometry: p-delta needs the axial forces of gravity, and the "
            "test has none; give excitation.gravity, or take linear");
  text = Portal{}.text();
  for (std::size_t at = 0; (at = text.find("-800 kN", at)) != std::string::npos;)
    text.replace(at, 7, "-1600 kN");
  // Both tops move alike: rounding decides which of them is named.
  const std::string buckles = complaint(text);
  for (const char* part : {"numerical.frame.geometry: the frame buckles at 0.921378 of its "
                           "gravity load (lowest "
                           "mode at `",
                           ".x`); make it stiffer, or reduce the load"})
    EXPECT_NE(buckles.find(part), std::string::npos) << buckles;
  EXPECT_EQ(complaint(Portal{.geometry = "linear", .form = "chord"}.text()),
            "numerical.frame.p_delta: is of `geometry: p-delta`; this frame's geometry is "
            "linear");
}

}  // namespace
}  // namespace trestle::substructure::p_delta_test
