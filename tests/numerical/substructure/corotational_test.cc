// Frames whose members follow their chords, against numbers of two independent programs and
// closed forms.
#include "core/base/setting_error.h"
#include "numerical/integration/member_forces.h"
#include "numerical/integration/static_newton.h"
#include "tests/numerical/substructure/structure_from_yaml.h"

namespace trestle::substructure::corotational_test {
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

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), by);
}

/// A portal on pinned bases with 800 kN on each column.
struct Portal {
  std::string integrator = "{kind: implicit, iterations: 8}";
  int parts = 1;
  std::string time_step = "5 ms";
  std::string duration = "25 s";
  std::string frame = "";
  std::string excitation = "";
  std::string more = "";

  std::string text() const {
    return R"(
test: portal
time_step: )" +
           time_step + "\nduration: " + duration + R"(
numerical:
  frame:
    geometry: corotational
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
)" + frame +
           "  integrator: " + integrator + R"(
excitation:
  loads:
    weights: {nodes: {c: {y: -800 kN}, d: {y: -800 kN}}}
    push: {nodes: {c: {x: 10 kN}}}
  gravity: {from: none, loads: weights}
)" + excitation +
           more;
  }
};

std::string shaken() {
  return "  motions: [{record: " + testing::record_from_rest("elcentro.csv") +
         ", scale: 0.4}]\n";
}

std::string without_push(const std::string& text) {
  const std::size_t push = text.find("    push:");
  return text.substr(0, push) + text.substr(text.find('\n', push) + 1);
}

TEST(Corotational, PortalMovesAndVibratesAsTwoProgramsSay) {
  struct Anchor {
    int parts;
    double pushed, omega2;
  };
  for (const Anchor& anchor : {Anchor{1, 0.0237118477687, 21.0955507299},
                               Anchor{8, 0.0264937720986, 18.8791262835}}) {
    const config::Test test = read_test(Portal{.parts = anchor.parts}.text());
    structure::StructuralModel structure = structure_of(test);
    Eigen::VectorXd load = Eigen::VectorXd::Zero(structure.equations);
    for (const char* top : {"c.y", "d.y"}) load[structure.equation(top)] = -800e3;
    integration::StaticNewton newton(structure);
    for (int i = 1; i <= 10; ++i) newton.reach(0.1 * i * load, 0.1 * i);

    integration::MemberForces members(structure);
    members.trial(newton.displacement());
    structure.stiffness += members.tangent();
    EXPECT_AGREES_TO(std::pow(structure::lowest_modes(structure, 1).frequencies[0], 2),
                     anchor.omega2);
    structure = structure_of(test);
    integration::StaticNewton again(structure);
    for (int i = 1; i <= 10; ++i) again.reach(0.1 * i * load, 0.1 * i);
    load[structure.equation("c.x")] = 10e3;
    again.reach(load, 1.0);
    EXPECT_AGREES_TO(again.displacement()[structure.equation("c.x")], anchor.pushed);
    if (anchor.parts == 1) {
      EXPECT_AGREES_TO(again.displacement()[structure.equation("c.y")], -0.00198964398509);
    }
  }
}

// What check prints are the modes of small vibrations under gravity.
TEST(Corotational, ReportsModesUnderGravity) {
  composition::NumericalReport report;
  composition::make_numerical(read_test(Portal{}.text()), {}, &report);
  EXPECT_AGREES_TO(std::pow(2.0 * M_PI / report.periods.at(0), 2), 21.0955507299);
}

TEST(Corotational, ShakesThePortalAsTwoProgramsSay) {
  if (!testing::records_are_here({"elcentro.csv"}))
    GTEST_SKIP() << "no ground motions beside the source";
  const Histories run(read_test(without_push(
      Portal{.excitation = shaken(), .more = "recording: {nodes: c, energies: true}\n"}
          .text())));
  EXPECT_AGREES_TO(run.peak("c.x.disp_m"), 0.0377480030767);
  EXPECT_LT(std::abs(run.last("energy.balance")), 1e-10);
  // The three Newton steps of the default.
  const Histories three(read_test(without_push(Portal{
      .integrator = "implicit", .excitation = shaken(), .more = "recording: {nodes: c}\n"}
                                                   .text())));
  EXPECT_AGREES_TO(three.peak("c.x.disp_m"), 0.0377480030767);
}

