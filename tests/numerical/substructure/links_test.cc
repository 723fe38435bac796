// Links with laws: dampers, gaps, pendulums, against numbers of independent programs that
// iterate until they converge (OpenSees 3.8.0 and our own), and rigid hinges.
#include "core/base/setting_error.h"
#include "tests/numerical/substructure/structure_from_yaml.h"

namespace trestle::substructure::links_test {
namespace {

using testing::Histories;
using testing::read_test;

constexpr double kAgreement = 1e-9;  // of the peak

void expect_peak(const Histories& run, const std::string& channel, double anchor) {
  EXPECT_NEAR(std::abs(run.peak(channel)), std::abs(anchor), kAgreement * std::abs(anchor))
      << channel;
}

std::vector<std::string> problems_of(const std::string& text) {
  std::vector<std::string> lines;
  try {
    composition::make_numerical(read_test(text), {}, nullptr);
  } catch (const SettingError& error) {
    for (const SettingIssue& problem : error.problems())
      lines.push_back(problem.path + ": " + problem.what);
  } catch (const yaml::ConfigError& error) {
    lines = error.lines();
  }
  return lines;
}

std::string shake() {
  const std::string file =
      ::testing::TempDir() + "/links_" + std::to_string(::getpid()) + ".csv";
  std::ofstream(file) << "0, 0\n0.3, 6\n0.7, -8\n1.1, 10\n1.6, -4\n2, 0\n";
  return file;
}

/// One mass on links to a fixed node.
struct Oscillator {
  std::string links;
  std::string motions = "{record: " + shake() + "}";
  std::string mass = "20 t";
  std::string springs = "[{node: m, dof: x, law: {kind: linear, stiffness: 2 MN/m}}]";
  std::string integrator = "implicit";
  std::string time_step = "5 ms";
  std::string duration = "2 s";
  std::string held = "[y, rz]";
  std::string place = "[1, 0]";

