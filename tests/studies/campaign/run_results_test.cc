#include "studies/campaign/run_results.h"

#include <gtest/gtest.h>

#include <cmath>

namespace trestle::campaign {
namespace {

using Names = std::vector<std::string>;

const char* const kSummary = R"({
  "test": "t", "steps_planned": 9, "steps_done": 7, "wall_s": 0.3, "step_p50_s": 1e-5,
  "criteria": {"stable": true, "J1": [1.5, -2], "J2": [null, 0.25]},
  "sites": [{"name": "west", "steps": 7, "tracking": [{"actuator": "1", "delay_s": 0.01}],
             "tightened_limits": ["rate"]}],
  "peaks": {"roof.x": {"disp_m": 0.02, "time_s": 1.0}}
})";

Names names_of(const Results& results) {
  Names names;
  for (const NamedResult& result : results) names.push_back(result.name);
  return names;
}

TEST(Results, AreTheNumbersOfASummaryByTheirPath) {
  const Results results = results_of(kSummary);
  EXPECT_EQ(names_of(results), (Names{"steps_done", "criteria.stable", "criteria.J1[0]",
                                      "criteria.J1[1]", "criteria.J2[0]", "criteria.J2[1]",
                                      "sites.west.steps", "sites.west.tracking[0].delay_s",
                                      "peaks.roof.x.disp_m", "peaks.roof.x.time_s"}));
  EXPECT_EQ(*find_result(results, "criteria.J1[1]"), -2.0);
  EXPECT_EQ(*find_result(results, "criteria.stable"), 1.0);
  EXPECT_TRUE(std::isnan(*find_result(results, "criteria.J2[0]")));
  EXPECT_EQ(find_result(results, "wall_s"), nullptr);
}

TEST(Results, AreChosenByPatterns) {
  EXPECT_TRUE(matches("criteria.J2[0]", "criteria.J2"));
  EXPECT_TRUE(matches("criteria.J2[0]", "criteria"));
  EXPECT_TRUE(matches("sites.west.tracking[0].nrmse", "sites.*.nrmse"));
  EXPECT_TRUE(matches("criteria.J2[0]", "*J2[0]"));
  EXPECT_FALSE(matches("criteria.J20[0]", "criteria.J2"));
  EXPECT_FALSE(matches("criteria.J2[0]", "J2"));
  const Names names = names_of(results_of(kSummary));
  EXPECT_EQ(select_results(names, {"peaks", "criteria.J2[1]"}),
            (Names{"criteria.J2[1]", "peaks.roof.x.disp_m", "peaks.roof.x.time_s"}));
}

TEST(Results, AreTheCriteriaWhereNobodyChoosesElseTheTracking) {
  Names names = names_of(results_of(kSummary));
  EXPECT_EQ(select_results(names, {}), (Names{"criteria.J1[0]", "criteria.J1[1]",
                                              "criteria.J2[0]", "criteria.J2[1]"}));
  std::erase_if(names,
                [](const std::string& name) { return name.starts_with("criteria"); });
  EXPECT_EQ(select_results(names, {}), Names{"sites.west.tracking[0].delay_s"});
}

}  // namespace
}  // namespace trestle::campaign
