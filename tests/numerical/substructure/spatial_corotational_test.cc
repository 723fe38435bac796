// Spatial frames whose members follow their chords, against published numbers, closed forms
// and an independent program.
#include <Eigen/Cholesky>
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <exception>

#include "core/base/setting_error.h"
#include "numerical/integration/member_forces.h"
#include "numerical/integration/static_newton.h"
#include "tests/numerical/substructure/structure_from_yaml.h"

namespace trestle::substructure::spatial_corotational_test {
namespace {

using testing::Histories;
using testing::read_test;
using testing::structure_of;

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), by);
}

std::string triple(const Eigen::Vector3d& at) {
  char text[100];
  std::snprintf(text, sizeof text, "[%.17g, %.17g, %.17g]", at.x(), at.y(), at.z());
  return text;
}

/// A cantilever n0, n1, … of equal parts.
std::string cantilever(const std::vector<Eigen::Vector3d>& nodes,
                       const std::string& section, const std::string& z = "") {
  std::string text = R"(
test: cantilever
time_step: 1 ms
duration: 0.1 s
numerical:
  frame:
    geometry: corotational
    supports: [{nodes: n0, fixed: all}]
    sections: {s: )" +
                     section + "}\n    nodes:\n";
  std::string members = "    members:\n";
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const std::string name = "n" + std::to_string(i);
    text += "      " + name + ": " + triple(nodes[i]) + "\n";
    if (i > 0)
      members += "      - {name: m" + std::to_string(i) + ", from: n" +
                 std::to_string(i - 1) + ", to: " + name + ", section: s" + z + "}\n";
  }
  return text + members + "    masses: [{node: n" + std::to_string(nodes.size() - 1) +
         ", mass: 1 t, rotational_inertia: 10 kg.m2}]\n  integrator: implicit\n";
}

/// x, y and z of a node, or its rotation vector.
Eigen::Vector3d of_node(const structure::StructuralModel& structure,
                        const Eigen::VectorXd& all, const std::string& node,
                        const std::string& turn = "") {
  Eigen::Vector3d values;
  constexpr std::array<const char*, 3> kAxes{"x", "y", "z"};
  for (int i = 0; i < 3; ++i)
    values[i] =
        all[structure.equation(node + "." + turn + kAxes[static_cast<std::size_t>(i)])];
  return values;
}

/// The unit square of 45° of a circle of 100 that Bathe and Bolourchi (1979) bend out of
/// its plane by a force at its end.
struct Bend {
  explicit Bend(int count) : parts(count) {
    std::vector<Eigen::Vector3d> nodes;
    for (int i = 0; i <= count; ++i) {
      const double turn = 0.25 * M_PI * i / count;
      nodes.emplace_back(100.0 * (1.0 - std::cos(turn)), 100.0 * std::sin(turn), 0.0);
    }
    tip = nodes.back();
    text = cantilever(nodes,
                      "{E: 1e7, G: 5e6, A: 1, Iy: 0.083333333333333333, Iz: "
                      "0.083333333333333333, J: 0.16666666666666667}");
  }

  /// Where the tip comes to under each of the forces.
  std::vector<Eigen::Vector3d> under(const std::vector<double>& forces) const {
    const structure::StructuralModel structure = structure_of(read_test(text));
    integration::StaticNewton newton(structure);
    Eigen::VectorXd load = Eigen::VectorXd::Zero(structure.equations);
    std::vector<Eigen::Vector3d> tips;
    const std::string node = "n" + std::to_string(parts);
    double before = 0.0;
    for (const double force : forces) {
      constexpr int kSteps = 30;
      for (int i = 1; i <= kSteps; ++i) {
        load[structure.equation(node + ".z")] = before + (force - before) * i / kSteps;
        newton.reach(load, 1.0);
      }
      before = force;
      tips.push_back(tip + of_node(structure, newton.displacement(), node));
    }
    return tips;
  }

  int parts;
  Eigen::Vector3d tip;
  std::string text;
};

