#include <gtest/gtest.h>

#include "core/yaml/yaml_reader.h"
#include "tests/core/yaml/config_files.h"

namespace {

using trestle::yaml::test::ConfigFiles;
using trestle::yaml::test::problems_in;
using trestle::yaml::test::problems_of;
namespace config = trestle::config;
using Lines = std::vector<std::string>;

/// The example with one of its texts exchanged.
std::string frame_with(const std::string& old_text, const std::string& new_text) {
  std::string text = trestle::yaml::test::kTwoSiteFrame;
  const auto at = text.find(old_text);
  EXPECT_NE(at, std::string::npos) << old_text;
  return text.replace(at, old_text.size(), new_text);
}

TEST(Diagnostics, AreAllToldAtOnceInFileOrder) {
  std::string text = frame_with("    interface: [floor_w.x", "    intreface: [floor_w.x");
  const auto at = text.find("frequency: 18 Hz");
  text.replace(at, 16, "frequency: -18 Hz");
  config::Test test;
  EXPECT_EQ(problems_of(text, test),
            (Lines{"test.yaml:27:3: interface is missing; must have at least 1 entry",
                   "test.yaml:28:5: unknown key `intreface`; did you mean `interface`?",
                   "test.yaml:33:51: frequency is -18 Hz; must be positive"}));
}

TEST(Diagnostics, UnknownKeyListsWhatThereIs) {
  config::Node node;
  EXPECT_EQ(problems_of("{name: a, colour: 3}", node),
            Lines{"test.yaml:1:11: unknown key `colour`; known here: name, x, y, z"});
}

TEST(Diagnostics, DuplicateKeyNamesBothLines) {
  config::Deadlines deadlines;
  EXPECT_EQ(problems_of("step: 1 s\nconnect: 2 s\nstep: 3 s\n", deadlines),
            Lines{"test.yaml:3:1: duplicate key `step`; it is given on line 1 already"});
  config::Frame frame;
  EXPECT_EQ(problems_of("nodes:\n  a: [0, 0]\n  a: [0, 1]\n", frame),
            Lines{"test.yaml:3:3: duplicate key `a`; it is given on line 2 already"});
  EXPECT_EQ(problems_of("nodes:\n  - {name: a}\n  - {name: a}\n", frame),
            Lines{"test.yaml:3:5: name `a` is given on line 2 already; must be unique"});
}

TEST(Diagnostics, WrongTypeSaysWhatWouldBeRight) {
  config::Floor floor;
  EXPECT_EQ(problems_of("{nodes: [a], mass: [1], rigid: maybe}", floor),
            (Lines{"test.yaml:1:14: mass is a list; must be a mass (kg, t, g, lb, ...)",
                   "test.yaml:1:32: rigid is `maybe`; must be true or false"}));
  EXPECT_EQ(
      problems_of("{nodes: {a: 1}, mass: {b: 2}}", floor),
      (Lines{"test.yaml:1:2: nodes is a mapping; must be a list",
             "test.yaml:1:17: mass is a mapping; must be a mass (kg, t, g, lb, ...)"}));
  config::Frame frame;
  EXPECT_EQ(
      problems_of("nodes: 3", frame),
      Lines{
          "test.yaml:1:8: nodes is a single value; must be a mapping of names, or a list"});
  EXPECT_EQ(
      problems_of("nodes: {a: 3}", frame),
      Lines{"test.yaml:1:12: a is a single value; must be a mapping, or a list [x, y, z]"});
  EXPECT_EQ(problems_of("nodes: {a: [0, 1, 2, 3]}", frame),
            Lines{"test.yaml:1:9: a has 4 entries; must be at most 3: a mapping, or a list "
                  "[x, y, z]"});
  EXPECT_EQ(problems_of("just words", frame),
            Lines{"test.yaml:1:1: the file is a single value; must be a mapping"});
  EXPECT_EQ(problems_of("[1]", frame),
            Lines{"test.yaml:1:1: the file is a list; must be a mapping"});
}

TEST(Diagnostics, WrongDimensionSaysWhatWouldFit) {
  config::RestoringForceLaw law;
  EXPECT_EQ(
      problems_of("kind: bilinear\nstiffness: 2 kN/mm\nyield_force: 3 mm\n", law),
      Lines{"test.yaml:3:14: yield_force is given in mm; must be a force or moment (N, kN, "
            "kip, N.m, ...)"});
}

TEST(Diagnostics, OutOfRangeQuotesTheValueAsItWasWritten) {
  config::RestoringForceLaw law;
  EXPECT_EQ(
      problems_of("{kind: bilinear, stiffness: 0 N/m, yield_force: 1, hardening: 120 %}",
                  law),
      (Lines{"test.yaml:1:29: stiffness is 0 N/m; must be positive",
             "test.yaml:1:63: hardening is 120 %; must be at least 0 and below 1"}));
  config::Deadlines deadlines;
  config::Floor floor;
  EXPECT_EQ(problems_of("{nodes: [a], mass: -2 t}", floor),
            Lines{"test.yaml:1:20: mass is -2 t; must not be negative"});
  config::Recording recording;
  EXPECT_EQ(problems_of("ticks: 0", recording),
            Lines{"test.yaml:1:8: ticks is 0; must be at least 1"});
}

TEST(Diagnostics, MissingValueStandsAtTheMappingThatLacksIt) {
  config::Test test;
  EXPECT_EQ(
      problems_of(
          "time_step: 1 s\nexcitation: {}\nnumerical:\n  integrator: explicit-newmark\n",
          test),
      Lines{"test.yaml:1:1: test is missing; must be given"});
  config::Frame frame;
  EXPECT_EQ(problems_of("nodes: {a: [0, 0]}\nmembers:\n  - from: a\n    to: b\n", frame),
            Lines{"test.yaml:3:5: section is missing; must be given"});
  config::Hysteresis hysteresis;
  EXPECT_EQ(problems_of("kind: bilinear", hysteresis),
            Lines{"test.yaml:1:1: yield_moment is missing; must be given"});
  EXPECT_EQ(problems_of("{kind: bilinear, yield_moment: }", hysteresis),
            Lines{"test.yaml:1:18: yield_moment has no value; must be a moment (N.m, "
                  "kN.m, kip.in, ...)"});
  EXPECT_EQ(problems_of("{test: '', time_step: 1, excitation: , numerical: }", test),
            Lines{"test.yaml:1:8: test is empty; must be a text"});
  EXPECT_EQ(
      problems_of("", hysteresis),
      Lines{"test.yaml:1:1: kind is missing; must be one of elastic, bilinear, bouc-wen"});
}

TEST(Diagnostics, TooFewEntriesAreCounted) {
  config::MovingLoad load;
  EXPECT_EQ(problems_of("{force: 1 kN, speed: 3 m/s, path: [a]}", load),
            Lines{"test.yaml:1:29: path has 1 entry; must have at least 2"});
  EXPECT_EQ(problems_of("{force: 1 kN, speed: 3 m/s}", load),
            Lines{"test.yaml:1:1: path is missing; must have at least 2 entries"});
}

TEST(Diagnostics, UnknownKindAndWordSayWhatThereIs) {
  config::Hysteresis hysteresis;
  EXPECT_EQ(problems_of("kind: magic", hysteresis),
            Lines{"test.yaml:1:7: unknown kind `magic`; must be one of elastic, bilinear, "
                  "bouc-wen"});
  EXPECT_EQ(problems_of("kind: bilinaer", hysteresis),
            Lines{"test.yaml:1:7: unknown kind `bilinaer`; did you mean `bilinear`?"});
  EXPECT_EQ(
      problems_of("yield_moment: 3 N.m", hysteresis),
      Lines{"test.yaml:1:1: kind is missing; must be one of elastic, bilinear, bouc-wen"});
  config::Compensator compensator;
  EXPECT_EQ(
      problems_of("{kind: none, delay: 3 ms}", compensator),
      Lines{"test.yaml:1:14: `delay` belongs to another kind than none; known here: kind"});
  config::Support support;
  EXPECT_EQ(problems_of("{nodes: [a], fixed: [x, q, rzz]}", support),
            (Lines{"test.yaml:1:25: fixed is `q`; must be one of x, y, rz, z, rx, ry, "
                   "all",
                   "test.yaml:1:28: fixed is `rzz`; did you mean `rz`?"}));
}

TEST(Diagnostics, OnlyOneOfAOneofMayStand) {
  config::Damping damping;
  EXPECT_EQ(
      problems_of("rayleigh: {ratio: 0.02}\nmodal: {ratio: 0.02}\n", damping),
      Lines{"test.yaml:2:1: modal stands beside rayleigh; must be one of rayleigh, modal"});
}

TEST(Diagnostics, WholeNumbersMustBeWhole) {
  config::Test test;
  const std::string rest = "\n{test: t, time_step: 1, excitation: , numerical: , seed: ";
  EXPECT_EQ(problems_of(rest + "7.5}", test),
            Lines{"test.yaml:2:58: seed is `7.5`; must be a whole number, not negative"});
  EXPECT_EQ(problems_of(rest + "-1}", test),
            Lines{"test.yaml:2:58: seed is `-1`; must be a whole number, not negative"});
  EXPECT_EQ(problems_of(rest + "18446744073709551616}", test).size(), 1U);
  EXPECT_EQ(problems_of(rest + "7 s}", test).size(), 1U);
}

TEST(Diagnostics, NumbersMustBeFinite) {
  config::Node node;
  EXPECT_EQ(
      problems_of("{name: a, x: .nan, y: -.inf}", node),
      (Lines{
          "test.yaml:1:14: x is `.nan`, which is not finite; must be a length (m, mm, cm, "
          "in, ft, ...)",
          "test.yaml:1:23: y is `-.inf`, which is not finite; must be a length (m, mm, cm, "
          "in, ft, ...)"}));
}

TEST(Diagnostics, BrokenYamlIsToldWithItsPlace) {
  config::Node node;
  EXPECT_EQ(problems_of("x: 1\ny: [1, 2\n", node),
            Lines{"test.yaml:3:1: cannot be read as YAML: end of sequence flow not found"});
  EXPECT_EQ(problems_of("x: 1\n--- \ny: 2\n", node),
            Lines{"test.yaml:2:1: a second document; must be one"});
  EXPECT_EQ(problems_of("[a]: 1\nname: a\n", node).front(),
            "test.yaml:1:1: a key is a list; must be a word");
  EXPECT_EQ(problems_of("name: !secret a\n", node),
            Lines{"test.yaml:1:7: the tag `!secret` has no meaning here"});
  EXPECT_EQ(problems_of("name: &a [*a]\n", node),
            Lines{"test.yaml:1:11: an alias inside its own anchor"});
}

TEST(Diagnostics, BytesThatAreNoTextAreRefused) {
  config::Node node;
  EXPECT_EQ(problems_of("x: 1\nname: \xff\n", node),
            Lines{"test.yaml:2:7: a byte that is no text; must be UTF-8 without control "
                  "characters"});
  EXPECT_EQ(problems_of(std::string("name: a\0", 8), node).size(), 1U);
  EXPECT_EQ(problems_of("name: \xed\xa0\x80", node).size(), 1U);
}

TEST(Diagnostics, AbsurdNestingEnds) {
  config::Frame frame;
  EXPECT_EQ(problems_of("nodes: " + std::string(70, '[') + std::string(70, ']'), frame),
            Lines{"test.yaml:1:71: nested deeper than 64 levels; must be flatter"});
  EXPECT_EQ(problems_of(std::string(20'000, '['), frame).size(), 1U);
  EXPECT_EQ(problems_of(std::string(20'000, '{'), frame).size(), 1U);
  std::string laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 20; ++i) {
    const std::string name = "a" + std::to_string(i);
    laughs += name + ": &" + name + " [";
    for (int j = 0; j < 10; ++j)
      laughs += "*a" + std::to_string(i - 1) + (j < 9 ? ", " : "]\n");
  }
  const Lines lines = problems_of(laughs, frame);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_NE(lines[0].find("aliases that repeat too much"), std::string::npos);
}

TEST(Diagnostics, AFileThatCannotBeReadIsNamed) {
  const ConfigFiles files;
  config::Node node;
  EXPECT_EQ(problems_in(files, (files.folder() / "none.yaml").string(), node),
            Lines{"none.yaml: cannot be read; there is no such file"});
  files.write("folder/a.yaml", "");
  EXPECT_EQ(problems_in(files, (files.folder() / "folder").string(), node),
            Lines{"folder: cannot be read; it is a folder, must be a YAML file"});
  EXPECT_EQ(problems_in(files, "", node), Lines{": cannot be read; there is no such file"});
}

TEST(Diagnostics, KeepTheNameOfTheFileAsTheUserGaveIt) {
  config::Node node;
  trestle::yaml::SourceMap where;
  try {
    trestle::yaml::read_yaml("./no/../such.yaml", {}, node, where);
    FAIL();
  } catch (const trestle::yaml::ConfigError& error) {
    EXPECT_EQ(error.lines(),
              Lines{"./no/../such.yaml: cannot be read; there is no such file"});
    EXPECT_STREQ(error.what(), error.lines().front().c_str());
  }
}

}  // namespace
