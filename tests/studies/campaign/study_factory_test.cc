#include "studies/campaign/study_factory.h"

#include <gtest/gtest.h>

#include "core/base/number_text.h"
#include "core/yaml/yaml_reader.h"
#include "tests/studies/campaign/small_study.h"

namespace trestle {
namespace {

using testing::sentence_of;
using testing::SmallStudy;

const std::string kFrequency =
    "  frequency:\n"
    "    paths: ['sites.lab.rig.actuators[0].frequency']\n"
    "    factor: {kind: normal, sd: 5 %}\n";

std::string parameter(const std::string& path, const std::string& what) {
  return "  p: {paths: ['" + path + "'], " + what + "}\n";
}

std::string complaint(const std::string& path, const std::string& what) {
  return SmallStudy(parameter(path, what)).complaint();
}

TEST(StudyPlan, ScalesTheNominalValuesOfTheTest) {
  const StudyPlan plan = SmallStudy(kFrequency).plan();
  EXPECT_EQ(plan.runs, 6);
  const double factor = drawn_values(plan, 3)[0];
  EXPECT_NEAR(factor, 1.0, 5 * 0.05);
  EXPECT_EQ(drawn_overrides(plan, 3),
            std::vector<std::string>{"sites.lab.rig.actuators[0].frequency=" +
                                     format_number(20.0 * factor)});
  EXPECT_EQ(drawn_overrides(plan, 0), std::vector<std::string>{});
}

TEST(StudyPlan, DrawsTheSameWhateverElseIsDrawn) {
  const StudyPlan alone = SmallStudy(kFrequency).plan();
  const StudyPlan beside =
      SmallStudy(parameter("seed", "value: {kind: uniform, low: 1, high: 900}") +
                 kFrequency)
          .plan();
  for (const std::int64_t run : {1, 2, 6})
    EXPECT_EQ(drawn_values(alone, run)[0], drawn_values(beside, run)[1]);
  EXPECT_NE(drawn_values(alone, 1), drawn_values(alone, 2));
}

TEST(StudyPlan, ScalesBothPartsOfAComplexNumberAlike) {
  StudyPlan plan;
  plan.seed = 1;
  plan.parameters.push_back(
      {"pole", true, {.sd = 0.05}, {{"a.poles[0]", {-50.0, 63.0}, true, false}}});
  const double factor = drawn_values(plan, 1)[0];
  EXPECT_EQ(drawn_overrides(plan, 1)[0], "a.poles[0]=[" + format_number(-50.0 * factor) +
                                             ", " + format_number(63.0 * factor) + "]");
}

TEST(StudyPlan, PutsValuesWithUnitsInPlaceAndRoundsWholeOnes) {
  const StudyPlan plan =
      SmallStudy(parameter("time_step", "value: {kind: uniform, low: 1 ms, high: 2 ms}") +
                 "  q: {paths: seed, value: {kind: uniform, low: 10, high: 900}}\n")
          .plan();
  EXPECT_EQ(plan.parameters[0].spread.low, 1e-3);
  const std::vector<std::string> overrides = drawn_overrides(plan, 1);
  EXPECT_EQ(overrides[0], "time_step=" + format_number(drawn_values(plan, 1)[0]));
  EXPECT_EQ(overrides[1].find('.'), std::string::npos) << overrides[1];
}

TEST(StudyPlan, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(
      complaint("sites.lab.rig.actuators[3].frequency", "factor: {kind: normal, sd: 1}"),
      "study.yaml:6:15: `sites.lab.rig.actuators[3].frequency` has no entry 3 in "
      "actuators, which has 1, counted from 0");
  EXPECT_EQ(complaint("sites.lab.rig.actuators[0].frequency",
                      "value: {kind: normal, mean: 3 mm, sd: 1 Hz}"),
            "study.yaml:6:84: mean is given in mm; must be a frequency (Hz, kHz, rad/s)");
  EXPECT_NE(complaint("time_step", "value: {kind: normal, sd: 1 ms}").find("has no mean"),
            std::string::npos);
  EXPECT_NE(complaint("recording.ticks", "factor: {kind: normal, sd: 1 %}")
                .find("has no recording in the test"),
            std::string::npos);
  EXPECT_NE(complaint("time_step", "factor: {kind: uniform, low: 2, high: 1}")
                .find("must be below high, which is 1"),
            std::string::npos);
  EXPECT_NE(complaint("time_step", "factor: {kind: normal, sd: -1 %}")
                .find("must not be negative"),
            std::string::npos);
  EXPECT_NE(complaint("time_step", "").find("neither `factor` nor `value`"),
            std::string::npos);
}

TEST(StudyFile, RefusesASiteThatLivesElsewhere) {
  const SmallStudy study(kFrequency);
  EXPECT_NE(sentence_of([&] {
              study.read({"sites.lab.address=tcp://lab:7001"});
            }).find("site lab lives elsewhere"),
            std::string::npos);
}

TEST(StudyFile, ReadsTheFilesOfItsChangesBesideItself) {
  const SmallStudy study(kFrequency, "runs: 6\nset: [excitation.record=motion.csv]\n");
  study.write("motion.csv", "0, 0\n0.01, 0.5\n0.02, 0\n0.6, 0\n");
  const StudyFile file = study.read();
  EXPECT_NE(file.test.find(study.file("motion.csv")), std::string::npos) << file.test;
  study.write(
      "study.yaml",
      "study: s\ntest: test.yaml\nruns: 1\nset: [seeed=3]\nparameters:\n" + kFrequency);
  EXPECT_NE(study.complaint().find("study.yaml: set seeed: unknown key"), std::string::npos)
      << study.complaint();
}

TEST(StudyIdentity, ChangesWithAllButTheNumberOfRuns) {
  const SmallStudy study(kFrequency, "runs: 6\nset: [excitation.record=motion.csv]\n");
  study.write("motion.csv", "0, 0\n0.01, 0.5\n0.02, 0\n0.6, 0\n");
  const auto identity = [&](const std::vector<std::string>& overrides = {}) {
    return study_identity(study.read(overrides), "1.0");
  };
  const auto first = identity();
  EXPECT_EQ(identity(), first);
  EXPECT_NE(identity({"seed=4"}), first);
  study.write("motion.csv", "0, 0\n0.01, 0.6\n0.02, 0\n0.6, 0\n");
  EXPECT_NE(identity(), first);
  const SmallStudy more(kFrequency, "runs: 60\n");
  EXPECT_EQ(study_identity(more.read(), "1"),
            study_identity(SmallStudy(kFrequency).read(), "1"));
}

// Its hash stood under one key twice, which the store refused.
TEST(StudyIdentity, NamesAFileThatTheTestNamesTwiceOnce) {
  std::string test(testing::kSmallTest);
  test.replace(test.find("excitation: {record: synthetic"), 30,
               "excitation: {record: motion.csv");
  const SmallStudy study(
      kFrequency, "runs: 1\n",
      test +
          "  second:\n    interface: [top.x]\n    link: {trace: motion.csv}\n"
          "    rig:\n      actuators: [{kind: ideal}]\n"
          "      specimen: {kind: linear, stiffness: [[1e3]]}\n");
  study.write("motion.csv", "0, 0\n0.01, 0.5\n0.02, 0\n0.6, 0\n");
  std::size_t files = 0;
  for (const auto& [key, value] : study_identity(study.read(), "1.0"))
    if (key.starts_with("file ")) ++files;
  EXPECT_EQ(files, 1U);
}

}  // namespace
}  // namespace trestle
