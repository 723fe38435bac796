// The work of all forces: what goes in comes out, and each part is what the closed form
// says.
#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/numerical/substructure/structure_from_yaml.h"

namespace trestle::substructure::energies_test {
namespace {

using testing::Histories;
using testing::read_test;

std::string motion() {
  const std::string file =
      ::testing::TempDir() + "/shake_" + std::to_string(::getpid()) + ".csv";
  std::ofstream(file) << "0, 0\n0.3, 3\n0.7, -4\n1.1, 5\n1.6, -2\n2, 0\n";
  return file;
}

/// Two storeys whose column bases yield, under gravity, shaken.
std::string frame(const std::string& integrator, const std::string& damping) {
  return R"(
test: frame
time_step: 5 ms
duration: 3 s
numerical:
  integrator: )" +
         integrator + R"(
  frame:
    nodes: {a: [0, 0], b: [6, 0], c: [0, 3.5], d: [6, 3.5]}
    supports: [{nodes: [a, b], fixed: all}]
    sections: {s: {E: 210 GPa, A: 106 cm2, I: 11260 cm4, mass_per_length: 80 kg/m}}
    members:
      - {name: c1, from: a, to: c, section: s}
      - {name: c2, from: b, to: d, section: s}
      - {name: b1, from: c, to: d, section: s}
    masses: [{node: c, mass: 20 t, rotational_inertia: 700 kg.m2},
             {node: d, mass: 20 t, rotational_inertia: 700 kg.m2}]
    springs:
      - {node: c, dof: x, law: {kind: bilinear, stiffness: 8 MN/m, yield_force: 30 kN, hardening: 0.05}}
    damping: )" +
         damping + R"(
excitation:
  motions: [{record: )" +
         motion() + R"(}, {record: )" + motion() + R"(, direction: y, scale: 0.5}]
  loads: {wind: {nodes: {c: {x: 5 kN}}, members: {b1: {y: -4 kN/m}}, history: {ramp: 1 s}}}
  gravity: {}
recording: {energies: true}
)";
}

// The equation of motion holds at the end of each step: with average acceleration the
// balance closes identically, whatever yields.
TEST(Energies, BalanceWhereTheEquationOfMotionIsFulfilled) {
  for (const std::string integrator :
       {"constant-average-acceleration", "{kind: operator-splitting, alpha: 0}"})
    for (const std::string damping :
         {"{rayleigh: {ratio: 3 %}}", "{modal: {ratio: 4 %, modes: 3}}"}) {
      const Histories run(read_test(frame(integrator, damping)));
      EXPECT_LT(std::abs(run.peak("energy.balance")), 1e-10) << integrator << damping;
      EXPECT_GT(run.last("energy.springs_J"), 100.0);
      EXPECT_GT(run.last("energy.damping_J"), 10.0);
      EXPECT_GT(run.peak("energy.kinetic_J"), 100.0);
      EXPECT_NE(run.last("energy.gravity_J"), 0.0);
      EXPECT_EQ(run.last("energy.sites_J"), 0.0);
    }
}

