// Rayleigh damping on the tangent of what yields, against numbers of independent programs
// that iterate until they converge, and against its own promises.
#include <algorithm>

#include "composition/numerical/damping_factory.h"
#include "core/base/setting_error.h"
#include "numerical/structure/damping.h"
#include "tests/numerical/substructure/structure_from_yaml.h"

namespace trestle::substructure::tangent_damping_test {
namespace {

using testing::Histories;
using testing::read_test;

constexpr double kAgreement = 1e-9;  // of the peak

std::string complaint(const std::string& text) {
  try {
    composition::make_numerical(read_test(text), {}, nullptr);
  } catch (const SettingError& error) {
    return error.problems().front().path + ": " + error.problems().front().what;
  }
  return "none";
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), by);
}

std::string shake() {
  const std::string file =
      ::testing::TempDir() + "/tangent_" + std::to_string(::getpid()) + ".csv";
  std::ofstream(file) << "0, 0\n0.3, 2\n0.7, -3\n1.1, 3.5\n1.6, -2\n2, 0\n";
  return file;
}

/// Two storeys that yield, shaken.
std::string storeys(const std::string& integrator, const std::string& stiffness,
                    const std::string& more = "") {
  return R"(
test: storeys
time_step: 5 ms
duration: 2 s
numerical:
  shear_building:
    storeys:
      s1: {mass: 20 t, law: {kind: bilinear, stiffness: 12 MN/m, yield_force: 30 kN, hardening: 0.1}}
      s2: {mass: 15 t, law: {kind: bilinear, stiffness: 9 MN/m, yield_force: 24 kN, hardening: 0.1}}
    damping: {rayleigh: {mass_factor: 0.3, stiffness_factor: 0.002, stiffness: )" +
         stiffness + R"(}}
  integrator: )" +
         integrator + R"(
excitation: {motions: [{record: )" +
         shake() + R"(}]}
recording: {energies: true}
)" + more;
}

/// The storey of 20 t of the anchor three times, side by side: its law as a bar of one
/// fibre, as a spring, and as a link to a clamped node.
std::string side_by_side(const std::string& stiffness, const std::string& excitation,
                         const std::string& duration = "25 s") {
  return R"(
test: bars
time_step: 5 ms
duration: )" +
         duration + R"(
numerical:
  integrator: {kind: implicit, iterations: 6}
  frame:
    nodes: {foot: [0, 0], bar: [1, 0], spring: [2, 0], wall: [3, 0], link: [4, 0]}
    supports: [{nodes: [foot, wall], fixed: all}, {nodes: [bar, spring, link], fixed: [y, rz]}]
    materials: {bars: {kind: steel, E: 1.8 GPa, fy: 12 MPa, b: 0.1}}
    sections: {s: {fibres: {bars: [{material: bars, y: 0.1 m, area: 5 cm2}, {material: bars, y: -0.1 m, area: 5 cm2}]}}}
    members: [{name: m, from: foot, to: bar, section: s}]
    springs: [{node: spring, dof: x, law: &law {kind: bilinear, stiffness: 1.8 MN/m, yield_force: 12 kN, hardening: 0.1}}]
    links: [{name: l, from: wall, to: link, dofs: x, law: *law}]
    masses: [{node: bar, mass: 20 t}, {node: spring, mass: 20 t}, {node: link, mass: 20 t}]
    damping: {rayleigh: {mass_factor: 0, stiffness_factor: 0.0105409255338946, stiffness: )" +
         stiffness + R"(}}
excitation: )" +
         excitation + R"(
recording: {nodes: [bar, spring, link], reactions: all, energies: true}
)";
}

std::string anchor_record() {
  return "{motions: [{record: " + testing::record_from_rest("elcentro.csv") +
         ", scale: 0.4}]}";
}

// 20 t on a bilinear spring, stiffness damping alone; OpenSees and an own program.
TEST(TangentDamping, YieldingStoreyMovesAsTheProgramsSay) {
  if (!testing::records_are_here({"elcentro.csv"}))
    GTEST_SKIP() << "no ground motions beside the source";
  const Histories run(read_test(R"(
test: storey
time_step: 5 ms
duration: 25 s
numerical:
  shear_building:
    storeys: {s1: {mass: 20 t, law: {kind: bilinear, stiffness: 1.8 MN/m, yield_force: 12 kN, hardening: 0.1}}}
    damping: {rayleigh: {mass_factor: 0, stiffness_factor: 0.0105409255338946, stiffness: tangent}}
  integrator: {kind: implicit, iterations: 6}
excitation: )" + anchor_record() +
                                "\nrecording: {energies: true}\n"));
  EXPECT_NEAR(std::abs(run.peak("s1.x.disp_m")), 0.0213992695614, kAgreement * 0.0214);
  EXPECT_LT(std::abs(run.peak("energy.balance")), 1e-10);
  EXPECT_GT(run.last("energy.damping_J"), 0.0);
}