// The curved rod without shear, EA and dead force, by shooting with Runge–Kutta's method of
// fourth order (own program, 200 and 400 parts agree to 1e-9). Bathe and Bolourchi: 15.9,
// 47.2, 53.4.
TEST(SpatialCorotational, BendsOutOfItsPlaneAsTheCurvedRod) {
  const std::vector<Eigen::Vector3d> rod{{22.2452885388, 58.7802482959, 40.18938842},
                                         {15.685355777, 47.1521502175, 53.4717629499}};
  const std::vector<Eigen::Vector3d> coarse = Bend(8).under({300.0, 600.0});
  const std::vector<Eigen::Vector3d> fine = Bend(16).under({300.0, 600.0});
  for (std::size_t i = 0; i < rod.size(); ++i) {
    EXPECT_LT((coarse[i] - rod[i]).norm(), 0.5) << coarse[i].transpose();
    // The error of chords is of second order.
    EXPECT_NEAR((coarse[i] - rod[i]).norm() / (fine[i] - rod[i]).norm(), 4.0, 0.4)
        << coarse[i].transpose() << "; " << fine[i].transpose();
  }
  const Eigen::Vector3d published(15.9, 47.2, 53.4);
  EXPECT_LT((fine[1] - published).cwiseAbs().maxCoeff(), 0.3);
}

// A moment at the tip makes any plane's cantilever a part of a circle, a polygon of equal
// chords, which has a closed form. The member is stiff against twist and sideways bending,
// or it would leave its plane on the way.
TEST(SpatialCorotational, MomentRollsACantileverInAnyPlane) {
  const Eigen::Vector3d along = Eigen::Vector3d(2.0, 1.0, 2.0) / 3.0;
  const Eigen::Vector3d about = Eigen::Vector3d(1.0, 2.0, -2.0) / 3.0;
  const Eigen::Vector3d across = about.cross(along);
  std::vector<Eigen::Vector3d> nodes;
  for (int i = 0; i <= 10; ++i) nodes.push_back(i * along);
  const structure::StructuralModel structure = structure_of(
      read_test(cantilever(nodes, "{E: 200 GPa, A: 50 cm2, Iy: 0.04, Iz: 4000 cm4, J: 0.1}",
                           ", z: [1, 2, -2]")));
  Eigen::VectorXd load = Eigen::VectorXd::Zero(structure.equations);
  integration::StaticNewton newton(structure);
  constexpr int kStates = 36;
  for (int k = 1; k <= kStates; ++k) {
    const double turn = 0.9 * 2.0 * M_PI / 10.0 * k / kStates;  // of each part
    const Eigen::Vector3d moment = 200e9 * 4000e-8 * turn * about;
    load[structure.equation("n10.rx")] = moment.x();
    load[structure.equation("n10.ry")] = moment.y();
    load[structure.equation("n10.rz")] = moment.z();
    newton.reach(load, 1.0);
    Eigen::Vector3d tip = -10.0 * along;
    for (int i = 0; i < 10; ++i)
      tip += std::cos((i + 0.5) * turn) * along + std::sin((i + 0.5) * turn) * across;
    const Eigen::VectorXd& d = newton.displacement();
    EXPECT_LT((of_node(structure, d, "n10") - tip).norm(), 1e-8) << k;
    EXPECT_LT((of_node(structure, d, "n10", "r") - 10.0 * turn * about).norm(), 1e-9) << k;
  }
}

// A slender strip under a force at its end, in its stiff plane, falls sideways at
// 4.0126·√(EI·GJ)/L² (Prandtl 1899; Timoshenko and Gere 1961, 6.3), a little later for what
// it bends before.
TEST(SpatialCorotational, StripFallsSidewaysAtPrandtlsForce) {
  std::vector<Eigen::Vector3d> nodes;
  constexpr int kParts = 24;
  for (int i = 0; i <= kParts; ++i) nodes.emplace_back(6.0 * i / kParts, 0.0, 0.0);
  const structure::StructuralModel structure = structure_of(read_test(cantilever(
      nodes,
      "{E: 200 GPa, G: 80 GPa, A: 100 cm2, Iy: 50000 cm4, Iz: 50 cm4, J: 100 cm4}")));
  const double critical = 4.0126 * std::sqrt(200e9 * 50e-8 * 80e9 * 100e-8) / 36.0;
  const auto stands = [&](double force) {
    integration::StaticNewton newton(structure);
    Eigen::VectorXd load = Eigen::VectorXd::Zero(structure.equations);
    load[structure.equation("n" + std::to_string(kParts) + ".z")] = -force;
    try {
      newton.reach(0.5 * load, 0.5);
      newton.reach(load, 1.0);
    } catch (const std::exception&) {
      return false;
    }
    integration::MemberForces members(structure);
    members.trial(newton.displacement());
    const Eigen::MatrixXd tangent =
        Eigen::MatrixXd(structure.stiffness) + Eigen::MatrixXd(members.tangent());
    return Eigen::LLT<Eigen::MatrixXd>(tangent).info() == Eigen::Success;
  };
  EXPECT_TRUE(stands(0.995 * critical));
  EXPECT_FALSE(stands(1.01 * critical));
}

