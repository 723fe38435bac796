// What is told of a test: keys that nothing uses, masses, damping of what yields.
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <fstream>
#include <numbers>

#include "composition/hybrid_test/inner_modes.h"
#include "composition/hybrid_test/specimen_mass_factory.h"
#include "composition/hybrid_test/unused_keys.h"
#include "composition/processes/hybrid_test_setup.h"
#include "studies/pretest/demand_factory.h"
#include "studies/pretest/yield_damping_notes.h"

namespace trestle::composition::told_of_test {
namespace {

config::Test parsed(const std::string& text) {
  config::Test test;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &test)) << text;
  return test;
}

const std::string kStorey = R"(
  test: "one storey" time_step: 0.0009765625 duration: 4 seed: 7
  excitation { record: "synthetic" synthetic { duration: 4 } }
  numerical { shear_building { storeys { name: "first" mass: 11000 stiffness: 1e6 } )";

std::vector<std::string> unused_in(const std::string& text) {
  std::vector<SettingIssue> problems;
  refuse_unused_keys(parsed(text), problems);
  std::vector<std::string> paths;
  for (const SettingIssue& problem : problems) paths.push_back(problem.path);
  return paths;
}

using Paths = std::vector<std::string>;

TEST(UnusedKeys, OfASiteElsewhereAreRefused) {
  EXPECT_EQ(unused_in(kStorey + R"(} } sites { name: "lab" address: "tcp://lab:7001"
      interface: "first.x" link { profile: "ocean" } control_thread { priority: 1 }
      safe_action { hold {} } start_checks { zero_force: 1 } as_real_equipment: true
      adapter { plugin { file: "x" } } secant_stiffness: 0.5 })"),
            (Paths{"sites[0].link", "sites[0].control_thread", "sites[0].safe_action",
                   "sites[0].start_checks", "sites[0].as_real_equipment",
                   "sites[0].adapter", "sites[0].secant_stiffness"}));
  EXPECT_EQ(unused_in(kStorey + R"(} } sites { name: "lab" public_key: "x"
      interface: "first.x" rig { specimen { linear { stiffness { values: 1 } } } } })"),
            Paths{"sites[0].public_key"});
}

TEST(UnusedKeys, OfGravityAndOfAFrameAreRefused) {
  EXPECT_EQ(unused_in(kStorey + R"(} }
      recording { from_gravity: true energies: true members: "all" }
      sites { name: "lab" interface: "first.x" gravity: SPECIMEN_GRAVITY_APPLY })"),
            (Paths{"recording.members", "recording.from_gravity", "sites[0].gravity"}));
  EXPECT_EQ(unused_in("recording { energies: true }"), Paths{"recording.energies"});
  EXPECT_EQ(unused_in("recording { stride: 2 energies: false }"),
            Paths{"recording.stride"});
}

// A fibre's name is that of its columns in the record.
TEST(UnusedKeys, NamesOfFibresThatNobodyRecordsAreRefused) {
  const auto frame = [](const std::string& recording) {
    return R"(numerical { frame {
        sections { name: "s" fibres { shapes { rectangle { material: "m" name: "core" } }
                                      bars { material: "m" name: "bar" } } }
        members { from: "a" to: "b" section: "s" } } } recording { energies: true )" +
           recording + "}";
  };
  const Paths names{"numerical.frame.sections[0].fibres.bars[0].name",
                    "numerical.frame.sections[0].fibres.shapes[0].rectangle.name"};
  EXPECT_EQ(unused_in(frame("")), names);
  EXPECT_EQ(unused_in(frame("sections: 'c'")), names);
  EXPECT_EQ(unused_in(frame("sections: 'a-b'")), Paths{});
  EXPECT_EQ(unused_in(frame("sections: 'all'")), Paths{});
  EXPECT_EQ(unused_in(kStorey + "} } recording { sections: 'all' }"),
            Paths{"recording.sections"});
}

TEST(UnusedKeys, OfAnExcitationAreRefused) {
  EXPECT_EQ(unused_in(R"(numerical { shear_building {} }
      excitation { motions { record: "file.csv" } scale: 2 unit: 1 direction: Y })"),
            (Paths{"excitation.scale", "excitation.unit", "excitation.direction"}));
  const std::string supports =
      "numerical { frame {} } excitation { supports { nodes: 'a' scale: 3 "
      "motion { file: 'file.csv' unit: 9.81 } } ";
  EXPECT_EQ(unused_in(supports + "}"), Paths{});
  EXPECT_EQ(unused_in(supports + "scale: 2 unit: 1 direction: Y }"),
            (Paths{"excitation.scale", "excitation.unit", "excitation.direction"}));
  EXPECT_EQ(unused_in(supports + "record: 'none' scale: 2 }"), Paths{"excitation.scale"});
  EXPECT_EQ(unused_in(R"(numerical { shear_building {} }
      excitation { record: "file.csv" sources { source: "s" } })"),
            Paths{"excitation.sources"});
  EXPECT_EQ(unused_in(R"(numerical { matrices { influence: 1 } }
      excitation { record: "x.csv" direction: Y })"),
            Paths{"excitation.direction"});
  EXPECT_EQ(unused_in(R"(numerical { bond_graph {} integrator { kr_alpha {} } }
      excitation { record: "x.csv" scale: 2 })"),
            (Paths{"excitation.record", "excitation.scale", "numerical.integrator"}));
}