// Newton's method of the whole structure, of members and springs, finds the same numbers.
TEST(TangentDamping, MembersAndSpringsOfOneLawMoveAlike) {
  if (!testing::records_are_here({"elcentro.csv"}))
    GTEST_SKIP() << "no ground motions beside the source";
  const Histories run(read_test(side_by_side("tangent", anchor_record())));
  for (const char* node : {"bar", "spring", "link"})
    EXPECT_NEAR(std::abs(run.peak(std::string(node) + ".x.disp_m")), 0.0213992695614,
                kAgreement * 0.0214)
        << node;
  EXPECT_LT(std::abs(run.peak("energy.balance")), 1e-10);
}

// Two storeys, one more method than Newmark's: peaks and last values of an own program
// (generalised-alpha of both DOFs, Newton's method to 1e-17 m).
TEST(TangentDamping, StoreysMoveAsAnIndependentProgramSays) {
  struct Anchor {
    const char* integrator;
    double peak1, peak2, last1, last2;
  };
  for (const Anchor& anchor :
       {Anchor{"{kind: implicit, iterations: 8}", 0.1091960962392, -0.1924282861346,
               0.1091960962392, 0.1858797594858},
        Anchor{"{kind: implicit, iterations: 8, rho_infinity: 0.8}", 0.1091957248467,
               -0.1924253392495, 0.1091957248467, 0.1858794175523}}) {
    SCOPED_TRACE(anchor.integrator);
    const Histories run(read_test(storeys(anchor.integrator, "tangent")));
    EXPECT_NEAR(run.peak("s1.x.disp_m"), anchor.peak1, kAgreement * 0.11);
    EXPECT_NEAR(run.peak("s2.x.disp_m"), anchor.peak2, kAgreement * 0.19);
    EXPECT_NEAR(run.last("s1.x.disp_m"), anchor.last1, kAgreement * 0.11);
    EXPECT_NEAR(run.last("s2.x.disp_m"), anchor.last2, kAgreement * 0.19);
  }
  const Histories initial(read_test(storeys("{kind: implicit, iterations: 8}", "initial")));
  EXPECT_NEAR(initial.peak("s2.x.disp_m"), -0.1651678067731, kAgreement * 0.17);
}

// Its work is that of damping, not of springs; at the start, too.
TEST(TangentDamping, BalancesEnergy) {
  const std::string moved = storeys("{kind: implicit, iterations: 8}", "tangent") + "\n";
  const Histories run(read_test(replaced(
      moved, "}]}\nrecording", "}], initial: {nodes: {s1: {vx: 0.5 m/s}}}}\nrecording")));
  EXPECT_LT(std::abs(run.peak("energy.balance")), 1e-10);
  const std::vector<double> damping = run.of("energy.damping_J");
  for (std::size_t k = 1; k < damping.size(); ++k)
    EXPECT_GE(damping[k] - damping[k - 1], -1e-9 * damping.back()) << k;
}

// Where nothing yields it is that of the stiffness at rest, to the bits.
TEST(TangentDamping, IsThatAtRestWhereNothingYields) {
  const auto rows = [](const std::string& stiffness) {
    const Histories run(
        read_test(side_by_side(stiffness,
                               "{initial: {nodes: {bar: {vx: 10 mm/s}, spring: {vx: 10 "
                               "mm/s}, link: {vx: 10 mm/s}}}}",
                               "1 s")));
    std::vector<std::vector<double>> all;
    for (const char* channel : {"bar.x.disp_m", "spring.x.disp_m", "link.x.disp_m",
                                "foot.x.reaction_N", "wall.x.reaction_N"})
      all.push_back(run.of(channel));
    return all;
  };
  EXPECT_EQ(rows("tangent"), rows("initial"));
}

// Newton's second law of each mass: what holds its foot is all that accelerates it.
TEST(TangentDamping, ReactionsHoldIt) {
  const Histories run(
      read_test(side_by_side("tangent",
                             "{initial: {nodes: {bar: {vx: 0.4 m/s}, spring: {vx: 0.4 "
                             "m/s}, link: {vx: 0.4 m/s}}}}",
                             "2 s")));
  for (const auto& [foot, mass] : {std::pair{"foot", "bar"}, std::pair{"wall", "link"}}) {
    const std::vector<double> reaction = run.of(std::string(foot) + ".x.reaction_N");
    const std::vector<double> acceleration = run.of(std::string(mass) + ".x.acc_m_s2");
    double largest = 0.0;
    for (std::size_t k = 0; k < reaction.size(); ++k) {
      EXPECT_NEAR(reaction[k], 20e3 * acceleration[k], 1e-5) << foot << " " << k;
      largest = std::max(largest, std::abs(reaction[k]));
    }
    EXPECT_GT(largest, 12e3) << "it yields";
  }
}

