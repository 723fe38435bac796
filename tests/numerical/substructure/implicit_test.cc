// The implicit scheme with yielding springs and hinges, against numbers of independent
// programs that iterate until they converge, and against its own promises.
#include <algorithm>

#include "core/base/setting_error.h"
#include "core/math/carried_inertia.h"
#include "core/ports/specimen_model.h"
#include "tests/numerical/substructure/structure_from_yaml.h"

namespace trestle::substructure::implicit_test {
namespace {

using testing::Histories;
using testing::read_test;

std::string complaint(const std::string& text) {
  try {
    composition::make_numerical(read_test(text), {}, nullptr);
  } catch (const SettingError& error) {
    return error.problems().front().path + ": " + error.problems().front().what;
  } catch (const yaml::ConfigError& error) {
    return error.lines().front();
  }
  return "none";
}

std::string shake() {
  const std::string file =
      ::testing::TempDir() + "/implicit_" + std::to_string(::getpid()) + ".csv";
  std::ofstream(file) << "0, 0\n0.3, 6\n0.7, -8\n1.1, 10\n1.6, -4\n2, 0\n";
  return file;
}

/// Two storeys whose column bases and beam ends yield, under gravity, shaken.
struct Hinges {
  std::string integrator = "{kind: implicit, iterations: 8}";
  std::string geometry = "linear";
  std::string mass_factor = "0.298670185086";
  std::string stiffness_factor = "0.000981880715974";
  std::string record = shake();
  std::string duration = "3 s";
  std::string law = "bilinear";
  std::string more = "";

