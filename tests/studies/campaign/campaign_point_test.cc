#include "studies/campaign/campaign_point.h"

#include <gtest/gtest.h>

#include <fstream>
#include <limits>

#include "studies/campaign/campaign.h"
#include "tests/studies/campaign/small_study.h"

namespace trestle::campaign {
namespace {

using testing::sentence_of;
using testing::SmallStudy;

class PointFile : public ::testing::Test {
 protected:
  Result<std::vector<double>> read(const std::string& text) const {
    std::ofstream(file_) << text;
    return read_point(file_, {"mass", "delay"});
  }
  std::string error_of(const std::string& text) const {
    const auto values = read(text);
    return values ? "none" : values.error().detail.substr(file_.size());
  }

 private:
  testing::TemporaryFolder folder_;
  std::string file_ = folder_.file("params.in");
};

TEST_F(PointFile, IsReadInEachOfItsForms) {
  const std::vector<double> expected{1.5, -2e-3};
  for (const char* text :
       {"mass 1.5\ndelay -2e-3\n", "2\ndelay -2e-3\nmass 1.5\n", "1.5 mass\n-2e-3 delay",
        "          2 variables\n  1.5 mass\n -2e-3 delay\n  1 functions\n  1 ASV_1:J2\n"
        "  2 derivative_variables\n  1 DVV_1:mass\n  2 DVV_2:delay\n  0 "
        "analysis_components\n  1 eval_id\n"}) {
    const auto values = read(text);
    ASSERT_TRUE(values) << values.error().detail;
    EXPECT_EQ(values.value(), expected) << text;
  }
}

TEST_F(PointFile, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(error_of("mass 1\n"), ": has no value of the parameter `delay`");
  EXPECT_EQ(error_of("mass 1\nmass 2\n"), ":2: `mass` stands there twice");
  EXPECT_EQ(error_of("mass 1\n\ndelya 2\n"),
            ":3: `delya` is no parameter of the study; did you mean `delay`?");
  EXPECT_EQ(error_of("mass heavy\n"),
            ":1: the value of `mass` is `heavy`; must be a finite number without unit (a "
            "factor, or SI)");
  EXPECT_EQ(error_of("3\nmass 1\ndelay 2\n"), ":1: has 2 lines behind a count of 3");
  EXPECT_EQ(error_of("mass 1 kg\n"), ":1: must be `name value` or `value name`");
}

const std::string kNaturalFrequency =
    "  frequency:\n"
    "    paths: ['sites.lab.rig.actuators[0].frequency']\n"
    "    factor: {kind: normal, sd: 10 %}\n";

TEST(CampaignPoint, HasTheNumbersOfACampaignWithTheSameRow) {
  const SmallStudy study(kNaturalFrequency,
                         "runs: 2\nresults: ['sites.*.nrmse', steps_done]\n");
  const StudyFile file = study.read();
  const StudyPlan plan = study_plan(file);
  const testing::TemporaryFolder folder;
  const PointOutcome point =
      run_point(plan, drawn_values(plan, 2), file.test, "test", folder.path());
  study.write("effective.yaml", file.test);
  CampaignStore store(study.file("c.db"), {});
  Campaign(plan, study.file("effective.yaml"), "test", store)
      .run({.jobs = 1}, [](const auto&) { return true; });
  const FinishedRun run = store.run(2);
  EXPECT_TRUE(point.usable) << point.reason;
  EXPECT_EQ(point.results,
            (std::vector<double>{*find_result(run.results, "sites.lab.tracking[0].nrmse"),
                                 *find_result(run.results, "steps_done")}));
}

TEST(CampaignPoint, SaysThatADrawThatMakesNoTestIsNotUsable) {
  const SmallStudy study(kNaturalFrequency, "runs: 2\nresults: [steps_done]\n");
  const StudyFile file = study.read();
  const testing::TemporaryFolder folder;
  const PointOutcome point =
      run_point(study_plan(file), {-1.0}, file.test, "test", folder.path());
  EXPECT_FALSE(point.usable);
  EXPECT_NE(point.reason.find("must be positive"), std::string::npos) << point.reason;
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(point_text(point, kNone), "FAIL\n");
  EXPECT_EQ(point_text(point, 1e6), "1e+06\n");
  EXPECT_EQ(point_text({true, "", {0.5, 1.0 / 3.0}}, kNone), "0.5\n0.3333333333333333\n");
}

TEST(CampaignPoint, NeedsResultsThatTheStudyLists) {
  for (const auto& [head, problem] : std::vector<std::pair<std::string, std::string>>{
           {"runs: 2\n", "lists no `results`"},
           {"runs: 2\nresults: [no_such]\n", "no result of the test is `no_such`"}}) {
    const SmallStudy study(kNaturalFrequency, head);
    const StudyFile file = study.read();
    const testing::TemporaryFolder folder;
    EXPECT_NE(sentence_of([&] {
                run_point(study_plan(file), {1.0}, file.test, "test", folder.path());
              }).find(problem),
              std::string::npos);
  }
}

}  // namespace
}  // namespace trestle::campaign
