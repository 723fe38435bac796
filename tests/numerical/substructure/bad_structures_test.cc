// What a structure, its loads and its record must not be, each with its sentence.
#include <string>

#include "core/base/setting_error.h"
#include "tests/numerical/substructure/structure_from_yaml.h"

namespace trestle::substructure::bad_structures_test {
namespace {

using testing::read_test;

/// All that is wrong, one sentence a line; of the file's reader without the place.
std::string complaints(const std::string& text, composition::NumericalParts parts = {}) {
  std::string all;
  const auto add = [&all](const std::string& line) {
    all += (all.empty() ? "" : "\n") + line;
  };
  try {
    composition::make_numerical(read_test(text), std::move(parts), nullptr);
  } catch (const SettingError& error) {
    for (const SettingIssue& problem : error.problems())
      add(problem.path + ": " + problem.what);
  } catch (const yaml::ConfigError& error) {
    for (const std::string& line : error.lines()) add(line.substr(line.find(": ") + 2));
  }
  return all.empty() ? "none" : all;
}

/// A portal of two members; each part may be replaced.
struct Portal {
  std::string nodes = "{a: [0, 0], b: [0, 3], c: [4, 3]}";
  std::string section = "{E: 210 GPa, A: 100 cm2, I: 10000 cm4}";
  std::string column = "";  // more of its keys, from a comma on
  std::string more = "";    // more of the frame
  std::string integrator = "constant-average-acceleration";
  std::string excitation = "{loads: {p: {nodes: {b: {x: 1 kN}}}}}";
  std::string test = "";

  std::string text() const {
    return R"(
test: portal
time_step: 1 ms
duration: 0.1 s
)" + test + R"(
numerical:
  integrator: )" +
           integrator + R"(
  frame:
    nodes: )" +
           nodes + R"(
    supports: [{nodes: a, fixed: all}, {nodes: c, fixed: [y]}]
    sections: {s: )" +
           section + R"(}
    members:
      - {name: column, from: a, to: b, section: s)" +
           column + R"(}
      - {name: beam, from: b, to: c, section: s}
    masses: [{node: b, mass: 10 t, rotational_inertia: 1000}, {node: c, mass: 10 t, rotational_inertia: 1000}]
)" + more +
           "excitation: " + excitation + "\n";
  }
};

TEST(BadStructure, KeysOfAnotherDimension) {
  EXPECT_EQ(complaints(Portal{}.text()), "none");
  EXPECT_EQ(complaints(Portal{.section = "{E: 210 GPa, A: 100 cm2, I: 10000 cm4, Iy: 1 "
                                         "cm4}"}
                           .text()),
            "numerical.frame.sections[0].Iy: is of a spatial frame; this one is planar and "
            "has I alone");
  EXPECT_EQ(complaints(Portal{.column = ", roll: 30 deg"}.text()),
            "numerical.frame.members[0]: z and roll are of a spatial frame; this one is "
            "planar");
  EXPECT_EQ(
      complaints(Portal{.column = ", releases: {to: [ry]}"}.text()),
      "numerical.frame.members[0].releases.to: rx and ry are of a spatial frame; this "
      "one is planar");
}

TEST(BadStructure, TwoHingesAtOneEnd) {
  const std::string plastic =
      ", plastic: {to: {rz: {kind: bilinear, stiffness: 1e8, yield_force: 1e5}}}";
  EXPECT_EQ(complaints(Portal{.column = plastic}.text()), "none");
  EXPECT_EQ(complaints(Portal{.column = plastic + ", hinges: to"}.text()),
            "numerical.frame.members[0].plastic.to: this end has a hinge already, which "
            "passes no moment; take one of them out");
}

TEST(BadStructure, NoParts) {
  EXPECT_EQ(complaints(Portal{.column = ", parts: 0"}.text()),
            "parts is 0; must be at least 1 and at most 1000");
}

// Both that lead, or that hold, are named.
TEST(BadStructure, ConstraintsAgainstEachOther) {
  EXPECT_EQ(
      complaints(Portal{.more = "    ties: [{nodes: [b, c], dofs: [x]}, {nodes: [c, b], "
                                "dofs: [x]}]\n"}
                     .text()),
      "numerical.frame: b.x follows itself, in a circle by way of the tie to c; take one "
      "out");
  EXPECT_EQ(complaints(Portal{.more = "    ties: [{nodes: [b, c], dofs: [y]}]\n"}.text()),
            "numerical.frame: a support holds c.y, and the tie to b moves it; hold the "
            "master, or take it out of one");
  EXPECT_EQ(
      complaints(Portal{.more = "    ties: [{nodes: [b, c], dofs: [x]}]\n    "
                                "rigid_links: [{master: b, slaves: [c]}]\n"}
                     .text())
          .find("numerical.frame: c.x follows the rigid link of b already, and the tie to "
                "b leads it as well; take it out of one"),
      0U);
}