  std::string text() const {
    const std::string linear = geometry == "linear" ? "" : ", linear: true";
    return R"(
test: hinges
time_step: 5 ms
duration: )" +
           duration + R"(
numerical:
  integrator: )" +
           integrator + R"(
  frame:
    geometry: )" +
           geometry + R"(
    nodes: {'1': [0, 0], '2': [6, 0], '11': [0, 3.5], '12': [6, 3.5], '21': [0, 7], '22': [6, 7]}
    supports: [{nodes: ['1', '2'], fixed: all}]
    sections:
      column: {E: 210 GPa, A: 106 cm2, I: 11260 cm4}
      beam: {E: 210 GPa, A: 72.7 cm2, I: 16270 cm4}
    members:
      - {name: c1, from: '1', to: '11', section: column, plastic: {from: {rz: &base {kind: )" +
           law +
           R"(, stiffness: 60*210e9*11260e-8/3.5, yield_force: 260 kN.m, hardening: 0.02}}}}
      - {name: c2, from: '2', to: '12', section: column, plastic: {from: {rz: *base}}}
      - {from: '11', to: '21', section: column}
      - {from: '12', to: '22', section: column}
      - {name: floor, from: '11', to: '12', section: beam)" +
           linear + R"(, plastic: &ends {from: {rz: &end {kind: )" + law +
           R"(, stiffness: 60*210e9*16270e-8/6, yield_force: 240 kN.m, hardening: 0.02}}, to: {rz: *end}}}
      - {name: roof, from: '21', to: '22', section: beam)" +
           linear + R"(, plastic: *ends}
    masses:
      - {node: '11', mass: 14 t, rotational_inertia: 700 kg.m2}
      - {node: '12', mass: 14 t, rotational_inertia: 700 kg.m2}
      - {node: '21', mass: 11 t, rotational_inertia: 600 kg.m2}
      - {node: '22', mass: 11 t, rotational_inertia: 600 kg.m2}
    damping: {rayleigh: {mass_factor: )" +
           mass_factor + ", stiffness_factor: " + stiffness_factor +
           R"(, stiffness: elastic}}
excitation:
  motions: [{record: )" +
           record + R"(}]
  loads:
    dead:
      nodes: {'11': {y: -150 kN}, '12': {y: -150 kN}, '21': {y: -120 kN}, '22': {y: -120 kN}}
      members: {floor: {y: -30 kN/m}, roof: {y: -22 kN/m}}
  gravity: {from: none, loads: dead}
recording: {nodes: ['11', '21'], members: [c1, floor], energies: true}
)" + more;
  }
};

void expect_agrees(double value, double anchor, double peak, double agreement = 1e-9) {
  EXPECT_NEAR(value, anchor, agreement * std::abs(peak));
}

TEST(Implicit, FrameWithHingesMovesAsTwoProgramsSay) {
  if (!testing::records_are_here({"kobe.csv"}))
    GTEST_SKIP() << "no ground motions beside the source";
  const std::string kobe = testing::record_from_rest("kobe.csv");
  const Histories run(read_test(Hinges{.record = kobe, .duration = "25 s"}.text()));
  const double x1 = -0.0883503000624;
  const double x2 = -0.161917923364;
  expect_agrees(run.peak("11.x.disp_m"), x1, x1);
  expect_agrees(run.peak("21.x.disp_m"), x2, x2);
  expect_agrees(std::abs(run.peak("c1.from.hinge_Nm")), 363062.165567, 363062.165567);
  expect_agrees(run.last("11.x.disp_m"), -0.0137125016355, x1);
  expect_agrees(run.last("21.x.disp_m"), -0.0185881684951, x2);
  EXPECT_LT(std::abs(run.peak("energy.balance")), 1e-10);

  // The three steps of the default leave 2.5e-9 at most.
  const Histories three(read_test(
      Hinges{.integrator = "implicit", .record = kobe, .duration = "25 s"}.text()));
  expect_agrees(three.peak("11.x.disp_m"), x1, x1, 2.5e-9);
  expect_agrees(three.peak("21.x.disp_m"), x2, x2, 2.5e-9);
}

// The same factors on the stiffness at rest, hinges included.
TEST(Implicit, FrameWithDampedHingesMovesAsTheProgramSays) {
  if (!testing::records_are_here({"kobe.csv"})) GTEST_SKIP() << "no ground motion";
  std::string text =
      Hinges{.record = testing::record_from_rest("kobe.csv"), .duration = "25 s"}.text();
  const std::string elastic = "stiffness: elastic";
  text.replace(text.find(elastic), elastic.size(), "stiffness: initial");
  const Histories run(read_test(text));
  expect_agrees(std::abs(run.peak("11.x.disp_m")), 0.0837285808175, 0.0837285808175);
  expect_agrees(std::abs(run.peak("21.x.disp_m")), 0.155282312802, 0.155282312802);
}

TEST(Implicit, FrameWithHingesAndSecondOrderEffectsMovesAsTheProgramSays) {
  if (!testing::records_are_here({"kobe.csv"}))
    GTEST_SKIP() << "no ground motions beside the source";
  const Histories run(read_test(Hinges{.geometry = "p-delta",
                                       .mass_factor = "0.294196956373",
                                       .stiffness_factor = "0.000992478714504",
                                       .record = testing::record_from_rest("kobe.csv"),
                                       .duration = "25 s"}
                                    .text()));
  const double x1 = 0.0898198589354;
  const double x2 = 0.164720845535;
  expect_agrees(std::abs(run.peak("11.x.disp_m")), x1, x1);
  expect_agrees(std::abs(run.peak("21.x.disp_m")), x2, x2);
  expect_agrees(run.last("11.x.disp_m"), -0.0189362375443, x1);
  expect_agrees(run.last("21.x.disp_m"), -0.0263589908605, x2);
  EXPECT_LT(std::abs(run.last("energy.balance")), 1e-10);
  const std::string chord = Hinges{.geometry = "p-delta\n    p_delta: chord",
                                   .mass_factor = "0.294587958719",
                                   .stiffness_factor = "0.000991261910902",
                                   .record = testing::record_from_rest("kobe.csv"),
                                   .duration = "25 s"}
                                .text();
  const Histories straight(read_test(chord));
  // Joules, of the program that has the present axial forces.
  EXPECT_NEAR(straight.last("energy.input_J"), 74015.1, 1.0);
  EXPECT_NEAR(straight.last("energy.damping_J"), 15599.7, 1.0);
  EXPECT_NEAR(straight.last("energy.springs_J"), 59004.4, 1.0);
  EXPECT_NEAR(straight.last("energy.kinetic_J"), 3.34193, 1e-3);
  expect_agrees(std::abs(straight.peak("11.x.disp_m")), 0.0897648103289, x1);
  expect_agrees(std::abs(straight.peak("21.x.disp_m")), 0.164352120234, x2);
}

// 20 t on a bilinear spring, stiffness damping alone, on all that is there at rest or on
// what cannot yield (nothing).
TEST(Implicit, YieldingStoreyMovesAsTheProgramSays) {
  if (!testing::records_are_here({"elcentro.csv"}))
    GTEST_SKIP() << "no ground motions beside the source";
  const auto shaken = [](const std::string& stiffness) {
    return Histories(read_test(R"(
test: storey
time_step: 5 ms
duration: 25 s
numerical:
  shear_building:
    storeys: {s1: {mass: 20 t, law: {kind: bilinear, stiffness: 1.8 MN/m, yield_force: 12 kN, hardening: 0.1}}}
    damping: {rayleigh: {mass_factor: 0, stiffness_factor: 0.0105409255338946, stiffness: )" +
                               stiffness + R"(}}
  integrator: {kind: implicit, iterations: 6}
excitation: {motions: [{record: )" +
                               testing::record_from_rest("elcentro.csv") +
                               R"(, scale: 0.4}]}
)"));
  };
  const Histories initial = shaken("initial");
  expect_agrees(std::abs(initial.peak("s1.x.disp_m")), 0.0201640887464, 0.02);
  expect_agrees(std::abs(shaken("elastic").peak("s1.x.disp_m")), 0.0211945961947, 0.02);
  // b k v: 23 % of the yield force.
  const double damped = 0.0105409255338946 * 1.8e6 * initial.peak("s1.x.vel_m_s");
  EXPECT_NEAR(std::abs(damped), 2759.56271, 1e-5);
}

// Without springs with a law it is Newmark's method, or that of Hilber, Hughes and Taylor.
TEST(Implicit, IsItsLinearFormWhereNothingYields) {
  const auto run = [](const std::string& integrator) {
    return Histories(read_test(R"(
test: linear
time_step: 5 ms
duration: 2 s
numerical:
  shear_building:
    storeys: {s1: {mass: 20 t, stiffness: 30 MN/m}, s2: {mass: 15 t, stiffness: 20 MN/m}}
    damping: {rayleigh: {ratio: 3 %}}
  integrator: )" + integrator +
                               R"(
excitation: {motions: [{record: )" +
                               shake() + R"(}]}
)"))
        .of("s2.x.disp_m");
  };
  const std::vector<std::pair<std::string, std::string>> pairs{
      {"implicit", "constant-average-acceleration"},
      {"{kind: implicit, alpha: -0.1}", "{kind: operator-splitting, alpha: -0.1}"},
      {"{kind: implicit, rho_infinity: 0.7}",
       "{kind: operator-splitting, rho_infinity: 0.7}"}};
  for (const auto& [own, other] : pairs) {
    const std::vector<double> a = run(own);
    const std::vector<double> b = run(other);
    ASSERT_EQ(a.size(), b.size());
    double largest = 0.0;
    for (const double value : b) largest = std::max(largest, std::abs(value));
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-12 * largest);
  }
}

// Second order for any weights, with what yields smoothly and does not turn.
TEST(Implicit, ConvergesWithSecondOrder) {
  const auto end = [](const std::string& weights, int steps) {
    return Histories(read_test(R"(
test: order
time_step: 1/)" + std::to_string(steps) +
                               R"( s
duration: 0.125 s
numerical:
  shear_building:
    storeys: {s1: {mass: 20 t, law: {kind: bouc-wen, stiffness: 1.8 MN/m, yield_force: 12 kN, hardening: 0.1, n: 2}}}
    damping: {rayleigh: {mass_factor: 1}}
  integrator: {kind: implicit, iterations: 8, )" +
                               weights + R"(}
excitation: {initial: {nodes: {s1: {x: 2 mm, vx: 0.1 m/s}}}}
)"))
        .last("s1.x.disp_m");
  };
  for (const std::string weights :
       {"rho_infinity: 1", "rho_infinity: 0.5", "rho_infinity: 0", "alpha: -0.2"}) {
    const double exact = end("rho_infinity: 1", 16384);
    const double coarse = end(weights, 128) - exact;
    const double fine = end(weights, 512) - exact;
    EXPECT_GT(coarse / fine, 12.0) << weights << " " << coarse << " " << fine;
    EXPECT_LT(coarse / fine, 20.0) << weights << " " << coarse << " " << fine;
  }
}

// The balance closes for every law once it has converged.
TEST(Implicit, BalancesEnergyWhateverYields) {
  for (const std::string law : {"bilinear", "bouc-wen"}) {
    const Histories run(read_test(Hinges{.law = law}.text()));
    EXPECT_LT(std::abs(run.peak("energy.balance")), 1e-10) << law;
    EXPECT_GT(std::abs(run.peak("c1.from.hinge_Nm")), 250e3) << law;
    EXPECT_LT(run.peak("residual_N"), 1e-3) << law;
  }
}

// A hinge's rotation and moment are those of its law; its moment is that at the end of the
// member, whatever the scheme: without mass at the hinge they are in equilibrium.
TEST(Implicit, HingesPassTheMomentOfTheirMember) {
  for (const std::string integrator :
       {"implicit", "constant-average-acceleration", "operator-splitting"}) {
    std::string text = Hinges{.integrator = integrator}.text();
    text.replace(text.find("stiffness_factor: 0.000981880715974"), 35,
                 "stiffness_factor: 0");
    const Histories run(read_test(text));
    const std::vector<double> hinge = run.of("c1.from.hinge_Nm");
    const std::vector<double> member = run.of("c1.from.M_Nm");
    double largest = 0.0;
    for (std::size_t k = 1; k < hinge.size(); ++k) {
      // The member's end moment is what the hinge gives to it.
      EXPECT_NEAR(hinge[k], member[k], 1.0) << integrator << " step " << k;
      largest = std::max(largest, std::abs(hinge[k]));
    }
    EXPECT_GT(largest, 200e3);
    EXPECT_GT(std::abs(run.peak("c1.from.hinge_rad")), 1e-4);
  }
}

// The run of a resumed test has the bits of one that did not stop.
TEST(Implicit, GoesOnFromASnapshot) {
  for (const std::string integrator :
       {"implicit", "{kind: implicit, rho_infinity: 0.8}", "operator-splitting",
        "{kind: implicit, sites: each-iteration}",
        "{kind: implicit, sites: each-iteration, iterations: 4, polynomial: 3, alpha: "
        "-0.1}"}) {
    const config::Test test = read_test(Hinges{.integrator = integrator}.text());
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
      ASSERT_EQ(row, other) << integrator << " " << k;
    }
  }
}

TEST(Implicit, EndsTheTestAboveTheResidualThatIsAccepted) {
  const config::Test test = read_test(
      Hinges{.integrator = "{kind: implicit, iterations: 2, stop_above: 1 N}"}.text());
  const auto run = composition::make_numerical(test, {}, nullptr);
  run->correct(-1, {});
  std::int64_t k = 0;
  run->predict(k, {});
  while (run->correct(k, {}) && k < run->steps()) run->predict(++k, {});
  ASSERT_LT(k, run->steps());
  EXPECT_GT(run->excessive_residual().residual, 1.0);
  EXPECT_EQ(run->excessive_residual().limit, 1.0);
}

// Nothing up to 5 mm, then a wall that the mass returns from, towards a softer one.
TEST(Implicit, FollowsWhatStiffens) {
  const std::string text = R"(
test: wall
time_step: 1 ms
duration: 1 s
numerical:
  frame:
    nodes: {a: [0, 0], b: [4, 0]}
    supports: [{nodes: a, fixed: all}, {nodes: b, fixed: [y, rz]}]
    sections: {s: {E: 200 GPa, A: 1e-8, I: 4000 cm4}}
    members: [{name: m, from: a, to: b, section: s}]
    masses: [{node: b, mass: 1 t}]
    springs:
      - {node: b, dof: x, law: {kind: gap, stiffness: 4 MN/m, gap: 5 mm}}
      - {node: b, dof: x, law: {kind: hook, stiffness: 1 MN/m, gap: 2 mm}}
  integrator: {kind: implicit, iterations: 6}
excitation: {initial: {nodes: {b: {vx: 0.2 m/s}}}}
)";
  // Beyond gap and hook: v/ω = 0.2/√(k/m); the rest of the stiffness is 500 N/m.
  const std::vector<double> x = Histories(read_test(text)).of("b.x.disp_m");
  EXPECT_NEAR(*std::max_element(x.begin(), x.end()), 0.005 + 0.2 / std::sqrt(4000.0), 2e-5);
  EXPECT_NEAR(*std::min_element(x.begin(), x.end()), -0.002 - 0.2 / std::sqrt(1000.0),
              4e-5);
  // The others have the largest stiffness on their implicit side, or in their limit.
  for (const char* scheme : {"operator-splitting", "constant-average-acceleration",
                             "kr-alpha", "explicit-newmark"}) {
    std::string split = text;
    split.replace(split.find("{kind: implicit, iterations: 6}"), 31, scheme);
    const std::vector<double> by_split = Histories(read_test(split)).of("b.x.disp_m");
    EXPECT_NEAR(*std::max_element(by_split.begin(), by_split.end()),
                0.005 + 0.2 / std::sqrt(4000.0), 5e-5)
        << scheme;
    EXPECT_NEAR(*std::min_element(by_split.begin(), by_split.end()),
                -0.002 - 0.2 / std::sqrt(1000.0), 5e-5)
        << scheme;
  }
}

/// A mass of 1 t at 100 kN/m, 20 mm far at 10 rad/s, beside a wall.
std::string wall(const std::string& scheme, const std::string& law,
                 const std::string& at = "b") {
  return R"(
test: wall
time_step: 10 ms
duration: 20 s
numerical:
  frame:
    nodes: {a: [0, 0], b: [4, 0], c: [8, 0]}
    supports: [{nodes: a, fixed: all}, {nodes: [b, c], fixed: [y, rz]}]
    masses: [{node: b, mass: 1 t})" +
         std::string(at == "c" ? "" : ", {node: c, mass: 1 t}") + R"(]
    springs:
      - {node: b, dof: x, law: {kind: linear, stiffness: 100 kN/m}}
      - {node: c, dof: x, law: {kind: linear, stiffness: 100 kN/m}}
      - {node: )" +
         at + ", dof: x, law: {kind: gap, " + law + R"(}}
  integrator: )" +
         scheme + R"(
excitation: {initial: {nodes: {b: {vx: 0.2 m/s}}}}
)";
}

// The largest stiffness on the implicit side is a mass of Δt²/4·k at the open gap: 100 t on
// 1 t of 4 GN/m here, with which the mass went 0.59 m away instead of 20 mm, and 660 km in
// 100 s. With Δt = √(m/k) it is a quarter: 22.4 mm far where nothing is met, and 25 mm by
// what a contact gained.
TEST(SplittingSchemes, RefuseAContactThatLastsLessThanSomeSteps) {
  for (const char* scheme :
       {"operator-splitting", "constant-average-acceleration", "kr-alpha"}) {
    // 0.2/ω = √(m/k)/5: 0.1 ms, 3.16 ms, and 10.5 ms.
    for (const auto& [stiffness, limit] :
         {std::pair{"4 GN/m", "0.0001"}, {"4 MN/m", "0.00316228"}})
      EXPECT_EQ(complaint(wall(scheme, std::string("gap: 1 mm, stiffness: ") + stiffness)),
                "time_step: is 0.01 s, and a gap or hook closes and opens within a few of "
                "it: " +
                    std::string(scheme) + " follows a contact with steps up to " + limit +
                    " s. Take a shorter step, or kind: implicit");
    // What is never met changes nothing, and what is met gives nothing.
    for (const char* gap : {"gap: 1 m", "gap: 1 mm"}) {
      const std::vector<double> x =
          Histories(read_test(wall(scheme, std::string("stiffness: 360 kN/m, ") + gap)))
              .of("b.x.disp_m");
      EXPECT_NEAR(*std::min_element(x.begin(), x.end()), -20e-3, 0.3e-3)
          << scheme << ", " << gap;
    }
  }
  EXPECT_EQ(
      complaint(wall("{kind: implicit, iterations: 6}", "gap: 1 mm, stiffness: 4 GN/m")),
      "none");
  EXPECT_TRUE(complaint(wall("explicit-newmark", "gap: 1 mm, stiffness: 4 GN/m"))
                  .starts_with("time_step"));
}

// Without a mass no step is short enough.
TEST(SplittingSchemes, RefuseAContactWithoutAMass) {
  for (const char* scheme : {"operator-splitting", "constant-average-acceleration"})
    EXPECT_EQ(complaint(wall(scheme, "gap: 1 mm, stiffness: 1 kN/m", "c")),
              "numerical.integrator: a gap or hook is at x of c, which has no mass, and " +
                  std::string(scheme) +
                  " would hold it while it is open; put a mass there, or take kind: "
                  "implicit");
  EXPECT_EQ(complaint(wall("implicit", "gap: 1 mm, stiffness: 1 kN/m", "c")), "none");
}

/// Oscillators side by side, each with a spring that yields.
std::string oscillators(int count, const std::string& damping) {
  std::string nodes, fixed, masses, springs;
  for (int i = 0; i < count; ++i) {
    const std::string name = (i > 0 ? ", m" : "m") + std::to_string(i);
    const std::string node = (i > 0 ? ", {node: m" : "{node: m") + std::to_string(i);
    nodes += name + ": [" + std::to_string(i) + ", 0]";
    fixed += name;
    masses += node + ", mass: 20 t}";
    springs += node +
               ", dof: x, law: {kind: bilinear, stiffness: 1.8 MN/m, yield_force: 12 kN, "
               "hardening: 0.1}}";
  }
  return "test: oscillators\ntime_step: 5 ms\nduration: 1 s\nnumerical:\n  integrator: "
         "{kind: implicit, iterations: 6}\n  frame:\n    nodes: {" +
         nodes + "}\n    supports: [{nodes: [" + fixed +
         "], fixed: [y, rz]}]\n    masses: [" + masses + "]\n    springs: [" + springs +
         "]\n    damping: " + damping + "\nexcitation: {motions: [{record: " + shake() +
         "}]}\nrecording: {nodes: [m0, m" + std::to_string(count - 1) +
         "], energies: true}\n";
}

// Above 400 springs Newton's method takes the whole structure: each of 401 oscillators
// moves as one alone does, by the other way.
TEST(Implicit, TakesMoreSpringsThanItCondenses) {
  const std::string damping = "{rayleigh: {mass_factor: 0.5}}";
  const Histories many(read_test(oscillators(401, damping)));
  const Histories one(read_test(oscillators(1, damping)));
  const std::vector<double> alone = one.of("m0.x.disp_m");
  const double peak = std::abs(one.peak("m0.x.disp_m"));
  EXPECT_GT(peak, 3.0 * 12e3 / 1.8e6);  // it yields
  for (const char* dof : {"m0.x.disp_m", "m400.x.disp_m"}) {
    const std::vector<double> among = many.of(dof);
    ASSERT_EQ(among.size(), alone.size());
    for (std::size_t k = 0; k < alone.size(); ++k)
      ASSERT_NEAR(among[k], alone[k], 1e-9 * peak) << dof << " " << k;
  }
  EXPECT_LT(std::abs(many.peak("energy.balance")), 1e-10);
  EXPECT_EQ(complaint(oscillators(401, "{modal: {ratio: 2 %}}")),
            "numerical.integrator: implicit: 401 nonlinear springs and hinges, above 400, "
            "need the damping as a sparse matrix; take rayleigh in place of modal damping");
}

TEST(Implicit, NamesWhatItCannotTake) {
  EXPECT_EQ(
      complaint(
          Hinges{.integrator = "{kind: implicit, alpha: -0.1, rho_infinity: 1}"}.text()),
      "numerical.integrator: implicit: both alpha and rho_infinity are given; give one "
      "of them");
  EXPECT_NE(complaint(Hinges{.integrator = "{kind: implicit, iterations: 1}"}.text())
                .find("iterations"),
            std::string::npos);
  EXPECT_EQ(
      complaint(
          Hinges{.integrator = "{kind: implicit, sites: each-iteration, iterations: 2}"}
              .text()),
      "numerical.integrator: implicit: iterations is 2; with sites: each-iteration it "
      "must be at least 3, or the last command is still far from the end of the step");
  EXPECT_EQ(complaint(Hinges{.integrator = "{kind: implicit, polynomial: 2}"}.text()),
            "numerical.integrator: implicit: polynomial is the path of the commands with "
            "sites: each-iteration; leave it out");
}

// Below exponent 1 its slope is infinite at rest, where a step's commands begin.
TEST(EachIteration, NamesADamperWithoutATangent) {
  const auto damped = [](const std::string& law) {
    return complaint(R"(
test: damper
time_step: 5 ms
duration: 1 s
numerical:
  integrator: {kind: implicit, sites: each-iteration}
  frame:
    nodes: {g: [0, 0], m: [3, 0]}
    supports: [{nodes: g, fixed: all}, {nodes: m, fixed: [y, rz]}]
    masses: [{node: m, mass: 20 t}]
    springs: [{node: m, dof: x, law: {kind: linear, stiffness: 2 MN/m}}]
    links: [{name: d, from: g, to: m, dofs: x, law: {kind: viscous, )" +
                     law + R"(}}]
excitation: {record: none}
)");
  };
  EXPECT_EQ(
      damped("coefficient: 30e3, exponent: 0.35"),
      "numerical.integrator: implicit: the link `d.x` is viscous with an exponent "
      "below 1 and no brace: it has no tangent at rest, where the commands of sites: "
      "each-iteration begin; give it the stiffness of its brace, or take sites: once");
  EXPECT_EQ(damped("coefficient: 30e3, exponent: 0.35, stiffness: 40 MN/m"), "none");
  EXPECT_EQ(damped("coefficient: 30e3, exponent: 1.5"), "none");
}

/// The rows that end a step.
std::vector<double> at_ends(const Histories& run, const std::string& channel,
                            int commands) {
  const std::vector<double> all = run.of(channel);
  std::vector<double> ends;
  for (std::size_t i = 0; i < all.size(); i += static_cast<std::size_t>(commands))
    ends.push_back(all[i]);
  return ends;
}

// Commands on the way to each estimate end where Newton's method does: 6e-6 of the peak
// was found by an independent program, 1.2e-5 with five on the parabola.
TEST(EachIteration, EndsWhereNewtonDoes) {
  if (!testing::records_are_here({"kobe.csv"}))
    GTEST_SKIP() << "no ground motions beside the source";
  Hinges frame{.geometry = "p-delta",
               .mass_factor = "0.294196956373",
               .stiffness_factor = "0.000992478714504",
               .record = testing::record_from_rest("kobe.csv"),
               .duration = "25 s"};
  const std::vector<double> newton = Histories(read_test(frame.text())).of("21.x.disp_m");
  struct Case {
    int polynomial;
    int commands;
    double agreement;
  };
  for (const auto& [polynomial, commands, agreement] :
       {Case{1, 3, 1e-5}, Case{2, 3, 1e-5}, Case{1, 5, 1e-5}, Case{2, 5, 2e-5}}) {
    frame.integrator =
        "{kind: implicit, sites: each-iteration, iterations: " + std::to_string(commands) +
        ", polynomial: " + std::to_string(polynomial) + "}";
    const Histories run(read_test(frame.text()));
    const std::vector<double> found = at_ends(run, "21.x.disp_m", commands);
    ASSERT_EQ(found.size(), newton.size());
    double largest = 0.0;
    for (std::size_t k = 0; k < found.size(); ++k)
      largest = std::max(largest, std::abs(found[k] - newton[k]));
    EXPECT_LT(largest, agreement * 0.164720845535) << polynomial << " " << commands;
    EXPECT_LT(std::abs(run.last("energy.balance")), 1e-4);
  }
}

// A step's commands are told apart; between two ends the motion is on the path.
TEST(EachIteration, CountsTheCommandsOfAStep) {
  const Histories run(read_test(
      Hinges{.integrator = "{kind: implicit, sites: each-iteration, polynomial: 1}"}
          .text()));
  const std::vector<double> iteration = run.of("iteration");
  ASSERT_EQ(iteration.size(), 3u * 600u + 1u);
  EXPECT_EQ(iteration[0], 0.0);
  const std::vector<double> x = run.of("21.x.disp_m");
  const std::vector<double> v = run.of("21.x.vel_m_s");
  for (std::size_t j = 1; j < iteration.size(); ++j) {
    const auto expected = static_cast<double>((j - 1) % 3 + 1);
    ASSERT_EQ(iteration[j], expected);
    if (expected != 1.0) continue;
    // A third of the way, at the rate of the whole.
    ASSERT_NEAR(x[j] - x[j - 1], v[j] * 5e-3 / 3.0, 1e-14);
  }
}

// The laws are tried along the path, which belongs to the end of no step.
TEST(EachIteration, RecordsTheLastStepBetweenItsCommands) {
  for (const char* geometry : {"linear", "corotational"}) {
    const config::Test test = read_test(Hinges{
        .integrator = "{kind: implicit, sites: each-iteration}", .geometry = geometry}
                                            .text());
    const auto run = composition::make_numerical(test, {}, nullptr);
    std::vector<double> row(run->channels().size());
    std::vector<double> ended;
    run->correct(-1, {});
    for (std::int64_t k = 0; k < run->steps(); ++k) {
      run->predict(k, {});
      ASSERT_TRUE(run->correct(k, {}));
      run->record(row);
      for (std::size_t i = 0; k % 3 != 0 && i < row.size(); ++i) {
        const std::string& name = run->channels()[i].name;
        if (name == "iteration" || name.find(".disp_") != std::string::npos ||
            name.find(".vel_") != std::string::npos ||
            name.find(".acc_") != std::string::npos)
          continue;
        ASSERT_EQ(row[i], ended[i]) << geometry << " " << name << " " << k;
      }
      if (k % 3 == 0) ended = row;
    }
  }
}

/// A column in a laboratory: elastic, with mass.
class Column final : public SpecimenModel {
 public:
  static Eigen::MatrixXd stiffness() {
    return Eigen::MatrixXd{{6.6e6, 11.6e6}, {11.6e6, 27e6}};
  }
  static Eigen::MatrixXd own_mass() { return Eigen::VectorXd{{300.0, 20.0}}.asDiagonal(); }
  int dofs() const noexcept override { return 2; }
  Eigen::MatrixXd initial_stiffness() const override { return stiffness(); }
  Eigen::MatrixXd damping() const override { return Eigen::MatrixXd::Zero(2, 2); }
  Eigen::MatrixXd mass() const override { return own_mass(); }
  void prepare(double /*period*/) override {}
  InterfaceVector advance(const InterfaceVector& displacement,
                          const InterfaceVector& /*velocity*/,
                          const InterfaceVector& acceleration) noexcept override {
    InterfaceVector force = stiffness_ * displacement;
    force.noalias() += mass_ * acceleration;
    return force;
  }
  void save(SnapshotWriter& /*snapshot*/) const override {}
  void restore(SnapshotReader& /*snapshot*/) override {}

 private:
  Eigen::MatrixXd stiffness_ = stiffness();
  Eigen::MatrixXd mass_ = own_mass();
};

structure::ExperimentalPart part() {
  structure::ExperimentalPart part{.site = "west",
                                   .dofs = {"11.x", "11.rz"},
                                   .stiffness = Column::stiffness(),
                                   .damping = Eigen::MatrixXd::Zero(2, 2),
                                   .mass = Eigen::MatrixXd::Zero(2, 2)};
  part.own_mass = Column::own_mass();
  return part;
}

// With an ideal rig the divided frame has the bits of the undivided one.
void expect_same_bits_divided(const std::string& integrator, int commands,
                              double balanced) {
  for (const std::string geometry : {"linear", "p-delta", "corotational"}) {
    const config::Test test =
        read_test(Hinges{.integrator = integrator, .geometry = geometry}.text());
    composition::NumericalParts whole{
        .experimental = {part()}, .undivided = {}, .reference = {}};
    whole.undivided.push_back(std::make_unique<Column>());
    const auto undivided = composition::make_numerical(test, std::move(whole), nullptr);
    const auto divided = composition::make_numerical(
        test, {.experimental = {part()}, .undivided = {}, .reference = {}}, nullptr);
    Column specimen;
    math::CarriedInertia inertia(Column::own_mass(), test.time_step() / commands, 2);
    std::vector<SiteTarget> requests{{InterfaceMotion::zero(2), {}, {}}};
    std::vector<SiteResponse> answers{{InterfaceVector::Zero(2), InterfaceVector::Zero(2)}};
    std::vector<double> row(divided->channels().size());
    std::vector<double> other(row.size());
    EXPECT_TRUE(divided->correct(-1, answers));
    undivided->correct(-1, {});
    double largest = 0.0;
    for (std::int64_t k = 0; k < divided->steps(); ++k) {
      divided->predict(k, requests);
      const InterfaceMotion& target = requests[0].target;
      inertia.pass(target.displacement);
      answers[0].measured = target.displacement;
      answers[0].force =
          specimen.advance(target.displacement, target.velocity, inertia.acceleration());
      inertia.take_out(answers[0].force);
      ASSERT_TRUE(divided->correct(k, answers));
      undivided->predict(k, {});
      ASSERT_TRUE(undivided->correct(k, {}));
      divided->record(row);
      undivided->record(other);
      ASSERT_EQ(row, other) << integrator << " " << geometry << " step " << k;
      largest = std::max(largest, std::abs(target.displacement[0]));
    }
    EXPECT_GT(largest, 1e-2);
    const auto& channels = divided->channels();
    const auto balance =
        std::find_if(channels.begin(), channels.end(),
                     [](const Channel& one) { return one.name == "energy.balance"; });
    ASSERT_NE(balance, channels.end());
    EXPECT_LT(std::abs(row[static_cast<std::size_t>(balance - channels.begin())]),
              balanced);
  }
}

TEST(Implicit, DividedFrameHasTheBitsOfTheUndividedOne) {
  // Three steps of Newton.
  expect_same_bits_divided("implicit", 1, 1e-8);
}

TEST(EachIteration, DividedFrameHasTheBitsOfTheUndividedOne) {
  expect_same_bits_divided("{kind: implicit, sites: each-iteration, iterations: 4}", 4,
                           1e-4);
}

}  // namespace
}  // namespace trestle::substructure::implicit_test
