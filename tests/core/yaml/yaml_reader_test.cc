#include "core/yaml/yaml_reader.h"

#include <gtest/gtest.h>

#include "tests/core/yaml/config_files.h"

namespace {

using trestle::yaml::SourceMap;
using trestle::yaml::test::ConfigFiles;
using trestle::yaml::test::problems_of;
namespace config = trestle::config;
using Lines = std::vector<std::string>;

TEST(YamlReader, ReadsTheTestThatPeopleSeeFirst) {
  config::Test test;
  ASSERT_EQ(problems_of(trestle::yaml::test::kTwoSiteFrame, test), Lines{});
  EXPECT_EQ(test.test(), "two-site frame");
  EXPECT_EQ(test.mode(), config::SIMULATED);
  EXPECT_EQ(test.time_step(), 1.0 / 1024);
  EXPECT_EQ(test.seed(), 7U);
  EXPECT_EQ(test.excitation().record(), "synthetic");
  const auto& frame = test.numerical().frame();
  ASSERT_EQ(frame.nodes_size(), 4);
  EXPECT_EQ(frame.nodes(1).name(), "floor_e");
  EXPECT_EQ(frame.nodes(1).x(), 6.0);
  EXPECT_EQ(frame.nodes(1).y(), 3.0);
  EXPECT_EQ(frame.supports(0).fixed(0), config::DOF_Y);
  EXPECT_EQ(frame.sections(1).name(), "beam");
  EXPECT_DOUBLE_EQ(frame.sections(1).i(), 11770e-8);
  EXPECT_EQ(frame.members(3).from(), "roof_w");
  EXPECT_EQ(frame.floors(0).mass(), 12000.0);
  EXPECT_EQ(frame.damping().rayleigh().ratio_size(), 1);
  EXPECT_EQ(frame.damping().rayleigh().modes(1), 2U);
  EXPECT_TRUE(test.numerical().integrator().has_explicit_newmark());
  ASSERT_EQ(test.sites_size(), 2);
  for (const auto& site : test.sites()) {
    EXPECT_TRUE(site.loading_frame().has_identity());
    EXPECT_DOUBLE_EQ(site.limits().interface(0).displacement(), 0.06);
    EXPECT_EQ(site.limits().interface(1).dof(), "rz");
    EXPECT_DOUBLE_EQ(site.compensator().ats().expected_delay(0), 0.012);
    EXPECT_EQ(site.rig().actuators(1).second_order().frequency(), 18.0);
    EXPECT_EQ(site.rig().specimen().column().hysteresis().bilinear().hardening(), 0.03);
  }
  EXPECT_EQ(test.sites(1).interface(0), "floor_e.x");
}

TEST(YamlReader, KeepsTheOrderOfTheFile) {
  config::Frame frame;
  ASSERT_EQ(problems_of("nodes: {z: [0, 0], a: [1, 0], m: [2, 0]}", frame), Lines{});
  EXPECT_EQ(frame.nodes(0).name() + frame.nodes(1).name() + frame.nodes(2).name(), "zam");
}

TEST(YamlReader, ReadsNamedEntriesFromAListToo) {
  config::Frame frame;
  ASSERT_EQ(problems_of("nodes: [{name: a, x: 1 m}, {name: b, x: 2 m}]", frame), Lines{});
  EXPECT_EQ(frame.nodes(1).name(), "b");
  EXPECT_EQ(frame.nodes(1).x(), 2.0);
}

TEST(YamlReader, TakesAKindAsAWordAndDashesAsUnderscores) {
  config::Numerical numerical;
  for (const char* text :
       {"integrator: operator-splitting", "integrator: operator_splitting",
        "integrator: {kind: operator-splitting}"}) {
    ASSERT_EQ(problems_of(text, numerical), Lines{}) << text;
    EXPECT_TRUE(numerical.integrator().has_operator_splitting()) << text;
  }
}

TEST(YamlReader, ReadsRowsEntriesAndFilesOfMatrices) {
  config::Matrices matrices;
  ASSERT_EQ(problems_of("dofs: [a.x, b.x]\n"
                        "mass: {rows: [[1, 2], [3, 4]]}\n"
                        "stiffness: {entries: [[1, 1, 5], [2, 1, -2.5]]}\n"
                        "damping_matrix: sub/../C.csv\n",
                        matrices),
            Lines{});
  EXPECT_EQ(matrices.mass().rows(1).values(0), 3.0);
  EXPECT_EQ(matrices.stiffness().entries(1).row(), 2U);
  EXPECT_EQ(matrices.stiffness().entries(1).value(), -2.5);
  const std::filesystem::path file = matrices.damping_matrix().file();
  EXPECT_TRUE(file.is_absolute());
  EXPECT_EQ(file.filename(), "C.csv");
  EXPECT_NE(file.parent_path().filename(), "sub");
}

TEST(YamlReader, ReadsAComplexNumberAloneOrAsAPair) {
  config::ZerosPolesGain zpk;
  ASSERT_EQ(problems_of("{poles: [-3, [-1, 2], {re: -1, im: -2}], gain: 1}", zpk), Lines{});
  EXPECT_EQ(zpk.poles(0).re(), -3.0);
  EXPECT_EQ(zpk.poles(1).im(), 2.0);
  EXPECT_EQ(zpk.poles(2).im(), -2.0);
}

// So did earlier programs write a bond without a name into effective.yaml, which a resume
// reads.
TEST(YamlReader, TakesAnEmptyTextOfARowForNone) {
  config::GraphBond bond;
  ASSERT_EQ(problems_of("[mass, spring, \"\"]", bond), Lines{});
  EXPECT_EQ(bond.head(), "spring");
  EXPECT_EQ(bond.name(), "");
  EXPECT_NE(problems_of("[mass, \"\"]", bond), Lines{}) << "it ends nowhere";
  EXPECT_NE(problems_of("{tail: mass, head: spring, name: \"\"}", bond), Lines{});
}

TEST(YamlReader, ReadsEnumsWithoutTheirPrefix) {
  config::Member member;
  ASSERT_EQ(problems_of("{from: a, to: b, section: s, hinges: [from, to]}", member),
            Lines{});
  EXPECT_EQ(member.hinges(1), config::END_TO);
}

TEST(YamlReader, ReadsAnEmptyListAsItsWordAndANameAloneAsAListOfOne) {
  config::Gravity gravity;
  ASSERT_EQ(problems_of("{loads: dead}", gravity), Lines{});
  EXPECT_EQ(gravity.from_size(), 0);
  ASSERT_EQ(problems_of("{from: [], loads: dead}", gravity), Lines{});
  ASSERT_EQ(gravity.from_size(), 1);
  EXPECT_EQ(gravity.from(0), config::WEIGHT_OF_NONE);
  ASSERT_EQ(problems_of("{from: [masses]}", gravity), Lines{});
  EXPECT_EQ(gravity.from(0), config::WEIGHT_OF_MASSES);
  config::Recording recording;
  ASSERT_EQ(problems_of("{storeys: all}", recording), Lines{});
  ASSERT_EQ(recording.storeys_size(), 1);
  EXPECT_EQ(recording.storeys(0).name(), "all");
}

TEST(YamlReader, ResolvesPathsFromTheFolderOfTheirFile) {
  const ConfigFiles files;
  files.write("base/excitation.yaml", "excitation: {record: records/a.csv}");
  const std::string file = files.write(
      "test.yaml", "{include: base/excitation.yaml, test: t, time_step: 1, numerical: }");
  config::Test test;
  SourceMap where;
  trestle::yaml::read_yaml(file, {}, test, where);
  EXPECT_EQ(test.excitation().record(), files.folder() / "base/records/a.csv");
  trestle::yaml::read_yaml(file, {"excitation.record=../x.csv"}, test, where);
  EXPECT_EQ(test.excitation().record(),
            std::filesystem::current_path().parent_path() / "x.csv");
  trestle::yaml::read_yaml(file, {"excitation.record=none"}, test, where);
  EXPECT_EQ(test.excitation().record(), "none");
}

TEST(YamlReader, ReadsWholeNumbersToTheLast) {
  config::Test test;
  problems_of("seed: 18446744073709551615", test);
  EXPECT_EQ(test.seed(), 18446744073709551615U);
  problems_of("seed: 2*21", test);
  EXPECT_EQ(test.seed(), 42U);
}

TEST(YamlReader, FollowsAliases) {
  config::Rig rig;
  ASSERT_EQ(problems_of("actuators: [&one {kind: first-order, frequency: 3 Hz}, *one]\n"
                        "specimen: {kind: linear, stiffness: [[1]]}\n",
                        rig),
            Lines{});
  EXPECT_EQ(rig.actuators(1).first_order().frequency(), 3.0);
}

TEST(YamlReader, EmptiesTheMessageFirst) {
  config::Deadlines deadlines;
  deadlines.set_connect(5);
  ASSERT_EQ(problems_of("step: 1 s", deadlines), Lines{});
  EXPECT_FALSE(deadlines.has_connect());
}

}  // namespace
