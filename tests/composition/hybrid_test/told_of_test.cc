// What is told of a test: keys that nothing uses, masses, damping of what yields.
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include "composition/hybrid_test/specimen_mass_catalog.h"
#include "composition/hybrid_test/unused_keys.h"
#include "studies/pretest/yield_damping_notes.h"

namespace trestle::told_of_test {
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
  std::vector<SettingProblem> problems;
  refuse_unused_keys(parsed(text), problems);
  std::vector<std::string> paths;
  for (const SettingProblem& problem : problems) paths.push_back(problem.path);
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

TEST(UnusedKeys, OfAnExcitationAreRefused) {
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
  const std::vector<std::string> notes = yield_damping_notes(parsed(kStorey + roof + site));
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_EQ(notes[0].find("in storey roof the damping force reaches "), 0U) << notes[0];
  EXPECT_TRUE(yield_damping_notes(
                  parsed(kStorey + roof + "stiffness: RAYLEIGH_STIFFNESS_ELASTIC" + site))
                  .empty());
}

}  // namespace
}  // namespace trestle::told_of_test
