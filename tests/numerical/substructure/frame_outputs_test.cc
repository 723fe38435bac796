// Support reactions, storey drifts and shears of frames: against numbers of two independent
// programs (OpenSees 3.8.0 and one of our own), and against equilibrium.
#include <map>
#include <string>
#include <vector>

#include "core/base/setting_error.h"
#include "tests/numerical/substructure/structure_from_yaml.h"

namespace trestle::substructure::frame_outputs_test {
namespace {

using testing::Histories;
using testing::read_test;

constexpr double kAgreement = 1e-9;  // of the peak

std::vector<std::string> problems_of(const std::string& text) {
  std::vector<std::string> lines;
  try {
    composition::make_numerical(read_test(text), {}, nullptr);
  } catch (const SettingError& error) {
    for (const SettingIssue& problem : error.problems())
      lines.push_back(problem.path + ": " + problem.what);
  }
  return lines;
}

std::string shake() {
  const std::string file =
      ::testing::TempDir() + "/outputs_" + std::to_string(::getpid()) + ".csv";
  std::ofstream(file) << "0, 0\n0.3, 2\n0.7, -3\n1.1, 1\n2, 0\n";
  return file;
}

/// Corners 1 to 4 at three levels, node 10·level + corner, eccentric rigid floors; loads
/// that stand for gravity, so that step 0 is in equilibrium with them.
std::string corner_frame(const std::string& recording) {
  std::string text = R"(
test: frame
time_step: 5 ms
duration: 5 ms
numerical:
  integrator: constant-average-acceleration
  frame:
    supports: [{nodes: ['1', '2', '3', '4'], fixed: all}]
    sections:
      column: {E: 210 GPa, G: 80 GPa, A: 106 cm2, J: 102.7 cm4, Iy: 11260 cm4, Iz: 3923 cm4}
      heavy: {E: 210 GPa, G: 80 GPa, A: 149 cm2, J: 185 cm4, Iy: 25170 cm4, Iz: 5135 cm4}
      beam: {E: 210 GPa, G: 80 GPa, A: 72.7 cm2, J: 37.3 cm4, Iy: 16270 cm4, Iz: 1043 cm4}
    diaphragms:
      d1: {nodes: ['11', '12', '13', '14'], centre: [3.4, 2.2], mass: 24 t,
           rotational_inertia: 24000*61/12 kg.m2}
      d2: {nodes: ['21', '22', '23', '24'], centre: [3.4, 2.2], mass: 18 t,
           rotational_inertia: 18000*61/12 kg.m2}
)";
  std::string nodes = "    nodes:\n";
  std::string members = "    members:\n";
  const char* corners[] = {"0, 0", "6, 0", "6, 5", "0, 5"};
  for (int level = 0; level < 3; ++level)
    for (int corner = 1; corner <= 4; ++corner) {
      const auto name = [](int l, int c) {
        return "'" + std::to_string(10 * l + c) + "'";
      };
      nodes += "      " + name(level, corner) + ": [" + corners[corner - 1] + ", " +
               std::to_string(3.5 * level) + "]\n";
      if (level == 0) continue;
      const bool heavy = corner == 3;
      members += "      - {from: " + name(level - 1, corner) +
                 ", to: " + name(level, corner) +
                 ", section: " + (heavy ? "heavy" : "column") +
                 ", z: " + (heavy ? "[0, 1, 0]" : "[1, 0, 0]") + "}\n";
      members += "      - {from: " + name(level, corner) +
                 ", to: " + name(level, corner % 4 + 1) + ", section: beam}\n";
    }
  return text + nodes + members + R"(
excitation:
  loads: {push: {nodes: {d2: {x: 100 kN}, '12': {y: 30 kN, z: -200 kN}}}}
  gravity: {from: [], loads: push}
recording: )" +
         recording + "\n";
}

