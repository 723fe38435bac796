#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/system/lab_run.h"

namespace trestle {
namespace {

using testing::complaints;
using Lines = std::vector<std::string>;

// One column of a small frame is in a laboratory. Line numbers in the sentences below count
// from `test:`.
const char* const kTest = R"(test: frame
time_step: 1/1024 s
excitation: {record: synthetic}
numerical:
  frame:
    nodes: {foot: [6 m, 0], floor_w: [0, 3 m], floor_e: [6 m, 3 m]}
    supports:
      - {nodes: [foot], fixed: [x, y, rz]}
      - {nodes: [floor_w], fixed: [y]}
    sections: {steel: {E: 210 GPa, A: 78.1 cm2, I: 5696 cm4}}
    members:
      - {from: foot, to: floor_e, section: steel}
      - {from: floor_w, to: floor_e, section: steel}
    floors:
      - {nodes: [floor_w, floor_e], mass: 12 t, rotational_inertia: 500 kg.m2}
  integrator: explicit-newmark
sites:
  west:
    interface: [floor_w.x, floor_w.rz]
    rig:
      actuators: [{kind: ideal}, {kind: ideal}]
      specimen: {kind: column, E: 210 GPa, A: 78.1 cm2, I: 5696 cm4, height: 3 m}
)";

struct Edit {
  std::string before;
  std::string after;
};

/// What is wrong once the edits are made.
Lines complaints_after(const std::vector<Edit>& edits) {
  std::string yaml = kTest;
  for (const Edit& edit : edits) {
    const std::size_t at = yaml.find(edit.before);
    EXPECT_NE(at, std::string::npos) << edit.before;
    if (at != std::string::npos) yaml.replace(at, edit.before.size(), edit.after);
  }
  return complaints(yaml);
}

TEST(ATestThatStands, HasNoComplaints) {
  EXPECT_EQ(complaints(kTest), Lines{});
}

TEST(BadInput, NegativeMass) {
  EXPECT_EQ(complaints_after({{"mass: 12 t", "mass: -12 t"}}),
            Lines{"test.yaml:15:43: mass is -12 t; must not be negative"});
  EXPECT_EQ(
      complaints_after({{"rotational_inertia: 500", "rotational_inertia: -500"}}),
      Lines{"test.yaml:15:69: rotational_inertia is -500 kg.m2; must not be negative"});
}

TEST(BadInput, NegativeMassInAMatrix) {
  EXPECT_EQ(complaints(R"(test: matrices
time_step: 1 ms
excitation: {record: synthetic}
numerical:
  matrices:
    dofs: [floor.x, roof.x]
    mass: {rows: [[1000, 0], [0, -1000]]}
    stiffness: {rows: [[2e6, -1e6], [-1e6, 1e6]]}
undivided: true
)"),
            Lines{"test.yaml:7:5: the mass of roof.x is -1000; must not be negative"});
}

// Held by nothing but a hinged strut, floor_w goes up and down; the specimen holds its x
// and rz.
TEST(BadInput, AMechanismOfTheWholeStructure) {
  EXPECT_EQ(
      complaints_after({{"      - {nodes: [floor_w], fixed: [y]}\n", ""},
                        {"floor_w, to: floor_e, section: steel}",
                         "floor_w, to: floor_e, section: steel, hinges: [from, to]}"}}),
      Lines{"test.yaml:5:3: nothing holds y: floor_w can move up and down, even with "
            "the specimens attached (mechanism)"});
}

TEST(BadInput, AFloatingNumericalPartIsNoneWhereTheSpecimenHoldsIt) {
  const std::vector<Edit> floating{
      {"foot: [6 m, 0], ", ""},
      {"[foot], fixed: [x, y, rz]", "[floor_e], fixed: [y]"},
      {"      - {from: foot, to: floor_e, section: steel}\n", ""}};
  EXPECT_EQ(complaints_after(floating), Lines{});
  std::vector<Edit> loose = floating;
  loose.push_back({"{kind: column, E: 210 GPa, A: 78.1 cm2, I: 5696 cm4, height: 3 m}",
                   "{kind: linear, stiffness: [[0, 0], [0, 1e6]]}"});
  EXPECT_EQ(complaints_after(loose),
            Lines{"test.yaml:5:3: nothing holds x: floor_w and floor_e can move sideways "
                  "together, even with the specimens attached (mechanism)"});
}

TEST(BadInput, MasslessDofUnderAnExplicitIntegrator) {
  EXPECT_EQ(
      complaints_after({{", rotational_inertia: 500 kg.m2", ""}}),
      Lines{"test.yaml:16:15: explicit-newmark needs mass on every DOF; rz of floor_w "
            "(and 1 more) has none. Give it a rotational inertia, or use "
            "operator-splitting."});
}

// Their drives come at once, whatever a person writes of latency: told, never ignored.
TEST(BadInput, TransferSystemsTakeNoLatencyAndNoIntegrationOfActuators) {
  const std::string yaml =
      "test: bench\ntime_step: 1/1024 s\nduration: 0.1 s\n"
      "excitation: {record: synthetic}\n"
      "numerical:\n  shear_building:\n    storeys: {first: {mass: 20 t, stiffness: 20 "
      "MN/m}}\n"
      "sites:\n  lab:\n    interface: [first.x]\n    rig:\n"
      "      transfer_systems: [{mass: 200 kg, stiffness: 400 MN/m, damping: 300 "
      "kN.s/m}]\n"
      "      specimen: {kind: linear, stiffness: [[20e6]]}\n";
  EXPECT_EQ(complaints(yaml), Lines{});
  for (const auto& [key, value] :
       {std::pair{"latency_samples", "4"}, {"integration", "runge-kutta"}}) {
    const Lines told =
        complaints(yaml, {std::string("sites.lab.rig.") + key + "=" + value});
    ASSERT_EQ(told.size(), 1U) << key;
    EXPECT_NE(told[0].find(std::string(key) + " is for actuators"), std::string::npos)
        << told[0];
  }
  // All at once: who mends one mistake should not meet the next one.
  const std::string system = "{mass: 2 t, stiffness: 4 MN/m, damping: 1}";
  const Lines all = complaints(
      yaml, {"sites.lab.rig.latency_samples=4", "sites.lab.rig.integration=runge-kutta",
             "sites.lab.rig.force_from_measured=true",
             "sites.lab.rig.transfer_systems=[" + system + ", " + system + "]"});
  ASSERT_EQ(all.size(), 4U) << ::testing::PrintToString(all);
  for (const char* const told :
       {"latency_samples is for", "integration is for",
        "leave force_from_measured and estimator out", "2 are given; the site moves 1"})
    EXPECT_TRUE(std::any_of(
        all.begin(), all.end(),
        [&](const std::string& line) { return line.find(told) != std::string::npos; }))
        << told << ::testing::PrintToString(all);
}

TEST(BadInput, RecordThatIsMissing) {
  EXPECT_EQ(complaints_after({{"record: synthetic", "record: nowhere.csv"}}),
            Lines{"test.yaml:3:22: nowhere.csv: there is no such file"});
}

TEST(BadInput, RecordWithNaN) {
  const std::string file = ::testing::TempDir() + "trestle_record_with_nan.csv";
  std::ofstream(file) << "time_s,acceleration\n0,0.5\n0.02,nan\n";
  EXPECT_EQ(complaints_after({{"record: synthetic", "record: " + file}}),
            Lines{"test.yaml:3:22: " + file +
                  ":3: `nan` is not finite; a record needs a number there"});
  std::remove(file.c_str());
}

TEST(BadInput, TimeStepOfZero) {
  EXPECT_EQ(complaints_after({{"time_step: 1/1024 s", "time_step: 0 s"}}),
            Lines{"test.yaml:2:12: time_step is 0 s; must be positive"});
}

TEST(BadInput, TimeStepAboveTheStabilityLimit) {
  EXPECT_EQ(complaints_after({{"time_step: 1/1024 s", "time_step: 20 ms"}}),
            Lines{"test.yaml:2:12: time_step is 20 ms; explicit-newmark is stable up to "
                  "6.58 ms for this structure (shortest period 20.7 ms)"});
}

TEST(BadInput, InterfaceDofThatTheModelDoesNotHave) {
  EXPECT_EQ(complaints_after({{"[floor_w.x, ", "[flor_w.x, "}}),
            Lines{"test.yaml:19:17: the model has no DOF `flor_w.x`; did you mean "
                  "`floor_w.x`?"});
  EXPECT_EQ(complaints_after({{"[floor_w.x, ", "[floor_w.y, "}}),
            Lines{"test.yaml:19:17: interface DOF floor_w.y is fixed by a support of the "
                  "model; free it there, or take it out here"});
}

TEST(BadInput, TwoSitesThatClaimOneDof) {
  EXPECT_EQ(
      complaints_after({{"3 m}\n",
                         "3 m}\n  east: {like: west, interface: [floor_e.x, "
                         "floor_w.rz]}\n"}}),
      Lines{"test.yaml:23:45: sites west and east both claim floor_w.rz; one DOF belongs "
            "to one site"});
}

TEST(BadInput, MovingLoadOnAPathThatIsNotThere) {
  EXPECT_EQ(complaints_after({{"{record: synthetic}",
                               "{moving_loads: [{force: 10 kN, speed: 20 m/s, path: "
                               "[floor_w, flor_e]}]}"}}),
            Lines{"test.yaml:3:75: unknown node `flor_e`; did you mean `floor_e`?"});
  EXPECT_EQ(complaints_after({{"{record: synthetic}",
                               "{moving_loads: [{force: 10 kN, speed: 20 m/s, path: "
                               "[floor_w, foot]}]}"}}),
            Lines{"test.yaml:3:75: no member leads straight from floor_w towards foot; a "
                  "load travels along members"});
}

TEST(BadInput, AllThatIsWrongIsToldAtOnce) {
  EXPECT_EQ(complaints_after({{"record: synthetic", "record: nowhere.csv"},
                              {"time_step: 1/1024 s", "time_step: 20 ms"}})
                .size(),
            2u);
}

}  // namespace
}  // namespace trestle
