// Loads, gravity and the initial state of planar frames, against numbers of two independent
// programs (OpenSees 3.8.0 and one of our own), which agree to 5e-12 of the peak.
#include "core/base/setting_error.h"
#include "tests/numerical/substructure/structure_from_yaml.h"

namespace trestle::substructure::loads_test {
namespace {

using testing::at_rest;
using testing::Histories;
using testing::read_test;
using testing::structure_of;

constexpr double kAgreement = 1e-9;  // of the peak

#define EXPECT_AGREES(value, anchor) \
  EXPECT_NEAR(value, anchor, kAgreement* std::abs(anchor))

std::vector<std::string> problems_of(const config::Test& test) {
  std::vector<std::string> lines;
  try {
    composition::make_numerical(test, {}, nullptr);
  } catch (const SettingError& error) {
    for (const SettingIssue& problem : error.problems())
      lines.push_back(problem.path + ": " + problem.what);
  }
  return lines;
}

std::string oscillator(int per_second, const std::string& more) {
  return R"(
test: oscillator
time_step: 1/)" +
         std::to_string(per_second) + R"( s
duration: 1 s
numerical:
  shear_building:
    storeys: {s1: {mass: 20 t, stiffness: 1.8 MN/m}}
    damping: {rayleigh: {mass_factor: 0.4}}
  integrator: constant-average-acceleration
)" + more;
}

// 20 t, 1.8 MN/m, 8 kN s/m from 20 mm and 0.1 m/s: u(1 s) = −0.0168830432874 m, which the
// scheme comes to with the second order of Δt.
TEST(InitialState, IsLeftAsTheClosedFormSays) {
  const auto error = [](int per_second) {
    const Histories run(read_test(oscillator(
        per_second, "excitation: {initial: {nodes: {s1: {x: 20 mm, vx: 0.1 m/s}}}}\n")));
    return std::abs(run.last("s1.x.disp_m") + 0.0168830432874);
  };
  const double coarse = error(1024);
  const double fine = error(4096);
  EXPECT_LT(fine, 1e-6);
  EXPECT_NEAR(coarse / fine, 16.0, 0.1);
}

const std::string kPortal = R"(
test: portal
time_step: 5 ms
duration: 25 s
numerical:
  frame:
    nodes: {a: [0, 0], b: [6, 0], c: [0, 4], d: [6, 4]}
    supports: [{nodes: [a, b], fixed: [x, y]}]
    sections:
      column: {E: 210 GPa, A: 78.1 cm2, I: 5696 cm4}
      beam: {E: 210 GPa, A: 62.6 cm2, I: 11770 cm4}
    members:
      - {from: a, to: c, section: column}
      - {from: b, to: d, section: column}
      - {from: c, to: d, section: beam}
    masses: [{node: c, mass: 10 t}, {node: d, mass: 10 t}]
    damping: {rayleigh: {mass_factor: 0.2, stiffness_factor: 0.002}}
  integrator: constant-average-acceleration
)";

TEST(Gravity, PortalStandsWhereTwoProgramsSay) {
  const config::Test test = read_test(kPortal + R"(
excitation:
  loads:
    weights: {nodes: {c: {y: -800 kN}, d: {y: -800 kN}}}
    push: {nodes: {c: {x: 10 kN}}}
  gravity: {from: none, loads: [weights, push]}
)");
  const structure::StructuralModel structure = structure_of(test);
  EXPECT_AGREES(at_rest(test, structure)[structure.equation("c.x")], 0.0121871456231);
  const structure::Modes modes = structure::lowest_modes(structure, 1);
  EXPECT_AGREES(std::pow(modes.frequencies[0], 2), 41.0651848118);
  // The test begins there, and nothing moves it.
  const Histories run(test);
  EXPECT_AGREES(run.of("c.x.disp_m").front(), 0.0121871456231);
  EXPECT_NEAR(run.last("c.x.disp_m"), 0.0121871456231, 1e-11);
}