// A cantilever with a moment at its tip is a part of a circle, a polygon of equal chords: N
// is zero, so that the closed form is exact. Here it closes.
TEST(Corotational, MomentRollsACantileverToACircle) {
  const structure::StructuralModel structure = structure_of(read_test(R"(
test: circle
time_step: 1 ms
duration: 0.1 s
numerical:
  frame:
    geometry: corotational
    nodes: {a: [0, 0], b: [10, 0]}
    supports: [{nodes: a, fixed: all}]
    sections: {s: {E: 200 GPa, A: 50 cm2, I: 4000 cm4}}
    members: [{name: m, from: a, to: b, section: s, parts: 10}]
    masses: [{node: b, mass: 1 t, rotational_inertia: 10 kg.m2}]
  integrator: implicit
)"));
  const double moment = 2.0 * M_PI * 200e9 * 4000e-8 / 10.0;
  Eigen::VectorXd load = Eigen::VectorXd::Zero(structure.equations);
  integration::StaticNewton newton(structure);
  constexpr int kStates = 40;
  for (int k = 1; k <= kStates; ++k) {
    const double part = static_cast<double>(k) / kStates;
    load[structure.equation("b.rz")] = part * moment;
    newton.reach(load, part);
    const double turn = part * 2.0 * M_PI / 10.0;  // of each part
    double x = 0.0;
    double y = 0.0;
    for (int i = 0; i < 10; ++i) {
      x += std::cos((i + 0.5) * turn);
      y += std::sin((i + 0.5) * turn);
    }
    const Eigen::VectorXd& d = newton.displacement();
    EXPECT_NEAR(d[structure.equation("b.x")], x - 10.0, 1e-8) << k;
    EXPECT_NEAR(d[structure.equation("b.y")], y, 1e-8) << k;
    EXPECT_NEAR(d[structure.equation("b.rz")], 10.0 * turn, 1e-9) << k;
  }
}

// A pendulum of one bar on a weak spring, which lets it stand at rest.
TEST(Corotational, PendulumSwingsThroughALargeAngle) {
  const Histories run(read_test(R"(
test: pendulum
time_step: 2 ms
duration: 4 s
numerical:
  frame:
    geometry: corotational
    nodes: {a: [0, 0], b: [2, 0]}
    supports: [{nodes: a, fixed: [x, y]}]
    sections: {s: {E: 200 GPa, A: 1 cm2, I: 1 cm4}}
    members: [{name: m, from: a, to: b, section: s}]
    masses: [{node: b, mass: 100}]
    springs: [{node: a, dof: rz, law: {kind: linear, stiffness: 1 N.m/rad}}]
  integrator: {kind: implicit, iterations: 8}
excitation:
  loads: {weight: {nodes: {b: {y: -980.665 N}}, history: {ramp: 0.2 s}}}
recording: {nodes: b, members: [m], energies: true}
)"));
  const std::vector<double> x = run.of("b.x.disp_m");
  const std::vector<double> y = run.of("b.y.disp_m");
  double lowest = 0.0;
  double worst = 0.0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    worst = std::max(worst, std::abs(std::hypot(2.0 + x[k], y[k]) - 2.0));
    lowest = std::min(lowest, y[k]);
  }
  EXPECT_LT(worst, 2e-3);
  EXPECT_LT(lowest, -1.9);
  EXPECT_LT(std::abs(run.last("energy.balance")), 1e-9);
}

// At a step far below its limit the explicit scheme comes to the implicit one's motion.
TEST(Corotational, ExplicitSchemeAgrees) {
  const auto peak = [](const char* integrator) {
    return Histories(
               read_test(Portal{
                   .integrator = integrator,
                   .time_step = "0.05 ms",
                   .duration = "0.5 s",
                   .frame = R"(    floors: [{nodes: [a, b, c, d], rotational_inertia: 200}]
)",
                   .more = "recording: {nodes: c}\n"}
                             .text()))
        .peak("c.x.disp_m");
  };
  const double implicit = peak("{kind: implicit, iterations: 4}");
  EXPECT_NEAR(peak("explicit-newmark"), implicit, 1e-5 * std::abs(implicit));
}