TEST(UnusedKeys, APreviewWithPredictiveControlIsRefused) {
  const auto unused_beside = [](const std::string& preview) {
    return unused_in("numerical { bridge { preview {" + preview +
                     "} } } sites { compensator { mpc {} } }");
  };
  EXPECT_EQ(unused_beside(""), Paths{"sites[0].compensator.mpc"});
  EXPECT_EQ(unused_beside("enabled: false"), Paths{});
}

TEST(UnusedKeys, OfARigAreRefused) {
  EXPECT_EQ(
      unused_in(kStorey + R"(} } sites { name: "lab" interface: "first.x"
      rig { substeps: 3 shared { meeting: "m" } actuators { delay { delay: 0.01 } }
            integration: ACTUATOR_INTEGRATION_RUNGE_KUTTA } })"),
      (Paths{"sites[0].rig.substeps", "sites[0].rig.shared", "sites[0].rig.integration"}));
}

TEST(SpecimenMassNotes, TellWhatIsNotDeclared) {
  const std::string there = kStorey + R"(} } sites { name: "lab" address: "tcp://lab:7001"
      interface: "first.x" )";
  EXPECT_EQ(specimen_mass_notes(parsed(there + "}")),
            std::vector<std::string>{"lab: mass of the specimen: not declared; its ground "
                                     "inertia is left out"});
  EXPECT_TRUE(specimen_mass_notes(parsed(there + "mass { values: 9000 } }")).empty());
}

/// A declared mass holds, and the twin in the same file knows better: a peak at half of
/// what it should be is told of.
TEST(SpecimenMassNotes, TellADeclaredMassThatIsNotTheSpecimens) {
  const std::string site = kStorey + R"(} } sites { name: "lab" interface: "first.x"
      rig { specimen { linear { stiffness { values: 8e5 } mass { values: 9000 } } } }
      mass { values: )";
  EXPECT_TRUE(specimen_mass_notes(parsed(site + "9000 } }")).empty());
  EXPECT_EQ(specimen_mass_notes(parsed(site + "0 } }")),
            std::vector<std::string>{"lab: `mass` says 0 in row 1, column 1, and the "
                                     "specimen of its simulated rig has 9000 there: the "
                                     "test takes the former. Is this meant?"});
}

TEST(SpecimenMassNotes, TellWhatDelayALargePartBears) {
  const std::string site = R"(} } mode: REAL_TIME sites { name: "lab" interface: "first.x"
      rig { specimen { linear { stiffness { values: 8e5 } mass { values: )";
  EXPECT_TRUE(specimen_mass_notes(parsed(kStorey + site + "9000 } } } } }")).empty());
  EXPECT_EQ(
      specimen_mass_notes(parsed(kStorey + site + "16500 } } } } }")),
      std::vector<std::string>{"lab: 60 % of the mass at first.x is the specimen's: "
                               "the loop bears a rig that is up to 3 time steps late"});
}

TEST(YieldDampingNotes, TellHowMuchOfItsYieldForceASpringIsDampedBy) {
  const std::string roof = R"(storeys { name: "roof" mass: 20000 law { bilinear {
      stiffness: 1.8e6 yield_force: 12000 hardening: 0.1 } } } damping { rayleigh {
      mass_factor: 0 stiffness_factor: 0.0105 )";
  const std::string site = R"( } } } } sites { name: "lab" interface: "first.x"
      rig { specimen { linear { stiffness { values: 8e6 } } } } })";
  const std::vector<std::string> notes =
      pretest::yield_damping_notes(parsed(kStorey + roof + site));
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_EQ(notes[0].find("in storey roof the damping force reaches "), 0U) << notes[0];
  EXPECT_TRUE(pretest::yield_damping_notes(
                  parsed(kStorey + roof + "stiffness: RAYLEIGH_STIFFNESS_ELASTIC" + site))
                  .empty());
}

