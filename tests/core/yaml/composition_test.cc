#include <gtest/gtest.h>

#include "core/yaml/yaml_reader.h"
#include "tests/core/yaml/config_files.h"

namespace {

using trestle::yaml::test::ConfigFiles;
using trestle::yaml::test::problems_in;
using trestle::yaml::test::problems_of;
namespace config = trestle::config;
using Lines = std::vector<std::string>;

const std::string kHead = "test: t\ntime_step: 1 ms\nexcitation: {}\nnumerical: {}\n";

TEST(Include, TheIncludingFileWinsAndMappingsMerge) {
  const ConfigFiles files;
  files.write("base.yaml", kHead +
                               "deadlines: {connect: 3 s, step: 4 s}\n"
                               "recording: {nodes: [a, b]}\n"
                               "sites: {west: {interface: [a.x], compensator: {kind: ats, "
                               "expected_delay: 3 ms}}}\n");
  const std::string file = files.write(
      "test.yaml",
      "include: base.yaml\ndeadlines: {step: 5 s}\nrecording: {nodes: [c]}\n"
      "sites: {west: {address: tcp://a, compensator: {kind: polynomial, delay: 1 ms}}}\n");
  config::Test test;
  ASSERT_EQ(problems_in(files, file, test), Lines{});
  EXPECT_EQ(test.deadlines().connect(), 3.0);
  EXPECT_EQ(test.deadlines().step(), 5.0);
  EXPECT_EQ(test.recording().nodes_size(), 1);
  EXPECT_EQ(test.sites(0).interface(0), "a.x");
  EXPECT_EQ(test.sites(0).compensator().polynomial().delay(0), 1e-3);
}

TEST(Include, MayStandInAnyMappingBelow) {
  const ConfigFiles files;
  files.write("lab/rig.yaml",
              "include: twin.yaml\nnoise: [{displacement: 1 um}]\nspecimen: {stiffness: "
              "[[2]]}\n");
  files.write("lab/twin.yaml",
              "specimen: {kind: linear, stiffness: [[1]], damping: [[3]]}\n");
  const std::string file = files.write(
      "test.yaml", kHead +
                       "sites:\n  west:\n    interface: [a.x]\n    rig:\n      include: "
                       "lab/rig.yaml\n      noise: [{displacement: 2 um}]\n");
  config::Test test;
  ASSERT_EQ(problems_in(files, file, test), Lines{});
  const config::Rig& rig = test.sites(0).rig();
  EXPECT_EQ(rig.noise(0).displacement(), 2e-6);
  EXPECT_EQ(rig.specimen().linear().stiffness(0).values(0), 2.0);
  EXPECT_EQ(rig.specimen().linear().damping(0).values(0), 3.0);
}

TEST(Include, SettingsOfTheSameKindMergeEvenOverABareWord) {
  const ConfigFiles files;
  files.write("base.yaml", "integrator: operator-splitting\nframe: {nodes: {a: [0, 0]}}\n");
  const std::string file =
      files.write("test.yaml", "include: [base.yaml]\nintegrator: {alpha: -0.1}\n");
  config::Numerical numerical;
  ASSERT_EQ(problems_in(files, file, numerical), Lines{});
  EXPECT_EQ(numerical.integrator().operator_splitting().alpha(), -0.1);
}

TEST(Include, AMemberOfAOneofReplacesTheOthers) {
  const ConfigFiles files;
  files.write("base.yaml", "rayleigh: {ratio: 0.02}\n");
  const std::string file =
      files.write("test.yaml", "include: base.yaml\nmodal: {ratio: 0.05}\n");
  config::Damping damping;
  ASSERT_EQ(problems_in(files, file, damping), Lines{});
  EXPECT_EQ(damping.modal().ratio(0), 0.05);
}

TEST(Include, ProblemsStandInTheFileTheyAreIn) {
  const ConfigFiles files;
  files.write("sub/base.yaml", "\nstep: -1 s\n");
  const std::string file =
      files.write("test.yaml", "include: sub/base.yaml\nconnect: 0 s\n");
  config::Deadlines deadlines;
  EXPECT_EQ(problems_in(files, file, deadlines),
            (Lines{"test.yaml:2:10: connect is 0 s; must be positive",
                   "sub/base.yaml:2:7: step is -1 s; must be positive"}));
}

TEST(Include, CirclesAndMissingFilesAreNamed) {
  const ConfigFiles files;
  files.write("a.yaml", "include: b.yaml\n");
  files.write("b.yaml", "include: a.yaml\n");
  const std::string file = files.write("test.yaml", "include: [a.yaml, none.yaml]\n");
  config::Deadlines deadlines;
  EXPECT_EQ(
      problems_in(files, file, deadlines),
      (Lines{"test.yaml:1:19: `none.yaml` cannot be read; there is no such file",
             "b.yaml:1:10: includes `a.yaml`, which includes this file; must not go in a "
             "circle"}));
}

TEST(Include, ManyFilesThatIncludeEachOtherTwiceEnd) {
  const ConfigFiles files;
  for (int i = 0; i < 20; ++i) {
    const std::string next = std::to_string(i + 1) + ".yaml";
    files.write(std::to_string(i) + ".yaml", "include: [" + next + ", " + next + "]\n");
  }
  files.write("20.yaml", "step: 1 s\n");
  config::Deadlines deadlines;
  const Lines lines = problems_in(files, (files.folder() / "0.yaml").string(), deadlines);
  EXPECT_FALSE(lines.empty());
}

TEST(Like, FollowsChainsInAnyOrder) {
  config::Frame frame;
  ASSERT_EQ(problems_of("nodes: {a: [0, 0]}\n"
                        "sections:\n"
                        "  c: {like: b, I: 3 m4}\n"
                        "  b: {like: a, A: 2 m2}\n"
                        "  a: {E: 1, A: 1 m2, I: 1 m4}\n",
                        frame),
            Lines{});
  EXPECT_EQ(frame.sections(0).name(), "c");
  EXPECT_EQ(frame.sections(0).a(), 2.0);
  EXPECT_EQ(frame.sections(0).i(), 3.0);
}

TEST(Like, CirclesAndUnknownNamesAreTold) {
  config::Frame frame;
  EXPECT_EQ(
      problems_of("nodes: {a: [0, 0]}\n"
                  "sections:\n"
                  "  a: {like: b, E: 1, A: 1, I: 1}\n"
                  "  b: {like: a, E: 1, A: 1, I: 1}\n"
                  "  beam: {like: baem2, E: 1, A: 1, I: 1}\n"
                  "  beam1: {like: [beam], E: 1, A: 1, I: 1}\n",
                  frame),
      (Lines{"test.yaml:4:13: like `a` goes in a circle; one of them must stand alone",
             "test.yaml:5:16: like `baem2`, which does not exist; did you mean `beam1`?",
             "test.yaml:6:11: like is a list; must be the name of another entry"}));
  EXPECT_EQ(problems_of("nodes: {a: {like: a}}", frame).size(), 1U);
}

TEST(Like, WhatIsWrongInTheModelIsToldOnce) {
  config::Frame frame;
  EXPECT_EQ(problems_of("nodes: {a: [0, 0]}\n"
                        "sections: {a: {E: -1, A: 1, I: 1}, b: {like: a}}\n",
                        frame),
            Lines{"test.yaml:2:19: E is -1; must be positive"});
}

/// The example's message after overrides.
config::Test with(const Lines& overrides) {
  config::Test test;
  EXPECT_EQ(problems_of(trestle::yaml::test::kTwoSiteFrame, test, overrides), Lines{});
  return test;
}

TEST(Override, SetsWhatStandsInTheFileAndWhatDoesNot) {
  EXPECT_EQ(with({"time_step=1/512 s"}).time_step(), 1.0 / 512);
  EXPECT_EQ(with({"deadlines.step=3 s"}).deadlines().step(), 3.0);
  EXPECT_EQ(with({"excitation.synthetic.peak=0.2 g"}).excitation().synthetic().peak(),
            0.2 * 9.80665);
  EXPECT_EQ(with({"seed=1", "seed=2"}).seed(), 2U);
}

TEST(Override, ReachesEntriesByIndexAndByName) {
  EXPECT_EQ(with({"numerical.frame.members[1].section=beam"})
                .numerical()
                .frame()
                .members(1)
                .section(),
            "beam");
  EXPECT_EQ(with({"numerical.frame.members.1.section=beam"})
                .numerical()
                .frame()
                .members(1)
                .section(),
            "beam");
  EXPECT_EQ(with({"numerical.frame.nodes.roof_w.y=7 m"}).numerical().frame().nodes(2).y(),
            7.0);
  EXPECT_EQ(with({"numerical.frame.nodes[2].y=7 m"}).numerical().frame().nodes(2).y(), 7.0);
  EXPECT_EQ(with({"sites.west.limits.interface.x=1 mm"})
                .sites(0)
                .limits()
                .interface(0)
                .displacement(),
            1e-3);
  EXPECT_EQ(with({"sites.west.limits.interface.x.displacement=1 mm"})
                .sites(0)
                .limits()
                .interface(0)
                .displacement(),
            1e-3);
  EXPECT_EQ(with({"sites.west.limits.interface.floor_w.x=1 mm"})
                .sites(0)
                .limits()
                .interface(2)
                .dof(),
            "floor_w.x");
  EXPECT_EQ(with({"sites.west.limits.interface.\"floor_w.x\"=1 mm"})
                .sites(0)
                .limits()
                .interface(2)
                .dof(),
            "floor_w.x");
  EXPECT_EQ(with({"numerical.frame.damping.rayleigh.ratio[0]=0.05"})
                .numerical()
                .frame()
                .damping()
                .rayleigh()
                .ratio(0),
            0.05);
}

TEST(Override, IsAppliedBeforeLike) {
  const config::Test test =
      with({"sites.west.compensator.expected_delay=15 ms", "sites.north={like: west}"});
  EXPECT_EQ(test.sites(1).compensator().ats().expected_delay(0), 0.015);
  EXPECT_EQ(test.sites(2).name(), "north");
  EXPECT_EQ(with({"sites.east.compensator.expected_delay=15 ms"})
                .sites(1)
                .compensator()
                .ats()
                .expected_delay(0),
            0.015);
}

TEST(Override, TakesAnyYamlAsAValue) {
  EXPECT_EQ(with({"sites.west.compensator={kind: ats, expected_delay: 20 ms}"})
                .sites(0)
                .compensator()
                .ats()
                .expected_delay(0),
            0.02);
  EXPECT_EQ(with({"numerical.frame.damping.rayleigh.modes=[2,3]"})
                .numerical()
                .frame()
                .damping()
                .rayleigh()
                .modes(1),
            3U);
  EXPECT_EQ(with({"listen=tcp://*:7000"}).listen(), "tcp://*:7000");
}

TEST(Override, OfAKindDropsWhatOnlyOthersKnow) {
  const config::Test none = with({"sites.west.compensator.kind=none"});
  EXPECT_TRUE(none.sites(0).compensator().has_none());
  EXPECT_TRUE(none.sites(1).compensator().has_none());
  const config::Test both =
      with({"sites.west.compensator.kind=polynomial", "sites.west.compensator.delay=9 ms"});
  EXPECT_EQ(both.sites(0).compensator().polynomial().delay(0), 0.009);
  EXPECT_TRUE(with({"sites.east.compensator.kind=none"}).sites(1).compensator().has_none());
  const config::Test bare =
      with({"numerical.integrator.kind=kr-alpha", "numerical.integrator.rho_infinity=0.5"});
  EXPECT_EQ(bare.numerical().integrator().kr_alpha().rho_infinity(), 0.5);
}

TEST(Override, ThatIsWrongIsToldByItsPath) {
  config::Test test;
  const auto lines = [&](const std::string& text) {
    return problems_of(trestle::yaml::test::kTwoSiteFrame, test, {text});
  };
  EXPECT_EQ(lines("sites.wets.compensator.kind=none"),
            Lines{"--set sites.wets...: unknown key `wets`; did you mean `west`?"});
  EXPECT_EQ(lines("sites.west.compensatr=none"),
            Lines{"--set sites.west.compensatr: unknown key `compensatr`; did you mean "
                  "`compensator`?"});
  EXPECT_EQ(
      lines("time_step=5 mm"),
      Lines{
          "--set time_step: time_step is given in mm; must be a time (s, ms, us, min, h)"});
  EXPECT_EQ(lines("numerical.frame.members[9].section=beam"),
            Lines{"--set numerical.frame.members[9]...: members has 4 entries here, "
                  "counted from 0; "
                  "there is no 9"});
  EXPECT_EQ(
      lines("numerical.frame.members.first=beam"),
      Lines{"--set numerical.frame.members.first: `first` is no index; must be 0, 1, ..."});
  EXPECT_EQ(
      lines("time_step.x=5"),
      Lines{"--set time_step...: `time_step` is a single value; the path must end here"});
  EXPECT_EQ(lines("time_step=[1").size(), 1U);
  for (const char* text :
       {"", "=", "time_step", "a..b=1", ".a=1", "a.=1", "a[1=2", "a]=2", "[]=1"})
    EXPECT_EQ(lines(text).size(), 1U) << text;
}

}  // namespace