// From 20 mm all energy is strain, and goes into damping: k u²/2 = 360 J.
TEST(Energies, OfAnOscillatorGoIntoItsDamping) {
  const Histories run(read_test(R"(
test: oscillator
time_step: 1 ms
duration: 20 s
numerical:
  shear_building:
    storeys: {s1: {mass: 20 t, stiffness: 1.8 MN/m}}
    damping: {rayleigh: {mass_factor: 2}}
  integrator: constant-average-acceleration
excitation: {initial: {nodes: {s1: {x: 20 mm}}}}
recording: {energies: true}
)"));
  EXPECT_NEAR(run.last("energy.damping_J"), 360.0, 1e-6);
  EXPECT_NEAR(run.last("energy.strain_J"), -360.0, 1e-6);
  EXPECT_NEAR(run.last("energy.kinetic_J"), 0.0, 1e-6);
  EXPECT_EQ(run.last("energy.input_J"), 0.0);
}

/// A mass of 20 t on springs to the ground, with the implicit scheme.
std::string on_springs(const std::string& springs, const std::string& integrator) {
  return R"(
test: oscillator
time_step: 5 ms
duration: 3 s
numerical:
  integrator: )" +
         integrator + R"(
  frame:
    nodes: {m: [0, 0]}
    supports: [{nodes: m, fixed: [y, rz]}]
    masses: [{node: m, mass: 20 t}]
    springs: [)" +
         springs + R"(]
excitation: {motions: [{record: )" +
         motion() + R"(}]}
recording: {energies: true}
)";
}

const char* const kYielding =
    "{node: m, dof: x, law: {kind: bilinear, stiffness: 3 MN/m, yield_force: 12 kN, "
    "hardening: 0.1}}, {node: m, dof: x, law: {kind: multi-linear, points: [[2 mm, 6 kN], "
    "[6 mm, 10 kN]]}}, {node: m, dof: x, law: {kind: gap, stiffness: 1 MN/m, gap: 5 mm}}, "
    "{node: m, dof: x, law: {kind: multi-linear, points: [[3 mm, 6 kN], [9 mm, 9 kN]], "
    "elastic: true}}";

/// Work of a force by the trapezoid rule.
struct Work {
  double force = 0.0;
  double sum = 0.0;

  void add(double now, double change) {
    sum += 0.5 * (now + force) * change;
    force = now;
  }
};

// Springs of our own, moved along the recorded displacement: a bilinear law is a slider of
// 2.7 MN/m and 4 mm beside 0.3 MN/m, the multi-linear one 2 MN/m and 2 mm beside 1 MN/m,
// the elastic one 1.5 MN/m up to 3 mm beside 0.5 MN/m; what is linear has no part in this.
// Their work, step by step, less what they store is what the account says.
TEST(Energies, OfYieldingSpringsLessWhatTheyStoreAreHysteretic) {
  const Histories run(read_test(on_springs(kYielding, "{kind: implicit, iterations: 10}")));
  struct Slider {
    double stiffness, limit, stretch = 0.0;
    Work work{};
  };
  std::vector<Slider> sliders{{2.7e6, 12e3 / 3e6}, {2e6, 2e-3}};
  Work gap;
  Work elastic;
  const std::vector<double> moved = run.of("m.x.disp_m");
  const std::vector<double> hysteretic = run.of("energy.hysteretic_J");
  const double scale = std::abs(run.peak("energy.hysteretic_J"));
  EXPECT_GT(scale, 500.0);
  double last = 0.0;
  double dissipated = 0.0;  // by the sliders, without the rule's error
  for (std::size_t k = 0; k < moved.size(); ++k) {
    const double d = moved[k];
    const double change = d - last;
    last = d;
    double expected = 0.0;
    for (Slider& slider : sliders) {
      const double wanted = slider.stretch + change;
      slider.stretch = std::clamp(wanted, -slider.limit, slider.limit);
      dissipated += slider.stiffness * slider.limit * std::abs(wanted - slider.stretch);
      slider.work.add(slider.stiffness * slider.stretch, change);
      expected +=
          slider.work.sum - 0.5 * slider.stiffness * slider.stretch * slider.stretch;
    }
    const double closed = std::max(d - 5e-3, 0.0);
    gap.add(1e6 * closed, change);
    expected += gap.sum - 0.5e6 * closed * closed;
    const double held = std::clamp(d, -3e-3, 3e-3);
    elastic.add(1.5e6 * held, change);
    expected += elastic.sum -
                1.5e6 * (0.5 * held * held + 3e-3 * std::max(std::abs(d) - 3e-3, 0.0));
    ASSERT_NEAR(hysteretic[k], expected, 1e-9 * scale) << k;
  }
  EXPECT_NEAR(hysteretic.back(), dissipated, 0.05 * dissipated);
  EXPECT_LT(std::abs(run.peak("energy.balance")), 1e-10);
}

TEST(Energies, TellWhatIsHystereticOnlyWhereItIsKnown) {
  const auto told = [](const std::string& springs, const std::string& integrator) {
    const auto made = composition::make_numerical(
        read_test(on_springs(springs, integrator)), {}, nullptr);
    return made->channels().back().name == "energy.hysteretic_J";
  };
  EXPECT_TRUE(told(kYielding, "implicit"));
  EXPECT_FALSE(
      told("{node: m, dof: x, law: {kind: bilinear, stiffness: 3 MN/m, "
           "yield_force: 12 kN}}",
           "operator-splitting"));
  EXPECT_FALSE(
      told("{node: m, dof: x, law: {kind: bouc-wen, stiffness: 3 MN/m, "
           "yield_force: 12 kN}}",
           "implicit"));
  EXPECT_FALSE(
      told("{node: m, dof: x, law: {kind: linear, stiffness: 3 MN/m}}", "implicit"));
}

// A run that is resumed from a snapshot has the bits of one that did not stop, its sums
// included.
TEST(Energies, GoOnFromASnapshot) {
  std::string text = frame("operator-splitting", "{rayleigh: {ratio: 3 %}}");
  text.replace(text.find("energies: true"), 14, "energies: true, members: all");
  const config::Test test = read_test(text);
  const auto whole = composition::make_numerical(test, {}, nullptr);
  const auto resumed = composition::make_numerical(test, {}, nullptr);
  std::vector<double> row(whole->channels().size());
  std::vector<double> other(row.size());
  whole->correct(-1, {});
  for (std::int64_t k = 0; k < whole->steps(); ++k) {
    whole->predict(k, {});
    ASSERT_TRUE(whole->correct(k, {}));
    if (k == 250) {
      SnapshotWriter snapshot;
      whole->snapshot(snapshot);
      SnapshotReader reader(snapshot.values());
      resumed->restore(reader);
      EXPECT_TRUE(reader.at_end());
    } else if (k > 250) {
      resumed->predict(k, {});
      ASSERT_TRUE(resumed->correct(k, {}));
    }
    if (k < 250) continue;
    whole->record(row);
    resumed->record(other);
    ASSERT_EQ(row, other) << k;
  }
}

}  // namespace
}  // namespace trestle::substructure::energies_test
