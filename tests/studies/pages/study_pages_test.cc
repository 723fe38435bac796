#include <gtest/gtest.h>

#include "studies/campaign/campaign_page.h"
#include "studies/comparison/comparison_page.h"
#include "studies/design/parameter_distribution.h"
#include "studies/design/sample_design.h"
#include "tests/support/golden_page.h"

namespace trestle::campaign::study_pages_test {
namespace {

/// Thirty values of each parameter, in an order that hides neither.
class StatedDraws final : public design::SampleDesign {
 public:
  std::vector<double> values(std::int64_t run) const override {
    return {0.9 + 0.0078125 * static_cast<double>(run * 7 % 30),
            2e6 + 1024.0 * static_cast<double>(run * 11 % 30)};
  }
};

TEST(CampaignPage, LooksAsItDid) {
  StudyPlan plan;
  plan.name = "robust <frame>";
  plan.runs = 32;
  plan.seed = 3;
  plan.results = {"criteria.J2"};
  plan.parameters = {{"mass", true, {}, {}}, {"stiffness of west", false, {}, {}}};
  plan.design = std::make_shared<StatedDraws>();
  plan.design_name = "random";
  CampaignRecord record;
  record.names = {"criteria.J2[0]", "peaks.roof.x.disp_m"};
  for (std::int64_t run = 0; run <= plan.runs; ++run) {
    record.runs.push_back({.run = run, .reason = {}, .values = {}, .largest_targets = {}});
    const double x = static_cast<double>(run * 7 % 30);
    record.runs.back().values = {2.0 + 0.0625 * x,
                                 0.01 + 0.0001 * static_cast<double>(run)};
  }
  record.runs[9].outcome = RunOutcome::kUnstable;
  record.runs[9].reason = "west 1: force 251 kN is above 250 kN";
  record.runs[20].outcome = RunOutcome::kInvalid;
  record.runs[20].reason = "mass: must be above 0";
  const CampaignFacts facts{"runs/frame", "study.yaml", "0.1.0", {}};
  const std::string page = campaign_page(plan, record, facts, "trestle 0.1.0");
  EXPECT_EQ(page.find("<frame>"), std::string::npos) << "a name is no markup";
  testing::expect_golden(page, "studies/pages/golden/campaign.html");
}

/// The sixth of six parameters is the result, the others are of no effect.
CampaignRecord record_of_the_last(StudyPlan& plan) {
  class SixDraws final : public design::SampleDesign {
   public:
    std::vector<double> values(std::int64_t run) const override {
      std::vector<double> drawn;
      for (const std::int64_t prime : {7, 11, 13, 17, 19, 23})
        drawn.push_back(static_cast<double>(run * prime % 31));
      return drawn;
    }
  };
  plan.runs = 30;
  plan.results = {"criteria.J2"};
  for (const char* name : {"p1", "p2", "p3", "p4", "p5", "p6"})
    plan.parameters.push_back({name, false, {}, {}});
  plan.design = std::make_shared<SixDraws>();
  CampaignRecord record;
  record.names = {"criteria.J2"};
  for (std::int64_t run = 0; run <= plan.runs; ++run) {
    record.runs.push_back({.run = run, .reason = {}, .values = {}, .largest_targets = {}});
    record.runs.back().values = {static_cast<double>(run * 23 % 31)};
  }
  return record;
}

TEST(CampaignPage, DrawsTheResultOverTheParametersThatMatterMost) {
  StudyPlan plan;
  plan.design_name = "random";
  const CampaignRecord record = record_of_the_last(plan);
  const std::string page = campaign_page(plan, record, {"f", "s.yaml", "0", {}}, "t");
  EXPECT_NE(page.find("4 of 6 parameters are drawn: those with the longest bars below."),
            std::string::npos);
  // The tornado names all six; the clouds before it begin with the sixth.
  const std::string clouds = page.substr(0, page.find("What the parameters do to"));
  ASSERT_NE(clouds.find(">p6</text>"), std::string::npos);
  for (const char* other : {">p1</text>", ">p2</text>", ">p3</text>", ">p4</text>"})
    EXPECT_LT(clouds.find(">p6</text>"), clouds.find(other)) << other;
}

TEST(CampaignPage, GoesByTheIndicesWhereItHasThem) {
  StudyPlan plan;
  plan.design_name = "sobol";
  const CampaignRecord record = record_of_the_last(plan);
  CampaignFacts facts{"f", "s.yaml", "0", {}};
  facts.sensitivity.kind = SensitivityPlan::Kind::kElementaryEffects;
  ResultSensitivity effects{
      .result = "criteria.J2", .groups = 4, .indices = {}, .effects = {}};
  for (const double effect : {0.0, 0.0, 5.0, 0.0, 4.0, 3.0})
    effects.effects.push_back({.mean = effect, .mean_absolute = effect, .deviation = 0.0});
  facts.sensitivity.results.push_back(effects);
  const std::string page = campaign_page(plan, record, facts, "t");
  EXPECT_NE(page.find("4 of 6 parameters are drawn: those with the largest μ*."),
            std::string::npos);
  const std::size_t results = page.find("Distribution over the stable runs");
  ASSERT_NE(results, std::string::npos);
  EXPECT_LT(page.find(">p3</text>", results), page.find(">p5</text>", results));
  EXPECT_LT(page.find(">p5</text>", results), page.find(">p6</text>", results));
}

TEST(CampaignPage, HasNoBandOfErrorsWhereDrawsDependOnEachOther) {
  for (const char* design : {"random", "sobol", "latin-hypercube", "file"}) {
    StudyPlan plan;
    plan.design_name = design;
    const CampaignRecord record = record_of_the_last(plan);
    const std::string page = campaign_page(plan, record, {"f", "s.yaml", "0", {}}, "t");
    const bool independent = plan.design_name == "random";
    EXPECT_EQ(page.find("± 2 standard errors") != std::string::npos, independent) << design;
    EXPECT_EQ(page.find("has no band of standard errors") == std::string::npos, independent)
        << design;
  }
}

TEST(ComparisonReport, LooksAsItDid) {
  const std::vector<comparison::ComparisonEntry> tests{
      {.name = "frame",
       .file = "none.yaml",
       .complete = true,
       .stable = true,
       .reason = {},
       .tick = 3.1e-7,
       .results = {{"criteria.J1[0]", 12.5}, {"criteria.J2[0]", 4.25}}},
      {.name = "frame",
       .file = "ats.yaml",
       .complete = true,
       .stable = true,
       .reason = {},
       .tick = 8.2e-7,
       .results = {{"criteria.J1[0]", 0.5}, {"criteria.J2[0]", 0.75}}},
      {.name = "frame <late>",
       .file = "late.yaml",
       .unstable = true,
       .reason = "the loop grows",
       .ended_at = 1.25,
       .results = {}}};
  const std::string page = comparison::comparison_report(tests, {}, "trestle 0.1.0");
  EXPECT_EQ(page.find("<late>"), std::string::npos) << "a name is no markup";
  testing::expect_golden(page, "studies/pages/golden/compare.html");
}

}  // namespace
}  // namespace trestle::campaign::study_pages_test