// The forces on the ends of the columns, in their present axes, carry what is pushed.
TEST(Corotational, EndForcesAndReactionsCarryTheLoads) {
  const std::string text =
      replaced(Portal{}.text(), "loads: weights", "loads: [weights, push]");
  const Histories run(read_test(
      text +
      "recording: {members: all, nodes: [c, d], reactions: all, storeys: "
      "[{name: s, nodes_above: [c, d], nodes_below: [a, b]}], reaction: elastic}\n"));
  EXPECT_NEAR(run.of("a.x.reaction_N").front() + run.of("b.x.reaction_N").front(), -10e3,
              1e-3);
  EXPECT_NEAR(run.of("a.y.reaction_N").front() + run.of("b.y.reaction_N").front(), 1600e3,
              1e-3);
  EXPECT_NEAR(run.of("s.shear_N").front(), 10e3, 1e-3);
  EXPECT_NEAR(run.of("base.shear_N").front(), 10e3, 1e-3);
  // At the pinned base: resultant of N and V is that of the reaction.
  EXPECT_NEAR(
      std::hypot(run.of("left.from.N_N").front(), run.of("left.from.V_N").front()),
      std::hypot(run.of("a.x.reaction_N").front(), run.of("a.y.reaction_N").front()), 1e-3);
  EXPECT_GT(run.of("left.from.N_N").front(), 0.0);  // pressed
}

// The run of a resumed test has the bits of one that did not stop.
TEST(Corotational, GoesOnFromASnapshot) {
  for (const std::string integrator : {"implicit", "{kind: implicit, rho_infinity: 0.8}"}) {
    const config::Test test = read_test(Portal{
        .integrator = integrator,
        .duration = "1 s",
        .more = "recording: {nodes: c, members: all, energies: true, reactions: all}\n"}
                                            .text());
    const auto whole = composition::make_numerical(test, {}, nullptr);
    const auto resumed = composition::make_numerical(test, {}, nullptr);
    std::vector<double> row(whole->channels().size());
    std::vector<double> other(row.size());
    whole->correct(-1, {});
    for (std::int64_t k = 0; k < whole->steps(); ++k) {
      whole->predict(k, {});
      ASSERT_TRUE(whole->correct(k, {}));
      if (k == 100) {
        SnapshotWriter snapshot;
        whole->snapshot(snapshot);
        SnapshotReader reader(snapshot.values());
        resumed->restore(reader);
        EXPECT_TRUE(reader.at_end());
      } else if (k > 100) {
        resumed->predict(k, {});
        ASSERT_TRUE(resumed->correct(k, {}));
      }
      if (k < 100) continue;
      whole->record(row);
      resumed->record(other);
      ASSERT_EQ(row, other) << integrator << " " << k;
    }
  }
}

TEST(Corotational, TellsWhatIsWrong) {
  for (const std::string scheme :
       {"operator-splitting", "constant-average-acceleration", "kr-alpha"})
    EXPECT_EQ(
        complaint(Portal{.integrator = scheme}.text()),
        "numerical.integrator: the frame's geometry is corotational: its stiffness "
        "changes with its displacements, which this scheme keeps constant; take kind: "
        "implicit or explicit-newmark");
  EXPECT_EQ(complaint(replaced(Portal{}.text(), "geometry: corotational",
                               "geometry: corotational\n    p_delta: chord")),
            "numerical.frame.p_delta: is of `geometry: p-delta`; this frame's geometry is "
            "corotational");
  EXPECT_EQ(
      complaint(Portal{.frame = "    rigid_links: [{master: c, slaves: [d]}]\n"}.text()),
      "numerical.frame.rigid_links: turn to first order, and the frame is "
      "corotational; take stiff members");
  EXPECT_EQ(complaint(replaced(Portal{}.text(), "{name: beam,",
                               "{name: beam, offsets: {from: [0.1, 0]},")),
            "numerical.frame.members[2].offsets: turn to first order, and the frame is "
            "corotational; take stiff members, or linear: true for this one");
  EXPECT_EQ(complaint(replaced(Portal{}.text(),
                               "rayleigh: {mass_factor: 0.2, stiffness_factor: 0.002}",
                               "modal: {ratio: 2 %}")),
            "numerical.integrator: implicit: fibre members and corotational geometry need "
            "the damping as a sparse matrix; take rayleigh in place of modal damping");
}

}  // namespace
}  // namespace trestle::substructure::corotational_test