/// The planar portal of corotational_test.cc, in the x–z plane of space.
std::string portal(const std::string& integrator, const std::string& more) {
  return R"(
test: portal
time_step: 5 ms
duration: 25 s
numerical:
  frame:
    geometry: corotational
    nodes: {a: [0, 0, 0], b: [6, 0, 0], c: [0, 0, 4], d: [6, 0, 4]}
    supports: [{nodes: [a, b], fixed: [x, y, z, rx, rz]}, {nodes: [c, d], fixed: [y, rx, rz]}]
    sections:
      column: {E: 210 GPa, A: 78.1 cm2, Iy: 5696 cm4, Iz: 2000 cm4, J: 30 cm4}
      beam: {E: 210 GPa, A: 62.6 cm2, Iy: 11770 cm4, Iz: 900 cm4, J: 30 cm4}
    members:
      - {name: left, from: a, to: c, section: column}
      - {name: right, from: b, to: d, section: column}
      - {name: beam, from: c, to: d, section: beam}
    masses: [{node: c, mass: 10 t}, {node: d, mass: 10 t}]
    damping: {rayleigh: {mass_factor: 0.2, stiffness_factor: 0.002}}
  integrator: )" +
         integrator + R"(
excitation:
  loads: {weights: {nodes: {c: {z: -800 kN}, d: {z: -800 kN}}}}
  gravity: {from: none, loads: weights}
)" + more;
}

TEST(SpatialCorotational, ShakesThePortalAsTwoProgramsSay) {
  composition::NumericalReport report;
  composition::make_numerical(read_test(portal("implicit", "")), {}, &report);
  EXPECT_EQ(report.chords.members, 3U);
  EXPECT_TRUE(report.chords.in_space);
  EXPECT_NEAR(std::pow(2.0 * M_PI / report.periods.at(0), 2), 21.0955507299, 1e-9 * 21.0);
  if (!testing::records_are_here({"elcentro.csv"}))
    GTEST_SKIP() << "no ground motions beside the source";
  const Histories run(
      read_test(portal("{kind: implicit, iterations: 8}",
                       "  motions: [{record: " + testing::record_from_rest("elcentro.csv") +
                           ", scale: 0.4}]\nrecording: {nodes: c, energies: true}\n")));
  EXPECT_NEAR(run.peak("c.x.disp_m"), 0.0377480030767, 1e-9 * 0.0377);
  EXPECT_LT(std::abs(run.last("energy.balance")), 1e-10);
}

/// A bar on soft springs with a skew push, that swings through large angles.
std::string swing(const std::string& integrator, const std::string& time_step,
                  const std::string& duration) {
  return R"(
test: swing
time_step: )" +
         time_step + "\nduration: " + duration + R"(
numerical:
  frame:
    geometry: corotational
    nodes: {a: [0, 0, 0], b: [2, 0, 0], c: [3, 1, 0]}
    supports: [{nodes: a, fixed: [x, y, z]}]
    sections: {s: {E: 200 GPa, A: 1 cm2, Iy: 100 cm4, Iz: 60 cm4, J: 120 cm4}}
    members: [{name: m, from: a, to: b, section: s}, {name: n, from: b, to: c, section: s}]
    masses: [{node: a, mass: 1, rotational_inertia: 2}, {node: b, mass: 50, rotational_inertia: 2}, {node: c, mass: 20, rotational_inertia: 2}]
    springs:
      - {node: a, dof: rx, law: {kind: linear, stiffness: 300 N.m/rad}}
      - {node: a, dof: ry, law: {kind: linear, stiffness: 300 N.m/rad}}
      - {node: a, dof: rz, law: {kind: linear, stiffness: 300 N.m/rad}}
  integrator: )" +
         integrator + R"(