// A hinge is damped by its own stiffness: a rigid one by so much that it never yields.
TEST(YieldDampingNotes, TellHowMuchOfItsMomentAHingeIsDampedBy) {
  const auto notes = [](const std::string& damping) {
    return pretest::yield_damping_notes(parsed(R"(test: "t" time_step: 0.005 duration: 3
        undivided: true excitation { record: "synthetic" } numerical {
        integrator { implicit {} } frame { nodes { name: "a" } nodes { name: "b" y: 3 }
        supports { nodes: "a" fixed: DOF_ALL }
        sections { name: "s" E: 2.1e11 A: 0.01 I: 1e-4 }
        members { name: "c" from: "a" to: "b" section: "s" plastic { from { rz { bilinear {
        stiffness: inf yield_force: 1e5 } } } } }
        masses { node: "b" mass: 20000 rotational_inertia: 100 }
        damping { rayleigh { mass_factor: 0 stiffness_factor: 0.001 )" +
                                               damping + " } } } }"));
  };
  const std::vector<std::string> told = notes("");
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0].find("in the hinge c.from the damping force reaches "), 0U) << told[0];
  EXPECT_TRUE(notes("stiffness: RAYLEIGH_STIFFNESS_ELASTIC").empty());
}

// An inner mass of 400 kg on a spring of 1.6 MN/m, whose other end is the interface:
// held there, 63.2 rad/s. With 11 t on 1 MN/m and its 400 kg the storey has 9.3 rad/s.
std::string with_inner_mass(const std::string& stiffness) {
  return kStorey +
         R"(} } sites { name: "lab" interface: "first.x" rig { specimen { dynamic {
      stiffness { values: [)" +
         stiffness + ", -" + stiffness + R"(] } stiffness { values: [-)" + stiffness +
         ", " + stiffness + R"(] }
      mass { values: [0, 0] } mass { values: [0, 400] } } } } })";
}

TEST(InnerModes, AreThoseOfTheSpecimenWithItsInterfaceHeld) {
  const std::vector<InnerModes> modes = inner_modes(parsed(with_inner_mass("1.6e6")));
  ASSERT_EQ(modes.size(), 1U);
  EXPECT_NEAR(modes[0].lowest, std::sqrt(1.6e6 / 400.0) / (2.0 * std::numbers::pi), 1e-9);
  EXPECT_NEAR(modes[0].matters, std::sqrt(1e6 / 11400.0) / (2.0 * std::numbers::pi), 1e-9);
  EXPECT_FALSE(modes[0].near()) << "6.7 times as high";
  EXPECT_TRUE(inner_modes(parsed(with_inner_mass("0.8e6")))[0].near()) << "4.8 times";
  EXPECT_EQ(
      specimen_mass_notes(parsed(with_inner_mass("1.6e6"))),
      std::vector<std::string>{"lab: lowest frequency with its interface held 10.07 Hz"});
}

TEST(InnerModes, OfAFrameAreFoundWithoutItsInterface) {
  const std::string frame = kStorey + R"(} } sites { name: "lab" interface: "first.x"
      rig { specimen { frame { interface: "top.x" frame {
        nodes { name: "foot" } nodes { name: "top" y: 3 } nodes { name: "mass" x: 2 y: 3 }
        supports { nodes: "foot" fixed: [DOF_X, DOF_Y, DOF_RZ] }
        supports { nodes: "top" fixed: [DOF_Y, DOF_RZ] }
        supports { nodes: "mass" fixed: [DOF_Y, DOF_RZ] }
        sections { name: "s" E: 2e11 A: 1e-6 I: 1e-6 }
        members { from: "foot" to: "top" section: "s" }
        members { from: "top" to: "mass" section: "s" }
        masses { node: "mass" mass: 10 } } } } } })";
  const std::vector<InnerModes> modes = inner_modes(parsed(frame));
  ASSERT_EQ(modes.size(), 1U);
  EXPECT_NEAR(modes[0].lowest, std::sqrt(1e5 / 10.0) / (2.0 * std::numbers::pi), 1e-6)
      << "EA/L over the mass";
}

TEST(InnerModes, AreNoneWithoutInnerMasses) {
  EXPECT_TRUE(inner_modes(parsed(kStorey + R"(} } sites { name: "lab" interface: "first.x"
      rig { specimen { linear { stiffness { values: 8e5 } mass { values: 9000 } } } } })"))
                  .empty());
}