// The value and its range.
TEST(BadStructure, NumbersOfLaws) {
  const auto law = [](const std::string& text) {
    return complaints(Portal{
        .more = "    links: [{name: l, from: a, to: b, dofs: [x], law: {" + text + "}}]\n",
        .integrator = "implicit"}
                          .text());
  };
  const std::string smooth =
      "kind: bouc-wen, stiffness: 1e6, yield_force: 1e4, hardening: 0.1, ";
  EXPECT_EQ(law(smooth + "pinching: {level: 0.9}"), "none");
  EXPECT_EQ(law(smooth + "pinching: {level: 1.5}"),
            "level is 1.5; must be at least "
            "0 and below 1");
  EXPECT_EQ(law("kind: viscous, coefficient: 1e4, exponent: 2.5"),
            "exponent is 2.5; must be at least 0.1 and "
            "at most 2");
  EXPECT_EQ(law("kind: bilinear, stiffness: 1e6, yield_force: 1e4, hardening: 1"),
            "hardening is 1; must be at least 0 and "
            "below 1");
  EXPECT_EQ(
      complaints(Portal{.more = "    materials: {m: {kind: steel, E: 210 GPa, fy: 355 "
                                "MPa, b: 1.2}}\n"}
                     .text()),
      "b is 1.2; must be at least 0 and below 1");
}

// Unloading with beta above gamma is stiffer than the first loading, which is what schemes
// that split a force have on their implicit side.
TEST(BadStructure, LawsThatMayStiffen) {
  const auto spring = [](const std::string& stiffness, const std::string& beta) {
    return "    springs: [{node: b, dof: x, law: {kind: bouc-wen, stiffness: " + stiffness +
           ", yield_force: 10 kN, hardening: 0.1, n: 1, beta: " + beta +
           ", gamma: 0.3}}]\n";
  };
  for (const char* scheme :
       {"constant-average-acceleration", "operator-splitting", "kr-alpha"}) {
    EXPECT_EQ(
        complaints(Portal{.more = spring("1 MN/m", "0.3"), .integrator = scheme}.text()),
        "none");
    EXPECT_EQ(
        complaints(Portal{.more = spring("1 MN/m", "0.7"), .integrator = scheme}.text()),
        "numerical.integrator: the spring at `b.x` can become 1.36 times as stiff as it is "
        "at rest (beta above gamma), and " +
            std::string(scheme) +
            " is stable only while no tangent exceeds the stiffness at rest; take kind: "
            "implicit, or beta up to gamma");
  }
  EXPECT_EQ(
      complaints(Portal{.more = spring("1 MN/m", "0.7"), .integrator = "implicit"}.text()),
      "none");
  // 2/ω = 1.11 ms at rest: 32 GN/m and some of the frame on 10 t; 0.95 ms then.
  const auto explicitly = [&](const std::string& beta) {
    return complaints(
        Portal{.more = spring("32 GN/m", beta), .integrator = "explicit-newmark"}.text());
  };
  EXPECT_EQ(explicitly("0.3"), "none");
  EXPECT_EQ(explicitly("0.7").find("time_step: is 0.001 s; the spring at `b.x` can become "
                                   "1.36 times as stiff as it is at rest (beta above "
                                   "gamma), and explicit-newmark is then stable up to "
                                   "0.00095"),
            0U)
      << explicitly("0.7");
  EXPECT_EQ(
      complaints(
          Portal{.more = spring("1 MN/m", "0.7"), .integrator = "explicit-newmark"}.text()),
      "none");
}

// Nothing bounds what a pendulum on the sphere stiffens to as its weight grows.
TEST(BadStructure, APendulumOnTheSphereWhereTheLargestStiffnessIsNeeded) {
  const auto pendulum = [](const std::string& geometry) {
    return "    links: [{name: slider, from: a, to: b, dofs: [x], law: {kind: "
           "friction-pendulum, radius: 2 m, friction: 0.06, stiffness: 1 MN/m, weight: 20 "
           "kN, geometry: " +
           geometry + "}}]\n";
  };
  for (const char* scheme : {"constant-average-acceleration", "operator-splitting",
                             "kr-alpha", "explicit-newmark"}) {
    EXPECT_EQ(complaints(Portal{.more = pendulum("plain"), .integrator = scheme}.text()),
              "none")
        << scheme;
    EXPECT_EQ(complaints(Portal{.more = pendulum("exact"), .integrator = scheme}.text()),
              "numerical.integrator: the link `slider.x` can become stiffer than it is at "
              "rest, and by how much is not bounded (friction-pendulum with geometry: "
              "exact), while " +
                  std::string(scheme) +
                  " needs the largest stiffness; take kind: implicit, or geometry: plain");
  }
  EXPECT_EQ(complaints(Portal{.more = pendulum("exact"), .integrator = "implicit"}.text()),
            "none");
}

TEST(BadStructure, TooFewIterations) {
  EXPECT_EQ(complaints(Portal{.integrator = "{kind: implicit, iterations: 1}"}.text()),
            "iterations is 1; must be at least 2 and at most "
            "100");
}