// The masses of both nodes weigh 98.1 kN each: only what is named may act.
TEST(Gravity, OfNothingIsThatOfItsNamedLoadsAlone) {
  const auto settles = [](const std::string& from) {
    const config::Test test =
        read_test(kPortal + "excitation: {loads: {push: {nodes: {c: {x: 10 kN}}}}, " +
                  "gravity: {acceleration: 9.81 m/s2, loads: push" + from + "}}\n");
    const structure::StructuralModel structure = structure_of(test);
    return Eigen::VectorXd(at_rest(test, structure));
  };
  const Eigen::VectorXd alone = settles(", from: []");
  EXPECT_EQ(alone, settles(", from: none"));
  // Of the masses: (98.1 kN) h / EA on both columns.
  const Eigen::VectorXd by_masses = settles("") - alone;
  EXPECT_NEAR(by_masses.minCoeff(), -98100.0 * 4.0 / (210e9 * 78.1e-4), 1e-9);
  EXPECT_EQ(problems_of(read_test(kPortal +
                                  "excitation: {loads: {push: {nodes: {c: {x: 10 kN}}}}, "
                                  "gravity: {from: [masses, none], loads: push}}\n")),
            std::vector<std::string>{"excitation.gravity.from: none stands beside weights "
                                     "that act; take none out, or give [] alone"});
}

TEST(BaseMotions, ShakeThePortalAsTwoProgramsSay) {
  if (!testing::records_are_here({"elcentro.csv"}))
    GTEST_SKIP() << "no ground motions beside the source";
  const Histories run(read_test(kPortal + "excitation: {motions: [{record: " +
                                testing::record_from_rest("elcentro.csv") +
                                ", scale: 0.4}]}\n"));
  EXPECT_AGREES(run.peak("c.x.disp_m"), -0.0604704729372);
}

TEST(BaseMotions, TwoHalvesAreTheWholeAndARotationTurnsAboutItsPoint) {
  const std::string file = ::testing::TempDir() + "/motion_" + std::to_string(::getpid());
  std::ofstream(file) << "0, 0\n0.5, 2\n1, -1\n2, 0\n";
  const auto run = [&](const std::string& motions) {
    return Histories(read_test(kPortal + "excitation: {motions: [" + motions + "]}\n"))
        .peak("c.x.disp_m");
  };
  const double whole = run("{record: " + file + "}");
  EXPECT_NEAR(run("{record: " + file + ", scale: 0.5}, {record: " + file + ", scale: 0.5}"),
              whole, 1e-12 * std::abs(whole));
  // A turn about a point 1000 m above is nearly a translation by 1000 m/rad.
  const double turned =
      run("{record: " + file + ", scale: 1e-6, direction: rz, about: [3, 1e6]}");
  EXPECT_NEAR(turned, whole, 1e-5 * std::abs(whole));
}

/// A cantilever of one member, clamped at its start.
std::string cantilever(const std::string& excitation, int parts = 1) {
  return R"(
test: cantilever
time_step: 1 ms
duration: 10 ms
numerical:
  frame:
    nodes: {a: [0, 0], b: [3, 4]}
    supports: [{nodes: a, fixed: all}]
    sections: {s: {E: 200 GPa, A: 50 cm2, I: 4000 cm4, mass_per_length: 40 kg/m}}
    members: [{name: m, from: a, to: b, section: s, parts: )" +
         std::to_string(parts) + R"(}]
    masses: [{node: b, mass: 1 t, rotational_inertia: 10 kg.m2}]
  integrator: constant-average-acceleration
excitation:
)" + excitation;
}

// wL⁴/8EI and PL³/3EI across, and the weight of both masses along global y.
TEST(MemberLoads, BendACantileverAsTheBookSays) {
  constexpr double EI = 200e9 * 4000e-8;
  constexpr double EA = 200e9 * 50e-4;
  const auto tip = [](const std::string& excitation, int parts = 1) {
    const config::Test test = read_test(cantilever(excitation, parts));
    const structure::StructuralModel structure = structure_of(test);
    const Eigen::VectorXd d = at_rest(test, structure);
    return Eigen::Vector2d(d[structure.equation("b.x")], d[structure.equation("b.y")]);
  };
  const Eigen::Vector2d along(0.6, 0.8);
  const Eigen::Vector2d across(-0.8, 0.6);
  for (const int parts : {1, 3}) {
    const Eigen::Vector2d uniform =
        tip("  loads: {q: {members: {m: {y: 2 kN/m, local: true}}}}\n"
            "  gravity: {from: none, loads: q}\n",
            parts);
    EXPECT_NEAR(across.dot(uniform), 2e3 * 625.0 / (8.0 * EI), 1e-12);
    EXPECT_NEAR(along.dot(uniform), 0.0, 1e-12);
    const Eigen::Vector2d point =
        tip("  loads: {q: {members: {m: {local: true, points: [{at: 2 m, y: -3 kN}]}}}}\n"
            "  gravity: {from: none, loads: q}\n",
            parts);
    EXPECT_NEAR(across.dot(point), -3e3 * 4.0 * (15.0 - 2.0) / (6.0 * EI), 1e-12);
  }
  const Eigen::Vector2d weight = tip("  gravity: {acceleration: 10 m/s2}\n");
  const double P = 1e4;
  const double w = 400.0;
  EXPECT_NEAR(across.dot(weight), -0.6 * (P * 125.0 / (3.0 * EI) + w * 625.0 / (8.0 * EI)),
              1e-12);
  EXPECT_NEAR(along.dot(weight), -0.8 * (P * 5.0 / EA + w * 25.0 / (2.0 * EA)), 1e-14);
}