  std::string text() const {
    return "test: links\ntime_step: " + time_step + "\nduration: " + duration + R"(
numerical:
  integrator: )" +
           integrator + R"(
  frame:
    nodes: {g: [0, 0], m: )" +
           place + R"(}
    supports: [{nodes: g, fixed: all}, {nodes: m, fixed: )" +
           held + R"(}]
    masses: [{node: m, mass: )" +
           mass + R"(}]
    springs: )" +
           springs + "\n    links: " + links + "\nexcitation: {motions: [" + motions +
           "]}\nrecording: {links: all, energies: true}\n";
  }
};

const char* const kDamper =
    "[{name: d, from: g, to: m, dofs: x, law: {kind: viscous, coefficient: 30e3, exponent: "
    "0.35}}]";

TEST(ViscousLinks, MoveTheMassAsTwoProgramsSay) {
  if (!testing::records_are_here({"elcentro.csv"}))
    GTEST_SKIP() << "no ground motions beside the source";
  const std::string motion =
      "{record: " + testing::record_from_rest("elcentro.csv") + ", scale: 0.8}";
  const Histories run(read_test(
      Oscillator{.links = kDamper, .motions = motion, .duration = "25 s"}.text()));
  expect_peak(run, "m.x.disp_m", 0.0289730576257);
  expect_peak(run, "m.x.vel_m_s", 0.321036662458);
  expect_peak(run, "d.x.link_N", 20156.5117402);
  EXPECT_NEAR(run.last("energy.damping_J"), 5763.110658, 1e-5);
  EXPECT_EQ(run.last("energy.springs_J"), 0.0);
  EXPECT_NEAR(run.last("energy.input_J"), 5764.431496, 1e-5);
  EXPECT_LT(std::abs(run.peak("energy.balance")), 1e-10);
  const Histories fine(read_test(Oscillator{
      .links = kDamper, .motions = motion, .time_step = "1/1024 s", .duration = "25 s"}
                                     .text()));
  expect_peak(fine, "m.x.disp_m", 0.0289983987609);
  const Histories finest(read_test(Oscillator{
      .links = kDamper, .motions = motion, .time_step = "1/8192 s", .duration = "25 s"}
                                       .text()));
  expect_peak(finest, "m.x.disp_m", 0.0289988494052);
}

/// Work along a link from its recorded columns.
double work_of(const Histories& run, const std::string& link) {
  const std::vector<double> moved = run.of(link + ".link_m");
  const std::vector<double> force = run.of(link + ".link_N");
  double sum = 0.0;
  for (std::size_t k = 1; k < moved.size(); ++k)
    sum += 0.5 * (force[k] + force[k - 1]) * (moved[k] - moved[k - 1]);
  return sum;
}

// Dampers, with a brace or without, belong to damping; a law that yields beside them does
// not.
TEST(ViscousLinks, AreDampingInTheEnergies) {
  const config::Test test = read_test(Oscillator{
      .links = "[{name: d, from: g, to: m, dofs: x, law: {kind: viscous, coefficient: "
               "30e3, exponent: 0.5}}, {name: e, from: g, to: m, dofs: x, law: {kind: "
               "viscous, coefficient: 20e3, exponent: 1.2, stiffness: 40 MN/m}}, {name: "
               "y, from: g, to: m, dofs: x, law: {kind: bilinear, stiffness: 3 MN/m, "
               "yield_force: 15 kN}}]",
      .integrator = "{kind: implicit, iterations: 12}"}
                                          .text());
  const Histories run(test);
  const double yielding = work_of(run, "y.x");
  EXPECT_GT(yielding, 100.0);
  EXPECT_NEAR(run.last("energy.springs_J"), yielding, 1e-9 * yielding);
  const double damped = work_of(run, "d.x") + work_of(run, "e.x");
  EXPECT_GT(damped, 100.0);
  EXPECT_NEAR(run.last("energy.damping_J"), damped, 1e-9 * damped);
  EXPECT_LT(std::abs(run.peak("energy.balance")), 1e-10);

  // Their sums go on from a snapshot to the same bits.
  const auto whole = composition::make_numerical(test, {}, nullptr);
  const auto resumed = composition::make_numerical(test, {}, nullptr);
  std::vector<double> row(whole->channels().size());
  std::vector<double> other(row.size());
  whole->correct(-1, {});
  for (std::int64_t k = 0; k < whole->steps(); ++k) {
    whole->predict(k, {});
    ASSERT_TRUE(whole->correct(k, {}));
    if (k == 150) {
      SnapshotWriter snapshot;
      whole->snapshot(snapshot);
      SnapshotReader reader(snapshot.values());
      resumed->restore(reader);
    } else if (k > 150) {
      resumed->predict(k, {});
      ASSERT_TRUE(resumed->correct(k, {}));
      whole->record(row);
      resumed->record(other);
      ASSERT_EQ(row, other) << k;
    }
  }
}

// Two dampers of half the coefficient do what one does: coupled, each by its own equation.
TEST(ViscousLinks, ShareTheForceOfOne) {
  const std::string halves =
      "[{name: d, from: g, to: m, dofs: x, law: &half {kind: viscous, coefficient: 15e3, "
      "exponent: 0.35}}, {name: e, from: g, to: m, dofs: x, law: *half}]";
  const Histories one(read_test(Oscillator{.links = kDamper}.text()));
  const Histories two(read_test(
      Oscillator{.links = halves, .integrator = "{kind: implicit, iterations: 12}"}
          .text()));
  const std::vector<double> x = one.of("m.x.disp_m");
  const std::vector<double> y = two.of("m.x.disp_m");
  for (std::size_t k = 0; k < x.size(); ++k)
    ASSERT_NEAR(x[k], y[k], 1e-9 * std::abs(one.peak("m.x.disp_m"))) << k;
  EXPECT_NEAR(two.peak("d.x.link_N"), 0.5 * one.peak("d.x.link_N"), 1e-3);
}

// A direction in which both nodes are held, or move as one rigid body, does nothing; a
// slope that is infinite at rest must not become a force without bounds there.
TEST(ViscousLinks, CarryNothingWhereTheyCannotStretch) {
  const auto damper = [](const std::string& dofs) {
    return "[{name: d, from: g, to: m, dofs: " + dofs +
           ", law: {kind: viscous, coefficient: 30e3, exponent: 0.35}}]";
  };
  const Histories one(read_test(Oscillator{.links = damper("x")}.text()));
  const Histories two(read_test(Oscillator{.links = damper("[x, y]")}.text()));
  EXPECT_EQ(one.of("m.x.disp_m"), two.of("m.x.disp_m"));
  EXPECT_EQ(two.peak("d.y.link_N"), 0.0);
  EXPECT_EQ(two.peak("d.y.link_m"), 0.0);
  const Histories body(read_test(R"(
test: body
time_step: 5 ms
duration: 1 s
numerical:
  integrator: implicit
  frame:
    nodes: {g: [0, 0], m: [0, 0.7], n: [1.3, 2.9]}
    supports: [{nodes: g, fixed: all}]
    masses: [{node: m, mass: 20 t, rotational_inertia: 30e3 kg.m2}]
    rigid_links: [{master: m, slaves: n}]
    springs: [{node: m, dof: x, law: {kind: linear, stiffness: 2 MN/m}}, {node: m, dof: y, law: {kind: linear, stiffness: 9 MN/m}}, {node: m, dof: rz, law: {kind: linear, stiffness: 3 MN.m/rad}}]
    links: [{name: d, from: m, to: n, axis: along, law: {kind: viscous, coefficient: 30e3, exponent: 0.35}}]
excitation: {motions: [{record: )" +
                                 shake() + "}]}\nrecording: {links: all}\n"));
  EXPECT_GT(std::abs(body.peak("m.x.disp_m")), 1e-3);
  EXPECT_EQ(body.peak("d.along.link_N"), 0.0);
}

// With exponent 1 it is a damper of the matrices, which every scheme has.
TEST(ViscousLinks, OfExponentOneAreLinear) {
  const auto run = [](const std::string& links, const std::string& damping) {
    return Histories(read_test(Oscillator{
        .links = links,
        .springs =
            "[{node: m, dof: x, law: {kind: linear, stiffness: 2 MN/m}" + damping + "}]",
        .integrator = "operator-splitting"}
                                   .text()));
  };
  const Histories link = run(
      "[{from: g, to: m, dofs: x, law: {kind: viscous, coefficient: 2e4, exponent: 1}}]",
      "");
  const Histories spring = run("[]", ", damping: 20 kN.s/m");
  EXPECT_EQ(link.of("m.x.disp_m"), spring.of("m.x.disp_m"));
  EXPECT_NEAR(link.last("g-m.x.link_N"), 2e4 * link.last("m.x.vel_m_s"), 1e-9);
}

// A very stiff brace is none.
TEST(ViscousLinks, BehindAStiffBraceMoveAsWithoutIt) {
  const std::string braced =
      "[{name: d, from: g, to: m, dofs: x, law: {kind: viscous, coefficient: 30e3, "
      "exponent: 0.8, stiffness: 2e9}}]";
  const std::string bare =
      "[{name: d, from: g, to: m, dofs: x, law: {kind: viscous, coefficient: 30e3, "
      "exponent: 0.8}}]";
  const auto run = [](const std::string& links) {
    return Histories(read_test(Oscillator{.links = links,
                                          .integrator = "{kind: implicit, iterations: 12}",
                                          .time_step = "1/2048 s"}
                                   .text()));
  };
  const double peak = run(bare).peak("m.x.disp_m");
  // The law behind a brace is of first order.
  EXPECT_NEAR(run(braced).peak("m.x.disp_m"), peak, 5e-3 * std::abs(peak));
}

TEST(PendulumLinks, SlideAsTheProgramsSay) {
  if (!testing::records_are_here({"kobe.csv", "elcentro.csv"}))
    GTEST_SKIP() << "no ground motions beside the source";
  const auto run = [](const std::string& geometry) {
    return Histories(read_test(Oscillator{
        .links = "[{name: b, from: g, to: m, dofs: [x, y], law: {kind: "
                 "friction-pendulum, radius: 2 m, friction: 0.06, stiffness: 20 "
                 "MN/m, weight: 200 kN, geometry: " +
                 geometry + "}}]",
        .motions = "{record: " + testing::record_from_rest("kobe.csv") + "}, {record: " +
                   testing::record_from_rest("elcentro.csv") + ", direction: y}",
        .mass = "20387.36 kg",
        .springs = "[]",
        .integrator = "{kind: implicit, iterations: 20}",
        .duration = "25 s",
        .held = "rz",
        .place = "[0, 0]"}
                                   .text()));
  };
  const Histories plain = run("plain");
  expect_peak(plain, "m.x.disp_m", 0.159233079799);
  expect_peak(plain, "m.y.disp_m", 0.111558402463);
  expect_peak(plain, "b.x.link_N", 26372.3269318);
  expect_peak(plain, "b.y.link_N", 22889.8111878);
  EXPECT_LT(std::abs(plain.peak("energy.balance")), 1e-9);
  const Histories exact = run("exact");
  expect_peak(exact, "m.x.disp_m", -0.159530898615);
  expect_peak(exact, "m.y.disp_m", -0.111371528236);
  expect_peak(exact, "b.x.link_N", 26806.3629901);
  expect_peak(exact, "b.y.link_N", 23160.4704731);
}

// A spring's deformation is the motion of `node` less that of `to`, whichever of them a
// support holds: a gap closes to one side, a hook to the other.
TEST(GapSprings, CloseToTheirSideWhicheverEndIsHeld) {
  struct Case {
    const char* ends;
    const char* law;
    double closes;  // at this sign of the motion of m
  };
  for (const Case& one : {Case{"node: m, to: g", "gap", 1.0},
                          {"node: m, to: g", "hook", -1.0},
                          {"node: g, to: m", "gap", -1.0},
                          {"node: g, to: m", "hook", 1.0},
                          {"node: m", "gap", 1.0}})
    for (const double push : {1.0, -1.0}) {
      const Histories run(read_test(R"(
test: gap
time_step: 10 ms
duration: 16 s
numerical:
  integrator: {kind: implicit, iterations: 4}
  frame:
    nodes: {g: [0, 0], m: [3, 0]}
    supports: [{nodes: g, fixed: all}, {nodes: m, fixed: [y, rz]}]
    masses: [{node: m, mass: 1 t}]
    springs:
      - {node: m, dof: x, law: {kind: linear, stiffness: 1 MN/m}, damping: 20 kN.s/m}
      - {)" + std::string(one.ends) +
                                    ", dof: x, law: {kind: " + one.law +
                                    R"(, stiffness: 5 MN/m, gap: 6 mm}}
excitation: {loads: {push: {nodes: {m: {x: )" +
                                    std::to_string(push * 30.0) +
                                    R"( kN}}, history: {ramp: 12 s}}}}
recording: {reactions: all, reaction: elastic}
)"));
      // 30 kN = 1 MN/m x + 5 MN/m (x − 6 mm), or without the gap.
      const bool closed = one.closes == push;
      const std::string what = std::string(one.ends) + " " + one.law;
      EXPECT_NEAR(run.last("m.x.disp_m"), push * (closed ? 0.01 : 0.03), 1e-8) << what;
      const double held = closed ? -push * 20e3 : 0.0;
      const bool to_ground = std::string(one.ends) == "node: m";
      EXPECT_NEAR(run.last("g.x.reaction_N"), to_ground ? 0.0 : held, 0.1) << what;
      EXPECT_NEAR(run.last("ground.x.reaction_N"), -push * 30e3 - (to_ground ? 0.0 : held),
                  0.1)
          << what;
    }
}

// Along one direction it is a bilinear spring beside the swinging one.
TEST(PendulumLinks, SlideAlongOneDirectionAsABilinearSpring) {
  const auto run = [](const std::string& springs, const std::string& links) {
    return Histories(read_test(Oscillator{
        .links = links, .springs = springs, .integrator = "{kind: implicit, iterations: 8}"}
                                   .text()));
  };
  const Histories bearing =
      run("[]",
          "[{name: b, from: g, to: m, dofs: x, law: {kind: friction-pendulum, radius: 2 m, "
          "friction: 0.06, stiffness: 20 MN/m, weight: 200 kN}}]");
  // 12 kN of friction with 20 MN/m − 100 kN/m before, and 100 kN/m at all times.
  const Histories spring =
      run("[{node: m, dof: x, law: {kind: linear, stiffness: 100 kN/m}}, {node: m, dof: x, "
          "law: {kind: bilinear, stiffness: 19.9 MN/m, yield_force: 12 kN}}]",
          "[]");
  const std::vector<double> x = bearing.of("m.x.disp_m");
  const std::vector<double> y = spring.of("m.x.disp_m");
  const double peak = std::abs(spring.peak("m.x.disp_m"));
  EXPECT_GT(peak, 0.02);
  for (std::size_t k = 0; k < x.size(); ++k) ASSERT_NEAR(x[k], y[k], 1e-9 * peak) << k;
}

// A gap along a line that rises by 3 to 4 closes at 3/5 of the horizontal motion; a force
// that grows slowly follows statics.
TEST(GapLinks, CloseAlongTheirLine) {
  const Histories run(read_test(R"(
test: gap
time_step: 10 ms
duration: 20 s
numerical:
  integrator: {kind: implicit, iterations: 4}
  frame:
    nodes: {g: [0, 0], m: [3, 4]}
    supports: [{nodes: g, fixed: all}, {nodes: m, fixed: [y, rz]}]
    masses: [{node: m, mass: 1 t}]
    springs: [{node: m, dof: x, law: {kind: linear, stiffness: 1 MN/m}, damping: 20 kN.s/m}]
    links: [{name: stop, from: g, to: m, axis: along, law: {kind: gap, stiffness: 5 MN/m, gap: 6 mm, damping: 1 kN.s/m}}]
excitation: {loads: {push: {nodes: {m: {x: 30 kN}}, history: {ramp: 15 s}}}}
recording: {links: stop, reactions: g, reaction: elastic}
)"));
  // 30 kN = 1 MN/m x + 5 MN/m (0.6 x − 6 mm) 0.6
  const double x = (30e3 + 0.6 * 5e6 * 0.006) / (1e6 + 5e6 * 0.36);
  EXPECT_NEAR(run.last("m.x.disp_m"), x, 1e-8);
  EXPECT_NEAR(run.last("stop.along.link_m"), 0.6 * x, 1e-8);
  const double force = 5e6 * (0.6 * x - 0.006);
  EXPECT_NEAR(run.last("stop.along.link_N"), force, 0.05);
  EXPECT_NEAR(run.last("g.x.reaction_N"), -0.6 * force, 0.05);
  EXPECT_NEAR(run.last("g.y.reaction_N"), -0.8 * force, 0.05);
}

std::string on_a_hinge(const std::string& stiffness) {
  return R"(
test: hinge
time_step: 5 ms
duration: 1 s
numerical:
  integrator: implicit
  frame:
    nodes: {a: [0, 0], b: [0, 3]}
    supports: [{nodes: a, fixed: all}]
    sections: {s: {E: 210 GPa, A: 50 cm2, I: 4000 cm4}}
    members: [{name: c, from: a, to: b, section: s, plastic: {from: {rz: {kind: bilinear, stiffness: )" +
         stiffness + R"(, yield_force: 5 kN.m, hardening: 0.02}}}}]
    masses: [{node: b, mass: 4 t, rotational_inertia: 10 kg.m2}]
excitation: {motions: [{record: )" +
         shake() + "}]}\nrecording: {members: c}\n";
}

TEST(RigidHinges, AreAThousandTimesAsStiffAsTheirMember) {
  const auto run = [](const std::string& stiffness) {
    return Histories(read_test(on_a_hinge(stiffness)));
  };
  const Histories rigid = run("rigid");
  const double peak = run("6000*210e9*4000e-8/3").peak("c.from.hinge_Nm");
  EXPECT_NEAR(rigid.peak("c.from.hinge_Nm"), peak, 1e-9 * std::abs(peak));
  EXPECT_GT(std::abs(rigid.peak("c.from.hinge_Nm")), 5e3);
}

// Hardening is a part of a stiffness that is a thousand times the member's.
TEST(RigidHinges, AreReportedWithTheirHardening) {
  composition::NumericalReport report;
  composition::make_numerical(read_test(on_a_hinge("rigid")), {}, &report);
  ASSERT_EQ(report.rigid_hinges.size(), 1U);
  EXPECT_EQ(report.rigid_hinges[0].name, "c.from.rz");
  EXPECT_EQ(report.rigid_hinges[0].hardening, 0.02);
}

TEST(PendulumLinks, AreReportedWithTheirConstantWeight) {
  composition::NumericalReport report;
  composition::make_numerical(
      read_test(Oscillator{.links = "[{from: g, to: m, dofs: [x, y], law: {kind: "
                                    "friction-pendulum, radius: 2 m, friction: 0.06, "
                                    "stiffness: 20 MN/m, weight: 200 kN}}]",
                           .held = "rz",
                           .place = "[0, 0]"}
                    .text()),
      {}, &report);
  ASSERT_EQ(report.pendulums.size(), 1U);
  EXPECT_EQ(report.pendulums[0].name, "g-m");
  EXPECT_EQ(report.pendulums[0].weight, 200e3);
}

TEST(Links, MistakesAreAllTold) {
  const auto told = [](const std::string& links, const std::string& integrator) {
    return problems_of(Oscillator{.links = links, .integrator = integrator}.text());
  };
  EXPECT_EQ(told("[{from: g, to: m, law: {kind: linear, stiffness: 1}}, {name: b, from: g, "
                 "to: m, axis: along, law: {kind: friction-pendulum, radius: 1, friction: "
                 "0.1, stiffness: 1 MN/m, weight: 1 kN}}, {name: c, from: g, to: m, dofs: "
                 "[x, rz], law: {kind: linear, stiffness: 1}}]",
                 "implicit"),
            (std::vector<std::string>{
                "numerical.frame.links[0]: says no direction; give dofs, or `axis: along`",
                "numerical.frame.links[1].dofs: a friction-pendulum slides along one "
                "translation, or along two at once; name them, as [x, y]",
                "numerical.frame.links[2].dofs: translations and rotations stand in one "
                "list, and one law has the units of one kind; write a link for each"}));
  EXPECT_EQ(
      told(kDamper, "operator-splitting"),
      (std::vector<std::string>{
          "numerical.integrator: the force of the link `d.x` depends on its velocity "
          "(viscous, or a gap or hook with damping), which only implicit finds at the end "
          "of the step; take kind: implicit"}));
  EXPECT_EQ(problems_of(Oscillator{.links = "[]",
                                   .springs = "[{node: m, dof: x, law: {kind: bilinear, "
                                              "stiffness: rigid, yield_force: 1 kN}}]"}
                            .text()),
            (std::vector<std::string>{
                "numerical.frame.springs[0].law.stiffness: rigid is of a hinge of a member "
                "(plastic); give a number here"}));
}

}  // namespace
}  // namespace trestle::substructure::links_test