TEST(BadStructure, MotionsOutOfThePlane) {
  const std::string file =
      ::testing::TempDir() + "/plane_" + std::to_string(::getpid()) + ".csv";
  std::ofstream(file) << "0, 0\n0.1, 1\n";
  EXPECT_EQ(
      complaints(
          Portal{.excitation = "{motions: [{record: " + file + ", direction: z}]}"}.text()),
      "excitation.motions[0].direction: is of a spatial model; this one is planar: take x, "
      "y or rz");
}

composition::NumericalParts lab(const std::string& dof, bool gravity_applied = false) {
  structure::ExperimentalPart part;
  part.site = "lab";
  part.dofs = {dof};
  part.stiffness = Eigen::MatrixXd::Constant(1, 1, 1e6);
  part.damping = part.mass = Eigen::MatrixXd::Zero(1, 1);
  part.gravity_applied = gravity_applied;
  return {.experimental = {part}, .undivided = {}, .reference = {}};
}

// A DOF that follows another has no equation; the one that it follows is named.
TEST(BadStructure, SpecimenAtASlave) {
  const std::string linked = Portal{.nodes = "{a: [0, 0], b: [0, 3], c: [4, 3], d: [0, 4]}",
                                    .more = "    rigid_links: [{master: b, slaves: [d]}]\n"}
                                 .text();
  EXPECT_EQ(complaints(linked, lab("b.x")), "none");
  EXPECT_EQ(complaints(linked, lab("d.x")),
            "sites[0].interface[0]: interface DOF d.x follows b.x; take b.x, its master");
}

TEST(BadStructure, SpecimenWhoseGroundMovesByItself) {
  const std::string file =
      ::testing::TempDir() + "/support_" + std::to_string(::getpid()) + ".csv";
  std::ofstream(file) << "0, 0\n0.05, 1\n0.1, 0\n";
  const std::string text =
      Portal{.excitation = "{supports: [{nodes: [a], dof: y, motion: {file: " + file +
                           ", quantity: acceleration}}]}"}
          .text();
  EXPECT_EQ(complaints(text), "none");
  EXPECT_EQ(complaints(text, lab("b.x")),
            "sites[0].support: is missing: supports move differently, and the targets of "
            "`lab` are relative to the one that its specimen stands on; name that node");
  composition::NumericalParts parts = lab("b.x");
  parts.experimental[0].support = "a";
  EXPECT_EQ(complaints(text, std::move(parts)), "none");
  parts = lab("b.x");
  parts.experimental[0].support = "c";
  EXPECT_EQ(complaints(text, std::move(parts)),
            "sites[0].support: `c` is free along x, where the interface moves; name a node "
            "that supports hold there");
  parts = lab("b.x");
  parts.experimental[0].support = "b";
  EXPECT_TRUE(complaints(text, std::move(parts))
                  .starts_with("sites[0].support: no support holds a node `b`"));
  const std::string away =
      ::testing::TempDir() + "/away_" + std::to_string(::getpid()) + ".csv";
  std::ofstream(away) << "0, 0.01\n0.05, 0.013\n0.1, 0.016\n";
  parts = lab("b.x");
  parts.experimental[0].support = "a";
  EXPECT_EQ(
      complaints(Portal{.excitation = "{supports: [{nodes: [a], dof: x, motion: "
                                      "{file: " +
                                      away + ", quantity: displacement}}]}"}
                     .text(),
                 std::move(parts)),
      "excitation.supports[0].motion: begins at 0.01, where a specimen that stands on "
      "it would have to jump; let it begin at 0");
}

TEST(BadStructure, GravityThatIsAppliedToASpecimen) {
  const std::string weighed =
      "{loads: {p: {nodes: {b: {x: 1 kN}}}}, gravity: {from: none, "
      "loads: p}}";
  EXPECT_EQ(complaints(Portal{.excitation = weighed, .test = "mode: pseudo-dynamic"}.text(),
                       lab("b.x", true)),
            "none");
  for (const char* mode : {"real-time", "continuous"})
    EXPECT_EQ(
        complaints(
            Portal{.excitation = weighed, .test = std::string("mode: ") + mode}.text(),
            lab("b.x", true)),
        "sites[0].gravity: is apply: step 0 would have to take the specimen to the "
        "state under gravity at once in this mode. Take pseudo-dynamic mode, or "
        "preloaded");
  EXPECT_EQ(complaints(Portal{.integrator = "{kind: constant-average-acceleration, "
                                            "site_force: of-last-step}",
                              .excitation = weighed}
                           .text(),
                       lab("b.x", true)),
            "sites[0].gravity: is apply, and constant-average-acceleration with the forces "
            "of the last step would feel the specimen a step late; take the forces of this "
            "step, or preloaded");
}

}  // namespace
}  // namespace trestle::substructure::bad_structures_test