/// Two storeys whose column bases and beam ends yield.
const std::string kHinges = R"(
test: hinges
time_step: 1 ms
duration: 0.1 s
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
      - {from: '11', to: '21', section: column}
      - {from: '12', to: '22', section: column}
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
      nodes: {'11': {y: -150 kN}, '12': {y: -150 kN}, '21': {y: -120 kN}, '22': {y: -120 kN}}
      members: {floor: {y: -30 kN/m}, roof: {y: -22 kN/m}}
  gravity: {from: none, loads: dead)";

TEST(Gravity, FrameWithHingesStandsWhereTwoProgramsSay) {
  const config::Test test = read_test(kHinges + "}\n");
  const structure::StructuralModel structure = structure_of(test);
  const Eigen::VectorXd d = at_rest(test, structure);
  const auto expect = [&](const char* dof, double anchor) {
    EXPECT_AGREES(d[structure.equation(dof)], anchor) << dof;
  };
  expect("11.x", -2.93692816936e-5);
  expect("11.y", -0.000669811320755);
  expect("11.rz", -0.00108110791781);
  expect("21.x", 5.35686481779e-5);
  expect("21.y", -0.000962264150943);
  expect("21.rz", -0.00132008915434);
  // What is left of the ends' forces in the loads: the test begins in equilibrium.
  const Histories run(test);
  EXPECT_AGREES(run.of("11.rz.disp_rad").front(), -0.00108110791781);
  EXPECT_NEAR(run.last("11.rz.disp_rad"), -0.00108110791781, 1e-12);
}

TEST(MemberForces, FrameWithHingesHasThoseOfTwoPrograms) {
  const Histories run(read_test(kHinges + "}\nrecording: {members: [floor, c1]}\n"));
  const std::vector<std::pair<const char*, double>> anchors{
      {"floor.from.N_N", -14946.0274539}, {"floor.from.V_N", 90000.0},
      {"floor.from.M_Nm", 75181.2212168}, {"c1.from.N_N", 426000.0},
      {"c1.from.V_N", -12315.0576039},    {"c1.from.M_Nm", -14013.8220139}};
  for (const auto& [force, anchor] : anchors)
    EXPECT_AGREES(run.of(force).front(), anchor) << force;
}

