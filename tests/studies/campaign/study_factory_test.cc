#include "studies/campaign/study_factory.h"

#include <gtest/gtest.h>

#include "core/base/number_text.h"
#include "core/yaml/yaml_reader.h"
#include "studies/design/random_design.h"
#include "tests/studies/campaign/small_study.h"

namespace trestle::campaign {
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
  plan.design = std::make_shared<design::RandomDesign>(
      plan.seed, std::vector<design::NamedDistribution>{{"pole", {.sd = 0.05}}});
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

// The bits of every campaign so far.
TEST(StudyPlan, DrawsAtRandomAsItEverDid) {
  const std::string numbers =
      parameter("seed", "value: {kind: uniform, low: 1, high: 900}") + kFrequency;
  const StudyPlan plan = SmallStudy(numbers).plan();
  const StudyPlan named = SmallStudy(numbers, "runs: 6\ndesign: random\n").plan();
  for (const std::int64_t run : {1, 6}) {
    for (std::size_t i = 0; i < 2; ++i)
      EXPECT_EQ(drawn_values(plan, run)[i],
                design::draw(plan.parameters[i].spread,
                             {.seed = 1,
                              .stream = stream_id(plan.parameters[i].name),
                              .channel = 0,
                              .index = static_cast<std::uint64_t>(run)}));
    EXPECT_EQ(drawn_values(plan, run), drawn_values(named, run));
  }
}

TEST(StudyPlan, CountsTheRunsOfDesignsThatSayHowMany) {
  const auto runs = [](const std::string& head) {
    return SmallStudy(kFrequency, head).plan().runs;
  };
  EXPECT_EQ(runs("design: {kind: morris, trajectories: 5}\n"), 10);
  EXPECT_EQ(runs("design: sobol\nsensitivity: {kind: sobol-indices, base: 8}\n"), 24);
  EXPECT_EQ(runs("sensitivity: {kind: sobol-indices, base: 8}\nruns: 24\n"), 24);
  const auto refused = [](const std::string& head) {
    return SmallStudy(kFrequency, head).complaint();
  };
  EXPECT_EQ(
      refused("design: sobol\n"),
      "study.yaml:1:1: runs is missing; only a file of samples, the design morris and a "
      "sensitivity say how many runs there are");
  EXPECT_EQ(refused("runs: 6\ndesign: {kind: morris, trajectories: 5}\n"),
            "study.yaml:4:7: runs is 6; 5 trajectories of 1 parameters makes 10: leave "
            "`runs` out");
  EXPECT_NE(refused("design: {kind: morris, trajectories: 5, levels: 3}\n")
                .find("levels is 3; must be an even number"),
            std::string::npos);
  EXPECT_NE(refused("design: {kind: morris, trajectories: 5}\n"
                    "sensitivity: {kind: sobol-indices, base: 8}\n")
                .find("the design morris does not serve it"),
            std::string::npos);
}

TEST(StudyPlan, SaysWhereTheRunsOfSobolAreNoPowerOfTwo) {
  const auto notice = [](const std::string& runs) {
    return SmallStudy(kFrequency, "design: sobol\nruns: " + runs + "\n").plan().notice;
  };
  EXPECT_EQ(notice("64"), "");
  EXPECT_NE(notice("100").find("with 64 or 128"), std::string::npos) << notice("100");
}

TEST(StudyPlan, KeepsEarlierRunsWhereRunsAreAdded) {
  for (const std::string head : {"design: sobol\nruns: ", "runs: "}) {
    const StudyPlan few = SmallStudy(kFrequency, head + "8\n").plan();
    const StudyPlan many = SmallStudy(kFrequency, head + "64\n").plan();
    for (std::int64_t run = 1; run <= 8; ++run)
      EXPECT_EQ(drawn_values(few, run), drawn_values(many, run)) << head << run;
  }
}

TEST(StudyPlan, TakesValuesThatWereDrawnElsewhere) {
  const std::string parameters =
      "  delay: {paths: [sites.lab.compensator.delay]}\n"
      "  frequency: {paths: ['sites.lab.rig.actuators[0].frequency'], factor: {kind: "
      "normal, sd: 5 %}}\n";
  const SmallStudy study(parameters, "design: {kind: file, samples: samples.csv}\n");
  study.write("samples.csv", "run,frequency [%],delay [ms]\n1,90,2\n2,110,3\n");
  const StudyPlan plan = study.plan();
  EXPECT_EQ(plan.runs, 2);
  EXPECT_EQ(drawn_values(plan, 2), (std::vector<double>{3 * 1e-3, 110 * 0.01}));
  EXPECT_EQ(drawn_overrides(plan, 1)[0], "sites.lab.compensator.delay=[0.002]");
  study.write("samples.csv", "frequency,delay [mm]\n1,2\n");
  EXPECT_EQ(study.complaint(),
            "study.yaml:4:31: samples column `delay` is given in mm; must be a time (s, "
            "ms, us, min, h)");
}

TEST(StudyIdentity, HasTheDesignAndTheContentOfItsSamples) {
  const auto identity = [](const std::string& head) {
    return study_identity(SmallStudy(kFrequency, head).read(), "1");
  };
  const auto before = identity("runs: 6\n");
  EXPECT_EQ(identity("runs: 6\ndesign: random\n"), before);
  EXPECT_NE(identity("runs: 6\ndesign: sobol\n"), before);
  EXPECT_EQ(identity("runs: 6\ndesign: sobol\n"), identity("runs: 60\ndesign: sobol\n"));
  EXPECT_NE(identity("runs: 6\ndesign: sobol\n"),
            identity("runs: 6\ndesign: {kind: sobol, scramble: false}\n"));
  EXPECT_NE(identity("runs: 6\ndesign: latin-hypercube\n"),
            identity("runs: 60\ndesign: latin-hypercube\n"));
  const std::string indices = "design: sobol\nsensitivity: {kind: sobol-indices, base: ";
  EXPECT_EQ(identity(indices + "8}\n"), identity(indices + "16, bootstrap: 5}\n"));
  const SmallStudy sampled(kFrequency, "design: {kind: file, samples: samples.csv}\n");
  sampled.write("samples.csv", "frequency\n1\n");
  const auto first = study_identity(sampled.read(), "1");
  sampled.write("samples.csv", "frequency\n2\n");
  EXPECT_NE(study_identity(sampled.read(), "1"), first);
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
}  // namespace trestle::campaign