// The two directions of a pendulum damp each other, and Newton's method knows it.
TEST(TangentDamping, PendulumConvergesAndBalances) {
  const Histories run(read_test(R"(
test: pendulum
time_step: 5 ms
duration: 2 s
numerical:
  integrator: {kind: implicit, iterations: 10}
  frame:
    nodes: {base: [0, 0, 0], top: [0, 0, 0]}
    supports: [{nodes: base, fixed: all}, {nodes: top, fixed: [z, rx, ry, rz]}]
    links: [{name: p, from: base, to: top, dofs: [x, y], law: {kind: friction-pendulum, radius: 2 m, friction: 0.06, stiffness: 20 MN/m, weight: 200 kN}}]
    masses: [{node: top, mass: 20387.36}]
    damping: {rayleigh: {stiffness_factor: 0.0005, stiffness: tangent}}
excitation:
  motions: [{record: )" + shake() +
                                R"(, direction: x}, {record: )" + shake() +
                                R"(, direction: y, start: 0.15 s}]
recording: {nodes: top, energies: true}
)"));
  EXPECT_GT(std::abs(run.peak("top.x.disp_m")), 0.01);
  EXPECT_GT(std::abs(run.peak("top.y.disp_m")), 0.01);
  EXPECT_LT(run.peak("residual_N"), 1e-3);
  EXPECT_LT(std::abs(run.peak("energy.balance")), 1e-9);
}

// The run of a resumed test has the bits of one that did not stop.
TEST(TangentDamping, GoesOnFromASnapshot) {
  const std::string free =
      "{initial: {nodes: {bar: {vx: 0.4 m/s}, spring: {vx: 0.4 m/s}}}}";
  for (const std::string& text :
       {storeys("{kind: implicit, iterations: 4}", "tangent"),
        storeys("{kind: implicit, iterations: 4, rho_infinity: 0.8}", "tangent"),
        side_by_side("tangent", free, "1 s")}) {
    const config::Test test = read_test(text);
    const auto whole = composition::make_numerical(test, {}, nullptr);
    const auto resumed = composition::make_numerical(test, {}, nullptr);
    std::vector<double> row(whole->channels().size());
    std::vector<double> other(row.size());
    constexpr std::int64_t kStop = 31;  // something yields, and moves
    whole->correct(-1, {});
    for (std::int64_t k = 0; k < 120; ++k) {
      whole->predict(k, {});
      ASSERT_TRUE(whole->correct(k, {}));
      if (k == kStop) {
        SnapshotWriter snapshot;
        whole->snapshot(snapshot);
        SnapshotReader reader(snapshot.values());
        resumed->restore(reader);
        EXPECT_TRUE(reader.at_end());
      } else if (k > kStop) {
        resumed->predict(k, {});
        ASSERT_TRUE(resumed->correct(k, {}));
      }
      if (k < kStop) continue;
      whole->record(row);
      resumed->record(other);
      ASSERT_EQ(row, other) << k;
    }
  }
}

// A second run of one object begins where the first did.
TEST(TangentDamping, BeginsAnew) {
  const config::Test test =
      read_test(storeys("{kind: implicit, iterations: 4}", "tangent"));
  const auto structure = composition::make_numerical(test, {}, nullptr);
  const auto end = [&] {
    std::vector<double> row(structure->channels().size());
    structure->prepare();
    structure->correct(-1, {});
    for (std::int64_t k = 0; k < structure->steps(); ++k) {
      structure->predict(k, {});
      structure->correct(k, {});
    }
    structure->record(row);
    return row;
  };
  const std::vector<double> first = end();
  EXPECT_EQ(first, end());
}

// Ratios are met by the structure at rest.
TEST(TangentDamping, HasTheFactorsOfTheStiffnessAtRest) {
  const std::string ratio =
      replaced(storeys("implicit", "tangent"), "mass_factor: 0.3, stiffness_factor: 0.002",
               "ratio: 3 %");
  const structure::StructuralModel tangent = testing::structure_of(read_test(ratio));
  const structure::StructuralModel initial =
      testing::structure_of(read_test(replaced(ratio, "tangent", "initial")));
  EXPECT_TRUE(tangent.damping.isApprox(initial.damping, 0.0));
  ASSERT_TRUE(tangent.details.tangent_factor.has_value());
  EXPECT_EQ(*tangent.details.tangent_factor,
            structure::rayleigh_factors(initial,
                                        structure::RayleighAtModes{.ratios = {0.03, 0.03}})
                .stiffness);
  EXPECT_FALSE(initial.details.tangent_factor.has_value());
}

TEST(TangentDamping, NamesWhatCannotHaveIt) {
  for (const char* integrator : {"explicit-newmark", "constant-average-acceleration",
                                 "operator-splitting", "kr-alpha"})
    EXPECT_EQ(
        complaint(storeys(integrator, "tangent")),
        "numerical.integrator: Rayleigh damping has stiffness: tangent, which changes "
        "with each step, and this scheme keeps its matrices; take kind: implicit, or "
        "stiffness: initial or elastic");
  EXPECT_EQ(
      complaint(replaced(side_by_side("tangent", "{initial: {nodes: {bar: {vx: 1 m/s}}}}"),
                         "  frame:\n", "  frame:\n    geometry: corotational\n")),
      "numerical.integrator: Rayleigh damping has stiffness: tangent, and the tangent of "
      "the "
      "corotational fibre member `m` holds what its axial force does, which damps nothing; "
      "take stiffness: initial or elastic");
}

}  // namespace
}  // namespace trestle::substructure::tangent_damping_test