TEST(Reactions, SpatialFrameHasThoseOfTwoPrograms) {
  for (const std::string reaction : {"elastic", "total"}) {
    const Histories run(read_test(
        corner_frame("{reactions: all, reaction: " + reaction + ", storeys: all}")));
    const std::vector<std::pair<const char*, double>> anchors{
        {"x.reaction_N", -30193.279307},   {"y.reaction_N", -1830.46237347},
        {"z.reaction_N", -45465.4249505},  {"rx.reaction_Nm", 3357.09364296},
        {"ry.reaction_Nm", -69146.036233}, {"rz.reaction_Nm", -5.79809460595}};
    // The total is what it is at rest, but for the rounding of the acceleration.
    const double agreement = reaction == "elastic" ? kAgreement : 1e-7;
    for (const auto& [dof, anchor] : anchors)
      EXPECT_NEAR(run.of(std::string("1.") + dof).front(), anchor, agreement * 69146.0)
          << dof;
    // Equilibrium with the loads: their shears, their moments about the middle (3, 2.5, 0),
    // and what each storey carries.
    EXPECT_NEAR(run.of("base.x.shear_N").front(), 100e3, 1e-2);
    EXPECT_NEAR(run.of("base.y.shear_N").front(), 30e3, 1e-2);
    EXPECT_NEAR(run.of("base.x.overturning_Nm").front(), 100e3 * 7.0 + 200e3 * 3.0, 0.1);
    EXPECT_NEAR(run.of("base.y.overturning_Nm").front(), 30e3 * 3.5 + 200e3 * -2.5, 0.1);
    EXPECT_NEAR(run.of("d1.x.shear_N").front(), 100e3, 1e-2);
    EXPECT_NEAR(run.of("d1.y.shear_N").front(), 30e3, 1e-2);
    EXPECT_NEAR(run.of("d2.x.shear_N").front(), 100e3, 1e-2);
    EXPECT_NEAR(run.of("d2.y.shear_N").front(), 0.0, 1e-2);
    // The mean of the corners is the middle, which is (-0.4, 0.3) from the centre.
    const double d1 = 0.00824300995538 - 0.3 * 0.000246997701081;
    EXPECT_NEAR(run.of("d1.x.drift_m").front(), d1, 1e-11);
    EXPECT_NEAR(run.of("d1.x.drift_ratio").front(), d1 / 3.5, 1e-11);
    EXPECT_NEAR(
        run.of("d2.y.drift_m").front(),
        0.0023115223311 - 0.00174799163251 - 0.4 * (0.000406322156728 - 0.000246997701081),
        1e-11);
  }
}

/// Two storeys whose column bases and beam ends yield, under gravity.
std::string hinges(const std::string& recording) {
  return R"(
test: hinges
time_step: 1 ms
duration: 0.01 s
numerical:
  integrator: operator-splitting
  frame:
    nodes: {'1': [0, 0], '2': [6, 0], '11': [0, 3.5], '12': [6, 3.5], '21': [0, 7], '22': [6, 7]}
    supports: [{nodes: ['1', '2'], fixed: all}]
    sections:
      column: {E: 210 GPa, A: 106 cm2, I: 11260 cm4}
      beam: {E: 210 GPa, A: 72.7 cm2, I: 16270 cm4}
    members:
      - {name: c1, from: '1', to: '11', section: column, plastic: {from: {rz: &base {kind: bilinear, stiffness: 60*210e9*11260e-8/3.5, yield_force: 260 kN.m, hardening: 0.02}}}}
      - {name: c2, from: '2', to: '12', section: column, plastic: {from: {rz: *base}}}
      - {name: c3, from: '11', to: '21', section: column}
      - {name: c4, from: '12', to: '22', section: column}
      - {name: floor, from: '11', to: '12', section: beam, plastic: &ends {from: {rz: &end {kind: bilinear, stiffness: 60*210e9*16270e-8/6, yield_force: 240 kN.m, hardening: 0.02}}, to: {rz: *end}}}
      - {name: roof, from: '21', to: '22', section: beam, plastic: *ends}
    masses:
      - {node: '11', mass: 14 t, rotational_inertia: 700 kg.m2}
      - {node: '12', mass: 14 t, rotational_inertia: 700 kg.m2}
      - {node: '21', mass: 11 t, rotational_inertia: 600 kg.m2}
      - {node: '22', mass: 11 t, rotational_inertia: 600 kg.m2}
excitation:
  loads:
    dead:
      nodes: {'11': {y: -150 kN}, '12': {y: -150 kN}, '21': {y: -120 kN}, '22': {y: -120 kN}, '1': {y: -7 kN}}
      members: {floor: {y: -30 kN/m}, roof: {y: -22 kN/m}}
  gravity: {from: [], loads: dead}
recording: )" +
         recording + "\n";
}

