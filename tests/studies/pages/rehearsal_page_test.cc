#include "studies/rehearsal/rehearsal_page.h"

#include <gtest/gtest.h>

#include "tests/support/golden_page.h"

namespace trestle::rehearsal::rehearsal_page_test {
namespace {

RehearsalReport some_scenarios() {
  RehearsalReport report{.scenarios = 1000,
                         .steps = 40,
                         .whole_steps = 4096,
                         .max_ticks_to_safe_action = 1,
                         .broken = {}};
  report.outcomes = {700, 200, 60, 40};
  report.by_fault[0] = {30, 10, 0, 0};
  report.by_fault[2] = {0, 12, 3, 1};
  report.by_fault[kFaultSorts - 1] = {500, 0, 0, 0};
  return report;
}

const RehearsalSettings kSettings{.test = "/somewhere/test.yaml", .seed = 7};

TEST(RehearsalPage, LooksAsItDid) {
  const std::string page = rehearsal_page(some_scenarios(), kSettings, "trestle 0.1.0");
  EXPECT_EQ(page.find("/somewhere"), std::string::npos) << "no path of this host";
  testing::expect_golden(page, "studies/pages/golden/rehearsal_held.html");
}

TEST(RehearsalPage, LooksAsItDidWithBrokenPromises) {
  RehearsalReport report = some_scenarios();
  report.broken = {{17, {"P1: west < 5 mm & nothing moved", "P6: no reason was told"}},
                   {412, {"P3: site east waited for nobody"}}};
  testing::expect_golden(rehearsal_page(report, kSettings, "trestle 0.1.0"),
                         "studies/pages/golden/rehearsal_broken.html");
}

}  // namespace
}  // namespace trestle::rehearsal::rehearsal_page_test
