#include "observe/report/criteria_table.h"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

namespace trestle::campaign::criteria_table_test {
namespace {

evaluation::Criteria criteria() {
  evaluation::Criteria found;
  found.actuators = {"bay 1"};
  found.interface = {"n.x"};
  for (std::size_t i : {0U, 1U, 2U, 3U, 4U, 5U}) found.benchmark[i] = {2.5};
  found.rmse = found.delay = found.amplitude = found.frequency_delay = {0.01};
  found.equivalent_frequency = found.nrmse = found.peak_error = found.energy_error = {0.01};
  return found;
}

TEST(CriteriaTable, SaysBesideEachNumberUntilWhichStepItGoes) {
  evaluation::Criteria cut = criteria();
  cut.until_step = 417;
  std::istringstream lines(report::criteria_table(cut));
  int numbers = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.find_first_of("0123456789", 39) == std::string::npos ||
        line.find("bay 1") != std::string::npos)
      continue;
    ++numbers;
    EXPECT_TRUE(line.ends_with("until step 417")) << line;
  }
  EXPECT_GE(numbers, 9);
  EXPECT_EQ(report::criteria_json(cut).at("until_step"), 417);
}

TEST(CriteriaTable, CallsAPartOfARunNeitherStableNorWithoutReasonUnstable) {
  evaluation::Criteria cut = criteria();
  cut.until_step = 417;
  EXPECT_EQ(report::criteria_table(cut).find("stable"), std::string::npos)
      << report::criteria_table(cut);
  EXPECT_EQ(report::criteria_table(cut).find("UNSTABLE"), std::string::npos);
  cut.stable = false;
  EXPECT_NE(report::criteria_table(cut).find("UNSTABLE"), std::string::npos);
}

// Targets that were all zero until the cut have no error relative to them.
TEST(CriteriaTable, PrintsADashForANumberThatARunDoesNotGive) {
  evaluation::Criteria none = criteria();
  for (std::vector<double>& numbers : none.benchmark)
    for (double& number : numbers) number = std::nan("");
  for (double& number : none.nrmse) number = std::nan("");
  const std::string table = report::criteria_table(none);
  EXPECT_EQ(table.find("nan"), std::string::npos) << table;
  EXPECT_NE(table.find("-"), std::string::npos) << table;
  EXPECT_EQ(report::criteria_json(none).dump().find("nan"), std::string::npos);
  EXPECT_TRUE(report::criteria_json(none).at("J2").at(0).is_null() ||
              std::isnan(report::criteria_json(none).at("J2").at(0).get<double>()));
}

TEST(CriteriaTable, LeavesAWholeRunAsItIs) {
  EXPECT_EQ(report::criteria_table(criteria()).find("until"), std::string::npos);
  EXPECT_NE(report::criteria_table(criteria()).find("stable"), std::string::npos);
  EXPECT_FALSE(report::criteria_json(criteria()).contains("until_step"));
}

}  // namespace
}  // namespace trestle::campaign::criteria_table_test