// The forces on the start of the left column, in global axes: through a hinge. The load on
// the support goes into it.
TEST(Reactions, FrameWithHingesHasThoseOfTwoPrograms) {
  const Histories run(read_test(hinges("{reactions: ['1'], reaction: elastic}")));
  EXPECT_NEAR(run.of("1.y.reaction_N").front(), 426000.0 + 7000.0, kAgreement * 426000.0);
  EXPECT_NEAR(run.of("1.x.reaction_N").front(), 12315.0576039, kAgreement * 426000.0);
  EXPECT_NEAR(run.of("1.rz.reaction_Nm").front(), -14013.8220139, kAgreement * 426000.0);
}

/// A frame of two rigid floors that is shaken, with springs to the ground.
std::string shaken(const std::string& frame, const std::string& recording,
                   const std::string& integrator = "constant-average-acceleration") {
  return R"(
test: shaken
time_step: 5 ms
duration: 2 s
numerical:
  integrator: )" +
         integrator + R"(
  frame:
    nodes: {a: [0, 0], b: [6, 0], c: [0, 3], d: [6, 3], e: [0, 5.5], f: [6, 5.5]}
    supports: [{nodes: [a, b], fixed: all}]
    sections:
      s: {E: 210 GPa, A: 106 cm2, I: 11260 cm4, mass_per_length: 200 kg/m}
    members:
      - {name: ac, from: a, to: c, section: s}
      - {name: bd, from: b, to: d, section: s}
      - {name: ce, from: e, to: c, section: s}
      - {name: df, from: d, to: f, section: s}
      - {from: c, to: d, section: s}
      - {from: e, to: f, section: s}
    floors: [{nodes: [e, f], mass: 8 t, rigid: true}, {nodes: [c, d], mass: 10 t, rigid: true}]
    damping: {rayleigh: {mass_factor: 0, stiffness_factor: 0.002}}
)" + frame +
         "excitation: {motions: [{record: " + shake() + "}]}\nrecording: " + recording +
         "\n";
}

// The force of the ground moves all mass; damping by stiffness is inside the structure.
TEST(BaseShear, MovesAllMass) {
  for (const std::string kind : {"lumped", "consistent"})
    for (const std::string spring :
         {"", "    springs: [{node: e, dof: x, law: {kind: linear, stiffness: 1 MN/m}}]\n",
          "    springs: [{node: e, dof: x, law: {kind: bilinear, stiffness: 1 MN/m, "
          "yield_force: 2 kN, hardening: 0.1}}]\n"}) {
      const Histories run(
          read_test(shaken("    mass_matrix: " + kind + "\n" + spring, "{storeys: all}")));
      const std::vector<double> shear = run.of("base.shear_N");
      const std::vector<double> low = run.of("c.x.acc_m_s2");
      const std::vector<double> high = run.of("e.x.acc_m_s2");
      const std::vector<double> drift = run.of("s2.drift_m");
      const std::vector<double> top = run.of("e.x.disp_m");
      const std::vector<double> middle = run.of("c.x.disp_m");
      // Both columns of a storey, half of their mass at each end; a consistent mass
      // also turns with them: m L/12 (θ_upper − θ_lower) for a member upwards.
      const auto turn = [&](const char* one, const char* other) {
        std::vector<double> sum = run.of(one);
        const std::vector<double> more = run.of(other);
        for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += more[k];
        return sum;
      };
      const std::vector<double> of_low = turn("c.rz.acc_rad_s2", "d.rz.acc_rad_s2");
      const std::vector<double> of_high = turn("e.rz.acc_rad_s2", "f.rz.acc_rad_s2");
      const double turns = kind == "lumped" ? 0.0 : 1.0;
      for (std::size_t k = 1; k < shear.size(); ++k) {
        const double t = 0.005 * static_cast<double>(k);
        const double ground = t < 0.3   ? 2.0 * t / 0.3
                              : t < 0.7 ? 2.0 - 5.0 * (t - 0.3) / 0.4
                              : t < 1.1 ? -3.0 + 4.0 * (t - 0.7) / 0.4
                                        : 1.0 - (t - 1.1) / 0.9;
        const double floors =
            (10e3 + 1200.0) * (low[k] + ground) + (8e3 + 1200.0) * (high[k] + ground);
        const double columns = 1200.0 * (0.5 * low[k] + ground) +
                               1000.0 * (0.5 * (low[k] + high[k]) + ground) +
                               turns * (600.0 * 3.0 / 12.0 * of_low[k] +
                                        500.0 * 2.5 / 12.0 * (of_high[k] - of_low[k]));
        ASSERT_NEAR(shear[k], -(floors + columns), 0.1) << kind << spring << k;
        ASSERT_NEAR(drift[k], top[k] - middle[k], 1e-15);
      }
    }
}

