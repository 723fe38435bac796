#include "studies/campaign/campaign_sensitivity.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>

#include "studies/campaign/campaign_page.h"
#include "studies/campaign/campaign_tables.h"
#include "studies/design/saltelli_points.h"
#include "studies/design/sobol_points.h"
#include "studies/design/transformed_design.h"

namespace trestle::campaign {
namespace {

using RunValue = std::function<double(const std::vector<double>&)>;

const std::vector<design::ParameterDistribution> kTwoUniform(
    2, {.kind = design::ParameterDistribution::Kind::kUniform, .low = 0.0, .high = 1.0});

StudyPlan two_parameters() {
  StudyPlan plan;
  plan.name = "two";
  plan.seed = 1;
  plan.results = {"y"};
  plan.parameters = {{"left", false, kTwoUniform[0], {}},
                     {"right, with a comma", false, kTwoUniform[1], {}}};
  return plan;
}

StudyPlan with_indices(std::int64_t base) {
  StudyPlan plan = two_parameters();
  plan.runs = 4 * base;
  plan.design_name = "sobol";
  plan.sensitivity = {.kind = SensitivityPlan::Kind::kSobolIndices,
                      .groups = base,
                      .bootstrap = 100,
                      .trajectories = nullptr};
  plan.design = std::make_shared<design::TransformedDesign>(
      std::make_shared<design::SaltelliPoints>(
          std::make_unique<design::SobolPoints>(1, 4, true), 2),
      kTwoUniform);
  return plan;
}

StudyPlan with_trajectories(std::int64_t count) {
  StudyPlan plan = two_parameters();
  plan.runs = 3 * count;
  plan.design_name = "morris";
  const auto trajectories = std::make_shared<const design::MorrisTrajectories>(1, 2, 4);
  plan.sensitivity = {.kind = SensitivityPlan::Kind::kElementaryEffects,
                      .groups = count,
                      .bootstrap = 0,
                      .trajectories = trajectories};
  plan.design = std::make_shared<design::TransformedDesign>(trajectories, kTwoUniform);
  return plan;
}

CampaignRecord record_of(const StudyPlan& plan, const RunValue& value) {
  CampaignRecord record;
  record.names = {"x", "y"};
  for (std::int64_t run = 0; run <= plan.runs; ++run) {
    record.runs.push_back(
        {.run = run, .reason = {}, .values = {7.0, 0.0}, .largest_targets = {}});
    if (run > 0) record.runs.back().values[1] = value(drawn_values(plan, run));
  }
  return record;
}

// y = left + 2 right: the shares of the variance are 1/5 and 4/5.
double weighted(const std::vector<double>& x) {
  return x[0] + 2.0 * x[1];
}

TEST(CampaignSensitivity, HasTheIndicesOfEachResultThatThePlanShows) {
  const StudyPlan plan = with_indices(256);
  const CampaignRecord record = record_of(plan, weighted);
  const CampaignSensitivity found = sensitivity_of(plan, record, false);
  ASSERT_EQ(found.results.size(), 1u);
  EXPECT_EQ(found.results[0].result, "y");
  EXPECT_EQ(found.results[0].groups, 256u);
  EXPECT_NEAR(found.results[0].indices.first[0].value, 0.2, 0.02);
  EXPECT_NEAR(found.results[0].indices.total[1].value, 0.8, 0.02);
  EXPECT_EQ(by_sensitivity(found.results[0]), (std::vector<std::size_t>{1, 0}));
  EXPECT_EQ(sensitivity_caveat(found), "");
  const std::string csv = sensitivity_csv(plan, found);
  EXPECT_EQ(csv.find("result,parameter,rows,first_order,first_order_low,"), 0u);
  EXPECT_NE(csv.find("\ny,\"right, with a comma\",256,0."), std::string::npos) << csv;
  const CampaignFacts facts{"folder", "study.yaml", "1", found};
  const auto json = nlohmann::json::parse(campaign_json(plan, record, facts));
  EXPECT_EQ(json.at("sensitivity").at("rows"), 256);
  EXPECT_EQ(json.at("sensitivity")
                .at("results")
                .at("y")
                .at("parameters")
                .at("left")
                .at("total")
                .at("value"),
            found.results[0].indices.total[0].value);
  const std::string text = campaign_text(plan, record, facts);
  EXPECT_NE(text.find("first-order and total indices"), std::string::npos);
  EXPECT_NE(text.find("\ny\n  right, with a comma "), std::string::npos) << text;
  EXPECT_NE(campaign_page(plan, record, facts, "test").find("What decides y"),
            std::string::npos);
}

TEST(CampaignSensitivity, LeavesWhatIsTheSameInAllRunsOffTheScreen) {
  StudyPlan plan = with_indices(16);
  plan.results = {"x", "y"};
  const CampaignSensitivity found =
      sensitivity_of(plan, record_of(plan, [](const auto& x) { return x[0]; }), false);
  EXPECT_EQ(found.results.size(), 2u);
  EXPECT_EQ(sensitivity_text(plan, found).find("\nx\n"), std::string::npos);
  EXPECT_NE(sensitivity_text(plan, found).find("\ny\n"), std::string::npos);
}

TEST(CampaignSensitivity, TakesRowsWithAnUnstableRunOutButCountsThemForTheIndicator) {
  const StudyPlan plan = with_indices(256);
  CampaignRecord record = record_of(plan, weighted);
  // Runs 41 to 44 are of row 10, 81 to 84 of row 20.
  for (const std::size_t run : {42U, 43U, 81U}) {
    record.runs[run].outcome = RunOutcome::kUnstable;
    record.runs[run].values[1] = 1e9;
  }
  const CampaignSensitivity found = sensitivity_of(plan, record, false);
  EXPECT_EQ(found.unstable, 2);
  ASSERT_EQ(found.results.size(), 2u);
  EXPECT_EQ(found.results[0].result, "unstable");
  EXPECT_EQ(found.results[0].groups, 256u);
  // Of a and b: b of row 10 (run 42), a of row 20 (run 81).
  EXPECT_NEAR(found.results[0].indices.mean, 2.0 / 512.0, 1e-15);
  EXPECT_EQ(found.results[1].groups, 254u);
  EXPECT_NEAR(found.results[1].indices.first[0].value, 0.2, 0.03);
  EXPECT_EQ(sensitivity_caveat(found),
            "2 of 256 rows have an unstable or impossible run and are taken out");
}

TEST(CampaignSensitivity, IsWithheldWhereOneRowInTwentyWouldBeTakenOut) {
  const StudyPlan plan = with_indices(40);
  CampaignRecord record = record_of(plan, weighted);
  for (const std::size_t run : {1U, 5U}) record.runs[run].outcome = RunOutcome::kUnstable;
  EXPECT_FALSE(sensitivity_of(plan, record, false).withheld);  // 5 % and no more
  record.runs[9].outcome = RunOutcome::kUnstable;
  const CampaignSensitivity found = sensitivity_of(plan, record, false);
  EXPECT_TRUE(found.withheld);
  ASSERT_EQ(found.results.size(), 1u);
  EXPECT_EQ(found.results[0].result, "unstable");
  EXPECT_NE(sensitivity_caveat(found).find("--force gives them"), std::string::npos);
  const CampaignSensitivity forced = sensitivity_of(plan, record, true);
  EXPECT_FALSE(forced.withheld);
  EXPECT_EQ(forced.results.size(), 2u);
  // Rows that could not be run at all say nothing of stability either.
  for (const std::size_t run : {1U, 5U, 9U})
    record.runs[run].outcome = RunOutcome::kInvalid;
  EXPECT_EQ(sensitivity_of(plan, record, false).impossible, 3);
  EXPECT_TRUE(sensitivity_of(plan, record, false).results.empty());
}

TEST(CampaignSensitivity, HasTheEffectsOfTrajectories) {
  const StudyPlan plan = with_trajectories(30);
  CampaignRecord record = record_of(plan, weighted);
  record.runs[2].outcome = RunOutcome::kUnstable;
  const CampaignSensitivity found = sensitivity_of(plan, record, false);
  ASSERT_EQ(found.results.size(), 2u);
  EXPECT_EQ(found.results[1].groups, 29u);
  EXPECT_NEAR(found.results[1].effects[0].mean, 1.0, 1e-12);
  EXPECT_NEAR(found.results[1].effects[1].mean_absolute, 2.0, 1e-12);
  EXPECT_NEAR(found.results[1].effects[1].deviation, 0.0, 1e-12);
  EXPECT_EQ(sensitivity_csv(plan, found).find("result,parameter,trajectories,mu,mu_star"),
            0u);
  const CampaignFacts facts{"folder", "study.yaml", "1", found};
  EXPECT_NE(campaign_page(plan, record, facts, "test").find("What decides y"),
            std::string::npos);
}

}  // namespace
}  // namespace trestle::campaign
