// Spatial frames against numbers of two independent programs (OpenSees 3.8.0 and one of our
// own), which agree to 5e-12 of the peak.
#include "core/base/setting_error.h"
#include "numerical/structure/modal_summary.h"
#include "tests/numerical/substructure/structure_from_yaml.h"

namespace trestle::substructure::spatial_frame_test {
namespace {

using testing::at_rest;
using testing::Histories;
using testing::read_test;
using testing::structure_of;

constexpr double kAgreement = 1e-9;  // of the peak

/// Corners 1 to 4 at three levels, node 10·level + corner; rigid floors with eccentric
/// centres.
std::string corner_frame(const std::string& more) {
  std::string text = R"(
test: frame
time_step: 5 ms
numerical:
  integrator: constant-average-acceleration
  frame:
    supports: [{nodes: ['1', '2', '3', '4'], fixed: all}]
    damping: {rayleigh: {mass_factor: 0.355954914285, stiffness_factor: 0.00103623406514}}
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
  return text + nodes + members + more;
}

TEST(SpatialFrame, HasTheModesOfTwoPrograms) {
  const structure::StructuralModel structure =
      structure_of(read_test(corner_frame("duration: 1 s\n")));
  const structure::Modes modes = structure::lowest_modes(structure, 6);
  const structure::ModalSummary summary = structure::summarise_modes(structure, 6);
  // The floors have all the mass, and these are all their modes.
  for (const int direction : {structure::kGroundX, structure::kGroundY}) {
    EXPECT_NEAR(summary.moving_mass[direction], 42e3, 1e-8);
    EXPECT_NEAR(summary.effective_masses.col(direction).sum(), 42e3, 1e-6);
  }
  const std::vector<double> anchors{193.622340021, 226.241364155, 609.422930867,
                                    1653.70513684, 2046.91018056, 5555.64594199};
  const std::vector<double> mass_x{0.669311859, 37543.1899, 2.48179901,
                                   1.7310964,   4449.81491, 2.11294161};
  const std::vector<double> mass_y{37059.5945, 1.21746334, 335.683591,
                                   4283.80096, 4.36464227, 315.338829};
  for (Eigen::Index i = 0; i < 6; ++i) {
    const auto at = static_cast<std::size_t>(i);
    EXPECT_NEAR(std::pow(modes.frequencies[i], 2), anchors[at], kAgreement * anchors[at]);
    EXPECT_NEAR(summary.effective_masses(i, structure::kGroundX), mass_x[at],
                1e-8 * 37543.0);
    EXPECT_NEAR(summary.effective_masses(i, structure::kGroundY), mass_y[at],
                1e-8 * 37059.0);
  }
}

TEST(SpatialFrame, StandsAsTwoProgramsSay) {
  const config::Test test = read_test(corner_frame(R"(
duration: 1 s
excitation:
  loads: {push: {nodes: {d2: {x: 100 kN}, '12': {y: 30 kN, z: -200 kN}}}}
  gravity: {from: none, loads: push}
)"));
  const structure::StructuralModel structure = structure_of(test);
  const Eigen::VectorXd d = at_rest(test, structure);
  const auto expect = [&](const char* dof, double anchor, double peak) {
    EXPECT_NEAR(d[structure.equation(dof)], anchor, kAgreement * peak) << dof;
  };
  expect("d2.x", 0.0192032339671, 0.0192);
  expect("d2.y", 0.0023115223311, 0.0192);
  expect("d2.rz", 0.000406322156728, 0.0004);
  expect("d1.x", 0.00824300995538, 0.0192);
  expect("d1.y", 0.00174799163251, 0.0192);
  expect("d1.rz", 0.000246997701081, 0.0004);
}

// Forces on the ends of members, in local axes; the loads stand for gravity, so that step 0
// is in equilibrium with them.
TEST(SpatialFrame, ColumnHasTheEndForcesOfTwoPrograms) {
  const Histories run(read_test(corner_frame(R"(
duration: 5 ms
recording: {members: 1-11}
excitation:
  loads: {push: {nodes: {d2: {x: 100 kN}, '12': {y: 30 kN, z: -200 kN}}}}
  gravity: {from: none, loads: push}
)")));
  const std::vector<std::pair<const char*, double>> anchors{
      {"N_N", -45465.4249505},  {"Vy_N", 1830.46237347}, {"Vz_N", -30193.279307},
      {"T_Nm", -5.79809460595}, {"My_Nm", 69146.036233}, {"Mz_Nm", 3357.09364296}};
  for (const auto& [force, anchor] : anchors)
    EXPECT_NEAR(run.of(std::string("1-11.from.") + force).front(), anchor,
                kAgreement * 69146.0)
        << force;
  // Equilibrium of the member, which has no load of its own.
  for (const char* force : {"N_N", "Vy_N", "Vz_N", "T_Nm"})
    EXPECT_NEAR(run.of(std::string("1-11.to.") + force).front(),
                -run.of(std::string("1-11.from.") + force).front(), 1e-6)
        << force;
}

TEST(SpatialFrame, IsShakenAsTwoProgramsSay) {
  if (!testing::records_are_here({"kobe.csv", "morgan.csv"}))
    GTEST_SKIP() << "no ground motions beside the source";
  const Histories run(read_test(corner_frame(
      "duration: 20 s\nexcitation:\n  motions:\n    - {record: " +
      testing::record_from_rest("kobe.csv") +
      ", direction: x, scale: 0.4}\n    - {record: " +
      testing::record_from_rest("morgan.csv") + ", direction: y, scale: 0.4}\n")));
  EXPECT_NEAR(run.peak("d2.x.disp_m"), -0.0216747270461, kAgreement * 0.0217);
  EXPECT_NEAR(run.peak("d2.y.disp_m"), -0.0204347033096, kAgreement * 0.0204);
  EXPECT_NEAR(run.peak("d2.rz.disp_rad"), 0.00102403680251, kAgreement * 0.00102);
}

std::string skew_member(const std::string& section, const std::string& more) {
  return R"(
test: skew
time_step: 5 ms
duration: 1 s
numerical:
  integrator: constant-average-acceleration
  frame:
    nodes: {a: [0, 0, 0], b: [2, 1, 3]}
    supports: [{nodes: a, fixed: all}]
    sections:
      s: {E: 210 GPa, G: 80 GPa, A: 106 cm2, J: 102.7 cm4, Iy: 3923 cm4, Iz: 11260 cm4)" +
         section + R"(}
    members: [{name: m, from: a, to: b, section: s, z: [1, 0.5, 0]}]
    mass_matrix: consistent
)" + more;
}

TEST(SpatialFrame, SkewMemberBendsAsTwoProgramsSay) {
  const config::Test test = read_test(skew_member("", R"(
excitation:
  loads:
    tip:
      nodes: {b: {x: 10 kN, y: 20 kN, z: -30 kN, mx: 1 kN.m, my: 2 kN.m, mz: 3 kN.m}}
      members: {m: {x: 300 N/m, y: 500 N/m, z: -800 N/m, local: true}}
  gravity: {from: none, loads: tip}
)"));
  const structure::StructuralModel structure = structure_of(test);
  const Eigen::VectorXd d = at_rest(test, structure);
  const std::vector<std::pair<const char*, double>> anchors{
      {"b.x", 0.0439047086296},  {"b.y", 0.0325683715588},  {"b.z", -0.0401527677894},
      {"b.rx", 0.0696636136886}, {"b.ry", 0.0652222433146}, {"b.rz", 0.129161641983}};
  for (const auto& [dof, anchor] : anchors)
    EXPECT_NEAR(d[structure.equation(dof)], anchor, kAgreement * std::abs(anchor)) << dof;

  config::Test moving = test;
  moving.set_duration(0.005);
  moving.mutable_recording()->add_members("m");
  moving.mutable_numerical()->mutable_integrator()->mutable_constant_average_acceleration();
  const Histories run(moving);
  const std::vector<std::pair<const char*, double>> forces{
      {"m.from.N_N", 12240.5648796},   {"m.from.Vy_N", 11545.5791716},
      {"m.from.Vz_N", -29277.8465426}, {"m.from.T_Nm", -3474.39614486},
      {"m.from.My_Nm", 116489.311571}, {"m.from.Mz_Nm", 47058.1701748},
      {"m.to.N_N", -13363.0620956},    {"m.to.Vy_N", -13416.407865},
      {"m.to.Vz_N", 32271.172452},     {"m.to.T_Nm", 3474.39614486},
      {"m.to.My_Nm", -1341.6407865},   {"m.to.Mz_Nm", -358.568582801}};
  for (const auto& [force, anchor] : forces)
    EXPECT_NEAR(run.of(force).front(), anchor, kAgreement * 116489.0) << force;
}

TEST(SpatialFrame, SkewMemberVibratesAsTwoProgramsSay) {
  const auto squares = [](const std::string& section) {
    const structure::Modes modes = structure::lowest_modes(
        structure_of(read_test(skew_member(", mass_per_length: 83.2 kg/m" + section, ""))),
        6);
    return Eigen::VectorXd(modes.frequencies.array().square());
  };
  const Eigen::VectorXd polar = squares("");
  const auto has = [](const Eigen::VectorXd& values, double anchor) {
    for (const double value : values)
      if (std::abs(value - anchor) < kAgreement * anchor) return true;
    return false;
  };
  for (const double anchor :
       {6304.9185035, 18096.707201, 612052.56776, 1756745.32577, 14773.3367206})
    EXPECT_TRUE(has(polar, anchor)) << anchor << " in\n" << polar;
  EXPECT_TRUE(has(squares(", torsion_inertia: j"), 2184065.93407));
}

void expect_frequencies(const std::string& frame, const std::vector<double>& anchors,
                        int equations) {
  const structure::StructuralModel structure = structure_of(
      read_test("test: t\ntime_step: 1 ms\nduration: 1 s\nnumerical:\n  frame:\n" + frame));
  EXPECT_EQ(structure.equations, equations);
  const structure::Modes modes =
      structure::lowest_modes(structure, static_cast<int>(anchors.size()));
  for (std::size_t i = 0; i < anchors.size(); ++i)
    EXPECT_NEAR(modes.frequencies[static_cast<Eigen::Index>(i)] / (2.0 * M_PI), anchors[i],
                kAgreement * anchors[i]);
}

TEST(RegularFrame, HasTheFrequenciesOfAnIndependentProgram) {
  expect_frequencies(
      "    regular: {bays: {count: 2, width: 6 m}, storeys: {count: 11, height: 3.5 m}, "
      "column: hea, beam: ipe, joint_mass: 20 t, joint_inertia: 1000 kg.m2}\n"
      "    sections: {hea: {E: 210 GPa, A: 106 cm2, I: 11260 cm4}, ipe: {E: 210 GPa, A: "
      "72.7 "
      "cm2, I: 16270 cm4}}\n",
      {0.236260475085, 0.719940492805, 1.24417863267, 1.79451755935}, 99);
}

TEST(RegularFrame, HasTheFrequenciesOfAnIndependentProgramInSpace) {
  expect_frequencies(
      "    regular: {bays: {count: 2, width: 6 m}, storeys: {count: 3, height: 3.5 m}, "
      "depth: "
      "{count: 1, width: 5 m}, column: heb, beam: ipe, floor_mass: 120 t, floor_inertia: "
      "120000*(12*12+5*5)/12 kg.m2}\n"
      "    sections: {heb: {E: 210 GPa, G: 80 GPa, A: 106 cm2, J: 102.7 cm4, Iy: 11260 "
      "cm4, "
      "Iz: 3923 cm4}, ipe: {E: 210 GPa, G: 80 GPa, A: 72.7 cm2, J: 37.3 cm4, Iy: 16270 "
      "cm4, "
      "Iz: 1043 cm4}}\n",
      {0.628536420299, 0.873848272773, 1.01108920953, 1.88574990405, 2.80323975996,
       2.96961242416},
      63);
}

std::vector<std::string> problems_of(const std::string& frame) {
  std::vector<std::string> lines;
  try {
    structure_of(read_test(
        "test: t\ntime_step: 1 ms\nduration: 1 s\nnumerical:\n  frame:\n" + frame));
  } catch (const SettingError& error) {
    for (const SettingIssue& problem : error.problems())
      lines.push_back(problem.path + ": " + problem.what);
  }
  return lines;
}

TEST(SpatialFrame, MistakesAreTold) {
  const std::string section =
      "    sections: {s: {E: 210 GPa, A: 1 cm2, Iy: 1 cm4, Iz: 1 cm4, J: 1 cm4}}\n";
  EXPECT_EQ(problems_of("    nodes: {base: [0, 0], roof: [0, 0, 3]}\n" + section)[0],
            "numerical.frame.nodes: `roof` has 3 coordinates, `base` 2; give all nodes the "
            "same number of them");
  EXPECT_EQ(
      problems_of("    nodes: {a: [0, 0, 0], b: [0, 0, 3]}\n" + section +
                  "    members: [{name: b1, from: a, to: b, section: s, z: [0, 0, 2], "
                  "releases: {from: rx, to: [rx, ry]}}]\n"),
      (std::vector<std::string>{
          "numerical.frame.members[0].releases: torsion is released at both ends: the "
          "member would turn about itself; release it at one",
          "numerical.frame.members[0].z: the z of `b1` points along the member; give "
          "another, or leave it out"}));
  EXPECT_EQ(
      problems_of("    nodes: {a: [0, 0, 0], b: [0, 0, 3], c: [1, 0, 3.1]}\n"
                  "    supports: [{nodes: b, fixed: x}]\n" +
                  section +
                  "    members: [{from: a, to: b, section: s}]\n"
                  "    diaphragms: {d: {nodes: [b, c]}, e: {nodes: [c]}}\n"),
      (std::vector<std::string>{
          "numerical.frame: c.x follows diaphragm d already, and diaphragm e leads it as "
          "well; take it out of one",
          "numerical.frame: c.y follows diaphragm d already, and diaphragm e leads it as "
          "well; take it out of one",
          "numerical.frame: c.rz follows diaphragm d already, and diaphragm e leads it as "
          "well; take it out of one",
          "numerical.frame.diaphragms[0]: its nodes are not on one level: `b` at z 3 m, "
          "`c` at z 3.1 m"}));
  EXPECT_EQ(
      problems_of("    nodes: {a: [0, 0, 0], b: [0, 0, 3]}\n"
                  "    sections: {s: {E: 210 GPa, A: 1 cm2, I: 1 cm4}}\n"
                  "    members: [{from: a, to: b, section: s}]\n")[0],
      "numerical.frame.sections[0].I: is of a planar frame; a spatial one has Iy, Iz and "
      "J in its place");
}

TEST(RegularFrame, LeavesOutWhatStandsInALaboratory) {
  const std::string sections = "    sections: {c: {E: 210 GPa, A: 1 cm2, I: 1 cm4}}\n";
  const std::string row = "bays: {sizes: [6 m, 7.5 m]}, storeys: {count: 1, height: 3 m}";
  EXPECT_EQ(
      problems_of("    regular: {" + row +
                  ", column: c, beam: c, without: [c1.1, c2.1]}\n" + sections),
      std::vector<std::string>{"numerical.frame.regular.without[1]: the regular frame "
                               "has no member `c2.1`; did you mean `c1.1`?"});
  EXPECT_EQ(
      problems_of("    regular: {bays: {count: 2}, storeys: {count: 1, height: 3 m}, "
                  "column: c, beam: c}\n" +
                  sections),
      std::vector<std::string>{"numerical.frame.regular.bays: needs either `count` and "
                               "`width`, or a list of `sizes`"});
}

}  // namespace
}  // namespace trestle::substructure::spatial_frame_test