// wL²/8 at the clamped end of a member that is hinged at the other, in parts or in one; the
// load grows, and the forces leave it out at each step.
TEST(MemberForces, LeaveOutTheLoadsOfTheirMember) {
  for (const std::string parts : {"1", "4"}) {
    const Histories run(read_test(R"(
test: propped
time_step: 1 ms
duration: 1 s
numerical:
  frame:
    nodes: {a: [0, 0], b: [4, 0]}
    supports: [{nodes: a, fixed: all}, {nodes: b, fixed: [y]}]
    sections: {s: {E: 200 GPa, A: 50 cm2, I: 4000 cm4, mass_per_length: 1 kg/m}}
    members: [{name: m, from: a, to: b, section: s, hinges: [to], parts: )" +
                                  parts + R"(}]
    damping: {rayleigh: {mass_factor: 100}}
  integrator: constant-average-acceleration
excitation:
  loads: {q: {members: {m: {y: -3 kN/m}}, history: {ramp: 0.5 s}}}
recording: {members: all, energies: true}
)"));
    EXPECT_NEAR(run.last("m.from.M_Nm"), 3e3 * 16.0 / 8.0, 1e-3) << parts;
    EXPECT_NEAR(run.last("m.from.V_N"), 3e3 * 4.0 * 5.0 / 8.0, 1e-3);
    EXPECT_NEAR(run.last("m.to.V_N"), 3e3 * 4.0 * 3.0 / 8.0, 1e-3);
    EXPECT_NEAR(run.last("m.to.M_Nm"), 0.0, 1e-6);
  }
}

TEST(MemberForces, UnknownMembersAreTold) {
  EXPECT_EQ(problems_of(read_test(kHinges + "}\nrecording: {members: [flor]}\n")),
            std::vector<std::string>{"recording.members[0]: the model has no member "
                                     "`flor`; did you mean `floor`?"});
}

TEST(Gravity, FrameThatCannotCarryItIsRefused) {
  std::string text = kHinges + "}\n";
  for (const std::string yield : {"yield_force: 260 kN.m", "yield_force: 240 kN.m"})
    text.replace(text.find(yield), yield.size(), "yield_force: 1 kN.m");
  for (std::size_t at = 0; (at = text.find("hardening: 0.02", at)) != std::string::npos;)
    text.replace(at, 15, "hardening: 0");
  const std::vector<std::string> problems = problems_of(read_test(text));
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_TRUE(
      problems[0].starts_with("excitation.gravity: the structure does not carry it: "))
      << problems[0];
  EXPECT_NE(problems[0].find(" of gravity; largest residual "), std::string::npos)
      << problems[0];
}

TEST(Loads, FollowTheirHistories) {
  const std::string file = ::testing::TempDir() + "/factor_" + std::to_string(::getpid());
  std::ofstream(file) << "0.001, 1\n0.003, 3\n";
  const config::Test test = read_test(
      cantilever("  loads:\n"
                 "    a: {nodes: {b: {x: 1 kN}}, scale: 2, history: {ramp: 4 ms}}\n"
                 "    b: {nodes: {b: {x: 1 kN}}, history: {file: " +
                 file +
                 "}}\n"
                 "    c: {nodes: {b: {x: 1 kN}}, history: {sine: {frequency: 250 Hz, "
                 "phase: 90 deg}}}\n"
                 "    d: {nodes: {b: {x: 1 kN}}, history: constant}\n"
                 "    e: {nodes: {b: {x: 1 kN}}, history: {sweep: {from: 0.001 Hz, to: 250 "
                 "Hz, duration: "
                 "4 ms}}}\n"));
  const structure::StructuralModel structure = structure_of(test);
  const std::vector<composition::LoadCase> loads =
      composition::make_load_cases(test.excitation(), structure, "excitation");
  const auto factors = [&](std::size_t i) {
    return composition::sampled(loads[i], 1e-3, 6).factors;
  };
  EXPECT_NEAR(factors(0)[1], 3.0 / 16.0 - 2.0 / 64.0, 1e-15);
  EXPECT_EQ(factors(0)[5], 1.0);
  EXPECT_EQ(loads[0].forces.front().coefficient, 2e3);
  EXPECT_EQ(factors(1), (std::vector<double>{1, 1, 2, 3, 3, 3}));
  EXPECT_NEAR(factors(2)[2], -1.0, 1e-12);
  EXPECT_EQ(factors(3), (std::vector<double>(6, 1.0)));
  EXPECT_NEAR(factors(4)[2], std::sin(2.0 * M_PI * 250.0 * 4e-6 / (2.0 * 4e-3)), 1e-4);
}

TEST(Loads, MistakesAreAllTold) {
  EXPECT_EQ(
      problems_of(read_test(
          cantilever("  loads:\n"
                     "    a: {nodes: {c: {x: 1 kN}}, members: {k: {y: 1 kN/m}}}\n"
                     "    b: {nodes: {b: {z: 1 kN}}, members: {m: {points: [{at: 7 m, y: 1 "
                     "kN}]}}, history: {ramp: 1 s}}\n"
                     "  gravity: {loads: [b, dead]}\n"))),
      (std::vector<std::string>{
          "excitation.loads[0].nodes[0]: the model has no node `c`; did you "
          "mean `b`?",
          "excitation.loads[0].members[0]: the model has no member `k`; did you mean "
          "`m`?",
          "excitation.loads[1].nodes[0]: a force along z, a moment about x or y need a "
          "spatial model; this one is planar",
          "excitation.loads[1].members[0].points[0].at: is 7 m; the member is 5 m long",
          "excitation.loads[1].history: `b` belongs to gravity, which does not change; "
          "leave the history out",
          "excitation.gravity.loads[1]: no load is called `dead`"}));
  EXPECT_EQ(
      problems_of(read_test(cantilever("  initial: {nodes: {a: {x: 1 mm}}}\n"))),
      (std::vector<std::string>{"excitation.initial.nodes[0]: the model has no free DOF "
                                "`a.x`; did you mean `b.x`?"}));
  EXPECT_EQ(
      problems_of(read_test(oscillator(1024, "excitation: {gravity: {}}\n"))),
      (std::vector<std::string>{
          "excitation.gravity: nothing has weight: no mass moves up and down, no member "
          "has mass, and no load is named; name `loads`, or leave gravity out"}));
}

}  // namespace
}  // namespace trestle::substructure::loads_test