excitation:
  loads: {weight: {nodes: {b: {z: -490 N}, c: {z: -196 N, y: 60 N}}, history: {ramp: 0.2 s}}}
recording: {nodes: [b, c], members: all, reactions: all, energies: true}
)";
}

TEST(SpatialCorotational, SwingsThroughLargeAngles) {
  const Histories run(read_test(swing("{kind: implicit, iterations: 8}", "1 ms", "2 s")));
  const std::vector<double> x = run.of("b.x.disp_m");
  const std::vector<double> y = run.of("b.y.disp_m");
  const std::vector<double> z = run.of("b.z.disp_m");
  double worst = 0.0;
  double lowest = 0.0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    worst = std::max(worst, std::abs(Eigen::Vector3d(2.0 + x[k], y[k], z[k]).norm() - 2.0));
    lowest = std::min(lowest, z[k]);
  }
  EXPECT_LT(worst, 1e-3);
  EXPECT_LT(lowest, -1.5);
  EXPECT_LT(std::abs(run.last("energy.balance")), 1e-9);
}

// At a step far below its limit the explicit scheme comes to the implicit one's motion.
TEST(SpatialCorotational, ExplicitSchemeAgrees) {
  const auto last = [](const char* integrator) {
    const Histories run(read_test(swing(integrator, "0.05 ms", "0.8 s")));
    return Eigen::Vector3d(run.last("c.x.disp_m"), run.last("c.y.disp_m"),
                           run.last("c.z.disp_m"));
  };
  const Eigen::Vector3d implicit = last("{kind: implicit, iterations: 4}");
  EXPECT_LT((last("explicit-newmark") - implicit).norm(), 1e-4 * implicit.norm());
}

// The forces on the tip's member, in its moved axes, are those of the dead load there.
TEST(SpatialCorotational, EndForcesAreThoseOfTheMovedMember) {
  std::string text =
      cantilever({{0, 0, 0}, {1.5, 0, 0}, {3, 0, 0}},
                 "{E: 200 GPa, A: 10 cm2, Iy: 40 cm4, Iz: 90 cm4, J: 60 cm4}");
  text = replaced(text, "  integrator: implicit\n",
                  R"(    damping: {rayleigh: {mass_factor: 1}}
  integrator: implicit
excitation:
  loads: {push: {nodes: {n2: {x: -3 kN, y: 6 kN, z: -8 kN}}}}
  gravity: {from: none, loads: push}
recording: {nodes: n2, members: all, reactions: all, reaction: elastic}
)");
  const Histories run(read_test(text));
  const Eigen::Vector3d force(-3e3, 6e3, -8e3);
  const auto first = [&](const std::string& name) {
    return run.of(name).front();
  };
  const Eigen::Vector3d at_end(first("m2.to.N_N"), first("m2.to.Vy_N"),
                               first("m2.to.Vz_N"));
  EXPECT_NEAR(at_end.norm(), force.norm(), 1e-6 * force.norm());
  EXPECT_GT(std::abs(at_end.x() - force.x()), 1e3);  // the axes have turned
  const Eigen::Vector3d moment(first("m2.to.T_Nm"), first("m2.to.My_Nm"),
                               first("m2.to.Mz_Nm"));
  EXPECT_LT(moment.norm(), 1e-6 * force.norm());  // the tip is free
  // At the clamp: r × F with the moved tip.
  const Eigen::Vector3d tip(3.0 + first("n2.x.disp_m"), first("n2.y.disp_m"),
                            first("n2.z.disp_m"));
  EXPECT_GT((tip - Eigen::Vector3d(3.0, 0.0, 0.0)).norm(), 0.5);
  const Eigen::Vector3d needed = -tip.cross(force);
  const Eigen::Vector3d clamp(first("n0.rx.reaction_Nm"), first("n0.ry.reaction_Nm"),
                              first("n0.rz.reaction_Nm"));
  EXPECT_LT((clamp - needed).norm(), 1e-6 * needed.norm());
}