// A portal that stands on springs to the ground alone: each acts where its node is. Beside
// it a spring at the roof. A slow force is statics.
TEST(BaseShear, OverturnsAboutTheSpringsOfTheGround) {
  for (const std::string law : {"kind: linear", "kind: bilinear, yield_force: 1e9"}) {
    const Histories run(read_test(R"(
test: soil
time_step: 10 ms
duration: 12 s
numerical:
  integrator: {kind: implicit, iterations: 4}
  frame:
    nodes: {a: [0, 0], b: [6, 0], c: [0, 3], d: [6, 3]}
    sections: {s: {E: 210 GPa, A: 106 cm2, I: 11260 cm4, mass_per_length: 200 kg/m}}
    members: [{from: a, to: c, section: s}, {from: b, to: d, section: s}, {from: c, to: d, section: s}]
    springs:
      - {node: a, dof: x, law: {kind: linear, stiffness: 40 MN/m}, damping: 200 kN.s/m}
      - {node: b, dof: x, law: {kind: linear, stiffness: 40 MN/m}, damping: 200 kN.s/m}
      - {node: a, dof: y, law: {)" +
                                  law + R"(, stiffness: 90 MN/m}, damping: 200 kN.s/m}
      - {node: b, dof: y, law: {)" +
                                  law + R"(, stiffness: 90 MN/m}, damping: 200 kN.s/m}
      - {node: d, dof: x, law: {)" +
                                  law + R"(, stiffness: 2 MN/m}, damping: 20 kN.s/m}
    damping: {rayleigh: {mass_factor: 0, stiffness_factor: 0.01}}
excitation: {loads: {push: {nodes: {c: {x: 50 kN}}, history: {ramp: 8 s}}}}
recording: {reactions: all, reaction: elastic, storeys: {s: {nodes_above: [c, d], nodes_below: [a, b]}}}
)"));
    EXPECT_NEAR(run.last("base.shear_N"), 50e3, 1.0) << law;
    EXPECT_NEAR(run.last("ground.x.reaction_N"), -50e3, 1.0) << law;
    EXPECT_NEAR(run.last("ground.y.reaction_N"), 0.0, 1.0) << law;
    // The middle of the lowest held nodes is (3, 0): all of the load's moment.
    EXPECT_NEAR(run.last("base.overturning_Nm"), 50e3 * 3.0, 3.0) << law;
  }
}

// The shears of a storey are those of its columns, however these are drawn.
TEST(Storeys, HaveTheShearsOfTheirColumns) {
  const Histories run(read_test(
      shaken("",
             "{storeys: [s1, {name: top, nodes_above: [e, f], nodes_below: [c, d]}], "
             "members: all, reactions: [a, b], reaction: elastic}")));
  const auto sum = [&](const char* one, const char* other) {
    return std::pair{run.of(one), run.of(other)};
  };
  const auto [ac, bd] = sum("ac.to.V_N", "bd.to.V_N");
  const auto [ce, df] = sum("ce.from.V_N", "df.to.V_N");
  const std::vector<double> s1 = run.of("s1.shear_N");
  const std::vector<double> top = run.of("top.shear_N");
  const std::vector<double> base = run.of("base.shear_N");
  double largest = 0.0;
  for (std::size_t k = 0; k < s1.size(); ++k) {
    // Local y of a member upwards is −x, of one downwards +x.
    ASSERT_NEAR(s1[k], -ac[k] - bd[k], 1e-6);
    ASSERT_NEAR(top[k], ce[k] - df[k], 1e-6);
    ASSERT_NEAR(base[k], s1[k], 1e-6);
    largest = std::max(largest, std::abs(s1[k]));
  }
  EXPECT_GT(largest, 1e4);
}

// What a stride leaves out is NaN; what it keeps has the same bits, and so has all else.
TEST(FrameOutputs, AreKeptAtTheStepsThatTheirStrideDivides) {
  const std::string what = "members: [ac], storeys: all, reactions: [a], energies: true";
  const Histories all(read_test(shaken("", "{" + what + "}")));
  const Histories some(read_test(shaken("", "{" + what + ", stride: 7}")));
  for (const char* each : {"ac.to.V_N", "s1.drift_m", "base.shear_N", "a.x.reaction_N"}) {
    const std::vector<double> wanted = all.of(each);
    const std::vector<double> found = some.of(each);
    ASSERT_EQ(found.size(), wanted.size());
    for (std::size_t k = 0; k < found.size(); ++k)
      if (k % 7 == 0)
        ASSERT_EQ(found[k], wanted[k]) << each << " " << k;
      else
        ASSERT_TRUE(std::isnan(found[k])) << each << " " << k;
  }
  for (const char* each : {"e.x.disp_m", "energy.kinetic_J"})
    EXPECT_EQ(some.of(each), all.of(each)) << each;
}

TEST(FrameOutputs, MistakesAreAllTold) {
  EXPECT_EQ(
      problems_of(shaken("",
                         "{reactions: [c, g], storeys: [s3, {name: t, nodes_above: "
                         "[a], nodes_below: [e]}]}")),
      (std::vector<std::string>{
          "recording.reactions[0]: no support holds a DOF of `c`: it has no reaction; name "
          "a support; did you mean `a`?",
          "recording.reactions[1]: the frame has no support `g`; did you mean `a`?",
          "recording.storeys[0]: the frame has no storey `s3`; name nodes_above and "
          "nodes_below, or take all; did you mean `s1`?",
          "recording.storeys[1]: the storey `t` is -5.5 m high; nodes_above must be above "
          "nodes_below"}));
}

// A mass on a spring sideways carries an arm of 2 m up: its end moves as the mass does,
// less the arm times the turn, in every mode.
TEST(ModeShapes, OfSlavesFollowTheirMasters) {
  composition::NumericalReport report;
  composition::make_numerical(read_test(R"(
test: arm
time_step: 1 ms
duration: 0.01 s
numerical:
  integrator: constant-average-acceleration
  frame:
    nodes: {m: [0, 0], end: [0, 2]}
    supports: [{nodes: m, fixed: y}]
    masses: [{node: m, mass: 20 t, rotational_inertia: 30e3 kg.m2}, {node: end, mass: 1 t}]
    rigid_links: [{master: m, slaves: end}]
    springs: [{node: m, dof: x, law: {kind: linear, stiffness: 2 MN/m}}, {node: m, dof: rz, law: {kind: linear, stiffness: 3 MN.m/rad}}]
excitation: {record: synthetic}
)"),
                              {}, &report);
  std::map<std::string, std::vector<double>> shapes;
  for (const composition::ModeShapeRow& row : report.shapes) shapes[row.dof] = row.modes;
  ASSERT_EQ(shapes.at("m.x").size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    const double end = shapes.at("m.x")[i] - 2.0 * shapes.at("m.rz")[i];
    EXPECT_NEAR(shapes.at("end.x")[i], end, 1e-15) << i;
    // Mass-normal: both masses and the inertia, 20 t·x² + 1 t·(end x² + end y²) + 30e3·rz².
    const double x = shapes.at("m.x")[i];
    const double turn = shapes.at("m.rz")[i];
    EXPECT_NEAR(20e3 * x * x + 1e3 * end * end + 30e3 * turn * turn, 1.0, 1e-9) << i;
  }
}

}  // namespace
}  // namespace trestle::substructure::frame_outputs_test
