// Supports that move each by itself: against numbers of two independent programs, and
// against what follows if all move alike.
#include <functional>

#include "core/base/setting_error.h"
#include "numerical/excitation/support_history.h"
#include "tests/numerical/substructure/structure_from_yaml.h"

namespace trestle::substructure::moving_supports_test {
namespace {

using testing::Histories;
using testing::read_test;

constexpr double kPi = 3.14159265358979323846;
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

excitation::SupportState burst(double t) {
  if (t <= 0.0 || t >= 4.0) return {};
  // 0.03 sin²(πt/4) sin(3πt), and its derivatives.
  const double p = kPi / 4.0;
  const double w = 3.0 * kPi;
  const double s = std::sin(p * t) * std::sin(p * t);
  const double s1 = p * std::sin(2.0 * p * t);
  const double s2 = 2.0 * p * p * std::cos(2.0 * p * t);
  const double q = std::sin(w * t);
  const double q1 = w * std::cos(w * t);
  const double q2 = -w * w * q;
  return {.displacement = 0.03 * s * q,
          .velocity = 0.03 * (s1 * q + s * q1),
          .acceleration = 0.03 * (s2 * q + 2.0 * s1 * q1 + s * q2)};
}

std::string file_of(const std::string& name,
                    const std::function<std::string(double)>& row) {
  const std::string file =
      ::testing::TempDir() + "/" + std::to_string(::getpid()) + "_" + name + ".csv";
  std::ofstream to(file);
  for (int k = 0; k <= 800; ++k) to << row(0.005 * k) << "\n";
  return file;
}

std::string text_of(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

std::string states() {
  return file_of("states", [](double t) {
    const excitation::SupportState state = burst(t);
    return text_of(t) + "," + text_of(state.displacement) + "," + text_of(state.velocity) +
           "," + text_of(state.acceleration);
  });
}

/// Two spans of 20 m in 16 members, vertical supports at 0, 20 and 40 m.
std::string spans(const std::string& excitation, const std::string& duration = "12 s") {
  std::string nodes, members, masses, axial;
  for (int i = 0; i <= 16; ++i) {
    const std::string n = "n" + std::to_string(i);
    nodes += (i > 0 ? ", " : "") + n + ": [" + std::to_string(2.5 * i) + ", 0]";
    axial += (i > 0 ? ", " : "") + n;
    masses += std::string(i > 0 ? ", " : "") + "{node: " + n + ", mass: 5 t}";
    if (i > 0)
      members += std::string(i > 1 ? ", " : "") + "{name: e" + std::to_string(i) +
                 ", from: n" + std::to_string(i - 1) + ", to: " + n + ", section: s}";
  }
  return R"(
test: spans
time_step: 5 ms
duration: )" +
         duration + R"(
numerical:
  integrator: constant-average-acceleration
  frame:
    nodes: {)" +
         nodes + R"(}
    supports: [{nodes: [)" +
         axial + R"(], fixed: x}, {nodes: [n0, n8, n16], fixed: y}]
    sections: {s: {E: 30 GPa, A: 0.3 m2, I: 0.08 m4}}
    members: [)" +
         members + R"(]
    masses: [)" +
         masses + R"(]
    damping: {rayleigh: {ratio: 0.02, modes: [1, 2]}}
excitation:
)" + excitation +
         R"(recording: {members: e8, reactions: [n0, n8, n16], reaction: elastic}
)";
}

TEST(MovingSupports, ShakeTwoSpansAsTwoProgramsSay) {
  const std::string file = states();
  const auto support = [&](const char* node, const char* start) {
    return std::string("    - {nodes: ") + node + ", dof: y, motion: {file: " + file +
           ", quantity: displacement}, start: " + start + "}\n";
  };
  const config::Test test =
      read_test(spans("  supports:\n" + support("n0", "0 s") + support("n8", "0.05 s") +
                      support("n16", "0.1 s")));
  const structure::StructuralModel structure = testing::structure_of(test);
  const structure::Modes modes = structure::lowest_modes(structure, 2);
  const double one = std::pow(modes.frequencies[0], 2);
  const double two = std::pow(modes.frequencies[1], 2);
  EXPECT_NEAR(one, 730.543154953, kAgreement * one);
  EXPECT_NEAR(two, 1782.74115983, kAgreement * two);
  const Histories run(test);
  const auto expect = [&](double value, double anchor) {
    EXPECT_NEAR(value, anchor, kAgreement * std::abs(anchor));
  };
  expect(run.peak("n4.y.disp_m"), -0.0314423985599);
  expect(run.peak("n12.y.disp_m"), 0.0313295776339);
  expect(run.peak("e8.to.M_Nm"), -207851.84515);
  expect(std::abs(run.peak("e8.to.V_N")), 58617.8818735);
  // The program counts the damping by mass of the supports, and no other.
  const double w1 = std::sqrt(one);
  const double w2 = std::sqrt(two);
  const double by_mass = 2.0 * 0.02 * w1 * w2 / (w1 + w2);
  const auto peak = [&](const std::string& node, double start) {
    const std::vector<double> elastic = run.of(node + ".y.reaction_N");
    double largest = 0.0;
    for (std::size_t k = 0; k < elastic.size(); ++k)
      largest = std::max(
          largest,
          std::abs(elastic[k] +
                   by_mass * 5e3 * burst(0.005 * static_cast<double>(k) - start).velocity));
    return largest;
  };
  expect(peak("n0", 0.0), 39467.2145087);
  expect(peak("n8", 0.05), 115780.793301);
  expect(peak("n16", 0.1), 39152.2831142);
}

// All supports by one motion: the ground's, to which displacements are relative; damping by
// stiffness alone does not see the difference.
TEST(MovingSupports, ThatMoveAlikeAreTheGround) {
  const std::string file = file_of("acceleration", [](double t) {
    return text_of(t) + "," + text_of(burst(t).acceleration);
  });
  std::string text = spans("  motions: [{record: " + file + ", direction: y}]\n", "2 s");
  const std::string ratio = "ratio: 0.02, modes: [1, 2]";
  const auto by_stiffness = [&](std::string whole) {
    return read_test(whole.replace(whole.find(ratio), ratio.size(),
                                   "mass_factor: 0, stiffness_factor: 0.001"));
  };
  const Histories ground(by_stiffness(text));
  const Histories supports(by_stiffness(
      spans("  supports: [{nodes: [n0, n8, n16], dof: y, motion: {file: " + file + "}}]\n",
            "2 s")));
  // Straight lines between the samples of the acceleration, integrated twice.
  excitation::GroundMotion motion;
  for (int k = 0; k <= 800; ++k) {
    motion.time.push_back(0.005 * k);
    motion.acceleration.push_back(burst(0.005 * k).acceleration);
  }
  const auto history = excitation::SupportHistory::of_acceleration(motion);
  const std::vector<double> relative = ground.of("n4.y.disp_m");
  const std::vector<double> absolute = supports.of("n4.y.disp_m");
  // The scheme takes the support's motion by its own rule, which is of second order.
  double largest = 0.0;
  for (std::size_t k = 0; k < relative.size(); ++k)
    largest = std::max(largest,
                       std::abs(absolute[k] - relative[k] -
                                history.at(0.005 * static_cast<double>(k)).displacement));
  EXPECT_LT(largest, 2e-4);
  EXPECT_GT(std::abs(supports.peak("n4.y.disp_m")), 0.02);
}

// A spring and a damper from a support that moves: their deformation is that between the
// two ends, and they are all that holds the mass.
TEST(MovingSupports, StretchTheLinksThatBeginThere) {
  const std::string file = states();
  const Histories run(read_test(R"(
test: links
time_step: 5 ms
duration: 3 s
numerical:
  integrator: constant-average-acceleration
  frame:
    nodes: {g: [0, 0], m: [3, 4]}
    supports: [{nodes: g, fixed: all}, {nodes: m, fixed: [y, rz]}]
    masses: [{node: m, mass: 20 t}]
    links:
      - {name: k, from: g, to: m, axis: along, law: {kind: linear, stiffness: 9 MN/m}}
      - {name: c, from: m, to: g, dofs: x, law: {kind: viscous, coefficient: 6e4, exponent: 1}}
excitation: {supports: [{nodes: g, dof: x, motion: {file: )" +
                                file +
                                R"(, quantity: displacement}}]}
recording: {links: all, reactions: g}
)"));
  const std::vector<double> x = run.of("m.x.disp_m");
  const std::vector<double> v = run.of("m.x.vel_m_s");
  const std::vector<double> a = run.of("m.x.acc_m_s2");
  const std::vector<double> longer = run.of("k.along.link_m");
  const std::vector<double> spring = run.of("k.along.link_N");
  const std::vector<double> damper = run.of("c.x.link_N");
  const std::vector<double> reaction = run.of("g.x.reaction_N");
  EXPECT_GT(std::abs(run.peak("k.along.link_m")), 0.01);
  for (std::size_t k = 0; k < x.size(); ++k) {
    const excitation::SupportState support = burst(0.005 * static_cast<double>(k));
    ASSERT_NEAR(longer[k], 0.6 * (x[k] - support.displacement), 1e-12) << k;
    ASSERT_NEAR(spring[k], 9e6 * longer[k], 1e-6) << k;
    ASSERT_NEAR(damper[k], 6e4 * (support.velocity - v[k]), 1e-6) << k;
    ASSERT_NEAR(20e3 * a[k], damper[k] - 0.6 * spring[k], 1e-4) << k;
    ASSERT_NEAR(reaction[k], 20e3 * a[k], 1e-4) << k;
  }
}

TEST(SupportHistory, MeetsItsPoints) {
  excitation::GroundMotion motion{.time = {0.0, 1.0, 3.0},
                                  .acceleration = {0.0, 2.0, -2.0}};
  const auto by_acceleration = excitation::SupportHistory::of_acceleration(motion);
  // ∫∫ of 2t, then of 2 − 2(t − 1).
  EXPECT_NEAR(by_acceleration.at(1.0).displacement, 1.0 / 3.0, 1e-15);
  EXPECT_NEAR(by_acceleration.at(1.0).velocity, 1.0, 1e-15);
  EXPECT_NEAR(by_acceleration.at(3.0).velocity, 1.0, 1e-15);
  EXPECT_NEAR(by_acceleration.at(3.0).displacement, 1.0 / 3.0 + 2.0 + 4.0 - 8.0 / 3.0,
              1e-14);
  EXPECT_NEAR(by_acceleration.at(5.0).displacement,
              by_acceleration.at(3.0).displacement + 2.0, 1e-14);
  std::vector<double> times, displacements;
  for (int k = 0; k <= 80; ++k) {
    times.push_back(0.05 * k);
    displacements.push_back(burst(0.05 * k).displacement);
  }
  const auto spline = excitation::SupportHistory::of_displacement(times, displacements);
  for (int k = 0; k < 800; ++k) {
    const double t = 0.005 * k;
    EXPECT_NEAR(spline.at(t).displacement, burst(t).displacement, 2e-5);
    EXPECT_NEAR(spline.at(t).velocity, burst(t).velocity, 2e-3);
  }
  EXPECT_EQ(spline.at(-1.0).velocity, 0.0);
  EXPECT_NEAR(spline.at(9.0).velocity, 0.0, 1e-12);
}

// The displacements of an earthquake are mostly quiet: its strong steps are many times the
// median one, and no jump.
TEST(SupportHistory, TakesQuietBeforeStrongMotionAsSmooth) {
  const auto file = [](double offset) {
    return file_of("quiet", [offset](double t) {
      const double envelope = std::exp(-4.0 * (t - 2.5) * (t - 2.5));
      return text_of(t) + "," +
             text_of(0.3 * envelope * std::sin(9.0 * t) + (t > 2.6 ? offset : 0.0));
    });
  };
  const excitation::SupportHistory smooth =
      excitation::read_support_displacements(file(0.0), 1.0, "motion");
  EXPECT_EQ(smooth.jump().step, 0.0);
  double largest = 0.0;
  for (int k = 0; k < 800; ++k)
    largest = std::max(largest, std::abs(smooth.at(0.005 * (k + 1)).displacement -
                                         smooth.at(0.005 * k).displacement));
  EXPECT_GT(largest, 20.0 * smooth.jump().median);
  EXPECT_THROW(excitation::read_support_displacements(file(0.2), 1.0, "motion"),
               SettingError);
}

TEST(SupportHistory, RefusesTheUnitsOfAHeaderThatAreNotTaken) {
  const auto file = [](const std::string& header) {
    return file_of("units", [&header](double t) {
      return (t == 0.0 ? header + "\n" : "") + text_of(t) + "," + text_of(std::sin(t));
    });
  };
  const auto read = [](const std::string& name, double scale) {
    return excitation::read_support_displacements(name, scale, "motion");
  };
  EXPECT_NO_THROW(read(file("time [s], d [m]"), 1.0));
  EXPECT_NO_THROW(read(file("time [s], d [mm]"), 1e-3));
  EXPECT_THROW(read(file("time [s], d [mm]"), 1.0), SettingError);
  EXPECT_THROW(read(file("time [ms], d [m]"), 1.0), SettingError);
  EXPECT_NO_THROW(read(file("t, displacement (east footing)"), 1.0));
  EXPECT_NO_THROW(read(file("t [s], y [metres]"), 1.0));
  for (const char* other :
       {"t [ms],u", "time_s,acceleration_g", "t [s], v [m/s]", "t,x [kN]"})
    EXPECT_THROW(read(file(other), 1.0), SettingError) << other;
}

/// A straight line over them would be another motion.
TEST(SupportHistory, RefusesMissingSamples) {
  const std::string name =
      ::testing::TempDir() + "/" + std::to_string(::getpid()) + "_gap.csv";
  const auto write = [&name](double from, double to) {
    std::ofstream out(name);
    for (int k = 0; k <= 200; ++k)
      if (0.01 * k <= from || 0.01 * k >= to)
        out << 0.01 * k << ',' << 1e-3 * std::sin(0.05 * k) << '\n';
  };
  write(3.0, 3.0);
  EXPECT_NO_THROW(excitation::read_support_displacements(name, 1.0, "motion"));
  write(1.0, 1.5);
  try {
    excitation::read_support_displacements(name, 1.0, "motion");
    FAIL() << "it is joined by a straight line";
  } catch (const SettingError& error) {
    EXPECT_NE(error.problems()[0].what.find("a gap: 0.5 s"), std::string::npos)
        << error.problems()[0].what;
  }
}

TEST(MovingSupports, MistakesAreAllTold) {
  const std::string jump =
      ::testing::TempDir() + "/" + std::to_string(::getpid()) + "_jump.csv";
  std::ofstream(jump) << "0, 0\n1, 0.001\n2, 0.002\n3, 0.5\n4, 0.501\n";
  const std::string record = file_of(
      "record", [](double t) { return text_of(t) + "," + text_of(burst(t).acceleration); });
  const std::vector<std::string> alone = problems_of(spans(
      "  supports: [{nodes: [n4, n8], dof: y, motion: {file: " + jump +
          ", quantity: displacement}}, {nodes: n8, dof: y, motion: " + record + "}]\n",
      "1 s"));
  ASSERT_EQ(alone.size(), 3U);
  EXPECT_TRUE(
      alone[0].starts_with("excitation.supports[0].nodes[0]: no support holds "
                           "`n4.y`, so that it could move"))
      << alone[0];
  EXPECT_NE(alone[1].find("jumps by 0.498 m, more than five times its median step"),
            std::string::npos)
      << alone[1];
  EXPECT_TRUE(
      alone[2].starts_with("excitation.supports[1].nodes[0]: n8.y moves by "
                           "excitation.supports[0] already"))
      << alone[2];
  EXPECT_EQ(problems_of(spans("  motions: [{record: " + record +
                                  "}]\n  supports: [{nodes: "
                                  "n8, dof: y, motion: " +
                                  record + "}]\n",
                              "1 s")),
            std::vector<std::string>{"excitation.supports: stands beside motions of the "
                                     "ground, which move all supports alike; give one of "
                                     "them"});
}

}  // namespace
}  // namespace trestle::substructure::moving_supports_test