// The run of a resumed test has the bits of one that did not stop.
TEST(SpatialCorotational, GoesOnFromASnapshot) {
  for (const char* integrator :
       {"implicit", "{kind: implicit, rho_infinity: 0.8}", "explicit-newmark"}) {
    const config::Test test = read_test(swing(integrator, "0.1 ms", "0.1 s"));
    const auto whole = composition::make_numerical(test, {}, nullptr);
    const auto resumed = composition::make_numerical(test, {}, nullptr);
    std::vector<double> row(whole->channels().size());
    std::vector<double> other(row.size());
    whole->correct(-1, {});
    for (std::int64_t k = 0; k < whole->steps(); ++k) {
      whole->predict(k, {});
      ASSERT_TRUE(whole->correct(k, {}));
      if (k == 300) {
        SnapshotWriter snapshot;
        whole->snapshot(snapshot);
        SnapshotReader reader(snapshot.values());
        resumed->restore(reader);
        EXPECT_TRUE(reader.at_end());
      } else if (k > 300) {
        resumed->predict(k, {});
        ASSERT_TRUE(resumed->correct(k, {}));
      }
      if (k < 300) continue;
      whole->record(row);
      resumed->record(other);
      ASSERT_EQ(row, other) << integrator << " " << k;
    }
  }
}

// A torque that grows would turn the tip round and round, with forces of another state.
TEST(SpatialCorotational, TwistBeyondHalfATurnEndsTheRun) {
  for (const char* integrator : {"implicit", "explicit-newmark"}) {
    const std::string text =
        replaced(replaced(cantilever({{0, 0, 0}, {2, 0, 0}},
                                     "{E: 200 GPa, A: 100 cm2, Iy: 1e-4, Iz: 1e-4, J: "
                                     "1e-7}"),
                          "time_step: 1 ms\nduration: 0.1 s",
                          "time_step: 0.5 ms\nduration: 1 s"),
                 "integrator: implicit", std::string("integrator: ") + integrator) +
        "excitation: {loads: {p: {nodes: {n1: {mx: 20 kN.m}}, history: {ramp: 1 s}}}}\n";
    const auto run = composition::make_numerical(read_test(text), {}, nullptr);
    std::vector<double> row(run->channels().size());
    const auto turn = static_cast<std::size_t>(
        std::find_if(run->channels().begin(), run->channels().end(),
                     [](const auto& channel) { return channel.name == "n1.rx.disp_rad"; }) -
        run->channels().begin());
    ASSERT_LT(turn, row.size());
    double last = 0.0;
    std::int64_t step = 0;
    run->correct(-1, {});
    for (; step < run->steps(); ++step) {
      run->predict(step, {});
      if (!run->correct(step, {})) break;
      run->record(row);
      last = row[turn];
    }
    EXPECT_LT(step, run->steps()) << integrator;
    EXPECT_NEAR(last, M_PI, 0.05) << integrator;
  }
}

TEST(SpatialCorotational, TellsWhatTurnsToFirstOrder) {
  const auto complaint = [](const std::string& text) -> std::string {
    try {
      composition::make_numerical(read_test(text), {}, nullptr);
    } catch (const SettingError& error) {
      return error.problems().front().path + ": " + error.problems().front().what;
    }
    return "none";
  };
  const std::string text = portal("implicit", "");
  const std::string about_hinges =
      " would turn about axes at rest, and the frame is spatial and corotational; put a "
      "short soft member there, or linear: true for this one";
  EXPECT_EQ(
      complaint(replaced(text, "to: d, section: beam", "to: d, section: beam, hinges: to")),
      "numerical.frame.members[2].hinges:" + about_hinges);
  EXPECT_EQ(complaint(replaced(text, "to: d, section: beam",
                               "to: d, section: beam, releases: {from: [ry]}")),
            "numerical.frame.members[2].releases:" + about_hinges);
  EXPECT_EQ(complaint(replaced(replaced(text, "to: d, section: beam",
                                        "to: d, section: beam, hinges: to, linear: true"),
                               "nodes: [a, b], fixed: [x, y, z, rx, rz]",
                               "nodes: [a, b], fixed: all")),
            "none");
  EXPECT_EQ(
      complaint(replaced(
          text, "    damping:", "    diaphragms: {f: {nodes: [c, d]}}\n    damping:")),
      "numerical.frame.diaphragms: turn to first order, and the frame is corotational; "
      "take stiff members");
  EXPECT_EQ(complaint(portal("kr-alpha", "")),
            "numerical.integrator: the frame's geometry is corotational: its stiffness "
            "changes with its displacements, which this scheme keeps constant; take kind: "
            "implicit or explicit-newmark");
}

}  // namespace
}  // namespace trestle::substructure::spatial_corotational_test