/// A specimen of a mass and a damping alone: what its load cell feels is all of that.
double force_asked_for(const std::string& mode, const std::string& specimen) {
  const std::vector<pretest::SiteDemand> demands =
      pretest::estimate_demand(parsed(kStorey + "} } " + mode + R"( sites { name: "lab"
      interface: "first.x" rig { specimen { linear { stiffness { values: 0 } )" +
                                      specimen + " } } } }"));
  return demands.at(0).actuators.at(0).force;
}

TEST(Demand, CountsTheInertiaAndTheDampingThatTheLoadCellFeels) {
  const double inertia = force_asked_for("", "mass { values: 9000 }");
  EXPECT_GT(inertia, 1000.0);
  EXPECT_GT(force_asked_for("", "damping { values: 6000 }"), 100.0);
  EXPECT_EQ(force_asked_for("mode: PSEUDO_DYNAMIC", "mass { values: 9000 }"), 0.0)
      << "it rests when it is read";
  EXPECT_NEAR(
      force_asked_for("mode: CONTINUOUS continuous { scale: 10 }", "mass { values: 9000 }"),
      inertia / 100.0, 1e-9 * inertia);
}

// A preloaded specimen is asked for what moves from the state under gravity, another for
// the whole displacement.
TEST(Demand, CountsFromTheStateUnderGravityWhereTheSpecimenStandsPreloaded) {
  config::Test test = parsed(kStorey + R"(} } mode: PSEUDO_DYNAMIC sites { name: "lab"
      interface: "first.x" rig { specimen { linear { stiffness { values: 8e5 } } } } })");
  const auto asked = [&test] {
    return pretest::estimate_demand(test).at(0).actuators.at(0).displacement;
  };
  const double shaken = asked();
  config::TimedLoad& push = *test.mutable_excitation()->add_loads();
  push.set_name("push");
  push.add_nodes()->set_node("first");
  push.mutable_nodes(0)->set_x(18e6);  // 10 m
  config::Gravity& gravity = *test.mutable_excitation()->mutable_gravity();
  gravity.add_from(config::WEIGHT_OF_NONE);
  gravity.add_loads("push");
  EXPECT_NEAR(asked(), shaken, 1e-9);
  test.mutable_sites(0)->set_gravity(config::SPECIMEN_GRAVITY_APPLY);
  EXPECT_NEAR(asked(), 10.0, shaken);
  EXPECT_GT(asked(), 10.0);
}

// A laboratory's floor rests: a support that drifts by a metre takes the specimen along.
TEST(Demand, IsRelativeToTheSupportThatTheSpecimenStandsOn) {
  const std::string file =
      ::testing::TempDir() + "/drift_" + std::to_string(::getpid()) + ".csv";
  std::ofstream drift(file);
  for (int i = 0; i <= 200; ++i)
    drift << 0.05 * i << ", " << 0.5 * (1.0 - std::cos(std::numbers::pi * i / 200.0))
          << "\n";
  drift.close();
  const std::vector<pretest::SiteDemand> demands = pretest::estimate_demand(parsed(R"(
      test: "drift" time_step: 0.0009765625 duration: 10
      excitation { supports { nodes: "foot" motion { file: ")" + file + R"("
                   quantity: SUPPORT_QUANTITY_DISPLACEMENT } } }
      numerical { frame {
        nodes { name: "foot" } nodes { name: "top" y: 3 }
        supports { nodes: "foot" fixed: [DOF_X, DOF_Y, DOF_RZ] }
        supports { nodes: "top" fixed: [DOF_Y, DOF_RZ] }
        sections { name: "s" E: 2e11 A: 45e-4 I: 4e-6 }
        members { from: "foot" to: "top" section: "s" }
        masses { node: "top" mass: 10000 } } }
      sites { name: "lab" interface: "top.x" support: "foot"
              rig { specimen { linear { stiffness { values: 8e5 } } } } })"));
  // Quasi-static: the mass's inertia, 10 t times at most 0.05 m/s2, over 1.16 MN/m.
  const ActuatorLimits& asked = demands.at(0).actuators.at(0);
  EXPECT_GT(asked.displacement, 2e-4);
  EXPECT_LT(asked.displacement, 2e-3);
  EXPECT_LT(asked.rate, 0.02);
  EXPECT_NEAR(asked.force, 8e5 * asked.displacement, 1e-6 * asked.force);
  EXPECT_EQ(demands[0].targets.at(0), asked.displacement);
}

TEST(Identification, RefusesAMemoryAndAnExcitationThatTellNothingApart) {
  const auto refusal = [](const std::string& setting) {
    try {
      load_hybrid_test(
          std::string(TRESTLE_SOURCE_DIR) + "/examples/bond_graph/identified.yaml",
          yaml::parse_command_line_overrides(
              {"numerical.bond_graph.identification." + setting}),
          "1.0");
    } catch (const yaml::ConfigError& error) {
      return error.lines().front();
    }
    return std::string("none");
  };
  EXPECT_EQ(refusal("memory=51 ms"), "none");
  EXPECT_NE(refusal("memory=49 ms").find("is shorter than 1/filter"), std::string::npos)
      << refusal("memory=49 ms");
  EXPECT_EQ(refusal("excitation=2 nm"), "none");
  EXPECT_NE(refusal("excitation=1e-200 m").find("is below 1 nm"), std::string::npos)
      << refusal("excitation=1e-200 m");
}

}  // namespace
}  // namespace trestle::composition::told_of_test
