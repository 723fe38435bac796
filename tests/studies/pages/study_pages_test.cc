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
